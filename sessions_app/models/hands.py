"""Hands, their entries and history (written by `ledger` alone, never deleted), reactions, and the hand in play."""

from typing import Final
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from sessions_app.models.evenings import Evening, lineup_from_text
from sessions_app.models.people import Row, User


class Hand(Row):
    """One row of the sheet. Its facts are its last revision's; a void hand keeps them, struck through on the sheet.

    `kind` is played (also passed out), thrown in, or agreed: entries that the circle agreed on, for which no cards were
    dealt. `deal` is the game's own one-line notation, empty for a deal that was thrown in. `deal_stays` says that the
    same dealer deals again: always after agreed entries, never after a played hand.

    `lineup` is the seats at the table, clockwise, and `standing` the game's after this hand; a void hand leaves the
    standing before it.
    """

    class Kind(models.TextChoices):
        PLAYED = "played"
        THROWN_IN = "thrown_in"
        AGREED = "agreed"

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="hands")
    number = models.PositiveIntegerField()
    token = models.UUIDField()
    kind = models.CharField(max_length=9, choices=Kind)
    lineup = models.CharField(max_length=20, default="0-1-2")
    dealer = models.PositiveSmallIntegerField()
    declarer = models.PositiveSmallIntegerField(null=True, blank=True)
    deal = models.CharField(max_length=200, blank=True)
    deal_stays = models.BooleanField(default=False)
    standing = models.TextField(blank=True)
    is_void = models.BooleanField(default=False)
    revision_count = models.PositiveIntegerField(default=1)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["evening", "number"]
        indexes = [
            models.Index(fields=["evening", "-number"], condition=Q(is_void=False), name="hands_that_stand"),
        ]
        constraints = [
            models.UniqueConstraint("evening", "number", name="hand_number_once"),
            models.UniqueConstraint("evening", "token", name="hand_token_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="hands_from_one"),
            models.CheckConstraint(
                condition=Q(~Q(deal=""), kind="played")
                | Q(kind="thrown_in", deal="", declarer__isnull=True)
                | Q(~Q(deal=""), kind="agreed", declarer__isnull=True),
                name="hand_kind_matches_deal",
            ),
            models.CheckConstraint(
                condition=Q(deal_stays=False) | Q(declarer__isnull=True), name="nobody_declares_where_the_deal_stays"
            ),
        ]

    @property
    def is_thrown_in(self) -> bool:
        return self.kind == self.Kind.THROWN_IN

    @property
    def is_agreed(self) -> bool:
        return self.kind == self.Kind.AGREED

    @property
    def sitting(self) -> tuple[int, ...]:
        """The seats at the table, clockwise."""
        return lineup_from_text(self.lineup)


class Action(models.TextChoices):
    RECORD = "record"
    AMEND = "amend"
    VOID = "void"
    RESTORE = "restore"
    RECOUNT = "recount"


#: Actions that later hands are recounted for.
CORRECTIONS: Final = (Action.AMEND, Action.VOID, Action.RESTORE)


class Revision(Row):
    """One entry of a hand's history: the action, its time and user, the facts before and after. Append-only.

    A hand is recounted because an earlier one was corrected: `cause` is the revision that corrected it. `version` is
    the evening's after this write; null in rows from before it was stored.
    """

    hand = models.ForeignKey(Hand, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=8, choices=Action)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    before = models.JSONField(null=True)
    after = models.JSONField()
    cause = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="effects")
    version = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["hand", "number"]
        indexes = [models.Index("made_at", name="revisions_by_time")]
        constraints = [
            models.UniqueConstraint("hand", "number", name="revision_number_once"),
            models.CheckConstraint(condition=Q(action__in=Action.values), name="revision_action_known"),
            models.CheckConstraint(
                condition=Q(action="recount", cause__isnull=False) | (~Q(action="recount") & Q(cause__isnull=True)),
                name="only_a_recount_has_a_cause",
            ),
        ]


class HandEntry(Row):
    """One entry of a hand, by its latest facts. A void hand's entries stay and are not counted.

    An amount in an account of a seat, against another seat or None, and the game's reason for it. In the account
    `paid` the seat has paid the other seat this amount.
    """

    # No index of its own: the first constraint's serves it.
    hand = models.ForeignKey(Hand, models.CASCADE, related_name="entries", db_index=False)
    account = models.CharField(max_length=12)
    seat = models.PositiveSmallIntegerField()
    against = models.PositiveSmallIntegerField(null=True, blank=True)
    amount = models.IntegerField()
    reason = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                "hand", "account", "seat", Coalesce("against", -1), "reason", name="entry_once_for_a_reason"
            ),
            models.CheckConstraint(condition=~Q(amount=0), name="entry_of_something"),
            models.CheckConstraint(condition=Q(against__isnull=True) | ~Q(against=F("seat")), name="entry_of_two"),
            models.CheckConstraint(
                condition=~Q(account="paid") | Q(against__isnull=False, amount__gte=1), name="paid_to_somebody"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account} {self.seat} {self.against} {self.amount}"


class HandMark(Row):
    """A member's reaction to a hand as it stood at `revision`: seen and right (ok), or doubted (hm)."""

    class Kind(models.TextChoices):
        OK = "ok"
        HM = "hm"

    hand = models.ForeignKey(Hand, models.CASCADE, related_name="marks")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=2, choices=Kind)
    revision = models.PositiveIntegerField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index("hand", condition=Q(kind="hm", settled_at=None), name="doubts_open"),
        ]
        constraints = [
            models.UniqueConstraint("hand", "user", name="one_mark_a_member"),
            models.CheckConstraint(condition=Q(kind__in=["ok", "hm"]), name="mark_kind_known"),
        ]


class HandInPlay(Row):
    """The hand in play: the announcements and moves so far, as the game itself writes them.

    An evening has at most one. It becomes a Hand under `token` when it is finished, and is deleted when any hand is
    recorded under its number. A writer must have read this `version`: two taps at once overwrite nothing. `state` is
    empty while nothing but the dealer is noted; `replaced` is the dealer and the state that the latest change
    replaced, null if none.
    """

    evening = models.OneToOneField(Evening, models.CASCADE, related_name="hand_in_play")
    token = models.UUIDField(default=uuid4)
    number = models.PositiveIntegerField()
    dealer = models.PositiveSmallIntegerField()
    state = models.JSONField(default=dict, blank=True)
    replaced = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    class Meta:
        db_table = "sessions_app_openhand"

    @property
    def has_begun(self) -> bool:
        """True if anything but the dealer is noted."""
        return bool(self.state)
