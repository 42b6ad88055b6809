"""All figures of the statistics, added up anew from plain facts: the oracle of roll-ups, sums and pages.

Each evening is counted from its hands, hand by hand: the measures of one hand are the game's own, which its vectors
prove. The definitions are those of docs/statistics.md. An evening is a dictionary, as `facts` fetches it:

    id, game, rules, stake, currency, started_at
    seats   {position: player}
    hands   [{kind, is_void, seats, dealer, declarer, deal, entries: [(account, seat, against, amount, reason)]}]
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import F

from scorekeeper.games import GAMES
from scorekeeper.games.base import Entry, Place
from sessions_app.models import Evening, Hand, HandEntry, Seat

type Facts = Mapping[str, Any]
type Value = int | Fraction

ALL: Final = "all"
BUDAPEST: Final = ZoneInfo("Europe/Budapest")
#: The numbers of hands that a merit comes of, which explain it and are no figures of their own.
MERIT_PARTS: Final = {"merit_made", "merit_failed", "merit_defended"}


def facts(**where: Any) -> list[dict[str, Any]]:
    """Return the facts of all evenings, or of those chosen as by `filter`; four queries."""
    evenings = Evening.objects.filter(**where)
    seats, hands, entries = defaultdict(dict), defaultdict(list), defaultdict(list)
    for evening, position, player in Seat.objects.filter(evening__in=evenings).values_list(
        "evening", "position", "player"
    ):
        seats[evening][position] = player
    rows = HandEntry.objects.filter(hand__evening__in=evenings)
    for hand, *entry in rows.values_list("hand", "account", "seat", "against", "amount", "reason"):
        entries[hand].append(tuple(entry))
    columns = ("pk", "evening", "kind", "is_void", "dealer", "declarer", "deal", "lineup")
    for hand in Hand.objects.filter(evening__in=evenings).order_by("evening", "number").values(*columns):
        sitting = tuple(map(int, hand.pop("lineup").split("-")))
        hands[hand["evening"]].append(hand | {"seats": sitting, "entries": entries[hand["pk"]]})
    columns = ("id", "rules", "stake", "currency", "started_at")
    found = evenings.order_by("pk").values(*columns, game=F("game_key"))
    return [row | {"seats": seats[row["id"]], "hands": hands[row["id"]]} for row in found]


class Figure(NamedTuple):
    """The name of a figure; `against` is the other player of a head-to-head, else None."""

    game: str
    measure: str
    player: int
    key: str = ""
    against: int | None = None


class Counted(NamedTuple):
    """The value of a figure, and over how many hands or evenings it was counted (0: it is such a number itself)."""

    value: Value
    of: int


class PlayerEvening(NamedTuple):
    """The figures of one player in one evening."""

    evening: int
    balance: Value
    merit: Value


@dataclass
class Recount:
    """`figures` are those that something was counted for; a missing one is 0 of 0.

    `evenings` are those of a player in a game, by their start.
    """

    figures: dict[Figure, Counted] = field(default_factory=dict)
    evenings: dict[tuple[str, int], list[PlayerEvening]] = field(default_factory=lambda: defaultdict(list))

    def __getitem__(self, figure: Figure) -> Counted:
        return self.figures.get(figure, Counted(0, 0))

    def add(self, figure: Figure, value: Value, of: int) -> None:
        was = self[figure]
        self.figures[figure] = Counted(was.value + value, was.of + of)

    def best_merit(self, game: str, player: int, most: int) -> Fraction | None:
        """The mean of the player's best evenings, `most` of them at most; None without any."""
        best = sorted((each.merit for each in self.evenings[game, player]), reverse=True)[:most]
        return Fraction(sum(best), len(best)) if best else None


def recount(
    evenings: Iterable[Facts],
    *,
    since: date | None = None,
    until: date | None = None,
    same: Mapping[int, int] | None = None,
) -> Recount:
    """Count the evenings that began in the period, both days included, by the calendar of Budapest.

    `same` says which player another one is, where two names are one person.
    """
    recounted = Recount()
    for evening in sorted(evenings, key=lambda each: (each["started_at"], each["id"])):
        day = evening["started_at"].astimezone(BUDAPEST).date()
        if not ((since and day < since) or (until and day > until)):
            _count_evening(recounted, evening, {seat: _who(player, same) for seat, player in evening["seats"].items()})
    for (game, player), played in recounted.evenings.items():
        for measure, value in _of_evenings([each.balance for each in played]):
            recounted.figures[Figure(game, measure, player)] = Counted(value, len(played))
    for figure, counted in list(recounted.figures.items()):
        if figure.measure == "hands":
            recounted.add(figure._replace(game=ALL), *counted)
    return recounted


