"""Evenings: game and house rules, seats, stake, the sums of the sheet, the history of edits, and stored figures."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import cached_property

from scorekeeper.games import DEFAULT, GAMES
from scorekeeper.games.base import Account, Game
from scorekeeper.text.names import fold
from sessions_app.models.people import Circle, Player, Row, User

TITLE_LENGTH = 60
NOTE_LENGTH = 500
#: The most that a stored result comes to, in parts of the currency's smallest unit.
LARGEST_RESULT: Final = 10**18


class Total(NamedTuple):
    """The sum of an account's entries, and their number."""

    amount: int
    entries: int


def lineup_from_text(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("-")))


def lineup_to_text(seats: Iterable[int]) -> str:
    return "-".join(map(str, seats))


def search_text(circle: str, title: str, note: str, names: Iterable[str]) -> str:
    """Return an evening's searched text: players, circle, title and note, folded.

    Players stand in an order that does not depend on their seats. A word of a search has no space in it, so it is never
    found across two of them.
    """
    return " ".join(filter(None, [*sorted(map(fold, names)), fold(circle), fold(title), fold(note)]))


@lru_cache(maxsize=500)
def house_rules_of(game_key: str, text: str) -> Any:
    """Return the house rules of a game that the text writes, cached: they are immutable. Raise InvalidRules."""
    return GAMES[game_key].rules_from_text(text)


class SheetField(models.JSONField):
    """The sums of entries by account, in the database as rows [account, seat, against, amount, entries].

    In Python a mapping of (account, seat, against) to its `Total`; accounts without entries are left out.
    """

    def from_db_value(self, value: Any, *args: Any) -> dict[Account, Total]:
        rows = super().from_db_value(value, *args)
        return {(account, seat, against): Total(amount, count) for account, seat, against, amount, count in rows}

    def get_prep_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            value = sorted(
                ([*account, *total] for account, total in value.items() if any(total)),
                key=lambda row: (row[0], row[1], -1 if row[2] is None else row[2]),
            )
        return super().get_prep_value(value)


