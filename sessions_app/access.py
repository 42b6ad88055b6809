"""Permissions: every view has the decorator `page`, or `circle_page` if its address names a circle and no evening.

A circle's pages answer 404 to everybody but its members, whether the object exists or not, and 403 to a member whose
role is too low. In a closed circle, archived or soon deleted, every member's role is a viewer's.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from datetime import date
from functools import partial, wraps
from typing import Any, Final, NamedTuple, cast

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.core.exceptions import PermissionDenied
from django.db import InternalError, OperationalError
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import rotate_token
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject
from django.utils.translation import activate, get_language
from django.views.decorators.http import require_http_methods

from scorekeeper.db.compiled_queries import CompiledQuery, Row, Slot, columns, compiled, loaded
from sessions_app import dear_pages, settings_cookie
from sessions_app.errors import MISSING, CircleClosed
from sessions_app.models import SETTINGS, Circle, Evening, Member, Phone, Player, Role, User
from sessions_app.readers.evening.seating import evening_of
from sessions_app.transactions import know_versions, outside_snapshot, snapshot
from sessions_app.writers import members, phones

type Decorator = Callable[[View], View]
View = Callable[..., HttpResponseBase]
ANYONE = None
#: The session's entry with the key of the phone (`Phone.key`).
PHONE: Final = "phone"


class EveningRequest(HttpRequest):
    """The request of a member, as the views of one evening get it."""

    evening: Evening
    version: int
    is_demo: bool
    member: Member


class CircleRequest(HttpRequest):
    """The request of a member, as the views of a circle get it."""

    circle: Circle
    member: Member


def page(need: Role | None, *methods: str, follows: bool = False, polls: bool = False, dear: bool = False) -> Decorator:
    """Admit members with the role `need` in the evening's circle (ANYONE: everybody), by `methods` only.

    A view that needs a role has `evening_id` first in its URL. It is not passed on: the request carries `evening` and
    `member`. It reads one snapshot of the database, and after a refused write another one, in which the caller is
    admitted again. The decorated view has the role as `.need`, for the tests.

    A view that `follows` marks the member's phone as present. One that `polls` gets the evening's version that the
    phone has as `v`, and answers 204 while there is no newer one. One that may be `dear` takes turns (`dear_pages`).
    """

    def decorate(view: View) -> View:
        inner = view if need is ANYONE else _of_evening(view, need, follows=follows, polls=polls, dear=dear)
        return _guarded(view, inner, need, methods)

    return decorate


def circle_page(
    need: Role, *methods: str, writes: Role | None = None, dear: bool = False, closed_too: bool = False
) -> Decorator:
    """Admit members of a circle with the role `need`, by `methods` only; by POST with the role `writes`, if given.

    The view has `circle_id` first in its URL. It is not passed on: the request carries `circle` and `member`. It reads
    snapshots, and may be `dear`, as a `page`. One for circles that are `closed_too` opens them again: there a member
    has his own role. The decorated view has the role that a POST needs as `.need`, for the tests.
    """

    def decorate(view: View) -> View:
        def answer(request: CircleRequest, circle_id: int, **kwargs: Any) -> HttpResponseBase:
            role = need if request.method in ("GET", "HEAD") else writes or need
            admit = partial(admit_to_circle, request, circle_id, role, closed_too=closed_too)
            with _in_turn(request, f"circle {circle_id}", admit) if dear else nullcontext(), snapshot(on_renewal=admit):
                admit()
                return view(request, **kwargs)

        return _guarded(view, answer, writes or need, methods)

    return decorate


def _guarded(view: View, inner: View, need: Role | None, methods: tuple[str, ...]) -> View:
    """Return `inner` under the name of the view, for these methods, with the headers of every page."""

    @wraps(view)
    def wrapper(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        try:
            response = inner(request, **kwargs)
        except MISSING as missing:  # any other row that is missing is an error of the program
            raise Http404 from missing
        # A browser must not show a cached page after the membership has ended, nor a fragment as a page. A resource
        # that never changes under its address says so itself.
        if "Cache-Control" not in response:
            patch_cache_control(response, private=True, no_store=True)
        patch_vary_headers(response, ["HX-Request", "HX-Target"])
        _note_back(request)
        if response.status_code != 204:
            _note_seen(request)
        if response.status_code != 204 and "Location" not in response:  # a redirect leads to a page that does it
            settings_cookie.copy_of_caller(request, response)
        return response

    guarded: View = require_http_methods(methods)(wrapper)
    guarded.need, guarded.methods = need, methods  # type: ignore[attr-defined]
    return guarded


def _in_turn(request: HttpRequest, place: str, admit: Callable[[], None]) -> AbstractContextManager[None]:
    """Return the block in which a page that may be dear is made. A caller who is not admitted takes no turn."""
    if dear_pages.is_dear(place):
        admit()
    return dear_pages.measured(place, request.session.get(SESSION_KEY))


def _of_evening(view: View, need: Role, *, follows: bool, polls: bool, dear: bool) -> View:
    """Return a view that admits the caller first, and reads in a snapshot."""

    def answer(request: EveningRequest, evening_id: int, **kwargs: Any) -> HttpResponseBase:
        admit = partial(_admit, request, evening_id, need)
        response: HttpResponseBase | None = None
        if polls:
            # A phone that has the latest version costs one query and no transaction.
            admit()
            response = no_news(request, request.version)
        if response is None:
            again = partial(_admit_again, request, evening_id, need)
            turn = _in_turn(request, f"evening {evening_id}", admit) if dear else nullcontext()
            with turn, snapshot(on_renewal=again):
                admit()
                response = view(request, **kwargs)
        if follows:
            members.note_presence(request.member, user_agent(request))
        return response

    return answer


def no_news(request: HttpRequest, version: int | str, sent_as: str = "v") -> HttpResponse | None:
    """Return the answer 204 to a phone that has sent this version of a live part, None to one that is to get it."""
    return HttpResponse(status=204) if request.GET.get(sent_as) == str(version) else None


def _admit(admitted: EveningRequest, evening_id: int, need: Role) -> None:
    """Put the member and the evening on the request, by one query. Raise Http404 or PermissionDenied.

    A POST loads the evening at once. Other methods load it on first access: a poll without news needs its version
    only.
    """
    row = _asked(admitted, _membership, evening_id)
    *_rest, archived_at, deleted_from, admitted.version, admitted.is_demo = row
    admitted.member = _admitted(admitted, row, need, Circle(archived_at=archived_at, deleted_from=deleted_from))
    if admitted.method == "POST":
        admitted.evening = evening_of(evening_id)
    else:
        admitted.evening = cast(Evening, SimpleLazyObject(lambda: evening_of(evening_id)))


def _admit_again(admitted: EveningRequest, evening_id: int, need: Role) -> None:
    """Admit the caller in a new snapshot. The evening is refreshed in its place, as the view already holds it."""
    evening = admitted.evening
    _admit(admitted, evening_id, need)
    evening.refresh_from_db()
    admitted.evening = evening


def admit_to_circle(admitted: CircleRequest, circle_id: int, need: Role, *, closed_too: bool = False) -> None:
    """Put the member and the circle on the request, by one query. Raise Http404 or PermissionDenied."""
    row = _asked(admitted, _circle_membership, circle_id)
    circle = loaded(Circle, columns(Circle), row[-len(columns(Circle)) :])
    admitted.member = member = _admitted(admitted, row, need, circle, closed_too=closed_too)
    admitted.circle = member.circle = circle
    know_versions(circle)


class SeenPhone(NamedTuple):
    """The phone that sends a request, and when it was seen last."""

    id: int
    last_seen_on: date


@dataclass(frozen=True, slots=True)
class _CallersRows:
    """A query of rows of the caller, by the key of a phone, and by a session from before phones had rows."""

    by_phone: CompiledQuery
    by_old_session: CompiledQuery

    def ask(self, request: HttpRequest, place: int = 0) -> Row | None:
        """Return the row, None if there is none or the phone is ended: one query, or none for a stranger."""
        session = request.session
        if PHONE in session:
            for row in self.by_phone.ask(phone=session[PHONE], place=place):
                request.phone = SeenPhone(*row[-2:])  # type: ignore[attr-defined]
                return row[:-2]
        elif SESSION_KEY in session:
            for row in self.by_old_session.ask(user=int(session[SESSION_KEY]), place=place):
                return row
        return None


def _of_caller(rows: Callable[[Slot], QuerySet[Any, Any]], to_user: str, *names: str) -> _CallersRows:
    """Return a query of these columns of the rows at a place, whose user is found by the prefix `to_user`."""

    def by_phone(phone: Slot, place: Slot) -> QuerySet[Any, Any]:
        ours = {f"{to_user}phones__key": phone, f"{to_user}phones__ended_at": None}
        return rows(place).filter(**ours).values_list(*names, f"{to_user}phones__id", f"{to_user}phones__last_seen_on")

    def by_old_session(user: Slot, place: Slot) -> QuerySet[Any, Any]:
        ended = Phone.objects.filter(user=OuterRef(f"{to_user}pk"), is_of_old_session=True, ended_at__isnull=False)
        return rows(place).filter(~Exists(ended), **{f"{to_user}pk": user}).values_list(*names)

    return _CallersRows(compiled(by_phone), compiled(by_old_session))


def _asked(request: HttpRequest, membership: _CallersRows, place: int) -> Row:
    """Return the row of the caller's membership. Raise Http404 if there is none."""
    # SQLite raises OverflowError for a larger integer.
    row = membership.ask(request, place) if place < 2**63 else None
    if row is None:
        raise Http404
    return row


