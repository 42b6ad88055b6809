"""Edit an evening: names, stake, chips, and the seats before the first hand, with the history; or delete it unused."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import localize_input
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sessions_app.access import EveningRequest, page
from sessions_app.base_forms import OUT_OF_DATE
from sessions_app.errors import EveningUsed, PlayerNameTaken, SeatsFixed, StakeTooHigh, StaleEvening
from sessions_app.faces import house_rules
from sessions_app.forms.evening_new import IN_CHIPS, NewEveningForm, SeatsForm
from sessions_app.forms.fields import LineField, NameField, NoteField
from sessions_app.forms.stake import StakeField
from sessions_app.models import NOTE_LENGTH, TITLE_LENGTH, EveningChange, Role
from sessions_app.readers.evening.edit import (
    Shape,
    change_views,
    changes_of,
    deals_right,
    kept_by,
    latest_change,
    merged,
    seats_are_free,
    shape_of,
    with_seats_of,
)
from sessions_app.readers.people import members
from sessions_app.readers.people.players import NameConflict, name_conflict
from sessions_app.views import lineup
from sessions_app.views.circle_player import name_taken
from sessions_app.views.errors import refill_of
from sessions_app.views.evening_new import arranged
from sessions_app.views.htmx import answer, go
from sessions_app.words.wording import offered_currencies
from sessions_app.writers import evening_edit, evenings


class EveningEditForm(SeatsForm):
    """Edit the names, seats, stake, title and note of an evening; and the chips, if its game pays per hand.

    `who_1` … are the ids of the players named in `player_1` ….
    `seen` is the latest entry of the evening's history that the form was opened with. `shape` is the evening as the
    valid form describes it.
    """

    seen = forms.IntegerField(required=False, min_value=0, max_value=2**62, widget=forms.HiddenInput)
    title = LineField(label=gettext_lazy("Title"), max_length=TITLE_LENGTH, required=False)
    note = NoteField(label=gettext_lazy("Note"), max_length=NOTE_LENGTH, required=False)

    def __init__(self, *args: Any, seats: int, pays_per_hand: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["token"]
        if not pays_per_hand:
            del self.fields["in_chips"]
        # Players who went home keep their seats, so an evening may have more than a table does.
        self.PLAYERS = self.seats = tuple(f"player_{seat + 1}" for seat in range(seats))
        for name in SeatsForm.PLAYERS[seats:]:
            del self.fields[name]
        for seat, name in enumerate(self.seats[len(SeatsForm.PLAYERS) :], len(SeatsForm.PLAYERS) + 1):
            self.fields[name] = NameField(label=gettext_lazy("Player %(seat)s") % {"seat": seat})
        for name in self.seats:
            self.fields[name].required = True
            self.fields[name].error_messages["required"] = gettext_lazy("Enter a name.")
            self.fields[who(name)] = forms.IntegerField(min_value=1, max_value=2**62, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        players = [cleaned.get(who(name)) for name in self.seats]
        if None in players or len(set(players)) < len(players) or "seen" in self.errors:
            raise ValidationError(OUT_OF_DATE)
        return cleaned

    @property
    def shape(self) -> Shape:
        cleaned = self.cleaned_data
        return Shape(
            tuple(cleaned[who(name)] for name in self.seats),
            tuple(cleaned[name] for name in self.seats),
            cleaned["first_dealer"] - 1,
            cleaned["stake"],
            cleaned["currency"],
            cleaned["title"],
            cleaned["note"],
            cleaned.get("in_chips") == IN_CHIPS,
        )

    def seat_of(self, player: int) -> str:
        """Return the field that has this player's name; of a valid form only."""
        return next(name for name in self.seats if self.cleaned_data[who(name)] == player)


def who(name: str) -> str:
    """Return the field with the player's id for this name field."""
    return name.replace("player", "who")


def values_of(shape: Shape, seen: int) -> dict[str, Any]:
    """Return the form's initial values for an evening of this shape."""
    values: dict[str, Any] = {"seen": seen, "first_dealer": shape.first_dealer + 1}
    for seat, (player, written) in enumerate(zip(shape.players, shape.names, strict=True), 1):
        name = f"player_{seat}"
        values |= {name: written, who(name): player}
    values["stake"] = "" if shape.stake is None else localize_input(shape.stake.normalize() + 0)
    values["currency"] = shape.currency or offered_currencies()[0]
    values |= {"title": shape.title, "note": shape.note, "in_chips": IN_CHIPS if shape.in_chips else ""}
    return values


# --- The page ---


