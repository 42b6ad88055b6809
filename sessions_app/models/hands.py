"""Hands, their payments and their history. Written by `ledger` alone, and never deleted."""

from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from sessions_app.models.evenings import GameSession
from sessions_app.models.people import User


class Hand(models.Model):
    """One deal. Its facts are its last revision's; a void hand keeps them, struck through on the sheet.

    `deal` is the game's own one-line notation, and empty for a deal that was thrown in: then there is no declarer
    either, and `deal_stays` says whether the same dealer deals again.
    """

    game_session = models.ForeignKey(GameSession, models.CASCADE, related_name="hands")
    number = models.PositiveIntegerField()
    token = models.UUIDField()
    dealer = models.PositiveSmallIntegerField()
    declarer = models.PositiveSmallIntegerField(null=True, blank=True)
    deal = models.CharField(max_length=60, blank=True)
    deal_stays = models.BooleanField(default=False)
    is_void = models.BooleanField(default=False)
    revision_count = models.PositiveIntegerField(default=1)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["game_session", "number"]
        indexes = [
            models.Index(fields=["game_session", "-number"], condition=Q(is_void=False), name="hands_that_stand"),
        ]
        constraints = [
            models.UniqueConstraint("game_session", "number", name="hand_number_once"),
            models.UniqueConstraint("game_session", "token", name="hand_token_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="hands_from_one"),
            models.CheckConstraint(
                condition=Q(declarer__isnull=True, deal="") | (Q(declarer__isnull=False) & ~Q(deal="")),
                name="hand_played_or_thrown_in",
            ),
            models.CheckConstraint(condition=Q(deal_stays=False) | Q(deal=""), name="deal_stays_only_thrown_in"),
        ]

    def __str__(self) -> str:
        return f"hand {self.number}"

    @property
    def thrown_in(self) -> bool:
        return not self.deal


class Action(models.TextChoices):
    RECORD = "record"
    AMEND = "amend"
    VOID = "void"
    RESTORE = "restore"


class Revision(models.Model):
    """One entry of a hand's history: who did what when, and the facts before and after. Only ever added."""

    hand = models.ForeignKey(Hand, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=8, choices=Action)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    before = models.JSONField(null=True)
    after = models.JSONField()

    class Meta:
        ordering = ["hand", "number"]
        indexes = [models.Index("made_at", name="revisions_by_time")]
        constraints = [
            models.UniqueConstraint("hand", "number", name="revision_number_once"),
            models.CheckConstraint(condition=Q(action__in=Action.values), name="revision_action_known"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.hand_id}.{self.number}"


class HandPayment(models.Model):
    """Who pays whom how many points for one hand, by its latest facts. A void hand's are kept and not counted."""

    hand = models.ForeignKey(Hand, models.CASCADE, related_name="payments")
    payer = models.PositiveSmallIntegerField()
    payee = models.PositiveSmallIntegerField()
    points = models.PositiveIntegerField()

    class Meta:
        ordering = ["hand", "payer", "payee"]
        constraints = [
            models.UniqueConstraint("hand", "payer", "payee", name="payment_once"),
            models.CheckConstraint(condition=~Q(payer=F("payee")), name="nobody_pays_himself"),
            models.CheckConstraint(condition=Q(points__gte=1), name="payment_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.payer} pays {self.payee} {self.points}"


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
    """The hand that is being played: what was announced and taken so far, as the game's own texts.

    There is one at most in an evening. It becomes a Hand under `token` when it is finished, and goes when any hand is
    recorded under its number. `version` is what a writer must have seen: two thumbs at once overwrite nothing.
    `replaced` is what its latest change passed over, as these columns; null where that was nothing.
    """

    game_session = models.OneToOneField(GameSession, models.CASCADE, related_name="open_hand")
    token = models.UUIDField(default=uuid4)
    number = models.PositiveIntegerField()
    dealer = models.PositiveSmallIntegerField()
    declarer = models.PositiveSmallIntegerField(null=True, blank=True)
    auction = models.CharField(max_length=200, blank=True)
    announcement = models.CharField(max_length=60, blank=True)
    doubling = models.CharField(max_length=200, blank=True)
    play = models.CharField(max_length=200, blank=True)
    replaced = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"open hand {self.number}"

    @property
    def has_begun(self) -> bool:
        """Whether anything is said in it but who deals."""
        return self.declarer is not None or any((self.auction, self.announcement, self.doubling, self.play))
