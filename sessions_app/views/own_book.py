"""The page on which a user deletes all that there is of him: what goes, what stays, and what is still owed."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from sessions_app.access import ANYONE, page
from sessions_app.errors import LastOwner
from sessions_app.models import User
from sessions_app.readers.people.users import circles_with_debts
from sessions_app.readers.snapshot import snapshot
from sessions_app.views.me import caller
from sessions_app.writers import users


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
def delete(request: HttpRequest) -> HttpResponse:
    user = caller(request)
    if request.method != "POST":
        return _page(request, user)
    if request.POST.get("sure") != "on":
        return _page(request, user, _("Tick the box first."), status=422)
    try:
        users.delete_user(user)
    except LastOwner:
        return _page(request, user, status=409)
    request.session.flush()
    return redirect("home")


def _page(request: HttpRequest, user: User, error: str = "", status: int = 200) -> HttpResponse:
    """Render the page, by a fixed number of queries."""
    own = circles_with_debts(user)
    context: dict[str, Any] = {
        "circles": own,
        "may_go": not any(circle.needs_an_owner for circle in own),
        "is_refused": status == 409,
        "error": error,
    }
    return render(request, "me/delete.html", context, status=status)
