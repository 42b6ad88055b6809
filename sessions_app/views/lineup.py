"""The lineup of an evening: add a player who comes late, or send one home."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sessions_app.access import EveningRequest, page
from sessions_app.base_forms import BoundedForm
from sessions_app.errors import LineupRefused
from sessions_app.forms.fields import NameField
from sessions_app.models import Evening, Role
from sessions_app.readers.evening import edit
from sessions_app.readers.evening.edit import Lineup
from sessions_app.views.errors import refill_of
from sessions_app.words.wording import whole_number
from sessions_app.writers import evening_edit


class SitDownForm(BoundedForm):
    """Seat a player after another one; `seen` is the evening's seating that the form was opened with."""

    seen = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    name = NameField(label=_("Name"), error_messages={"required": gettext_lazy("Enter a name.")})
    after = forms.TypedChoiceField(
        label=_("Where"),
        coerce=int,
        error_messages={
            "required": gettext_lazy("Where at the table?"),
            "invalid_choice": gettext_lazy("Nobody sits there now."),
        },
    )

    def __init__(self, *args: Any, lineup: Lineup, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        where = _("after %(name)s, before %(next)s")
        after = self.fields["after"]
        assert isinstance(after, forms.ChoiceField)  # noqa: S101  for the types
        after.choices = [
            (str(sitter.seat), where % {"name": sitter.name, "next": sitter.next_name}) for sitter in lineup.sitting
        ]


@page(Role.KEEPER, "GET", "HEAD", "POST")
def show(request: EveningRequest) -> HttpResponse:
    """Show the lineup; on POST seat a player, or put a known name into the form."""
    table = edit.lineup_of(request.evening)
    if request.method != "POST":
        return _page(request)
    if "pick" in request.POST:
        return _page(request, SitDownForm(initial=_typed(request), lineup=table))
    form = SitDownForm(request.POST, lineup=table)
    if form.is_valid():
        return _sit_down(request, form)
    if "seen" in form.errors:
        return _page(request, form, LineupRefused("stale"))
    return _page(request, form, status=422)


def _sit_down(request: EveningRequest, form: SitDownForm) -> HttpResponse:
    said = form.cleaned_data
    try:
        evening_edit.join_lineup(
            request.evening.pk, said["name"], said["after"], seen=said["seen"], by=request.member.user
        )
    except LineupRefused as refused:
        if refused.code == "sits_already":
            form.add_error("name", sentence(request.evening, refused.code))
            return _page(request, form, status=422)
        return _page(request, form, refused)
    return redirect("evening", request.evening.pk)


@refill_of(show)
@page(Role.KEEPER, "POST")
def _refill(request: EveningRequest) -> HttpResponse:
    notice = _("This form was open for too long. Nothing was lost: press the button again.")
    form = SitDownForm(initial=_typed(request), lineup=edit.lineup_of(request.evening))
    return _page(request, form, status=403, notice=notice)


@page(Role.KEEPER, "POST")
def home(request: EveningRequest) -> HttpResponse:
    """Take a player out of the lineup. A repeated request has no further effect."""
    seat, seen = _posted_number(request, "seat"), _posted_number(request, "seen")
    try:
        evening_edit.leave_lineup(request.evening.pk, seat, seen=seen, by=request.member.user)
    except LineupRefused as refused:
        return _page(request, refused=refused)
    return redirect("evening", request.evening.pk)


def context_of(evening: Evening, form: SitDownForm | None = None, name: str = "") -> dict[str, Any]:
    """Return the context of components/lineup.html, by three queries; without a form that of a new one for `name`."""
    table, why_not = edit.lineup_of(evening), edit.lineup_obstacle(evening)
    if form is None:
        initial = {"seen": evening.seating, "name": name, "after": table.sitting[-1].seat}
        form = SitDownForm(initial=initial, lineup=table)
    return {
        "table": table,
        "sit_down": form,
        "seating": evening.seating,
        "why_not": sentence(evening, why_not) if why_not else "",
        "count": len(table.sitting),
        "number": evening.last_number + 1,
    }


def sentence(evening: Evening, code: str, *, least: int = 0) -> str:
    """Return the sentence of a refusal; `least` is how many players the game needs."""
    sentences = {
        "ended": _("This session has ended, so players can no longer come or go."),
        "seats_fixed": _("In this game the players stay until the end."),
        "being_played": _("Hand %(number)s is being played. Save it or take it back first."),
        "too_many": _("The table is full. Somebody has to go home first."),
        "too_few": _("You need %(least)s players: somebody has to sit down first."),
        "sheet_full": _("The sheet has no room for another player."),
        "sits_already": _("This player is already at the table."),
    }
    stale = _("Nothing was changed. Somebody came or left since you opened this page: check the table below.")
    return sentences.get(code, stale) % {"number": evening.last_number + 1, "least": least}


def _typed(request: EveningRequest) -> dict[str, str]:
    typed = request.POST.dict()
    return typed | {"name": typed.get("pick") or typed.get("name", "")}


def _posted_number(request: EveningRequest, name: str) -> int:
    """Return the whole number of a posted field; −1, which no seat and no seating has, for any other text."""
    number = whole_number(request.POST.get(name, ""))
    return -1 if number is None else number


def _page(
    request: EveningRequest,
    form: SitDownForm | None = None,
    refused: LineupRefused | None = None,
    status: int = 200,
    notice: str = "",
) -> HttpResponse:
    evening, name = request.evening, ""
    if refused:
        evening.refresh_from_db()
        # The lineup may have changed, and the seats to choose from with it.
        name, form = form["name"].value() if form else "", None
    context = context_of(evening, form, name)
    if refused:
        notice, status = sentence(evening, refused.code, least=context["count"]), 409
    return render(request, "lineup/page.html", context | {"evening": evening, "notice": notice}, status=status)
