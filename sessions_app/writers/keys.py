"""The writer of passkeys (`sessions_app.ceremonies` checks their ceremonies) and of spare keys, which open a book once.

A spare key has 128 random bits, so its hash needs no slow function: nobody can try them all. It is keyed by the secret
key.
"""

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scorekeeper.text.spare_words import new_words
from sessions_app.errors import LastPasskey, PasskeyKnown, PasskeyRefused, WrongSpareKey
from sessions_app.models import Passkey, SpareKey, SpentChallenge, User, UserHandle
from sessions_app.readers.people.users import has_key
from sessions_app.transactions import hold_user, writing

if TYPE_CHECKING:
    from sessions_app.ceremonies import NewPasskey  # which takes 24 MB

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
