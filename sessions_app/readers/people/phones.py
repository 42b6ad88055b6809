"""The phones on which a user is signed in."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from sessions_app.models import Phone, User

#: A user has a few; more are not listed.
MOST_PHONES: Final = 50


@dataclass(frozen=True, slots=True)
class PhoneView:
    """A phone: what it is ('Safari|iPhone', '' if unknown), since when, the day it was last seen, whether this one."""

    id: int
    device: str
    since: datetime
    last_seen_on: date
    is_this: bool


def phones_of(user: User, this: Phone | None) -> tuple[PhoneView, ...]:
    """Return the user's phones that are not ended, this one first, then those seen last: one query.

    `this` is None while the row of an old session could not be written.
    """
    phones = user.phones.filter(ended_at=None).order_by("-last_seen_on", "-pk")[:MOST_PHONES]
    views = [PhoneView(phone.pk, phone.device, phone.since, phone.last_seen_on, phone == this) for phone in phones]
    return tuple(sorted(views, key=lambda view: not view.is_this))
