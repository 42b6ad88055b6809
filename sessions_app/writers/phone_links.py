"""The writer of links that sign another phone of a user in: made on one, asked for by another, agreed to, used once."""

from django.utils import timezone

from scorekeeper.http.device_names import device_of
from sessions_app.models import PhoneLink, User
from sessions_app.models.phones import new_key
from sessions_app.readers.people.phones import LASTS, code_of, hashed
from sessions_app.writers.transactions import hold_user, writing


@writing
def make(user: User) -> PhoneLink:
    """Return a new link of the user; those before it are deleted."""
    user = hold_user(user.pk)
    user.phone_links.all().delete()
    salt = new_key()
    return PhoneLink.objects.create(user=user, salt=salt, code_hash=hashed(code_of(salt)))


@writing
def ask(link: PhoneLink, secret: str, user_agent: str) -> bool:
    """Bind the link to the browser with this secret; return whether it is that one's. The first to ask has it."""
    fresh = PhoneLink.objects.filter(pk=link.pk, used_at=None, made_at__gt=timezone.now() - LASTS)
    fresh.filter(asked_by="").update(asked_by=hashed(secret), asked_device=device_of(user_agent))
    return fresh.filter(asked_by=hashed(secret)).exists()


@writing
def agree(user: User, link_id: int) -> bool:
    """Let the phone in that has asked; return whether one had, in time. Agreeing twice changes nothing."""
    asked = user.phone_links.filter(pk=link_id, used_at=None, made_at__gt=timezone.now() - LASTS).exclude(asked_by="")
    asked.filter(agreed_at=None).update(agreed_at=timezone.now())
    return asked.exists()


@writing
def refuse(user: User) -> None:
    """Delete the user's links: nobody comes in by them."""
    user.phone_links.all().delete()


@writing
def use(link: PhoneLink, secret: str) -> bool:
    """Spend the link for the browser with this secret; return whether it was the first to, and in time."""
    now = timezone.now()
    agreed = PhoneLink.objects.filter(pk=link.pk, asked_by=hashed(secret), agreed_at__isnull=False)
    return bool(agreed.filter(used_at=None, made_at__gt=now - 2 * LASTS).update(used_at=now))
