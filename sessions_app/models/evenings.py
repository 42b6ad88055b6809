"""Evenings: who sits where, for what, and what each has paid each."""

from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from scorekeeper.games import GAMES
from scorekeeper.games.base import Game
from sessions_app.models.people import Player, Table, User


class GameSession(models.Model):
    """One evening: a game, a stake, seats in clockwise order. `token` is of the form that started it.

    `version` grows with every write, for phones that ask what is new. `last_number` and `hand_count` are kept so
    that no page has to count; `hand_count` is of the hands that stand and were played out. `seating` grows when the
    players change places or who deals first: a hand is written down by seats, and must mean the same people.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="evenings")
    token = models.UUIDField(default=uuid4, unique=True, editable=False)
    game_key = models.CharField(max_length=20, default="asszorti")
    stake = models.DecimalField(max_digits=9, decimal_places=3, null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    first_dealer = models.PositiveSmallIntegerField()
    seating = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    last_number = models.PositiveIntegerField(default=0)
    hand_count = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["table", "-started_at", "-id"], name="evenings_newest_first")]
        constraints = [
            models.CheckConstraint(condition=Q(stake__isnull=True) | Q(stake__gt=0), name="stake_positive"),
            models.CheckConstraint(condition=Q(stake__isnull=True) | ~Q(currency=""), name="stake_has_a_currency"),
            models.CheckConstraint(condition=Q(hand_count__lte=F("last_number")), name="hands_counted_exist"),
        ]

    def __str__(self) -> str:
        return f"evening {self.pk}"

    @property
    def game(self) -> Game[Any]:
        return GAMES[self.game_key]

    @property
    def has_ended(self) -> bool:
        return self.ended_at is not None


class Seat(models.Model):
    """A player's place in an evening: 0 … n−1 clockwise."""

    game_session = models.ForeignKey(GameSession, models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["game_session", "position"]
        constraints = [
            models.UniqueConstraint("game_session", "position", name="seat_taken_once"),
            models.UniqueConstraint("game_session", "player", name="player_sits_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.position}"


class PairTotal(models.Model):
    """All that `payer` has paid `payee` over the hands that stand, and for how many of them.

    The ledger keeps these with every write, so that a balance costs the same after 3 hands and after 3,000. There is
    one row for each ordered pair of seats, made with the evening.
    """

    game_session = models.ForeignKey(GameSession, models.CASCADE, related_name="pair_totals")
    payer = models.PositiveSmallIntegerField()
    payee = models.PositiveSmallIntegerField()
    points = models.PositiveIntegerField(default=0)
    hands = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["game_session", "payer", "payee"]
        constraints = [
            models.UniqueConstraint("game_session", "payer", "payee", name="pair_once"),
            models.CheckConstraint(condition=~Q(payer=F("payee")), name="pair_of_two"),
            models.CheckConstraint(condition=Q(points__gte=F("hands")), name="pair_points_for_hands"),
        ]

    def __str__(self) -> str:
        return f"{self.payer} has paid {self.payee} {self.points}"


class EveningChange(models.Model):
    """One entry of an evening's history: who mended what when, and how it was before and after. Only ever added.

    A name is its player's, and so in the history of all his evenings; stake and seats are the evening's own.
    """

    class Kind(models.TextChoices):
        NAME = "name"
        STAKE = "stake"
        SEATS = "seats"

    game_session = models.ForeignKey(GameSession, models.CASCADE, null=True, blank=True, related_name="changes")
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="changes")
    kind = models.CharField(max_length=8, choices=Kind)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="name", player__isnull=False, game_session__isnull=True)
                | Q(kind__in=["stake", "seats"], player__isnull=True, game_session__isnull=False),
                name="change_of_a_player_or_an_evening",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
