"""Phones: the browsers on which a user is signed in."""

import secrets
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils import timezone

from scorekeeper.http.device_names import LABEL_LENGTH
from sessions_app.models.people import User

KEY_BYTES: Final = 16


def new_key() -> str:
    """Return a random key of a phone: 128 bits."""
    return secrets.token_hex(KEY_BYTES)


class Phone(models.Model):
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

    def __str__(self) -> str:
        return f"phone {self.pk}"


class PhoneLink(models.Model):
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

    def __str__(self) -> str:
        return f"phone link {self.pk}"
