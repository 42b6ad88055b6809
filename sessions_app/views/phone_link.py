"""Another phone of mine: a link and a code, made on one phone, opened on another, and confirmed on both."""

import secrets
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.http.middleware import uncompressed
from sessions_app import rate_limits
from sessions_app.access import ANYONE, page, visitor
from sessions_app.drawing.svg_parts import qr_code
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
from sessions_app.signing_in import phone_of
from sessions_app.views import errors
from sessions_app.views.arrival import arrive
from sessions_app.views.me import caller
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers import phones

#: The session's entry with the secret of the browser that has opened a link.
ASKER: Final = "link"


# --- On the phone that is signed in ---


@page(ANYONE, "GET", "HEAD", "POST")
def make(request: HttpRequest) -> HttpResponse:
    """Show the link that was made, and the phone that asks to come in; on POST make one, agree or refuse."""
    user = caller(request)
    if request.method == "POST":
        return _write(request, user)
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


def _write(request: HttpRequest, user: User) -> HttpResponse:
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
def show(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the link opens; on POST ask to come in, and come in once the other phone has agreed."""
    link, user = link_of_token(token), visitor(request)
    if link is None:
        return _secret(_unknown(request))
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
    if not phones.ask_link(link, secret, request.headers.get("User-Agent", "")):
        return _closed(request, "taken", 410)
    return _secret(redirect("link", token_of(link)))


def _come_in(request: HttpRequest, link: PhoneLink, secret: str) -> HttpResponse:
    if not phones.use_link(link, secret):
        return _closed(request, "used", 410)
    return redirect(arrive(request, link.user))


def _unknown(request: HttpRequest) -> HttpResponse:
    try:
        rate_limits.count(rate_limits.WRONG_LINKS, request)
    except rate_limits.TooMany as refused:
        return errors.too_many_requests(request, refused, _("Too many invalid links were tried from this network."))
    return _closed(request, "unknown", 404)


def _closed(request: HttpRequest, why: str, status: int) -> HttpResponse:
    return _secret(render(request, "phone_link/closed.html", {"why": why}, status=status))


def _page(request: HttpRequest, template: str, link: PhoneLink, context: dict[str, Any]) -> HttpResponse:
    """Render the page, or the part of it that follows the link; answer 204 to one that shows its latest step."""
    step = step_of(link)
    if request.GET.get("live") == step:
        return HttpResponse(status=204)
    part = "#live" if "live" in request.GET else ""
    return _secret(render(request, template + part, context | {"step": step}))


def _elsewhere(request: HttpRequest) -> HttpResponse:
    """Redirect to the user's own page; answer 404 to a page that asks for news, which loads itself again."""
    return HttpResponse(status=404) if "live" in request.GET else redirect("me")


def _secret(response: HttpResponse) -> HttpResponse:
    """Keep the token out of Referer headers, and a page that shows it from being guessed by its compressed length."""
    response["Referrer-Policy"] = "strict-origin"
    return uncompressed(response)