@page(Role.KEEPER, "GET", "HEAD", "POST")
def show(request: EveningRequest) -> HttpResponse:
    current = shape_of(request.evening)
    seats = len(current.players)
    if request.method != "POST":
        return _page(request, _form(request, seats, initial=_opened(request, current)))
    if "arrange" in request.POST:
        return _page(request, _form(request, seats, initial=_rearranged(request.POST.dict(), seats)))
    form = _form(request, seats, data=request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    return _save(request, form)


@refill_of(show)
@page(Role.KEEPER, "POST")
def _refill(request: EveningRequest) -> HttpResponse:
    notice = _("This form was open for too long. Nothing was lost: press Save again.")
    seats = len(shape_of(request.evening).players)
    return _page(request, _form(request, seats, initial=request.POST.dict()), status=403, notice=notice)


def _save(request: EveningRequest, form: EveningEditForm) -> HttpResponse:
    evening, wanted = request.evening, form.shape
    try:
        evening_edit.edit(evening.pk, wanted, seen=form.cleaned_data["seen"] or 0, by=request.member.user)
    except PlayerNameTaken as taken:
        conflict = name_conflict(evening.circle_id, taken)
        form.add_error(form.seat_of(taken.player), name_taken(conflict))
        return _page(request, form, status=422, conflict=conflict)
    except StakeTooHigh:
        form.add_error("stake", StakeField.default_error_messages["max_value"])
        return _page(request, form, status=422)
    except StaleEvening as stale:
        current = shape_of(evening)
        same_players = set(wanted.players) == set(current.players)
        wanted = merged(wanted, stale.changes, current) if same_players else current
        notice = _("Nothing was saved: somebody else changed the session meanwhile. What you typed is below.")
        return _again(request, wanted, notice, since=stale.changes)
    except SeatsFixed:
        wanted = with_seats_of(wanted, shape_of(evening))
        return _again(request, wanted, _("Nothing was saved: the seats can no longer be swapped."))
    return go(request, reverse("evening", args=[evening.pk]))


def _form(request: EveningRequest, seats: int, **given: Any) -> EveningEditForm:
    return EveningEditForm(seats=seats, pays_per_hand=request.evening.game.pays_per_hand, **given)


def _opened(request: EveningRequest, shape: Shape) -> dict[str, Any]:
    return values_of(shape, latest_change(request.evening))


def _again(request: EveningRequest, wanted: Shape, notice: str, since: tuple[EveningChange, ...] = ()) -> HttpResponse:
    """Answer 409 with the evening as it is now and the values that this member typed."""
    request.evening.refresh_from_db()
    form = _form(request, len(wanted.players), initial=_opened(request, wanted))
    return _page(request, form, status=409, notice=notice, since=since)


def _rearranged(fields: dict[str, str], seats: int) -> dict[str, str]:
    """Return the form's fields after one of its arrows: the player's id moves with the name."""
    verb, _colon, seat = fields.get("arrange", "").partition(":")
    if verb != "up" or seat not in [str(number) for number in range(2, seats + 1)]:
        fields.pop("arrange", None)
        return fields
    above, moved = (who(NewEveningForm.PLAYERS[int(seat) - back]) for back in (2, 1))
    fields[above], fields[moved] = fields.get(moved, ""), fields.get(above, "")
    return arranged(fields)


def _page(
    request: EveningRequest,
    form: EveningEditForm,
    status: int = 200,
    notice: str = "",
    since: tuple[EveningChange, ...] = (),
    conflict: NameConflict | None = None,
) -> HttpResponse:
    """Render the page, by a fixed number of queries."""
    evening = request.evening
    by_user = members.names_by_user(evening.circle_id)
    viewer = request.member.user
    context = {
        "evening": evening,
        "form": form,
        "rows": [(number, form[name], form[who(name)]) for number, name in enumerate(form.seats, 1)],
        "may_swap": seats_are_free(evening),
        "deals_right": deals_right(evening.game),
        "may_go": not kept_by(evening),
        "notice": notice,
        "conflict": conflict,
        "house_rules": house_rules.describe(evening.game_key, evening.house).line,
        "since": change_views(since, by_user, viewer),
        "history": change_views(changes_of(evening).reverse(), by_user, viewer),
        **lineup.context_of(evening),
    }
    return answer(request, "evening_edit/page.html", context, "edit-form", status=status)


@page(Role.KEEPER, "GET", "HEAD", "POST")
def remove(request: EveningRequest) -> HttpResponse:
    evening, status = request.evening, 200
    if request.method == "POST":
        try:
            evenings.remove(evening.pk, by=request.member.user)
        except EveningUsed:
            evening.refresh_from_db()
            status = 409
        else:
            return redirect("home")
    names = [seat.player.name for seat in evening.seats.select_related("player")]
    context = {"evening": evening, "names": names, "kept_by": kept_by(evening)}
    return render(request, "evening_remove/page.html", context, status=status)
