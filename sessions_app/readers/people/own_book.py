"""Circles of a user, with what is owed in each: the page that deletes the user's book shows them."""

from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, Subquery

from sessions_app.models import Evening, Role, User
from sessions_app.readers.money import lists as payment_lists
from sessions_app.readers.money.lists import Owed
from sessions_app.readers.people.circles import circles_of


@dataclass(frozen=True, slots=True)
class OwnCircle:
    """A circle of a user: his player's name, '' for none, and what is owed by or to him; `latest` is its last evening.

    `others` is the number of its other members.
    """

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


def circles_with_debts(user: User) -> list[OwnCircle]:
    """Return the user's circles, without demos, the newest first: two queries, and those of what is owed."""
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
