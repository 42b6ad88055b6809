"""The figures of an evening for the statistics: its hands' measures and its own, by seat; and its best hands."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import lcm
from typing import Any, Final, NamedTuple

from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount, simplified
from scorekeeper.games.base import Game, Place
from scorekeeper.games.measures import Feat, Measure, summed
from sessions_app.models import Evening, Hand, HandEntry, Seat, lineup_from_text
from sessions_app.readers.evening.recount import sheet_of
from sessions_app.readers.evening.seating import sums_of

# --- Best hands ---


class MeasuredHand(NamedTuple):
    """A hand that was played: its measures and its feats."""

    number: int
    measures: tuple[Measure, ...]
    feats: tuple[Feat, ...]

    @property
    def dearest(self) -> "Dearest":
        """Return the largest amount of a seat that played the hand: of equal ones a gain, of the first seat."""
        amounts = {each.seat: each.amount for each in self.measures if each.name in ("as_declarer", "as_opponent")}
        seat = max(amounts, key=lambda seat: (abs(amounts[seat]), amounts[seat], -seat))
        return Dearest(self.number, seat, amounts[seat])


class Dearest(NamedTuple):
    """The largest amount of one seat in one hand, by the hand's number."""

    number: int
    seat: int
    amount: Amount

    @property
    def size(self) -> Amount:
        return max(self.amount, -self.amount)


class BestFeat(NamedTuple):
    """The highest feat of its code: the number of the first hand with it, and the number of hands with one as high."""

    feat: Feat
    number: int
    times: int


@dataclass(frozen=True, slots=True)
class BestHands:
    """The best of the hands `played`: the dearest, None if all amounts are 0, and the feats, the rarest first."""

    played: int
    dearest: Dearest | None
    feats: tuple[BestFeat, ...]


def best_of(hands: Sequence[MeasuredHand]) -> BestHands:
    """Return the best of hands that were played; of equal ones the first."""
    dearest = max((hand.dearest for hand in hands), key=lambda each: each.size, default=None)
    return BestHands(len(hands), dearest if dearest and dearest.amount else None, _best_feats(hands))


def _best_feats(hands: Iterable[MeasuredHand]) -> tuple[BestFeat, ...]:
    best: dict[str, BestFeat] = {}
    for hand in hands:
        for feat in hand.feats:
            known = best.get(feat.code)
            if known is None or feat.number > known.feat.number:
                best[feat.code] = BestFeat(feat, hand.number, 1)
            elif feat.number == known.feat.number and hand.number != known.number:
                best[feat.code] = known._replace(times=known.times + 1)
    return tuple(sorted(best.values(), key=lambda each: -each.feat.rarity))


def packed_best(best: BestHands) -> dict[str, Any]:
    """Return the best hands as they are stored; amounts are texts, as they may be fractions."""
    dearest = [best.dearest.number, best.dearest.seat, str(best.dearest.amount)] if best.dearest else None
    feats = [
        [each.feat.code, each.feat.rarity, list(each.feat.seats), each.feat.number, each.number, each.times]
        for each in best.feats
    ]
    return {"played": best.played, "dearest": dearest, "feats": feats}


def unpacked_best(stored: Mapping[str, Any]) -> BestHands:
    """Read stored best hands. Raise an error of the data if they cannot be read."""
    dearest = None
    if stored["dearest"] is not None:
        number, seat, text = stored["dearest"]
        dearest = Dearest(number, seat, simplified(Fraction(text)))
    feats = tuple(
        BestFeat(Feat(code, rarity, tuple(seats), height), number, times)
        for code, rarity, seats, height, number, times in stored["feats"]
    )
    return BestHands(stored["played"], dearest, feats)


# --- Figures ---

#: Edition of the definitions. Raise it when one changes: stored figures of other editions are then recounted.
EDITION: Final = 6

#: By seat, name and key: the amount, and the number it is counted over.
type Figures = dict[tuple[int, str, str], tuple[Amount, int]]


