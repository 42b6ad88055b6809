"""Start an evening: players, seats, stake and house rules; or the next one of the same players."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast
from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from sessions_app import rate_limits
from sessions_app.access import (
    ANYONE,
    CircleRequest,
    EveningRequest,
    admit_to_circle,
    page,
    sign_in_phone,
    visitor,
    visitor_or_guest,
)
from sessions_app.errors import EveningTokenTaken, HouseProfileRefused, NewCircleRefused, SamePerson
from sessions_app.forms.evening_new import UNSEEN, CircleAnswer, NewEveningForm, another_game, fields_after
from sessions_app.models import NAME_LENGTH, Evening, Role, User
from sessions_app.readers.book import lists
from sessions_app.readers.evening import seating
from sessions_app.readers.evening.seating import names_of
from sessions_app.readers.people.circles import (
    EveningCircle,
    SavedProfile,
    circle_at,
    evening_circles,
    profiles_of,
)
from sessions_app.readers.people.new_circles import has_started, starter_of
from sessions_app.transactions import snapshot
from sessions_app.views import closed, errors
from sessions_app.views.house_profiles import why_refused
from sessions_app.views.htmx import answer, go, number_in
from sessions_app.words.wording import KEY_DIGITS, isolated, offered_currencies, whole_number
from sessions_app.writers import evenings


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
@closed.to_those_without_a_circle
def new(request: HttpRequest) -> HttpResponse:
    rate_limits.count(rate_limits.NEW_FORMS, request, by_user=True)
    if request.method != "POST":
        return _open(request)
    # htmx has `arrange` in the address when a choice changes the form: then no button sends it.
    if "arrange" in request.POST or "arrange" in request.GET:
        return page_of(request, _rearranged(request))
    user = visitor(request)
    form = form_of(request, user, data=request.POST.dict())
    question = form.question_about(form.names) if form.is_valid() else ()
    # The circle of a second tap is that of the first, which may have made it.
    if form.errors or (question and not has_started(user, form.cleaned_data["token"])):
        return page_of(request, form, status=422, question=question)
    try:
        evening = _start(request, form)
    except (HouseProfileRefused, NewCircleRefused, SamePerson) as refused:
        _add_error(form, refused)
        return page_of(request, form, status=422)
    except rate_limits.TooMany as refused:
        answered = page_of(request, form, status=429, notice=f"{refused.why} {errors.when(refused)}")
        return errors.with_retry_after(answered, refused)
    return go(request, reverse("evening", args=[evening.pk]))


def _add_error(form: NewEveningForm, refused: HouseProfileRefused | NewCircleRefused | SamePerson) -> None:
    if isinstance(refused, NewCircleRefused):
        form.new_circle_refused = closed.sentence(refused.code)
        return
    if isinstance(refused, HouseProfileRefused):
        form.add_error("keep_as", why_refused(refused))
        return
    names = {"first": isolated(refused.first), "second": isolated(refused.second)}
    sentence = _("%(first)s and %(second)s are one person in this circle, under two names.") % names
    form.add_error(form.seat_named(refused.second), sentence)


def _open(request: HttpRequest) -> HttpResponse:
    """Answer with an empty form, with the game and the house rules that its circle chose last.

    That is the circle in the address, or else the one that the visitor's phone sat down in last, which is proposed.
    """
    wanted = number_in(request, "circle")
    if "circle" in request.GET and wanted is None:
        raise Http404
    circles = _circles(request, visitor(request), () if wanted is None else (wanted,))
    chosen = next((circle for circle in circles if wanted in (None, circle.id)), None)
    begin: dict[str, Any] = {"token": uuid4(), "first_dealer": "1", "currency": offered_currencies()[0]}
    if chosen:
        begin |= {"circle": str(chosen.id), "proposed": "" if wanted else "yes"}
        begin |= {"game": chosen.last_game, "rules": chosen.last_rules}
    return page_of(request, _form(request, circles, initial=begin))


def _start(request: HttpRequest, form: NewEveningForm) -> Evening:
    """Start the evening, and sign a stranger in as a guest. Raise rate_limits.TooMany, NewCircleRefused."""
    token, opening, chosen = form.cleaned_data["token"] or uuid4(), form.opening, form.circle_for(form.names)
    circle = circle_at(chosen.id) if chosen else None
    is_stranger = visitor(request) is None
    if is_stranger and (starter := starter_of(token)):
        sign_in_phone(request, starter)
    elif is_stranger:
        rate_limits.count(rate_limits.NEW_CIRCLES, request)
    if circle is None:
        closed.admit(request)
    try:
        return evenings.start(opening, token=token, by=visitor_or_guest(request), circle=circle)
    except EveningTokenTaken:
        # A stranger's second tap overtook the first: sign in as the same guest. Any other form with this token starts
        # an evening of its own.
        starter = starter_of(token) if is_stranger else None
        if starter is None:
            return evenings.start(opening, token=uuid4(), by=visitor_or_guest(request), circle=circle)
        sign_in_phone(request, starter)
        return evenings.start(opening, token=token, by=starter)


@errors.refill_of(new)
@page(ANYONE, "POST")
@snapshot()
def _refill(request: HttpRequest) -> HttpResponse:
    notice = _("This form was open for too long. Nothing was lost: press Start again.")
    return page_of(request, form_of(request, visitor(request), initial=request.POST.dict()), status=403, notice=notice)


def _rearranged(request: HttpRequest) -> NewEveningForm:
    """Return the form after one of its buttons.

    Another game, or another circle, comes with the house rules that it was played by last, or that it played by.
    """
    takes_profile, user = request.POST.get("arrange") == "profile", visitor(request)
    fields = arranged(request.POST.dict())
    form = form_of(request, user, initial=fields)
    if takes_profile:
        return _form(request, form.circles, initial=form.taken_over(fields))
    if form.is_in_another_circle:
        fields = form.without_rules(fields) | {"proposed": ""}
    elif not form.is_of_another:
        return form
    chosen = form.chosen_circle
    rules = lists.last_rules(user, form.game_key, chosen.id if chosen else None) if user else ""
    return _form(request, form.circles, initial=fields | {"rules": rules})


def form_of(
    request: HttpRequest,
    user: User | None,
    *,
    data: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
) -> NewEveningForm:
    """Return the form with these fields; `user` is the visitor. Raise Http404, PermissionDenied for their circles.

    Fields without a circle are of the circle of the evening that the form was opened `after`; without that, the one
    that would be proposed in a form is.
    """
    fields = dict(data if data is not None else initial or {})
    named = (whole_number(str(fields.get(name) or ""), KEY_DIGITS) for name in ("circle", "into"))
    circles = _circles(request, user, [key for key in named if key is not None])
    if circles and not fields.get("circle"):
        after = whole_number(str(fields.get("after") or ""), KEY_DIGITS)
        if after is None:
            fields |= {"circle": str(circles[0].id), "proposed": UNSEEN}
        else:
            of_evening = Evening.objects.filter(pk=after, circle__in=[each.id for each in circles])
            fields["circle"] = str(of_evening.values_list("circle", flat=True).first() or "")
    return _form(request, circles, **{"data" if data is not None else "initial": fields})


def _circles(request: HttpRequest, user: User | None, wanted: Collection[int]) -> tuple[EveningCircle, ...]:
    """Return the circles in which the visitor may start an evening, and demos only if they are `wanted`.

    Raise Http404 or PermissionDenied if he may not in a wanted one.
    """
    found = evening_circles(user) if user else ()
    for circle_id in {*wanted} - {circle.id for circle in found}:
        admit_to_circle(cast(CircleRequest, request), circle_id, Role.KEEPER)
    return tuple(circle for circle in found if not circle.is_demo or circle.id in wanted)


def _form(request: HttpRequest, circles: Sequence[EveningCircle], **given: Any) -> NewEveningForm:
    """Return the form, which queries the saved profiles of its circle if it needs them."""

    def own(game_key: str) -> tuple[SavedProfile, ...]:
        return profiles_of(form.chosen_circle.id, game_key) if form.chosen_circle else ()

    offers_new_people = closed.offers_new_circle(request)
    form = NewEveningForm(**given, circles=circles, own=own, offers_new_people=offers_new_people)
    return form


def arranged(fields: dict[str, str]) -> dict[str, str]:
    """Return the form's fields after its 'arrange' button: a known name filled in, or a player moved one seat up.

    The first dealer stays first dealer when moved. All other fields stay as they were.
    """
    verb, _colon, what = fields.pop("arrange", "").partition(":")
    seats = NewEveningForm(initial=fields).offered
    if verb == "pick":
        empty = next((seat for seat in seats if not fields.get(seat, "").strip()), None)
        if empty:
            fields[empty] = what
    if verb == "up" and f"player_{what}" in seats[1:]:
        above, moved = seats[int(what) - 2], seats[int(what) - 1]
        fields[above], fields[moved] = fields.get(moved, ""), fields.get(above, "")
        swapped = {what: str(int(what) - 1), str(int(what) - 1): what}
        fields["first_dealer"] = swapped.get(fields.get("first_dealer", ""), fields.get("first_dealer", ""))
    return fields


def page_of(
    request: HttpRequest,
    form: NewEveningForm,
    status: int = 200,
    notice: str = "",
    question: Sequence[CircleAnswer] = (),
    evening: Evening | None = None,
) -> HttpResponse:
    """Render the page with this form; `evening`, if any, is the one that it was opened from."""
    typed = (str(form[name].value() or "")[: 2 * NAME_LENGTH].strip() for name in form.PLAYERS)
    circle = form.chosen_circle
    unused = circle.suggested_besides(typed) if circle else ()
    context = {"form": form, "known": unused, "notice": notice, "question": question, "evening": evening}
    context["asks_code"] = (not circle or form.new_circle_refused) and closed.asks_code(request)
    return answer(request, "evening_new/page.html", context, "session-form", "house-summary", status=status)


@page(Role.KEEPER, "GET", "HEAD")
def next_evening(request: EveningRequest) -> HttpResponse:
    """Answer with the form of a new evening, filled in and ready to start."""
    evening = request.evening
    game_key, names = another_game(evening), names_of(evening)
    rules = lists.last_rules(request.member.user, game_key, evening.circle_id)
    fields = fields_after(evening, names, seating.turn(evening).dealer, game_key, rules)
    form = form_of(request, request.member.user, initial=fields | {"after": evening.pk})
    return page_of(request, form, evening=evening)
