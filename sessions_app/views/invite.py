"""Inviting another phone: a QR code and a link, to write or to watch."""

from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from scorekeeper.http.gzip import uncompressed
from sessions_app.access import EveningRequest, page
from sessions_app.errors import NotLinkMaker
from sessions_app.models import Role
from sessions_app.writers import invitations

#: Names that mean another machine on the other phone: this one to itself.
ONLY_HERE = ("localhost", "127.0.0.1", "::1")


@page(Role.KEEPER, "GET", "HEAD", "POST")
def show(request: EveningRequest) -> HttpResponse:
    """Ask what the other phone is to do; the answer makes the link, or finds the open one, and leads to it."""
    evening = request.evening
    if request.method != "POST":
        return render(request, "invite/page.html", {"evening": evening})
    role = request.POST.get("role")
    if role not in invitations.ROLES:
        return render(request, "errors/400.html", status=400)
    invitations.make(evening.circle_id, Role(role), by=request.member.user)
    return redirect("invite-link", evening.pk, role)


@page(Role.KEEPER, "GET", "HEAD")
def link(request: EveningRequest, role: str) -> HttpResponse:
    """Show the open link of a role, to be scanned, copied or shared; without one, back to the choice."""
    invite = invitations.open_link(request.evening.circle_id, _role(role))
    if invite is None:
        return redirect("invite", request.evening.pk)
    url = request.build_absolute_uri(reverse("join", args=[invitations.token_of(invite)]))
    context = {
        "evening": request.evening,
        "role": role,
        "url": url,
        "code": invitations.qr_code(url),
        "may_revoke": invitations.may_revoke(invite, request.member),
        "only_here": urlsplit(url).hostname in ONLY_HERE,
    }
    return uncompressed(render(request, "invite/link.html", context))


@page(Role.KEEPER, "POST")
def revoke(request: EveningRequest, role: str) -> HttpResponse:
    try:
        invitations.revoke(request.evening.circle_id, _role(role), by=request.member)
    except NotLinkMaker as refused:
        raise PermissionDenied from refused
    return redirect("members" if "members" in request.POST else "invite", request.evening.pk)


def _role(name: str) -> Role:
    if name not in invitations.ROLES:
        raise Http404
    return Role(name)
