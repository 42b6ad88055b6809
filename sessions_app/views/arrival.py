"""A phone that arrives at a book by a proof that it is its user's: a passkey, a spare key, a link of another phone.

If it is another guest's phone, with circles of its own, it is asked before anything changes: it takes them along, which
can be undone for a day, leaves them, or stays with them.
"""

import secrets
import time
from contextlib import suppress
from typing import Any, Final

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.urls import reverse

from scorekeeper.http.middleware import uncompressed
from sessions_app import rate_limits
from sessions_app.access import ANYONE, PHONE, no_news, page, phone_of, sign_in_phone, user_agent, visitor
from sessions_app.drawing.svg_parts import qr_code
from sessions_app.errors import NobodyCouldOpen
from sessions_app.models import PhoneLink, User
from sessions_app.readers.people.circles import circles_of
from sessions_app.readers.people.phones import (
    code_of,
    hashed,
    is_late,
    link_of_token,
    open_link_of,
    step_of,
    token_of,
)
from sessions_app.readers.people.users import both_books, circles_left_behind, latest_merge, undoable
from sessions_app.transactions import snapshot
from sessions_app.views import errors
from sessions_app.views.me import caller
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers import phones, users

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
    is_too_late = abs(time.time() - at) > ANSWERED_WITHIN
    return None if is_too_late else User.objects.filter(pk=user, is_active=True).first()


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


# --- Another phone of mine: a link and a code, made on one phone, opened on another, and confirmed on both ---

#: The session's entry with the secret of the browser that has opened a link.
ASKER: Final = "link"


# --- On the phone that is signed in ---


@page(ANYONE, "GET", "HEAD", "POST")
def make_link(request: HttpRequest) -> HttpResponse:
    """Show the link that was made, and the phone that asks to come in; on POST make one, agree or refuse."""
    user = caller(request)
    if request.method == "POST":
        return _write_link(request, user)
    link = open_link_of(user)
    if link is None:
        return _elsewhere(request)
    context = {"link": link, "circles": circles_of(user)} if link.asked_by else {"link": link} | _secrets(request, link)
    waits = not link.asked_by or bool(link.agreed_at and not link.used_at)
    return _page(request, "phone_link/made.html", link, context | {"waits": waits})


def _secrets(request: HttpRequest, link: PhoneLink) -> dict[str, Any]:
    """Return the link's address, its QR code and the code to be typed, for a page that waits for the other phone."""
    url, code = request.build_absolute_uri(reverse("link", args=[token_of(link)])), code_of(link.salt)
    return {"url": url, "code": qr_code(url), "typed": f"{code[:4]} {code[4:]}"}


def _write_link(request: HttpRequest, user: User) -> HttpResponse:
    phone_of(request, user)  # a session of before gets its row, or it could not be told from the new phone
    said = request.POST.get("do", "make")
    if said == "make":
        phones.make_link(user)
    elif said == "refuse":
        phones.refuse_link(user)
        return redirect("me")
    elif said == "agree":
        phones.agree_link(user, whole_number(request.POST.get("link", ""), KEY_DIGITS) or 0)
    else:
        return render(request, "errors/400.html", status=400)
    return redirect("me-link")


# --- On the other phone ---


@page(ANYONE, "GET", "HEAD", "POST")
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the link opens; on POST ask to come in, and come in once the other phone has agreed."""
    link, user = link_of_token(token), visitor(request)
    if link is None:
        rate_limits.count(rate_limits.WRONG_LINKS, request)
        return _closed(request, "unknown", 404)
    if user and user.pk == link.user_id:
        return _elsewhere(request)
    secret = request.session.get(ASKER, "")
    is_mine = bool(secret) and link.asked_by == hashed(secret)
    if why := _why_closed(link, is_mine=is_mine):
        return _closed(request, why, 410)
    if request.method == "POST" and is_mine and link.agreed_at:
        return _come_in(request, link, secret)
    if request.method == "POST" and not is_mine:
        return _ask(request, link)
    context = {"circles": circles_of(link.user), "is_mine": is_mine, "waits": is_mine and not link.agreed_at}
    return _page(request, "phone_link/open.html", link, context)


def _why_closed(link: PhoneLink, *, is_mine: bool) -> str:
    """Return why nobody comes in by the link, '' if this browser may."""
    if link.used_at:
        return "used"
    if is_late(link):
        return "late"
    return "taken" if link.asked_by and not is_mine else ""


def _ask(request: HttpRequest, link: PhoneLink) -> HttpResponse:
    secret = request.session.setdefault(ASKER, secrets.token_hex(16))
    if not phones.ask_link(link, secret, user_agent(request)):
        return _closed(request, "taken", 410)
    return _secret(redirect("link", token_of(link)))


def _come_in(request: HttpRequest, link: PhoneLink, secret: str) -> HttpResponse:
    if not phones.use_link(link, secret):
        return _closed(request, "used", 410)
    return redirect(arrive(request, link.user))


def _closed(request: HttpRequest, why: str, status: int) -> HttpResponse:
    return _secret(render(request, "phone_link/closed.html", {"why": why}, status=status))


def _page(request: HttpRequest, template: str, link: PhoneLink, context: dict[str, Any]) -> HttpResponse:
    """Render the page, or the part of it that follows the link; answer 204 to one that shows its latest step."""
    step = step_of(link)
    if unchanged := no_news(request, step, sent_as="live"):
        return unchanged
    part = "#live" if "live" in request.GET else ""
    return _secret(render(request, template + part, context | {"step": step}))


def _elsewhere(request: HttpRequest) -> HttpResponse:
    """Redirect to the user's own page; answer 404 to a page that asks for news, which loads itself again."""
    return HttpResponse(status=404) if "live" in request.GET else redirect("me")


def _secret(response: HttpResponse) -> HttpResponse:
    """Keep the token out of Referer headers, and a page that shows it from being guessed by its compressed length."""
    return uncompressed(errors.unreferred(response))