class Evening(Row):
    """One evening: a game with its house rules, a stake, seats. `token` is that of the form that started it.

    `rules` is the game's own line, stamped on the evening when it starts. `lineup` is the seats clockwise
    from the next deal on: "0-1-3-2". `version` grows with every write, for phones that poll for news. `seating` grows
    when the players change places or the first dealer changes: a hand is recorded by seats, and must mean the same
    players.

    `last_number`, `hand_count`, `sheet` and `standing` are stored so that no page has to count, and in this row because
    recording a hand claims it in one statement. `hand_count` is the number of hands played and not void, `sheet` the
    sums of the entries of all hands not void, `standing` the game's after the last of them.

    `in_chips` is whether the players push chips to each other after each hand, so that nothing is owed in the end; only
    in a game that pays per hand.

    `result_currency` is the currency of the seats' stored results: an ISO 4217 code or `points:` and the game's key. ''
    says that there are none: in a demo, in chips, without a hand that counts, before the evening has ended once.

    `title` and `note` are the members' own words. `search_text` is the text that a search reads: `search_text()` of the
    evening, written by `writers.circles` whenever one of its parts changes.
    """

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="evenings")
    token = models.UUIDField(default=uuid4, unique=True, editable=False)
    game_key = models.CharField(max_length=20, default=DEFAULT)
    rules = models.CharField(max_length=600, blank=True)
    stake = models.DecimalField(max_digits=9, decimal_places=3, null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    in_chips = models.BooleanField(default=False)
    first_dealer = models.PositiveSmallIntegerField()
    lineup = models.CharField(max_length=20, default="0-1-2")
    seating = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    last_number = models.PositiveIntegerField(default=0)
    hand_count = models.PositiveIntegerField(default=0)
    sheet = SheetField(default=dict)
    standing = models.TextField(blank=True)
    title = models.CharField(max_length=TITLE_LENGTH, blank=True)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    search_text = models.TextField(blank=True, editable=False)
    result_currency = models.CharField(max_length=30, blank=True, editable=False)

    class Meta:
        indexes = [
            # Covers the evenings' part of a circle's balances: no row with its sheet is read.
            models.Index(fields=["circle", "result_currency", "ended_at"], name="results_of_circle"),
            # With the end in the index, evenings are counted without their rows.
            models.Index(fields=["circle", "-started_at", "-id", "ended_at"], name="evenings_newest_first"),
            models.Index(
                # SQLite uses this index only if it has the end; otherwise it reads all evenings of the circle.
                fields=["circle", "ended_at", "-started_at", "-id"],
                condition=Q(ended_at=None),
                name="running_newest_first",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(stake__isnull=True) | Q(stake__gt=0), name="stake_positive"),
            models.CheckConstraint(condition=Q(stake__isnull=True) | ~Q(currency=""), name="stake_has_a_currency"),
            models.CheckConstraint(condition=Q(hand_count__lte=F("last_number")), name="hands_counted_exist"),
        ]

    @property
    def is_written(self) -> bool:
        """True if the sheet has a played hand, even without entries, or agreed entries, that are not void."""
        return bool(self.hand_count) or any(total.entries for total in self.sheet.values())

    @property
    def game(self) -> Game[Any, Any, Any]:
        return GAMES[self.game_key]

    @cached_property
    def house(self) -> Any:
        """The house rules, parsed by the game."""
        return house_rules_of(self.game_key, self.rules)

    @property
    def sitting(self) -> tuple[int, ...]:
        """The seats at the table from the next deal on, clockwise."""
        return lineup_from_text(self.lineup)

    @property
    def has_ended(self) -> bool:
        return self.ended_at is not None


class Seat(Row):
    """A player's seat in an evening: his column of the sheet, which stays his while others come and go.

    `sat_as` is the other name under which he sat, while that is merged into `player` (`Player.merged_into`); else None.

    `result` is what he won, below zero what he lost, in parts of the smallest unit of `Evening.result_currency`, and
    `result_parts` the number of parts of a unit: together an exact fraction in lowest terms. It is written when the
    evening ends, and stays while that is reopened, until it ends again.

    `points` are his points, in `points_parts` parts of one, and `took_part` whether he played a hand, as they were when
    the evening ended last; None if no hand counts. They are written with its roll-up.
    """

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    sat_as = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    result = models.BigIntegerField(null=True, blank=True, editable=False)
    result_parts = models.PositiveSmallIntegerField(default=1, editable=False)
    points = models.BigIntegerField(null=True, blank=True, editable=False)
    points_parts = models.PositiveSmallIntegerField(default=1, editable=False)
    took_part = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering = ["evening", "position"]
        constraints = [
            models.CheckConstraint(
                condition=Q(result=None) | Q(result__gte=-LARGEST_RESULT, result__lte=LARGEST_RESULT),
                name="result_in_range",
            ),
            models.CheckConstraint(condition=Q(result_parts__gte=1), name="result_of_whole_parts"),
            models.CheckConstraint(
                condition=Q(points=None) | Q(points__gte=-LARGEST_RESULT, points__lte=LARGEST_RESULT),
                name="points_in_range",
            ),
            models.CheckConstraint(condition=Q(points_parts__gte=1), name="points_of_whole_parts"),
            models.CheckConstraint(condition=Q(sat_as=None) | ~Q(sat_as=F("player")), name="sat_as_another_name"),
            models.UniqueConstraint("evening", "position", name="seat_taken_once"),
            models.UniqueConstraint("evening", "player", name="player_sits_once"),
        ]

    @property
    def exact_result(self) -> Fraction | None:
        return None if self.result is None else Fraction(self.result, self.result_parts)


class FormerResult(Row):
    """A result that a seat had until a correction, or a change of the stake, replaced it. Append-only.

    `result` is in `result_parts` of the smallest unit of `currency`, as that of a seat.
    """

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="former_results")
    result = models.BigIntegerField()
    result_parts = models.PositiveSmallIntegerField()
    currency = models.CharField(max_length=30)
    replaced_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(result__gte=-LARGEST_RESULT, result__lte=LARGEST_RESULT), name="former_result_in_range"
            ),
            models.CheckConstraint(condition=Q(result_parts__gte=1), name="former_result_of_whole_parts"),
            models.CheckConstraint(condition=~Q(currency=""), name="former_result_has_a_currency"),
        ]


class EveningChange(Row):
    """One entry of an evening's history: an edit, its time and user, the values before and after. Append-only.

    A new name belongs to its player, and so to the history of all his evenings; everything else belongs to the evening.
    """

    class Kind(models.TextChoices):
        NAME = "name"
        STAKE = "stake"
        CHIPS = "chips"
        SEATS = "seats"
        LINEUP = "lineup"
        TITLE = "title"
        NOTE = "note"
        MERGE = "merge"
        UNMERGE = "unmerge"

    evening = models.ForeignKey(Evening, models.CASCADE, null=True, blank=True, related_name="changes")
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
                condition=Q(kind__in=["name", "merge", "unmerge"], player__isnull=False, evening__isnull=True)
                | Q(
                    kind__in=["stake", "chips", "seats", "lineup", "title", "note"],
                    player__isnull=True,
                    evening__isnull=False,
                ),
                name="change_of_a_player_or_an_evening",
            ),
        ]


class EveningRollup(Row):
    """The figures of an ended evening, by seat; `readers/evening/figures.py` counts, writes and reads `figures`.

    Written in the transaction that ends the evening, and deleted in the one that reopens it: an ended evening takes no
    hand and no correction. It holds seats and no players, so renaming and merging players do not touch it; nor money,
    as the stake of an ended evening may be edited. `edition` is that of the definitions it was counted by.
    """

    evening = models.OneToOneField(Evening, models.CASCADE, related_name="rollup")
    edition = models.PositiveSmallIntegerField()
    figures = models.JSONField()

    class Meta:
        # The figures are long: whether an evening has a roll-up, and of which edition, is seen without its row.
        indexes = [models.Index(fields=["evening", "edition", "id"], name="rollup_of_evening")]
