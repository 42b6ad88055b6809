"""A phone that arrives at a book by a proof that it is its user's: a passkey, a spare key, a link of another phone.

If it is another guest's phone, with circles of its own, it is asked before anything changes: it takes them along, which
can be undone for a day, leaves them, or stays with them.
"""

import time
from contextlib import suppress
from typing import Any, Final

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.urls import reverse

from sessions_app.access import ANYONE, page, visitor
from sessions_app.errors import NobodyCouldOpen
from sessions_app.models import User
from sessions_app.readers.people.keys import circles_left_behind
from sessions_app.readers.people.users import both_books, latest_merge, undoable
from sessions_app.readers.snapshot import snapshot
from sessions_app.signing_in import PHONE, phone_of, sign_in_phone
from sessions_app.views.me import caller
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers import users

#: The session's entry with the user whose book was proved to be the caller's, when, and whom the question was for.
ARRIVING: Final = "arriving"
#: Seconds in which the question must be answered.
ANSWERED_WITHIN: Final = 300


def arrive(request: HttpRequest, user: User) -> str:
    """Sign this phone in as the user, and return the address to go to.

    A phone of another user that has circles is not signed in yet: the address is that of the question.
    """
    before = visitor(request)
    if before and before.pk != user.pk and circles_left_behind(before):
        request.session[ARRIVING] = [user.pk, int(time.time()), before.pk]
        return reverse("me-merge")
    sign_in_phone(request, user)
    return reverse("home")


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
def merge(request: HttpRequest) -> HttpResponse:
    """Ask what becomes of this phone's circles; by POST take them along (`take`), or leave them as they are (`leave`).

    A phone that has become the user's meanwhile, by another tab or another phone of its guest, has nothing to answer.
    One that answers too late has to prove again that the book is its user's.
    """
    user, before = _arriving(request), visitor(request)
    if user is None or before is None or before.pk == user.pk:
        return redirect("passkey" if user is None and request.session.pop(ARRIVING, None) else "home")
    if request.method != "POST":
        request.session[ARRIVING] = [*request.session[ARRIVING][:2], before.pk]
        books = both_books(before, request.session.get(PHONE, ""), user)
        return render(request, "me/merge.html", {"books": books})
    if request.session[ARRIVING][2:] != [before.pk]:
        return redirect("me-merge")  # the question was about another guest's circles
    if "leave" in request.POST:
        sign_in_phone(request, user)
    elif "take" in request.POST:
        _take_along(request, before, user)
    request.session.pop(ARRIVING, None)
    return redirect("home")


def _take_along(request: HttpRequest, guest: User, user: User) -> None:
    """Merge the guest into the user. The phone keeps its cookie: if this answer is lost, it is the user's all the same.

    As at each sign-in, the CSRF token is renewed.
    """
    phone_of(request, guest)  # a session of before gets its row
    with suppress(User.DoesNotExist):  # deleted by another phone at this moment
        users.merge(guest.pk, user.pk)
    request.session[SESSION_KEY] = str(user.pk)
    rotate_token(request)


def _arriving(request: HttpRequest) -> User | None:
    """Return the user whose book was proved just now to be the caller's; None if it is too long ago."""
    user, at, *_before = request.session.get(ARRIVING, (None, 0))
    is_late = abs(time.time() - at) > ANSWERED_WITHIN
    return None if is_late else User.objects.filter(pk=user, is_active=True).first()


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
def undo(request: HttpRequest) -> HttpResponse:
    """Show the latest merge, if it can be undone, and what goes back; by POST undo it, unless another one is named."""
    user = caller(request)
    if request.method != "POST":
        return _undo_page(request, user)
    latest = undoable(user).first()
    named = request.POST.get("merge", str(latest.pk if latest else ""))
    try:
        users.undo_merge(user.pk, whole_number(named, KEY_DIGITS) or 0)
    except NobodyCouldOpen:
        return _undo_page(request, user, is_refused=True, status=409)
    return redirect("home")


def _undo_page(request: HttpRequest, user: User, *, is_refused: bool = False, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {"merge": latest_merge(user), "this": request.session.get(PHONE)}
    context["is_refused"] = is_refused
    return render(request, "me/undo_merge.html", context, status=status)
