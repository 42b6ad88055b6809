"""Join a circle by an invite link: the visitor picks a player, and the phone becomes a member."""

from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.http import middleware
from sessions_app import rate_limits
from sessions_app.access import ANYONE, page, visitor
from sessions_app.bounded_form import BoundedForm
from sessions_app.errors import LinkRevoked, RemovedFromCircle
from sessions_app.forms.fields import LineField
from sessions_app.models import Invite, Member, Player, User
from sessions_app.readers.book import lists
from sessions_app.readers.people.members import invite_of, players_of, require_usable, token_in
from sessions_app.readers.people.phones import code_in, link_of_code, link_token_in, token_of
from sessions_app.readers.snapshot import snapshot
from sessions_app.signing_in import sign_in_phone
from sessions_app.views import errors
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers import members


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
        return reverse("link", args=[token_of(link)])


GONE = {LinkRevoked: "revoked", RemovedFromCircle: "taken off"}


@page(ANYONE, "GET", "HEAD", "POST")
def show(request: HttpRequest, token: str) -> HttpResponse:
    return _unreferred(_answer(request, token))


@page(ANYONE, "POST")
def _refill(request: HttpRequest, token: str) -> HttpResponse:
    notice = _("This page was open for too long. Tap again.")
    return _unreferred(_answer(request, token, notice))


show.refill = _refill  # type: ignore[attr-defined]


@page(ANYONE, "GET", "HEAD", "POST")
def paste(request: HttpRequest) -> HttpResponse:
    """Take a pasted link or a typed code to its page: an installed app has no address bar to paste it into.

    Codes are counted, right or wrong: nobody guesses one within its two minutes.
    """
    if request.method != "POST":
        return _paste_page(request, PastedLinkForm())
    form = PastedLinkForm({"link": request.POST.get("link") or request.POST.get("code", "")})
    try:
        if code_in(form.data["link"]):
            rate_limits.count(rate_limits.CODES, request)
    except rate_limits.TooMany as refused:
        return errors.too_many_requests(request, refused, _("Too many codes were tried from this network."))
    if not form.is_valid():
        return _paste_page(request, form, status=422)
    return _unreferred(redirect(form.cleaned_data["link"]))


@page(ANYONE, "POST")
def _refill_paste(request: HttpRequest) -> HttpResponse:
    form, notice = PastedLinkForm(initial=request.POST.dict()), _("This page was open for too long. Tap again.")
    return _paste_page(request, form, notice, status=403)


paste.refill = _refill_paste  # type: ignore[attr-defined]


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
        return _unknown(request)
    try:
        require_usable(invite, user)
        if request.method == "POST" and not notice:
            return _join(request, invite, user)
    except (LinkRevoked, RemovedFromCircle) as refused:
        return render(request, "join/closed.html", {"why": GONE[type(refused)]}, status=410)
    except Player.DoesNotExist:
        return _page(request, invite, user, _("Choose one of the options."), status=422)
    return _page(request, invite, user, notice, status=403 if notice else 200)


def _unknown(request: HttpRequest) -> HttpResponse:
    """Answer 404 for an unknown link, or 429 to an address that has tried too many."""
    try:
        rate_limits.count(rate_limits.WRONG_LINKS, request)
    except rate_limits.TooMany as refused:
        return errors.too_many_requests(request, refused, _("Too many invalid links were tried from this network."))
    return render(request, "join/closed.html", {"why": "unknown"}, status=404)


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


def _page(request: HttpRequest, invite: Invite, user: User | None, notice: str, status: int) -> HttpResponse:
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


def _unreferred(response: HttpResponse) -> HttpResponse:
    """Keep the token out of Referer headers. Not 'no-referrer', which makes browsers post with 'Origin: null'."""
    response["Referrer-Policy"] = "strict-origin"
    return response
