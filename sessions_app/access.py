"""Who may see and do what; `page` is the one decorator every view wears.

A table's pages answer 404 to anyone who is not its member, whether the thing is there or not, and 403 to a member
whose role does not reach.
"""

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any, cast

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, login
from django.contrib.auth import get_user as user_of_request
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_http_methods

from scorekeeper.db.compiled_queries import Row, Slot, columns, compiled, loaded
from sessions_app.models import Circle, Evening, Member, Player, Role, User
from sessions_app.readers.evening import evening_of
from sessions_app.readers.evening_cache import STAMP, evening_at
from sessions_app.readers.snapshot import snapshot
from sessions_app.writers import following

View = Callable[..., HttpResponse]
ANYONE = None


class EveningRequest(HttpRequest):
    """What a view of one evening gets: the request of a member."""

    evening: Evening
    version: int
    is_demo: bool
    member: Member


def page(
    need: Role | None, *methods: str, follows: bool = False, polls: bool = False, only_reads: bool = False
) -> Callable[[View], View]:
    """Admit members who have the role `need` at the evening's table (ANYONE: everybody), by `methods` only.

    A view that needs a role takes the evening's id first in its URL as `evening_id`; it is called with the request
    alone of the two, which then carries `evening` and `member`. By GET it reads one snapshot of the database and may
    not write, and by every method if it `only_reads`. The view wears its need as `.need`, for the tests.

    Of a view that `follows`, the member's phone is noted as present. One that `polls` is asked again and again with
    the version `v` of the evening that the phone has: 204 while there is no newer one.
    """

    def wear(view: View) -> View:
        inner = view if need is ANYONE else _of_evening(view, need, follows=follows, polls=polls, only_reads=only_reads)

        @wraps(view)
        def seen(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            try:
                response = inner(request, **kwargs)
            except (Evening.DoesNotExist, Circle.DoesNotExist) as gone:
                # Taken away on another phone while this one asked.
                raise Http404 from gone
            # What a phone keeps of a page must not outlive its membership, nor a fragment pass for a page.
            patch_cache_control(response, private=True, no_store=True)
            patch_vary_headers(response, ["HX-Request", "HX-Target"])
            return response

        guarded = require_http_methods(methods)(seen)
        guarded.need, guarded.methods = need, methods  # type: ignore[attr-defined]
        return guarded

    return wear


def _of_evening(view: View, need: Role, *, follows: bool, polls: bool, only_reads: bool) -> View:
    """Call the view with the request of a member, in a snapshot where it may not write."""

    def answer(request: EveningRequest, evening_id: int, **kwargs: Any) -> HttpResponse:
        if polls:
            # A phone that has the latest version is answered by one query, without a transaction round it.
            _admit(request, evening_id, need)
        if polls and request.GET.get("v") == str(request.version):
            response = HttpResponse(status=204)
        else:
            with snapshot() if only_reads or request.method in ("GET", "HEAD") else nullcontext():
                _admit(request, evening_id, need)
                response = view(request, **kwargs)
        if follows:
            following.touch(request.member)
        return response

    return answer


def _admit(admitted: EveningRequest, evening_id: int, need: Role) -> None:
    """Put the member and the evening on the request, by one query; raise Http404 or PermissionDenied.

    A view that may write gets the evening as it is now. One that reads gets it when it first asks: a poll that has
    nothing new only needs its version.
    """
    user = admitted.session.get(SESSION_KEY)
    # No database counts further than that, and one of them would rather break than say so.
    if user is None or evening_id >= 2**63:
        raise Http404
    rows = _membership.ask(user=int(user), evening=evening_id)
    if not rows:
        raise Http404
    member = _member(rows[0])
    *stamp, version, is_demo = rows[0][-2 - len(STAMP) :]
    if not _signed_in(admitted, member.user):
        raise Http404
    if not member.may(need):
        raise PermissionDenied
    admitted.member, admitted.user = member, member.user
    admitted.version, admitted.is_demo = version, is_demo
    if admitted.method == "POST":
        admitted.evening = evening_of(evening_id)
    else:
        admitted.evening = cast(Evening, SimpleLazyObject(lambda: evening_at(evening_id, tuple(stamp))))


#: Of a user what signs him in; all else is read when somebody asks for it.
_USER = columns(User, "id", "password", "username", "is_active", "is_guest")
_PLAYER = columns(Player)


@compiled
def _membership(user: Slot, evening: Slot) -> QuerySet[Member, Any]:
    return Member.objects.filter(user=user, circle__evenings=evening).values_list(
        *columns(Member),
        *(f"user__{name}" for name in _USER),
        *(f"player__{name}" for name in _PLAYER),
        *(f"circle__evenings__{name}" for name in STAMP),
        "circle__evenings__version",
        "circle__is_demo",
    )


def _member(row: Row) -> Member:
    """As whom somebody comes in, his user and player with him."""
    users, players = len(columns(Member)), len(columns(Member)) + len(_USER)
    member = loaded(Member, columns(Member), row[:users])
    member.user = loaded(User, _USER, row[users:players])
    member.player = loaded(Player, _PLAYER, row[players : -2 - len(STAMP)]) if member.player_id else None
    return member


def _signed_in(request: HttpRequest, user: User) -> bool:
    """Tell whether the request's sign-in still stands: active, and the same secret as when it was made."""
    kept = request.session.get(HASH_SESSION_KEY, "")
    return user.is_active and any(
        constant_time_compare(kept, known)
        for known in (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    )


def visitor(request: HttpRequest) -> User | None:
    """Return who is signed in on this phone, or None: somebody who has never written anything."""
    user = user_of_request(request)
    return user if isinstance(user, User) else None


def visitor_or_guest(request: HttpRequest) -> User:
    """Return who is signed in; a stranger becomes a guest and stays signed in. For views that write only."""
    user = visitor(request)
    if user is None:
        user = User.new_guest()
        sign_in(request, user)
    return user


def sign_in(request: HttpRequest, user: User) -> None:
    """Let this phone be that user's from now on."""
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
