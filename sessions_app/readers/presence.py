"""Members whose phones follow an evening now."""

from datetime import timedelta
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, compiled
from sessions_app.models import Evening, Member

#: A phone asks every two seconds; one that has not asked for this long is put away, or asleep.
FOLLOWS_FOR = timedelta(seconds=45)


class Followers(NamedTuple):
    """The members whose phones follow now: the names of their players, and how many have none."""

    names: tuple[str, ...]
    unnamed: int

    @property
    def are_several(self) -> bool:
        return len(self.names) + self.unnamed > 1


def followers(evening: Evening, me: Member) -> Followers:
    """Return the members whose phones follow now, with `me`: one query."""
    found = _following.ask(circle=evening.circle_id, since=timezone.now() - FOLLOWS_FOR, me=me.pk)
    names = tuple(name for (name,) in found if name)
    return Followers(names, len(found) - len(names))


@compiled
def _following(circle: Slot, since: Slot, me: Slot) -> QuerySet[Member, Any]:
    present = Member.objects.filter(Q(last_seen_at__gte=since) | Q(pk=me), circle=circle)
    return present.order_by("pk").values_list("player__name")
