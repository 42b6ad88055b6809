"""The writer of phones (signing in, ending, the day on which each was seen last), and of what signs another one in.

That is a link, a passkey (`sessions_app.ceremonies` checks their ceremonies), or a spare key, which opens a book once.
"""

from contextlib import suppress
from datetime import date, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, InternalError, OperationalError
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scorekeeper.db.sqlite.write_queue import waiting_at_most
from scorekeeper.http.device_names import device_of
from scorekeeper.text.spare_words import new_words
from sessions_app.errors import LastPasskey, PasskeyKnown, PasskeyRefused, WrongSpareKey
from sessions_app.models import Passkey, Phone, PhoneLink, SpareKey, SpentChallenge, User, UserHandle
from sessions_app.models.phones import new_key
from sessions_app.readers.people.phones import LASTS, code_of, hashed
from sessions_app.readers.people.users import has_key
from sessions_app.transactions import hold_user, writing

if TYPE_CHECKING:
    from sessions_app.ceremonies import NewPasskey  # which takes 24 MB


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


# --- Passkeys ---


#: Longer than any challenge is valid, whatever the clocks of two servers say.
SPENT_FOR: Final = timedelta(hours=1)


@writing
def add_passkey(user_id: int, made: "NewPasskey", *, rp_id: str, device: str, challenge: bytes) -> Passkey:
    """Add a passkey to the user, who is a guest no longer. Raise PasskeyKnown, PasskeyRefused."""
    user = hold_user(user_id)
    _spend(challenge)
    handle, _is_new = UserHandle.objects.get_or_create(handle=made.handle, defaults={"user": user})
    if handle.user_id != user.pk or Passkey.objects.filter(credential_id=made.credential_id).exists():
        raise PasskeyKnown
    passkey = Passkey(handle=handle, rp_id=rp_id, device=device, authenticator=made.authenticator)
    passkey.credential_id, passkey.public_key = made.credential_id, made.public_key
    passkey.sign_count = made.sign_count
    try:
        passkey.save()
    except IntegrityError as error:  # of another user, at the same moment
        raise PasskeyKnown from error
    note_keys(user)
    return passkey


@writing
def use_passkey(passkey: Passkey, sign_count: int, *, challenge: bytes) -> User:
    """Note that a passkey has signed, and return its user. Raise PasskeyRefused.

    The count is compared again under the user's lock: of two copies of an authenticator, the slower one is refused.
    """
    owner = UserHandle.objects.filter(passkeys=passkey).values_list("user_id", flat=True).first()
    user = hold_user(owner) if owner else None
    known = Passkey.objects.filter(pk=passkey.pk, handle__user=user).first()
    if known is None or user is None or not user.is_active:
        raise PasskeyRefused("wrong", "removed, or of a user who is not active")
    _spend(challenge)
    if (sign_count or known.sign_count) and sign_count <= known.sign_count:
        raise PasskeyRefused("wrong", f"count {sign_count} after {known.sign_count}")
    known.sign_count, known.used_on = sign_count, timezone.localdate()
    known.save(update_fields=["sign_count", "used_on"])
    return user


@writing
def remove_passkey(user_id: int, passkey_id: int, *, even_the_last: bool = False) -> None:
    """Remove a passkey of the user; one that is gone is no error. Raise Passkey.DoesNotExist, LastPasskey."""
    user = hold_user(user_id)
    own = Passkey.objects.filter(handle__user=user)
    passkey = own.get(pk=passkey_id)
    if not even_the_last and own.count() == 1:
        raise LastPasskey
    passkey.delete()
    note_keys(user)


@writing
def want_no_key(user_id: int) -> None:
    """Offer the user no key any more, but on the page where they are made."""
    User.objects.filter(pk=user_id).update(wants_no_key=True)


def note_keys(user: User) -> None:
    """Note whether the user is a guest, with nothing but its phones; for a caller that has locked it."""
    User.objects.filter(pk=user.pk).update(is_guest=not has_key(user))


def _spend(challenge: bytes) -> None:
    """Spend a challenge, and forget those that have expired. Raise PasskeyRefused if it is spent already."""
    now = timezone.now()
    SpentChallenge.objects.filter(expires_at__lt=now).delete()
    try:
        SpentChallenge.objects.create(digest=sha256(challenge).digest(), expires_at=now + SPENT_FOR)
    except IntegrityError as error:
        raise PasskeyRefused("late", "answered twice") from error


# --- Spare keys ---
#
# A spare key has 128 random bits, so its hash needs no slow function: nobody can try them all. It is keyed by the
# secret key.


#: The browser that used a key may ask again for so long: without the answer its user would have neither key.
ANSWER_MAY_BE_LOST: Final = timedelta(minutes=10)


@writing
def make_spare_key(user_id: int) -> str:
    """Return the words of a new spare key. The user's former one opens nothing any more."""
    user = hold_user(user_id)
    user.spare_keys.all().delete()
    return _made(user)


@writing
def remove_spare_key(user_id: int) -> None:
    """Delete the user's spare key, if there is one."""
    user = hold_user(user_id)
    user.spare_keys.all().delete()
    note_keys(user)


@writing
def open_book(words: str, browser: str) -> tuple[User, str]:
    """Return the user of a spare key, and the words of the new one that replaces it. Raise WrongSpareKey."""
    now, asks = timezone.now(), _digest("browser", browser)
    opens = Q(spent_at=None) | Q(spent_at__gt=now - ANSWER_MAY_BE_LOST, spent_by=asks)
    matching = SpareKey.objects.filter(opens, digest=_digest("words", words))
    owner = matching.values_list("user_id", flat=True).first()
    user = hold_user(owner) if owner else None
    key = matching.filter(user=user).first()  # read under the lock: it may have been used meanwhile
    if user is None or key is None or not user.is_active:
        raise WrongSpareKey
    key.spent_at, key.spent_by = key.spent_at or now, asks
    key.save(update_fields=["spent_at", "spent_by"])
    user.spare_keys.exclude(pk=key.pk).delete()
    return user, _made(user)


def _made(user: User) -> str:
    words = new_words()
    user.spare_keys.create(digest=_digest("words", words))
    note_keys(user)
    return words


def _digest(what: str, text: str) -> bytes:
    return salted_hmac(f"spare key, {what}", text, algorithm="sha256").digest()
