"""The members of a circle: their players and roles, leaving, and claims after a lost phone."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from sessions_app import rate_limits
from sessions_app.access import EveningRequest, page
from sessions_app.errors import CircleClosed, ClaimNotDue, ClaimOpen, LastOwner, MembershipRefused
from sessions_app.models import Player, Role
from sessions_app.readers.book import lists
from sessions_app.readers.people.members import (
    MEMBERS_PER_PAGE,
    is_claim_of,
    members_of,
    open_claim,
    open_links,
    players_of,
)
from sessions_app.views.htmx import number_in
from sessions_app.views.invite import player_of
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers import members


@page(Role.VIEWER, "GET", "HEAD")
def show(request: EveningRequest) -> HttpResponse:
    return _page(request)


@page(Role.KEEPER, "POST")
def me(request: EveningRequest) -> HttpResponse:
    """Save the player who holds this phone, or that it is not to be asked again; then redirect back."""
    try:
        if "ask_no_more" in request.POST:
            members.ask_no_more(request.member)
        else:
            members.set_player(request.member, player_of(request.POST.dict()))
    except Player.DoesNotExist:
        return _page(request, _("Choose one of the options."), status=422)
    return redirect("evening" if "session" in request.POST else "members", request.evening.pk)


@page(Role.OWNER, "POST")
def role(request: EveningRequest, member_id: int) -> HttpResponse:
    wanted = request.POST.get("role")
    if wanted not in Role.values:
        return render(request, "errors/400.html", status=400)
    return _change(request, lambda: members.change_role(request.member.circle_id, member_id, Role(wanted)))


@page(Role.OWNER, "POST")
def remove(request: EveningRequest, member_id: int) -> HttpResponse:
    response = _change(request, lambda: members.remove(request.member.circle_id, member_id))
    gone = member_id == request.member.pk and response.status_code == 302
    return redirect("home") if gone else response


@page(Role.VIEWER, "POST")
def leave(request: EveningRequest) -> HttpResponse:
    """Leave the circle; then redirect to the home page, which this phone may still see."""
    response = _change(request, lambda: members.leave(request.member))
    return redirect("home") if response.status_code == 302 else response


# Every member but an owner may claim to be another; then he withdraws or takes over as well.


@page(Role.VIEWER, "POST")
def claim(request: EveningRequest) -> HttpResponse:
    """Ask to become owner; or with `member` to be that keeper or viewer, whose phone is lost."""
    lost = whole_number(request.POST.get("member", ""), KEY_DIGITS)
    _require_keeper(request, unless=lost is not None)
    if lost is None and "member" in request.POST:
        return render(request, "errors/400.html", status=400)
    rate_limits.count(rate_limits.CLAIMS, request, by_user=True)
    return _change(request, lambda: members.claim(request.member, lost))


@page(Role.VIEWER, "POST")
def object_to_claim(request: EveningRequest) -> HttpResponse:
    """Close the claim that the page showed; then redirect back."""
    seen = whole_number(request.POST.get("claim", ""), KEY_DIGITS)
    _require_keeper(request, unless=is_claim_of(request.member, seen))
    if seen is None:
        return render(request, "errors/400.html", status=400)
    members.object_to_claim(request.member.circle_id, seen)
    if "circle" in request.POST:
        return redirect("circle", request.member.circle_id)
    return redirect("evening" if "session" in request.POST else "members", request.evening.pk)


@page(Role.VIEWER, "POST")
def take_over(request: EveningRequest) -> HttpResponse:
    known = open_claim(request.member.circle_id)
    _require_keeper(request, unless=known is not None and known.member_id == request.member.pk)
    return _change(request, lambda: members.take_over(request.member))


def _require_keeper(request: EveningRequest, *, unless: bool) -> None:
    """Raise PermissionDenied for a viewer, unless he may do this as well; CircleClosed for everybody, if it is."""
    if request.member.only_sees:
        raise CircleClosed
    if not (unless or request.member.may(Role.KEEPER)):
        raise PermissionDenied


def _change(request: EveningRequest, change: Callable[[], None]) -> HttpResponse:
    """Make the change and redirect to the members; answer 409 with the reason of a refusal."""
    try:
        change()
    except MembershipRefused as refused:
        return _page(request, _sentence(refused), status=409)
    return redirect(reverse("members", args=[request.evening.pk]) + _at(_number(request)))


def _number(request: EveningRequest) -> int:
    """Return the number of the members' page; its forms are posted with it, and redirect back to it."""
    return max(number_in(request, "page") or 1, 1)


def _at(number: int) -> str:
    return f"?page={number}" if number > 1 else ""


def _sentence(refused: MembershipRefused) -> str:
    return {
        LastOwner: _("A circle needs an owner: make somebody else owner first."),
        ClaimOpen: _("Somebody else has asked already. That must be answered first."),
        ClaimNotDue: _("Not yet: the circle has a day to object, or somebody already has."),
    }[type(refused)]


def _page(request: EveningRequest, notice: str = "", status: int = 200) -> HttpResponse:
    """Render the page, by a fixed number of queries; a viewer gets no forms."""
    member = request.member
    may_write = member.may(Role.KEEPER)
    number = _number(request)
    circle, more = members_of(member, number)
    # Owners are listed first: if this page has one, all members of the earlier pages are owners.
    owners = (number - 1) * MEMBERS_PER_PAGE + sum(member.role is Role.OWNER for member in circle)
    context: dict[str, Any] = {
        "evening": request.evening,
        "members": circle,
        "at": _at(number),
        "earlier": number - 1 if number > 1 else None,
        "later": number + 1 if more else None,
        "owners": owners,
        "roles": list(Role),
        "players": players_of(member.circle_id, member.user, lists.latest_of_circle(member.circle_id))
        if may_write
        else (),
        "claimable": [each for each in circle if each.may_be_claimed],
        "links": open_links(member) if may_write else (),
        "claim": open_claim(member.circle_id),
        "may_write": may_write,
        "is_owner": member.may(Role.OWNER),
        "notice": notice,
    }
    return render(request, "members/page.html", context, status=status)