def _who(player: int, same: Mapping[int, int] | None) -> int:
    while same and player in same:
        player = same[player]
    return player


# --- Evenings ---


def _count_evening(recounted: Recount, evening: Facts, players: Mapping[int, int]) -> None:
    game = GAMES[evening["game"]]
    house, seats = game.rules_from_text(evening["rules"]), tuple(players)
    hands = [hand for hand in evening["hands"] if not hand["is_void"]]
    there: set[int] = set()
    merit: dict[int, Value] = defaultdict(int)
    is_paper_book = not any(hand["kind"] == "played" for hand in hands)
    for hand in hands:
        if hand["kind"] == "agreed":
            there |= {seat for entry in hand["entries"] for seat in entry[1:3] if seat is not None}
            # All at the table took part in an evening of agreed entries alone.
            there |= set(hand["seats"]) if is_paper_book and hand["entries"] else set()
        if hand["kind"] != "played":
            continue
        place = Place(hand["seats"], hand["dealer"], hand["declarer"])
        amounts = game.balances(_sheet([hand]), seats, house)
        deal, entries = game.deal_from_text(hand["deal"], house), [Entry(*entry) for entry in hand["entries"]]
        for each in game.measures(deal, place, amounts, house, entries):
            if each.name not in MERIT_PARTS:
                recounted.add(Figure(game.key, each.name, players[each.seat], each.key), each.amount, each.of)
            there |= {each.seat}
            merit[each.seat] += each.amount if each.name == "merit" else 0
    balances = game.balances(_sheet(hands), seats, house)
    for seat in there:
        result = PlayerEvening(evening["id"], balances[seat], merit[seat])
        recounted.evenings[evening["game"], players[seat]].append(result)
    owed = game.pairwise(_sheet(hands), seats, house)
    for seat, player in players.items():
        _count_balance(recounted, evening, player, balances[seat], int(seat in there))
        for other, against in players.items():
            if other != seat:
                won = owed.get((other, seat), 0) - owed.get((seat, other), 0)
                recounted.add(Figure(evening["game"], "against", player, against=against), won, 1)


def _sheet(hands: Iterable[Facts]) -> dict[Any, int]:
    sheet: dict[Any, int] = defaultdict(int)
    for account, seat, against, amount, _reason in (entry for hand in hands for entry in hand["entries"]):
        sheet[account, seat, against] += amount
    return dict(sheet)


def _count_balance(recounted: Recount, evening: Facts, player: int, balance: Value, there: int) -> None:
    """Count a balance as points and money, also that of a player who played no hand: it may come from his deals."""
    recounted.add(Figure(evening["game"], "points", player), balance, there)
    for game in (evening["game"], ALL):
        recounted.add(Figure(game, "evenings", player), there, 0)
        if evening["stake"] is not None:
            worth = balance * Fraction(evening["stake"])
            recounted.add(Figure(game, "money", player, evening["currency"]), worth, there)


def _of_evenings(balances: list[Value]) -> Iterator[tuple[str, Value]]:
    yield "best_evening", max(balances)
    yield "worst_evening", min(balances)
    yield "streak_won", _longest(balance > 0 for balance in balances)
    yield "streak_lost", _longest(balance < 0 for balance in balances)


def _longest(wins: Iterable[bool]) -> int:
    longest = row = 0
    for won in wins:
        row = row + 1 if won else 0
        longest = max(longest, row)
    return longest


def names_by_heading() -> dict[str, set[str]]:
    """Return the names in the first columns, by the heading of their table in small letters."""
    page = (settings.BASE_DIR / "docs" / "statistics.md").read_text(encoding="utf-8")
    return {
        text.split("\n")[0].lower(): {
            name for cell in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)
        }
        for text in re.split(r"^###? ", page, flags=re.MULTILINE)[1:]
    }