class StoredEntry(NamedTuple):
    account: str
    seat: int
    against: int | None
    amount: int
    reason: str


class StoredHand(NamedTuple):
    """A hand that stands, played or agreed."""

    number: int
    kind: str
    place: Place
    deal: str
    entries: tuple[StoredEntry, ...]


class Record(NamedTuple):
    """An evening with its players' keys by seat, and its hands that stand, in order."""

    evening: Evening
    players: tuple[int, ...]
    hands: tuple[StoredHand, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(len(self.players)))


def stored_figures_of(evening: Evening) -> dict[str, Any]:
    """Return the evening's figures as they are stored: three queries."""
    (record,) = records_of([evening])
    return stored_figures(record)


def stored_figures(record: Record) -> dict[str, Any]:
    """Return the figures of an evening and its best hands as they are stored: no query."""
    hands = list(played_hands(record))
    measures = (measure for hand in hands for measure in hand.measures)
    figures = summed([*measures, *_of_evening(record)])
    return {**packed(record, figures), "best": packed_best(best_of(hands))}


def played_hands(record: Record) -> Iterator[MeasuredHand]:
    """Yield the hands that were played with their measures and feats."""
    evening = record.evening
    for hand in record.hands:
        if hand.kind == Hand.Kind.PLAYED:
            yield _played(evening.game_key, evening.house, record.seats, hand)


@lru_cache(maxsize=400)
def _played(game_key: str, house: Any, seats: tuple[int, ...], hand: StoredHand) -> MeasuredHand:
    """Return the measures and feats of a hand, cached: a running evening is counted again after each of its hands."""
    game = GAMES[game_key]
    deal = game.deal_from_text(hand.deal, house)
    amounts = game.balances(sheet_of(hand.entries), seats, house)
    measures = game.measures(deal, hand.place, amounts, house, hand.entries)
    return MeasuredHand(hand.number, measures, tuple(game.feats(deal, hand.place, measures)))


def took_part(
    game: Game[Any, Any, Any], house: Any, played: Collection[Place], agreed: Iterable[tuple[int | None, ...]]
) -> set[int]:
    """Return the seats that took part in an evening: they played a hand of it, or an agreed entry names them.

    Where agreed entries are all that there is, as of a paper book, all at the table took part, also for nothing.
    `played` are the places of the hands played, `agreed` of each agreed entry the two seats that it names, then those
    at the table.
    """
    named = {seat for entry in agreed for seat in (entry[:2] if played else entry) if seat is not None}
    return named.union(*(game.participants(place, house) for place in played))


def _of_evening(record: Record) -> Iterator[Measure]:
    """Yield the measures of the evening itself; balances and debts count also for a seat that did not take part."""
    evening, seats = record.evening, record.seats
    sheet = sums_of(evening)
    played = [hand.place for hand in record.hands if hand.kind == Hand.Kind.PLAYED]
    agreed = (
        (entry.seat, entry.against, *hand.place.seats)
        for hand in record.hands
        if hand.kind == Hand.Kind.AGREED
        for entry in hand.entries
    )
    part = took_part(evening.game, evening.house, played, agreed)
    for seat, balance in evening.game.balances(sheet, seats, evening.house).items():
        if seat in part:
            yield Measure("evenings", seat, 1, 0)
        if seat in part or balance:
            yield Measure("points", seat, balance, int(seat in part))
    owed = evening.game.pairwise(sheet, seats, evening.house)
    for seat, other in permutations(seats, 2):
        yield Measure("against", seat, owed.get((other, seat), 0) - owed.get((seat, other), 0), 1, str(other))


