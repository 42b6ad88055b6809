"""Start an evening: players, seats, stake and house rules."""

from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from sessions_app import rate_limits
from sessions_app.access import ANYONE, page, sign_in, visitor, visitor_or_guest
from sessions_app.errors import EveningTokenTaken, HouseProfileRefused, SamePerson
from sessions_app.forms.evening_new import NewEveningForm
from sessions_app.models import Evening, User
from sessions_app.readers import evening_lists
from sessions_app.readers.evening import starter_of
from sessions_app.readers.house_profiles import SavedProfile, offered
from sessions_app.readers.snapshot import snapshot
from sessions_app.views import too_many_requests
from sessions_app.views.house_profiles import why_refused
from sessions_app.views.htmx import answer, go
from sessions_app.wording import isolated
from sessions_app.writers import evenings


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
def new(request: HttpRequest) -> HttpResponse:
    rate_limits.count(rate_limits.NEW_FORMS, request, by_user=True)
    if request.method != "POST":
        return _open(request)
    # htmx has `arrange` in the address when a choice changes the form: then no button sends it.
    if "arrange" in request.POST or "arrange" in request.GET:
        return page_of(request, _rearranged(request))
    form = form_of(request, data=request.POST)
    if not form.is_valid():
        return page_of(request, form, status=422)
    try:
        evening = _start(request, form)
    except (HouseProfileRefused, SamePerson) as refused:
        _add_error(form, refused)
        return page_of(request, form, status=422)
    except rate_limits.TooMany as refused:
        answered = page_of(request, form, status=429, notice=too_many_requests.too_many_circles(refused))
        return too_many_requests.with_retry_after(answered, refused)
    return go(request, reverse("evening", args=[evening.pk]))


def _add_error(form: NewEveningForm, refused: HouseProfileRefused | SamePerson) -> None:
    if isinstance(refused, HouseProfileRefused):
        form.add_error("keep_as", why_refused(refused))
        return
    names = {"first": isolated(refused.first), "second": isolated(refused.second)}
    sentence = _("%(first)s and %(second)s are one person in this circle, under two names.") % names
    form.add_error(form.seat_named(refused.second), sentence)


def _open(request: HttpRequest) -> HttpResponse:
    """Answer with an empty form, with the game and the house rules that were chosen last."""
    user = visitor(request)
    known = evening_lists.known(user) if user else evening_lists.Known([])
    begin = {"token": uuid4(), "first_dealer": "1", "currency": "HUF", "game": known.game, "rules": known.rules}
    return page_of(request, form_of(request, user, initial=begin), known=known.names)


def _start(request: HttpRequest, form: NewEveningForm) -> Evening:
    """Start the evening, and sign a stranger in as a guest. Raise rate_limits.TooMany."""
    token, opening = form.cleaned_data["token"] or uuid4(), form.opening
    is_stranger = visitor(request) is None
    if is_stranger and (starter := starter_of(token)):
        sign_in(request, starter)
    elif is_stranger:
        rate_limits.count(rate_limits.NEW_CIRCLES, request)
    try:
        return evenings.start(opening, token=token, by=visitor_or_guest(request))
    except EveningTokenTaken:
        # A stranger's second tap overtook the first: sign in as the same guest. Any other form with this token starts
        # an evening of its own.
        starter = starter_of(token) if is_stranger else None
        if starter is None:
            return evenings.start(opening, token=uuid4(), by=visitor_or_guest(request))
        sign_in(request, starter)
        return evenings.start(opening, token=token, by=starter)


@page(ANYONE, "POST")
@snapshot()
def _refill(request: HttpRequest) -> HttpResponse:
    notice = _("This form was open for too long. Nothing was lost: press Start again.")
    return page_of(request, form_of(request, initial=request.POST.dict()), status=403, notice=notice)


new.refill = _refill  # type: ignore[attr-defined]


def _rearranged(request: HttpRequest) -> NewEveningForm:
    """Return the form after one of its buttons; another game comes with the house rules that it was played by last."""
    takes_profile = request.POST.get("arrange") == "profile"
    fields = arranged(request.POST.dict())
    form = form_of(request, initial=fields)
    if takes_profile:
        return form_of(request, initial=form.taken_over(fields))
    if not form.is_of_another:
        return form
    user = visitor(request)
    rules = evening_lists.last_rules(user, form.game_key) if user else ""
    return form_of(request, initial=fields | {"rules": rules})


def form_of(request: HttpRequest, user: User | None = None, **given: Any) -> NewEveningForm:
    """Return the form, which queries the saved profiles of the visitor's circle if it needs them."""

    def own(game_key: str) -> tuple[SavedProfile, ...]:
        keeper = user or visitor(request)
        return offered(keeper, game_key, form.after) if keeper else ()

    form = NewEveningForm(**given, own=own)
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
    known: list[str] | None = None,
    evening: Evening | None = None,
) -> HttpResponse:
    """Render the page with this form; `evening`, if any, is the one that it was opened from."""
    if known is None:
        user = visitor(request)
        known = evening_lists.known_names(user) if user else []
    written = {str(form[name].value() or "").strip().casefold() for name in form.PLAYERS}
    unused = [name for name in known if name.casefold() not in written]
    context = {"form": form, "known": unused, "notice": notice, "evening": evening}
    return answer(request, "evening_new/page.html", context, "session-form", "house-summary", status=status)
