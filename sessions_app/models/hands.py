"""Hands, their entries and their history. Written by `ledger` alone, and never deleted."""

from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from sessions_app.models.evenings import Evening, lineup_from_text
from sessions_app.models.people import User


class Hand(models.Model):
    """One deal. Its facts are its last revision's; a void hand keeps them, struck through on the sheet.

    `kind` is played (also passed out), thrown in, or agreed: entries that the circle agreed on, for which no cards were
    dealt. `deal` is the game's own one-line notation, empty for a deal that was thrown in. `deal_stays` says that the
    same dealer deals again: always after agreed entries, never after a played hand.

    `lineup` is who sat at the table, clockwise, and `standing` the game's after this hand; after a void one it is what
    it was before.
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

    def __str__(self) -> str:
        return f"hand {self.number}"

    @property
    def is_played(self) -> bool:
        return self.kind == self.Kind.PLAYED

    @property
    def is_thrown_in(self) -> bool:
        return self.kind == self.Kind.THROWN_IN

    @property
    def is_agreed(self) -> bool:
        return self.kind == self.Kind.AGREED

    @property
    def sitting(self) -> tuple[int, ...]:
        """Who sat at the table, clockwise."""
        return lineup_from_text(self.lineup)


class Action(models.TextChoices):
    RECORD = "record"
    AMEND = "amend"
    VOID = "void"
    RESTORE = "restore"
    RECOUNT = "recount"


class Revision(models.Model):
    """One entry of a hand's history: who did what when, and the facts before and after. Only ever added.

    A hand is recounted because an earlier one was corrected: `cause` is the revision that did it. `version` is the
    evening's as it was written; it was not kept at first.
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

    def __str__(self) -> str:
        return f"{self.action} {self.hand_id}.{self.number}"


class HandEntry(models.Model):
    """One thing that a hand writes, by its latest facts. A void hand's are kept and not counted.

    An amount into an account of a seat, against another seat or none, and the game's reason for it. In the account
    `paid` the seat has paid the other that much.
    """

    # Its index is the first constraint's.
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


class HandMark(models.Model):
    """What a member says of a hand as it stood at `revision`: seen and right (ok), or doubted (hm)."""

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

    def __str__(self) -> str:
        return f"{self.kind} on {self.hand_id}"


class OpenHand(models.Model):
    """The hand that is being played: what was announced and taken so far, as the game itself writes it.

    There is one at most in an evening. It becomes a Hand under `token` when it is finished, and goes when any hand is
    recorded under its number. `version` is what a writer must have seen: two thumbs at once overwrite nothing.
    `state` is empty while nothing is said but who deals; `replaced` is the dealer and the state that the latest change
    passed over, null where that was nothing.
    """

    evening = models.OneToOneField(Evening, models.CASCADE, related_name="open_hand")
    token = models.UUIDField(default=uuid4)
    number = models.PositiveIntegerField()
    dealer = models.PositiveSmallIntegerField()
    state = models.JSONField(default=dict, blank=True)
    replaced = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"open hand {self.number}"

    @property
    def has_begun(self) -> bool:
        """Whether anything is said in it but who deals."""
        return bool(self.state)
