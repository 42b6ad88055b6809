"""Ways back to a user without a phone of his: passkeys, and a spare key on paper."""

from typing import Final

from django.db import models
from django.utils import timezone

from scorekeeper.http.device_names import LABEL_LENGTH
from sessions_app.models.people import User

#: Bytes of a credential's id, and characters of a host name: the most that the standards allow.
CREDENTIAL_ID_BYTES: Final = 1023
HOST_LENGTH: Final = 253
AUTHENTICATOR_LENGTH: Final = 40


class UserHandle(models.Model):
    """The random name under which authenticators know a user; it says nothing of him.

    A user may have several: they are rows that point to him, so two users become one without losing a passkey.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="handles")
    handle = models.BinaryField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"handle {self.pk}"


class Passkey(models.Model):
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

    def __str__(self) -> str:
        return f"passkey {self.pk}"


class SpentChallenge(models.Model):
    """A challenge that a ceremony has answered, kept until it would have expired: none is answered twice."""

    digest = models.BinaryField(max_length=32, primary_key=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"challenge until {self.expires_at}"


class SpareKey(models.Model):
    """A keyed hash of a spare key's words. One that has opened the book has `spent_at`, and opens nothing any more.

    `spent_by` is a keyed hash of the browser that used it: the same browser may ask again for a short time, as it never
    saw the new key if the answer was lost.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="spare_keys")
    digest = models.BinaryField(max_length=32, unique=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    spent_at = models.DateTimeField(null=True, blank=True)
    spent_by = models.BinaryField(max_length=32, default=b"", blank=True)

    def __str__(self) -> str:
        return f"spare key {self.pk}"