def records_of(evenings: Sequence[Evening], above: int = 0) -> list[Record]:
    """Return the record of each evening, with the hands above that number: three queries for all."""
    keys = [evening.pk for evening in evenings]
    stand = Hand.objects.filter(evening__in=keys, is_void=False).exclude(kind=Hand.Kind.THROWN_IN)
    stand = stand.filter(number__gt=above) if above else stand
    rows = HandEntry.objects.filter(hand__in=stand).order_by("pk")
    entries = defaultdict[int, list[StoredEntry]](list)
    for hand, *columns in rows.values_list("hand", *StoredEntry._fields):
        entries[hand].append(StoredEntry(*columns))
    hands = defaultdict[int, list[StoredHand]](list)
    of_hand = ("pk", "evening", "number", "kind", "lineup", "dealer", "declarer", "deal")
    for pk, evening, number, kind, lineup, dealer, declarer, deal in stand.order_by("number").values_list(*of_hand):
        place = Place(lineup_from_text(lineup), dealer, declarer)
        hands[evening].append(StoredHand(number, kind, place, deal, tuple(entries[pk])))
    players = defaultdict[int, list[int]](list)
    seats = Seat.objects.filter(evening__in=keys).order_by("position")
    for evening, player in seats.values_list("evening", "player"):
        players[evening].append(player)
    return [Record(evening, tuple(players[evening.pk]), tuple(hands[evening.pk])) for evening in evenings]


# --- As stored ---
#
# A page may read a thousand evenings, so they are stored to be added up soon: `scale`, by which all amounts are
# multiplied so that they are whole, and `seats`, for each its amounts that are not 0, the numbers they are counted
# over, and its debts by the other seat. The key of a figure is 'name' or 'name key'. A number that is the amount of a
# wider measure (`Game.counted_over`) is not stored.


class SeatRow(NamedTuple):
    """The stored figures of a seat."""

    amounts: dict[str, int]
    over: dict[str, int]
    against: list[int]


def packed(record: Record, figures: Figures) -> dict[str, Any]:
    """Return the figures of an evening as they are stored."""
    scale = lcm(*(amount.denominator for amount, _of in figures.values()))
    rows = [SeatRow({}, {}, [0] * len(record.seats)) for _seat in record.seats]
    wider = record.evening.game.counted_over
    for (seat, name, key), (amount, of) in sorted(figures.items()):
        if name == "against":
            rows[seat].against[int(key)] = int(amount * scale)
            continue
        if amount:
            rows[seat].amounts[joined(name, key)] = int(amount * scale)
        if of and not (key and name in wider):
            rows[seat].over[joined(name, key)] = of
    return {"scale": scale, "seats": [list(row) for row in rows]}


def unpacked(stored: Mapping[str, Any], game: Game[Any, Any, Any]) -> Figures:
    """Return stored figures, but for keys with the amount 0. Raise an error of the data if they cannot be read."""
    found: Figures = {}
    for seat, row in enumerate(stored["seats"]):
        amounts, over, against = SeatRow(*row)
        for other, amount in enumerate(against):
            if other != seat:
                found[seat, "against", str(other)] = unscaled(amount, stored["scale"]), 1
        for each in sorted(amounts.keys() | over.keys()):
            name, _space, key = each.partition(" ")
            found[seat, name, key] = figure_at(row, stored["scale"], name, key, game.counted_over)
    return found


def figure_at(
    row: Sequence[Any], scale: int, name: str, key: str, counted_over: Mapping[str, str]
) -> tuple[Amount, int]:
    """Return one figure of a seat's stored row; 0 over 0 if it has none."""
    amounts, over, _against = row
    of = over.get(each := joined(name, key), 0)
    if key and name in counted_over:
        of = amounts.get(counted_over[name], 0) // scale
    return unscaled(amounts.get(each, 0), scale), of


def points_at(stored: Mapping[str, Any], seat: int) -> tuple[Amount, bool]:
    """Return the points of a seat by stored figures, and whether it took part in the evening."""
    points, times = figure_at(stored["seats"][seat], stored["scale"], "points", "", {})
    return points, bool(times)


def joined(name: str, key: str) -> str:
    return f"{name} {key}" if key else name


def unscaled(amount: int, scale: int) -> Amount:
    return amount // scale if not amount % scale else Fraction(amount, scale)
