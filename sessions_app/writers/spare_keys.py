"""The writer of spare keys: making one, and opening a user's book by it once.

A key has 128 random bits, so its hash needs no slow function: nobody can try them all. It is keyed by the secret key.
"""

from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scorekeeper.text.spare_words import new_words
from sessions_app.errors import WrongSpareKey
from sessions_app.models import SpareKey, User
from sessions_app.writers.passkeys import note_keys
from sessions_app.writers.transactions import hold_user, writing

#: The browser that used a key may ask again for so long: without the answer its user would have neither key.
ANSWER_MAY_BE_LOST: Final = timedelta(minutes=10)


@writing
def make(user_id: int) -> str:
    """Return the words of a new spare key. The user's former one opens nothing any more."""
    user = hold_user(user_id)
    user.spare_keys.all().delete()
    return _made(user)


@writing
def remove(user_id: int) -> None:
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