def _admitted(request: HttpRequest, row: Row, need: Role, circle: Circle, *, closed_too: bool = False) -> Member:
    """Return the member of a row. Raise Http404 unless signed in, PermissionDenied if the role is too low."""
    member = _member(row)
    if not _signed_in(request, member.user) or circle.is_gone:
        raise Http404
    _called_by(request, member.user)
    if not member.may(need):
        raise PermissionDenied
    member.only_sees = circle.is_closed and not closed_too
    if not member.may(need):
        raise CircleClosed
    return member


#: The columns that signing in needs; the others are loaded on access.
_USER = columns(User, "id", "password", "username", "is_active", "is_guest", "is_missed", "language", *SETTINGS)
_PLAYER = columns(Player)
#: The columns of a membership's row that come first.
_OF_MEMBER = (*columns(Member), *(f"user__{name}" for name in _USER), *(f"player__{name}" for name in _PLAYER))

_membership = _of_caller(
    lambda evening: Member.objects.filter(circle__evenings=evening),
    "user__",
    *_OF_MEMBER,
    "circle__archived_at",
    "circle__deleted_from",
    "circle__evenings__version",
    "circle__is_demo",
)
_circle_membership = _of_caller(
    lambda circle: Member.objects.filter(circle=circle),
    "user__",
    *_OF_MEMBER,
    *(f"circle__{name}" for name in columns(Circle)),
)
_user = _of_caller(lambda _place: User.objects.all(), "", *columns(User))


