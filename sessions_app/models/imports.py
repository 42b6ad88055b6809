"""Files that users have brought: kept from the upload, through the review, to a day after they were taken in."""

from typing import Final
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone

from sessions_app.models.people import Circle, Row, User

#: Characters that are kept of a file's name.
FILE_NAME_LENGTH: Final = 100


class Import(Row):
    """A file that a user has brought, and what is to become of it. `token` is its address, for this user alone.

    `circle` is the one that it goes into, None for a new one, which it is then. `answers` are those that the user gave
    in the review, and `found` is what reading the file has found; their form is that of the `kind`
    (`writers.import_kinds`). `bytes` is what its parts take. `closed_at` is when it was taken in, dropped or taken out.
    """

    class Kind(models.TextChoices):
        BOOK = "book"
        TABLE = "table"

    class State(models.TextChoices):
        OPEN = "open"
        TAKING = "taking"
        TAKEN = "taken"
        DROPPED = "dropped"
        UNDOING = "undoing"
        UNDONE = "undone"

    token = models.UUIDField(default=uuid4, unique=True, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="imports")
    circle = models.ForeignKey(Circle, models.SET_NULL, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=5, choices=Kind)
    file_name = models.CharField(max_length=FILE_NAME_LENGTH, blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.OPEN)
    bytes = models.PositiveIntegerField(default=0)
    answers = models.JSONField(default=dict)
    found = models.JSONField(default=dict)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("user", condition=Q(state__in=["open", "taking"]), name="one_open_import_a_user"),
        ]


class ImportPart(Row):
    """A part of an import's file, compressed: in rows, as several servers may share the database and no folder.

    A book has its head in part 0, and each session in a part of its own. `facts` are what counting it has found, None
    until then.
    """

    of = models.ForeignKey(Import, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()
    facts = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["of", "number"]
        constraints = [models.UniqueConstraint("of", "number", name="import_part_once")]


class ImportMade(Row):
    """A row that an import has made, by its key, so that it can be taken out again.

    `version` tells of an evening whether it was changed since (`import_rows.histories`).
    """

    class What(models.TextChoices):
        CIRCLE = "circle"
        PLAYER = "player"
        PROFILE = "profile"
        EVENING = "evening"
        PAYMENT = "payment"

    of = models.ForeignKey(Import, models.CASCADE, related_name="made")
    what = models.CharField(max_length=7, choices=What)
    key = models.BigIntegerField()
    version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint("of", "what", "key", name="import_made_once")]
