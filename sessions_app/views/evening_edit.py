"""Edit an evening: names, stake, chips, and the seats before the first hand, with the history; or delete it unused."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from sessions_app.access import EveningRequest, page
from sessions_app.errors import EveningUsed, PlayerNameTaken, SeatsFixed, StakeTooHigh, StaleEvening
from sessions_app.faces import house_rules
from sessions_app.forms.evening_edit import EveningEditForm, values_of, who
from sessions_app.forms.evening_new import NewEveningForm
from sessions_app.forms.stake import StakeField
from sessions_app.models import EveningChange, Role
from sessions_app.readers.evening import kept_by
from sessions_app.readers.evening.edit import (
    Shape,
    change_views,
    changes_of,
    deals_right,
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
from sessions_app.views.evening_new import arranged
from sessions_app.views.htmx import answer, go
from sessions_app.writers import evening_edit, evenings


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


@page(Role.KEEPER, "POST")
def _refill(request: EveningRequest) -> HttpResponse:
    notice = _("This form was open for too long. Nothing was lost: press Save again.")
    seats = len(shape_of(request.evening).players)
    return _page(request, _form(request, seats, initial=request.POST.dict()), status=403, notice=notice)


show.refill = _refill  # type: ignore[attr-defined]


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