def _member(row: Row) -> Member:
    """Return the member of a row, with user and player."""
    users, players = len(columns(Member)), len(columns(Member)) + len(_USER)
    member = loaded(Member, columns(Member), row[:users])
    member.user = loaded(User, _USER, row[users:players])
    member.player = loaded(Player, _PLAYER, row[players : len(_OF_MEMBER)]) if member.player_id else None
    return member


def _signed_in(request: HttpRequest, user: User) -> bool:
    """Return whether the sign-in is still valid: the user is active, and an old session's hash is of their password."""
    if PHONE in request.session:
        return user.is_active
    session_hash = request.session.get(HASH_SESSION_KEY, "")
    return user.is_active and any(
        constant_time_compare(session_hash, known)
        for known in (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    )


def _called_by(request: HttpRequest, caller: User | None) -> None:
    """Note who has sent the request, and answer in his language."""
    request.caller = caller  # type: ignore[attr-defined]
    if caller and request.session.get(SESSION_KEY) != str(caller.pk):
        # The phone was given to this user since: its guest was merged into him, or taken apart again.
        request.session[SESSION_KEY] = str(caller.pk)
    # A language that is offered no more is none.
    chosen = caller.language if caller and caller.language in dict(settings.LANGUAGES) else ""
    if chosen and chosen != get_language():
        activate(chosen)
        request.LANGUAGE_CODE = chosen


def visitor(request: HttpRequest) -> User | None:
    """Return the signed-in user, or None: a visitor who has never written anything, or whose phone is ended."""
    row = _user.ask(request)
    user = None if row is None else loaded(User, columns(User), row)
    caller = user if user and _signed_in(request, user) else None
    _called_by(request, caller)
    return caller


def visitor_or_guest(request: HttpRequest) -> User:
    """Return the signed-in user; sign a new guest in if there is none. Only for views that write."""
    user = visitor(request)
    if user is None:
        with outside_snapshot():
            user = User.new_guest()
        sign_in_phone(request, user)
    return user


def _note_back(request: HttpRequest) -> None:
    """Close the claims which say that the caller's phones are lost; his next request tries again if that fails."""
    caller: User | None = getattr(request, "caller", None)
    if caller and caller.is_missed:
        with suppress(OperationalError, InternalError, User.DoesNotExist):  # he may have deleted himself
            members.is_back(caller)


def _note_seen(request: HttpRequest) -> None:
    """Note once a day that the phone is used, after its request was answered, and not at a poll without news.

    A session from before phones had rows gets its own when its cookie is renewed, a week after it was made.
    """
    phone: SeenPhone | None = getattr(request, "phone", None)
    caller: User | None = getattr(request, "caller", None)
    today = timezone.localdate()
    if phone and phone.last_seen_on < today:
        phones.note_seen(phone.id, today, user_agent(request))
    elif caller and getattr(request, "is_cookie_renewed", False) and PHONE not in request.session:
        phone_of(request, caller)


# --- Signing a browser in as a phone of a user, by a session that has the phone's random key ---


def sign_in_phone(request: HttpRequest, user: User) -> Phone:
    """Sign this browser in as the user, as a new phone of his, and return that.

    Whatever proves that the browser may be his (an invite's new guest, a code, a passkey, a spare key) has been checked
    by the caller. The session is a new one: its cookie has another key than any before, the CSRF token is renewed, and
    the phone that the browser was before, his or another user's, is ended. Not within a transaction that may yet be
    rolled back: the cookie would have a key that there is not.
    """
    phone = phones.add(user, user_agent(request), instead_of=request.session.get(PHONE))
    _carry(request, phone)
    return phone


def phone_of(request: HttpRequest, user: User) -> Phone:
    """Return the phone that sends the request, of its signed-in user. An old session gets its row and its key."""
    if PHONE in request.session:
        return user.phones.get(key=request.session[PHONE])
    phone = phones.of_old_session(user, user_agent(request))
    request.session[PHONE] = phone.key
    return phone


def end_other_phones(request: HttpRequest, user: User) -> None:
    """End all phones of the user but the one that sends the request, and all copies of its cookie."""
    _carry(request, phones.end_others(user, phone_of(request, user)))


def _carry(request: HttpRequest, phone: Phone) -> None:
    """Make this the phone of the request's session, which keeps nothing of another user."""
    request.session.flush()
    # The user's number counts requests and names kept pages. It admits nobody: the phone's row may be another user's.
    request.session[SESSION_KEY] = str(phone.user_id)
    request.session[PHONE] = phone.key
    rotate_token(request)


def user_agent(request: HttpRequest) -> str:
    return request.headers.get("User-Agent", "")
