"""The writer of phones: signing in, ending, and the day on which each was seen last."""

from contextlib import suppress
from datetime import date

from django.db import InternalError, OperationalError
from django.utils import timezone

from scorekeeper.db.sqlite.write_queue import waiting_at_most
from scorekeeper.http.device_names import device_of
from sessions_app.models import Phone, User
from sessions_app.models.phones import new_key
from sessions_app.writers.transactions import hold_user, writing


@writing
def add(user: User, user_agent: str, *, instead_of: str | None = None) -> Phone:
    """Return a new phone of the user. The phone of the key `instead_of`, which this browser was before, is ended."""
    user = hold_user(user.pk)
    if instead_of:
        Phone.objects.filter(key=instead_of, ended_at=None).update(ended_at=timezone.now())
    return Phone.objects.create(user=user, device=device_of(user_agent))


@writing
def of_old_session(user: User, user_agent: str) -> Phone:
    """Return the phone of the user's cookies that have no key; add it if there is none. It may be ended."""
    user = hold_user(user.pk)  # or two tabs that ask at once would both add it
    known = Phone.objects.filter(user=user, is_of_old_session=True).first()
    return known or Phone.objects.create(
        user=user, device=device_of(user_agent), since=user.date_joined, is_of_old_session=True
    )


@writing
def end(user: User, phone_id: int) -> bool:
    """End a phone of the user; return whether he has it. Ending twice changes nothing."""
    phones = Phone.objects.filter(user=user, pk=phone_id)
    phones.filter(ended_at=None).update(ended_at=timezone.now())
    return phones.exists()


@writing
def end_others(user: User, phone: Phone) -> Phone:
    """End all phones of the user but this one, and all copies of its cookie; return the phone that it is now."""
    user = hold_user(user.pk)
    now = timezone.now()
    Phone.objects.get_or_create(user=user, is_of_old_session=True, defaults={"since": user.date_joined})
    user.phones.filter(ended_at=None).update(ended_at=now)
    return Phone.objects.create(user=user, device=phone.device, since=phone.since, key=new_key())


def note_seen(phone_id: int, today: date, user_agent: str) -> None:
    """Note the day on which a phone was seen, and what it is by now. It waits for no other writer, and may fail."""
    changed = {"last_seen_on": today} | ({"device": device} if (device := device_of(user_agent)) else {})
    with suppress(OperationalError, InternalError), waiting_at_most(0):
        Phone.objects.filter(pk=phone_id).update(**changed)


@writing
def set_settings(user: User, changed: dict[str, str]) -> None:
    """Set some of the user's settings, on all his phones."""
    User.objects.filter(pk=user.pk).update(**changed)
