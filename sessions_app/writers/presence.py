"""Who follows an evening on which phone, and what they say of its hands: OK, or Hm?"""

from contextlib import suppress
from datetime import timedelta

from django.db import InternalError, OperationalError
from django.utils import timezone

from scorekeeper.db.sqlite.write_queue import waiting_at_most
from sessions_app.models import Member

#: How often a follower's time is written down: seldom enough that polling stays a matter of reading.
TOUCH_EVERY = timedelta(seconds=20)


def touch(member: Member) -> None:
    """Note that the member's phone follows; a write only if the last is some time ago.

    Who reads waits for nobody who writes, and fails for nobody: if it cannot be noted now, he asks again in a moment.
    """
    now = timezone.now()
    if member.last_seen_at is None or member.last_seen_at < now - TOUCH_EVERY:
        with suppress(OperationalError, InternalError), waiting_at_most(0):
            Member.objects.filter(pk=member.pk).update(last_seen_at=now)
