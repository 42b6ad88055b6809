"""Sizes of all circles, for the operator of a server: four queries, however many there are."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, Sum

from sessions_app.models import Circle, Evening, Member, Player
from sessions_app.readers.people.circles import MOST_NAMED, offered_name


@dataclass(frozen=True, slots=True)
class CircleSize:
    """A circle with the numbers of its players, sessions, hands and phones; `used_at` is its last known use."""

    id: int
    name: str
    is_demo: bool
    players: int
    sessions: int
    hands: int
    phones: int
    used_at: datetime


def circle_sizes(*, only: int | None = None) -> tuple[CircleSize, ...]:
    """Return the circles, or that one `only`, the most recently used first."""
    chosen = Q() if only is None else Q(circle=only)
    names: dict[int, list[str]] = defaultdict(list)
    for circle_id, name in Player.objects.filter(chosen, merged_into=None).order_by("pk").values_list("circle", "name"):
        names[circle_id].append(name)
    evenings = Evening.objects.filter(chosen).order_by().values_list("circle")
    played = {
        row[0]: row[1:] for row in evenings.annotate(Count("pk"), Sum("hand_count"), Max("started_at"), Max("ended_at"))
    }
    members = Member.objects.filter(chosen).order_by().values_list("circle")
    seen = {row[0]: row[1:] for row in members.annotate(Count("pk"), Max("since"), Max("last_seen_at"))}
    found = []
    for circle in Circle.objects.filter(Q() if only is None else Q(pk=only)):
        sessions, hands, *times = played.get(circle.pk, (0, 0))
        phones, *seen_at = seen.get(circle.pk, (0,))
        name = circle.name or offered_name(names[circle.pk][: MOST_NAMED + 1])
        used_at = max(at for at in (circle.created_at, *times, *seen_at) if at)
        found.append(
            CircleSize(circle.pk, name, circle.is_demo, len(names[circle.pk]), sessions, hands, phones, used_at)
        )
    return tuple(sorted(found, key=lambda size: (size.used_at, size.id), reverse=True))
