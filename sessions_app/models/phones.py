"""Phones, the browsers on which a user is signed in; and ways back without one: passkeys, and a spare key on paper."""

import secrets
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils import timezone

from scorekeeper.http.device_names import LABEL_LENGTH
from sessions_app.models.people import Row, User

KEY_BYTES: Final = 16


def new_key() -> str:
    """Return a random key of a phone: 128 bits."""
    return secrets.token_hex(KEY_BYTES)


class Phone(Row):
    """A browser on which a user is signed in, until it is ended. Its session's cookie has `key`.

    The cookie leads to the user by this row alone: a phone that is given to another user goes on with its cookie.
    `device` is what the browser says that it is ('Safari|iPhone'), '' if unknown. `is_of_old_session` marks the one row
    of all cookies of a user that were made before phones had rows, and have no key.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="phones")
    key = models.CharField(max_length=2 * KEY_BYTES, unique=True, default=new_key, editable=False)
    since = models.DateTimeField(default=timezone.now, editable=False)
    last_seen_on = models.DateField(default=timezone.localdate)
    device = models.CharField(max_length=LABEL_LENGTH, default="", blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    is_of_old_session = models.BooleanField(default=False, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint("user", condition=Q(is_of_old_session=True), name="one_phone_of_old_sessions"),
        ]


class PhoneLink(Row):
    """A link, and a short code, by which another phone of its user is signed in once, when both sides have agreed.

    Both are derived from `salt` and the secret key: the row holds neither, only a keyed hash by which the code is
    found. `asked_by` is the same of a secret that the browser which opened it keeps.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="phone_links")
    salt = models.CharField(max_length=2 * KEY_BYTES, default=new_key, editable=False)
    code_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    asked_by = models.CharField(max_length=64, default="", blank=True)
    asked_device = models.CharField(max_length=LABEL_LENGTH, default="", blank=True)
    agreed_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)


# --- Ways back ---


#: Bytes of a credential's id, and characters of a host name: the most that the standards allow.
CREDENTIAL_ID_BYTES: Final = 1023
HOST_LENGTH: Final = 253
AUTHENTICATOR_LENGTH: Final = 40


class UserHandle(Row):
    """The random name under which authenticators know a user; it says nothing of him.

    A user may have several: they are rows that point to him, so two users become one without losing a passkey.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="handles")
    handle = models.BinaryField(max_length=64, unique=True)


class Passkey(Row):
    """A passkey of a user, for the host `rp_id` and its subdomains.

    `device` is the browser that made it ('Safari|iPhone'), `authenticator` the program that holds it; '' if unknown.
    `sign_count` is the authenticator's own count of signatures, 0 for one that does not count.
    """

    handle = models.ForeignKey(UserHandle, models.CASCADE, related_name="passkeys")
    credential_id = models.BinaryField(max_length=CREDENTIAL_ID_BYTES, unique=True)
    public_key = models.BinaryField()
    sign_count = models.PositiveBigIntegerField(default=0)
    rp_id = models.CharField(max_length=HOST_LENGTH)
    device = models.CharField(max_length=LABEL_LENGTH, default="", blank=True)
    authenticator = models.CharField(max_length=AUTHENTICATOR_LENGTH, default="", blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    used_on = models.DateField(null=True, blank=True)


class SpentChallenge(Row):
    """A challenge that a ceremony has answered, kept until it would have expired: none is answered twice."""

    digest = models.BinaryField(max_length=32, primary_key=True)
    expires_at = models.DateTimeField(db_index=True)


class SpareKey(Row):
    """A keyed hash of a spare key's words. One that has opened the book has `spent_at`, and opens nothing any more.

    `spent_by` is a keyed hash of the browser that used it: the same browser may ask again for a short time, as it never
    saw the new key if the answer was lost.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="spare_keys")
    digest = models.BinaryField(max_length=32, unique=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    spent_at = models.DateTimeField(null=True, blank=True)
    spent_by = models.BinaryField(max_length=32, default=b"", blank=True)
