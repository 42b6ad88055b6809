"""Leaderboards of a circle over all its evenings: points by game, money by currency.

Points of different games are never added, nor money of different currencies. An evening counts for a player who took
part in it, by `figures.took_part`.

These are figures of `statistics`, of all time; a test compares them. Those of ended evenings are added up by the
database from the points that each seat ended with; only running evenings are counted from their sheets.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import chain

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from scorekeeper.db.cache import LRUCache
from scorekeeper.games.amounts import Amount, simplified
from scorekeeper.games.base import Place
from sessions_app.models import Circle, Evening, Hand, Seat, lineup_from_text
from sessions_app.readers.evening.figures import EDITION, took_part
from sessions_app.readers.evening.seating import sums
from sessions_app.readers.money.balances import halves, whole
from sessions_app.readers.people.circles import CirclePlayer
from sessions_app.transactions import versions_of


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A player's sum, and the number of evenings that it is of."""

    player: int
    value: Amount
    evenings: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The sums of one kind, the best first: points of the game `key`, or money of the currency `key`."""

    key: str
    evenings: int
    rows: tuple[LeaderboardRow, ...]


@dataclass(frozen=True, slots=True)
class Leaderboards:
    """The points of each game and the money of each currency, those of most evenings first."""

    games: tuple[Leaderboard, ...]
    money: tuple[Leaderboard, ...]

    @property
    def players(self) -> set[int]:
        return {row.player for board in self.games for row in board.rows}


#: A player of a leaderboard with his row.
type NamedRow = tuple[CirclePlayer, LeaderboardRow]


@dataclass(frozen=True, slots=True)
class NamedLeaderboard:
    """The first rows of a leaderboard with their players, as a cached part of a page needs it.

    `players` is the number of all rows. `own` is the row of one player, with his place, if it is not among the first.
    """

    key: str
    evenings: int
    players: int
    rows: tuple[NamedRow, ...]
    own: tuple[int, NamedRow] | None


#: By player: the points or the money, and the number of evenings that he took part in.
type Amounts = Mapping[int, tuple[Amount, int]]
#: Some evenings of one game, currency and worth of a point ('' and None for points only): how many, and their points.
type Part = tuple[tuple[str, str, Decimal | None], int, Amounts]


@dataclass(slots=True)
class _Sums:
    """The number of some evenings, and the amounts of their players."""

    evenings: int = 0
    of_player: dict[int, tuple[Amount, int]] = field(default_factory=dict)

    def add(self, evenings: int, amounts: Amounts) -> None:
        self.evenings += evenings
        for player, (amount, times) in amounts.items():
            sum_so_far, times_so_far = self.of_player.get(player, (0, 0))
            self.of_player[player] = sum_so_far + amount, times_so_far + times


#: The sums of points by game, and of money by currency.
type Boards = tuple[Mapping[str, _Sums], Mapping[str, _Sums]]

#: The sums of a circle's ended evenings: 10 ms among 1,000 of them, and home and the pages of players have 20.
_ended: LRUCache[Boards] = LRUCache()


def leaderboards(circle: Circle, player: int | None = None) -> Leaderboards:
    """Return the leaderboards of a circle, or only the rows of one player; those who took part in nothing are left out.

    At most four queries for the running evenings, and four for the ended ones, whose sums are cached until one of them
    changes.
    """
    versions = versions_of(circle)
    ended = _ended.get_or_make(versions and versions.of_ended, lambda: _of_ended(circle.pk))
    running = _boards(_counted(Evening.objects.filter(circle=circle.pk, ended_at=None)))
    points, money = (_added(one, other) for one, other in zip(ended, running, strict=True))
    return Leaderboards(_ranked(points, player), _ranked(money, player))


def with_players(
    boards: Iterable[Leaderboard], players: Iterable[CirclePlayer], most: int, own: int | None = None
) -> list[NamedLeaderboard]:
    """Return the first `most` rows of leaderboards of a circle, and that of the player `own`: no query."""
    by_id, named = {player.id: player for player in players}, []
    for board in boards:
        rows = tuple((by_id[row.player], row) for row in board.rows[:most])
        below = enumerate(board.rows[most:], most + 1)
        mine = next(((place, (by_id[row.player], row)) for place, row in below if row.player == own), None)
        named.append(NamedLeaderboard(board.key, board.evenings, len(board.rows), rows, mine))
    return named


def _boards(parts: Iterable[Part]) -> Boards:
    points: dict[str, _Sums] = defaultdict(_Sums)
    money: dict[str, _Sums] = defaultdict(_Sums)
    for (game_key, currency, stake), evenings, amounts in parts:
        points[game_key].add(evenings, amounts)
        if stake is not None:
            worth = Fraction(stake)
            won = {player: (amount * worth, times) for player, (amount, times) in amounts.items()}
            money[currency].add(evenings, won)
    return dict(points), dict(money)


def _added(one: Mapping[str, _Sums], other: Mapping[str, _Sums]) -> Mapping[str, _Sums]:
    """Return the sums of both, which are left as they are."""
    found = {key: _Sums(each.evenings, dict(each.of_player)) for key, each in one.items()}
    for key, each in other.items():
        found.setdefault(key, _Sums()).add(each.evenings, each.of_player)
    return found


def _ranked(found: Mapping[str, _Sums], only: int | None) -> tuple[Leaderboard, ...]:
    return tuple(
        Leaderboard(
            key,
            each.evenings,
            tuple(
                sorted(
                    (
                        LeaderboardRow(player, simplified(value), times)
                        for player, (value, times) in each.of_player.items()
                        if (value or times) and only in (None, player)
                    ),
                    key=lambda row: (-row.value, row.player),
                )
            ),
        )
        for key, each in sorted(found.items(), key=lambda item: (-item[1].evenings, item[0]))
    )


def _of_ended(circle_id: int) -> Boards:
    """Return the sums of ended evenings by their seats' points, and of those without by their sheets."""
    has_points = Exists(Seat.objects.filter(evening=OuterRef("pk"), points__isnull=False))
    unstored = Evening.objects.filter(circle=circle_id, ended_at__isnull=False)
    unstored = unstored.exclude(Q(has_points), rollup__edition=EDITION)
    return _boards(chain(_stored(circle_id), _counted(unstored)))


