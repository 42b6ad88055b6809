"""Invite another phone by a link and its QR code, as a keeper or a viewer."""

from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from scorekeeper.http.middleware import uncompressed
from sessions_app.access import EveningRequest, page
from sessions_app.drawing.svg_parts import qr_code
from sessions_app.errors import NotLinkMaker
from sessions_app.models import Role
from sessions_app.readers.people.members import ROLES, may_revoke, open_link, token_of
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
    return uncompressed(render(request, "invite/link.html", context))


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
