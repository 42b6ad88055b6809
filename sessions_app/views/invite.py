"""Invites: a link with its QR code, for a keeper or a viewer, by which a phone becomes a member of the circle."""

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.http import middleware
from sessions_app import rate_limits
from sessions_app.access import ANYONE, EveningRequest, page, sign_in_phone, visitor
from sessions_app.base_forms import BoundedForm
from sessions_app.drawing.svg_parts import qr_code
from sessions_app.errors import LinkRevoked, NotLinkMaker, RemovedFromCircle
from sessions_app.forms.fields import LineField
from sessions_app.models import Invite, Member, Player, Role, User
from sessions_app.readers.book import lists
from sessions_app.readers.people.members import (
    ROLES,
    invite_of,
    may_revoke,
    open_link,
    players_of,
    require_usable,
    token_in,
    token_of,
)
from sessions_app.readers.people.phones import code_in, link_of_code, link_token_in
from sessions_app.readers.people.phones import token_of as token_of_link
from sessions_app.transactions import snapshot
from sessions_app.views import errors
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers import members

#: Host names that mean the phone itself when another phone opens them.
ONLY_HERE = ("localhost", "127.0.0.1", "::1")


@page(Role.KEEPER, "GET", "HEAD", "POST")
def show(request: EveningRequest) -> HttpResponse:
    """Ask for the role; on POST make the link of that role, or find the open one, and redirect to it."""
    evening = request.evening
    if request.method != "POST":
        return render(request, "invite/page.html", {"evening": evening})
    role = request.POST.get("role")
    if role not in ROLES:
        return render(request, "errors/400.html", status=400)
    members.make_link(evening.circle_id, Role(role), by=request.member.user)
    return redirect("invite-link", evening.pk, role)


@page(Role.KEEPER, "GET", "HEAD")
def link(request: EveningRequest, role: str) -> HttpResponse:
    """Show the open link of a role, to scan, copy or share; redirect to the choice if there is none."""
    invite = open_link(request.evening.circle_id, _role(role))
    if invite is None:
        return redirect("invite", request.evening.pk)
    url = request.build_absolute_uri(reverse("join", args=[token_of(invite)]))
    context = {
        "evening": request.evening,
        "role": role,
        "url": url,
        "code": qr_code(url),
        "may_revoke": may_revoke(invite, request.member),
        "only_here": urlsplit(url).hostname in ONLY_HERE,
    }
    return middleware.uncompressed(render(request, "invite/link.html", context))


@page(Role.KEEPER, "POST")
def revoke(request: EveningRequest, role: str) -> HttpResponse:
    try:
        members.revoke_link(request.evening.circle_id, _role(role), by=request.member)
    except NotLinkMaker as refused:
        raise PermissionDenied from refused
    return redirect("members" if "members" in request.POST else "invite", request.evening.pk)


def _role(name: str) -> Role:
    if name not in ROLES:
        raise Http404
    return Role(name)


# --- Joining by a link: the visitor picks a player ---


class PastedLinkForm(BoundedForm):
    """An invite link, a link or a code of another phone, or a message with one; its cleaned value is its address."""

    link = LineField(max_length=250, error_messages={"required": gettext_lazy("Paste the link here.")})

    def clean_link(self) -> str:
        said = self.cleaned_data["link"]
        if (own := link_token_in(said)) is not None:
            return reverse("link", args=[own])
        if (token := token_in(said)) is not None:
            return reverse("join", args=[token])
        if (code := code_in(said)) is None:
            raise ValidationError(_("This is neither a link nor a code. Paste all of it."), code="no_link")
        if (link := link_of_code(code)) is None:
            raise ValidationError(_("This code is not valid, or too old: it lasts two minutes."), code="no_code")
        return reverse("link", args=[token_of_link(link)])


GONE = {LinkRevoked: "revoked", RemovedFromCircle: "taken off"}


@page(ANYONE, "GET", "HEAD", "POST")
def join(request: HttpRequest, token: str) -> HttpResponse:
    return errors.unreferred(_answer(request, token))


@errors.refill_of(join)
@page(ANYONE, "POST")
def _refill(request: HttpRequest, token: str) -> HttpResponse:
    notice = _("This page was open for too long. Tap again.")
    return errors.unreferred(_answer(request, token, notice))


@page(ANYONE, "GET", "HEAD", "POST")
def paste(request: HttpRequest) -> HttpResponse:
    """Take a pasted link or a typed code to its page: an installed app has no address bar to paste it into.

    Codes are counted, right or wrong: nobody guesses one within its two minutes.
    """
    if request.method != "POST":
        return _paste_page(request, PastedLinkForm())
    form = PastedLinkForm({"link": request.POST.get("link") or request.POST.get("code", "")})
    if code_in(form.data["link"]):
        rate_limits.count(rate_limits.CODES, request)
    if not form.is_valid():
        return _paste_page(request, form, status=422)
    return errors.unreferred(redirect(form.cleaned_data["link"]))


@errors.refill_of(paste)
@page(ANYONE, "POST")
def _refill_paste(request: HttpRequest) -> HttpResponse:
    form, notice = PastedLinkForm(initial=request.POST.dict()), _("This page was open for too long. Tap again.")
    return _paste_page(request, form, notice, status=403)


def player_of(posted: dict[str, str]) -> int | None:
    """Return the posted player's id, None for 'just watching'. Raise Player.DoesNotExist for any other text."""
    said = posted.get("player")
    if said == "":
        return None
    player = whole_number(said or "", KEY_DIGITS)
    if player is None:
        raise Player.DoesNotExist
    return player


@snapshot()
def _answer(request: HttpRequest, token: str, notice: str = "") -> HttpResponse:
    invite, user = invite_of(token), visitor(request)
    if invite is None:
        rate_limits.count(rate_limits.WRONG_LINKS, request)
        return render(request, "join/closed.html", {"why": "unknown"}, status=404)
    try:
        require_usable(invite, user)
        if request.method == "POST" and not notice:
            return _join(request, invite, user)
    except (LinkRevoked, RemovedFromCircle) as refused:
        return render(request, "join/closed.html", {"why": GONE[type(refused)]}, status=410)
    except Player.DoesNotExist:
        return _join_page(request, invite, user, _("Choose one of the options."), status=422)
    return _join_page(request, invite, user, notice, status=403 if notice else 200)


def _join(request: HttpRequest, invite: Invite, user: User | None) -> HttpResponse:
    member = members.join(invite, player_of(request.POST.dict()), by=user)
    if user is None:
        sign_in_phone(request, member.user)
    evening = lists.latest_of_circle(invite.circle_id)
    return redirect("evening", evening.pk) if evening else redirect("home")


def _paste_page(request: HttpRequest, form: PastedLinkForm, notice: str = "", status: int = 200) -> HttpResponse:
    response = render(request, "join/paste.html", {"form": form, "notice": notice}, status=status)
    response["Permissions-Policy"] = middleware.policy(middleware.CAMERA)
    return response


def _join_page(request: HttpRequest, invite: Invite, user: User | None, notice: str, status: int) -> HttpResponse:
    evening = lists.latest_of_circle(invite.circle_id)
    players = players_of(invite.circle_id, user, evening)
    context: dict[str, Any] = {
        "role": invite.role,
        "joined": evening,
        "preview": evening and request.build_absolute_uri(reverse("game-mark", args=[evening.game_key])),
        "sitting": [player.name for player in players if player.sits],
        "players": players,
        "known": user and Member.objects.filter(circle=invite.circle_id, user=user).first(),
        "notice": notice,
    }
    return render(request, "join/page.html", context, status=status)