def _stored(circle_id: int) -> Iterator[Part]:
    """Yield the points that are stored of a circle's ended evenings: two queries."""
    kind = ("evening__game_key", "evening__currency", "evening__stake")
    stored = Q(evening__ended_at__isnull=False, evening__rollup__edition=EDITION)
    seats = Seat.objects.filter(stored, evening__circle=circle_id, points__isnull=False).order_by()
    for game_key, currency, stake, evenings in seats.values_list(*kind).annotate(Count("evening", distinct=True)):
        yield (game_key, currency, stake), evenings, {}
    sums = seats.values_list(*kind, "player", "points_parts").annotate(
        **halves("points"), times=Count("pk", filter=Q(took_part=True))
    )
    for game_key, currency, stake, player, parts, high, low, times in sums:
        yield (game_key, currency, stake), 0, {player: (whole(high, low, parts), times)}


def _counted(of_circle: QuerySet[Evening]) -> Iterator[Part]:
    """Yield the points of these evenings of a circle by their sheets: two queries, or four; one for none."""
    read = of_circle.only("game_key", "rules", "stake", "currency", "sheet", "hand_count")
    evenings = [each for each in read if each.hand_count or each.sheet]
    if not evenings:
        return
    seats = Seat.objects.filter(evening__in=of_circle).order_by("evening", "position")
    players: dict[int, dict[int, int]] = defaultdict(dict)
    for evening, position, player in seats.values_list("evening", "position", "player"):
        players[evening][position] = player
    part = _took_part(evenings, players)
    for each in evenings:
        sitting = players[each.pk]
        balances = each.game.balances(sums(each.sheet), tuple(sitting), each.house)
        # An entry of one seat may change the balances of all, so a seat may have a balance without taking part.
        amounts = {player: (balances[seat], int(seat in part[each.pk])) for seat, player in sitting.items()}
        yield (each.game_key, each.currency, each.stake), 1, amounts


def _took_part(evenings: Iterable[Evening], players: Mapping[int, Iterable[int]]) -> dict[int, set[int]]:
    """Return the seats that took part in each of these evenings: no query, or two.

    A game that pays per hand names only players of the hand, so no hand is read where its sheet names every seat.
    """
    found, unsure = {}, {}
    for each in evenings:
        found[each.pk] = {seat for _account, *seats in each.sheet for seat in seats if seat is not None}
        if not each.game.pays_per_hand or not found[each.pk].issuperset(players[each.pk]):
            unsure[each.pk] = each
    if not unsure:
        return found
    hands = Hand.objects.filter(evening__in=unsure, is_void=False).order_by()
    places, agreed = defaultdict[int, list[Place]](list), defaultdict[int, list[tuple[int | None, ...]]](list)
    played = hands.filter(kind=Hand.Kind.PLAYED).values_list("evening", "lineup", "dealer", "declarer")
    for evening, lineup, dealer, declarer in played.distinct():
        places[evening].append(Place(lineup_from_text(lineup), dealer, declarer))
    named = hands.filter(kind=Hand.Kind.AGREED, entries__isnull=False)
    columns = ("evening", "entries__seat", "entries__against", "lineup")
    for evening, seat, against, lineup in named.values_list(*columns).distinct():
        agreed[evening].append((seat, against, *lineup_from_text(lineup)))
    return found | {pk: took_part(each.game, each.house, places[pk], agreed[pk]) for pk, each in unsure.items()}
