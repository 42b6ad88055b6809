"""Members whose phones follow an evening now."""

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, compiled
from sessions_app.models import Evening, Member

#: A phone asks every two seconds; one that has not asked for this long is put away, or asleep.
FOLLOWS_FOR = timedelta(seconds=45)


def followers(evening: Evening, me: Member) -> list[str]:
    """Return the names of the members whose phones follow now, with `me`, '' for each that only watches: one query."""
    found = _following.ask(circle=evening.circle_id, since=timezone.now() - FOLLOWS_FOR, me=me.pk)
    return [name or "" for (name,) in found]


@compiled
def _following(circle: Slot, since: Slot, me: Slot) -> QuerySet[Member, Any]:
    present = Member.objects.filter(Q(last_seen_at__gte=since) | Q(pk=me), circle=circle)
    return present.order_by("pk").values_list("player__name")
