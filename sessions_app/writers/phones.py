"""The writer of phones (signing in, ending, the day on which each was seen last), and of links that sign another in."""

from contextlib import suppress
from datetime import date

from django.db import InternalError, OperationalError
from django.utils import timezone

from scorekeeper.db.sqlite.write_queue import waiting_at_most
from scorekeeper.http.device_names import device_of
from sessions_app.models import Phone, PhoneLink, User
from sessions_app.models.phones import new_key
from sessions_app.readers.people.phones import LASTS, code_of, hashed
from sessions_app.transactions import hold_user, writing


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


# --- Links: made on one phone, asked for by another, agreed to, used once ---


@writing
def make_link(user: User) -> PhoneLink:
    """Return a new link of the user; those before it are deleted."""
    user = hold_user(user.pk)
    user.phone_links.all().delete()
    salt = new_key()
    return PhoneLink.objects.create(user=user, salt=salt, code_hash=hashed(code_of(salt)))


@writing
def ask_link(link: PhoneLink, secret: str, user_agent: str) -> bool:
    """Bind the link to the browser with this secret; return whether it is that one's. The first to ask has it."""
    fresh = PhoneLink.objects.filter(pk=link.pk, used_at=None, made_at__gt=timezone.now() - LASTS)
    fresh.filter(asked_by="").update(asked_by=hashed(secret), asked_device=device_of(user_agent))
    return fresh.filter(asked_by=hashed(secret)).exists()


@writing
def agree_link(user: User, link_id: int) -> bool:
    """Let the phone in that has asked; return whether one had, in time. Agreeing twice changes nothing."""
    asked = user.phone_links.filter(pk=link_id, used_at=None, made_at__gt=timezone.now() - LASTS).exclude(asked_by="")
    asked.filter(agreed_at=None).update(agreed_at=timezone.now())
    return asked.exists()


@writing
def refuse_link(user: User) -> None:
    """Delete the user's links: nobody comes in by them."""
    user.phone_links.all().delete()


@writing
def use_link(link: PhoneLink, secret: str) -> bool:
    """Spend the link for the browser with this secret; return whether it was the first to, and in time."""
    now = timezone.now()
    agreed = PhoneLink.objects.filter(pk=link.pk, asked_by=hashed(secret), agreed_at__isnull=False)
    return bool(agreed.filter(used_at=None, made_at__gt=now - 2 * LASTS).update(used_at=now))
