"""The writer of presence: the time at which a member's phone last followed an evening, and what the phone is."""

from contextlib import suppress
from datetime import timedelta

from django.db import InternalError, OperationalError
from django.utils import timezone

from scorekeeper.db.sqlite.write_queue import waiting_at_most
from scorekeeper.http.user_agent import device_of
from sessions_app.models import Member

#: Least time between two writes for a member: seldom enough that a poll is nearly always a read.
TOUCH_EVERY = timedelta(seconds=20)


def touch(member: Member, user_agent: str = "") -> None:
    """Note that the member's phone is following, and what it is by now, at most once in `TOUCH_EVERY`.

    A read neither waits for a writer nor fails because of one: if the write fails, the next poll tries again.
    """
    now = timezone.now()
    if member.last_seen_at is None or member.last_seen_at < now - TOUCH_EVERY:
        with suppress(OperationalError, InternalError), waiting_at_most(0):
            Member.objects.filter(pk=member.pk).update(last_seen_at=now, device=device_of(user_agent) or member.device)
