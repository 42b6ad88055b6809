"""The page on which a user deletes all that there is of him: what goes, what stays, and what is still owed."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Q, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from sessions_app.access import ANYONE, page
from sessions_app.errors import LastOwner
from sessions_app.models import Evening, Role, User
from sessions_app.readers.money import lists as payment_lists
from sessions_app.readers.money.lists import Owed
from sessions_app.readers.people.circles import circles_of
from sessions_app.readers.snapshot import snapshot
from sessions_app.views.me import caller
from sessions_app.writers import own_book


@dataclass(frozen=True, slots=True)
class OwnCircle:
    """A circle of the user's: how many others are in it, whether only he owns it, and what is open to him in it."""

    id: int
    name: str
    player: str
    others: int
    is_only_owner: bool
    latest: int | None
    owed: tuple[Owed, ...]

    @property
    def needs_an_owner(self) -> bool:
        return self.is_only_owner and self.others > 0


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
def delete(request: HttpRequest) -> HttpResponse:
    user = caller(request)
    if request.method != "POST":
        return _page(request, user)
    if request.POST.get("sure") != "on":
        return _page(request, user, _("Tick the box first."), status=422)
    try:
        own_book.delete(user)
    except LastOwner:
        return _page(request, user, status=409)
    request.session.flush()
    return redirect("home")


def _page(request: HttpRequest, user: User, error: str = "", status: int = 200) -> HttpResponse:
    """Render the page, by a fixed number of queries."""
    own = _circles(user)
    context: dict[str, Any] = {
        "circles": own,
        "may_go": not any(circle.needs_an_owner for circle in own),
        "is_refused": status == 409,
        "error": error,
    }
    return render(request, "me/delete.html", context, status=status)


def _circles(user: User) -> list[OwnCircle]:
    names = {circle.id: circle.name for circle in circles_of(user) if not circle.is_demo}
    owed = payment_lists.of_user(user)
    latest = Evening.objects.filter(circle=OuterRef("circle")).order_by("-started_at", "-id").values("pk")[:1]
    rows = user.memberships.filter(circle__in=names).annotate(
        members=Count("circle__members"),
        owners=Count("circle__members", filter=Q(circle__members__role=Role.OWNER)),
        latest=Subquery(latest),
    )
    return [
        OwnCircle(
            row.circle_id,
            names[row.circle_id],
            row.player.name if row.player else "",
            row.members - 1,
            row.role == Role.OWNER and row.owners == 1,
            row.latest,
            owed.get(row.circle_id, ()),
        )
        for row in rows.select_related("player").order_by("-circle")
    ]
