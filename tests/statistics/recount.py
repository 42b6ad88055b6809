"""All figures of the statistics, counted anew from plain facts: the oracle of every other way to come by them.

It shares no code with the program: it reads the notation, the house rules and the seats by itself, and adds the entries
up. The definitions are those of docs/statistics.md. An evening is a dictionary, as `reading.py` fetches it:

    id, circle, is_demo, game, rules, stake, currency, started_at
    seats   {position: player}
    hands   [{kind, is_void, seats, dealer, declarer, deal, entries: [(account, seat, against, amount, reason)]}]
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, tzinfo
from fractions import Fraction
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

type Facts = Mapping[str, Any]
type Value = int | Fraction
#: What a hand adds to a figure of a seat: measure, key, seat, amount, of.
type Part = tuple[str, str, int, Value, int]

ALL: Final = "all"
BUDAPEST: Final = ZoneInfo("Europe/Budapest")


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


@dataclass
class PlayerEvening:
    """What one evening brought one player."""

    started_at: Any
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
    zone: tzinfo = BUDAPEST,
    same: Mapping[int, int] | None = None,
) -> Recount:
    """Count the evenings that began in the period, both days included, by the calendar of the zone.

    `same` says which player another one is, where two names are one person. Demos are left out.
    """
    recounted = Recount()
    for evening in sorted(evenings, key=lambda each: (each["started_at"], each["id"])):
        day = evening["started_at"].astimezone(zone).date()
        if not (evening["is_demo"] or (since and day < since) or (until and day > until)):
            _count_evening(recounted, evening, {seat: _who(player, same) for seat, player in evening["seats"].items()})
    for (game, player), played in recounted.evenings.items():
        for measure, value in _of_evenings([each.balance for each in played]):
            recounted.figures[Figure(game, measure, player)] = Counted(value, len(played))
    return recounted


def _who(player: int, same: Mapping[int, int] | None) -> int:
    while same and player in same:
        player = same[player]
    return player


# --- Evenings ---


def _count_evening(recounted: Recount, evening: Facts, players: Mapping[int, int]) -> None:
    game, house = GAMES[evening["game"]], _house(evening)
    hands = [hand for hand in evening["hands"] if not hand["is_void"]]
    there: set[int] = set()
    merit: dict[int, Value] = defaultdict(int)
    for hand in hands:
        if hand["kind"] == "agreed":
            there |= {seat for entry in hand["entries"] for seat in entry[1:3] if seat is not None}
        if hand["kind"] != "played":
            continue
        brought = game.balances(hand["entries"], tuple(players), house)
        for measure, key, seat, amount, of in _of_hand(game, hand, brought, house):
            recounted.add(Figure(evening["game"], measure, players[seat], key), amount, of)
            there |= {seat}
            merit[seat] += amount if measure == "merit" else 0
    entries = [entry for hand in hands for entry in hand["entries"]]
    balances = game.balances(entries, tuple(players), house)
    for seat in there:
        result = PlayerEvening(evening["started_at"], evening["id"], balances[seat], merit[seat])
        recounted.evenings[evening["game"], players[seat]].append(result)
    for seat, player in players.items():
        _count_balance(recounted, evening, player, balances[seat], int(seat in there))
        for other, against in players.items():
            if other != seat:
                won = game.won_from(entries, seat, other, len(players), house)
                recounted.add(Figure(evening["game"], "against", player, against=against), won, 1)


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


# --- House rules, by their text ---

#: The switches that matter to a figure, by the game's profiles; a profile says only what differs from the book.
SWITCHES: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "asszorti": {"": {"six_five_nil": "yes"}},
    "tarokk": {"": {"tie_47": "opponents"}, "pvsz": {}},
    "preference": {
        "": {"pool_point": "10", "dump_point": "10", "raspasy_dealer": "yes", "give_up": "0"},
        "sochi": {},
        "leningrad": {"pool_point": "20"},
        "rostov": {"raspasy_dealer": "no"},
    },
}


def _house(evening: Facts) -> dict[str, str]:
    words = evening["rules"].split()
    profile = words.pop(0) if words and "=" not in words[0] else ""
    known = SWITCHES[evening["game"]]
    return {**known[""], **known[profile], **dict(word.split("=") for word in words)}


# --- Hands ---


class Outcome(NamedTuple):
    """A hand as the figures of every game need it: `side` is the declarer and any partner, () if nobody declared."""

    playing: tuple[int, ...]
    side: tuple[int, ...]
    made: bool
    keys: tuple[str, ...]
    key: str
    own: Iterable[Part]


class GameOracle(NamedTuple):
    """How a game is read; `balances` and `won_from` take entries and all seats of the evening."""

    read: Callable[[Facts, Mapping[int, Value], Mapping[str, str]], Outcome]
    balances: Callable[[Iterable[Any], tuple[int, ...], Mapping[str, str]], dict[int, Value]]
    won_from: Callable[[Iterable[Any], int, int, int, Mapping[str, str]], Value]
    partner_shares: bool = False


def _of_hand(game: GameOracle, hand: Facts, brought: Mapping[int, Value], house: Mapping[str, str]) -> Iterator[Part]:
    outcome = game.read(hand, brought, house)
    declarer = outcome.side[0] if outcome.side else None
    for seat in outcome.playing:
        yield "hands", "", seat, 1, 0
        yield "won", "", seat, 1 if brought[seat] > 0 else 0, 1
        yield "declared", "", seat, 1 if seat == declarer else 0, 1
        for key in outcome.keys:
            yield "declared", key, seat, 1 if (seat, key) == (declarer, outcome.key) else 0, 1
        if seat == declarer:
            yield "as_declarer", "", seat, brought[seat], 1
            yield "declared_won", "", seat, int(outcome.made), 1
            yield "declared_won", outcome.key, seat, int(outcome.made), 1
        else:
            yield "as_opponent", "", seat, brought[seat], 1
        yield "merit", "", seat, _merit(game, outcome, seat, brought[seat]), 1
    yield from outcome.own


def _merit(game: GameOracle, outcome: Outcome, seat: int, amount: Value) -> Value:
    if not outcome.side:
        return 0
    if seat == outcome.side[0] or (game.partner_shares and seat in outcome.side):
        return amount + 50 if outcome.made else amount - 50
    if outcome.made or seat in outcome.side:
        return 0
    return 40 if len(outcome.playing) == 3 else 30


def _turned(seats: tuple[int, ...], first: int, step: int) -> list[int]:
    """The seats in the order of play, from the first on."""
    at = seats.index(first)
    return [seats[(at + step * number) % len(seats)] for number in range(len(seats))]


def _players(hand: Facts, most: int) -> tuple[int, ...]:
    """The seats that play: of more than `most` the dealer sits out."""
    seats = tuple(hand["seats"])
    return tuple(seat for seat in seats if seat != hand["dealer"]) if len(seats) > most else seats


# --- Payments, in two of the games ---


def _paid(entries: Iterable[Any], seats: tuple[int, ...], house: Mapping[str, str]) -> dict[int, Value]:
    won: dict[int, Value] = dict.fromkeys(seats, 0)
    for _account, payer, payee, amount, _reason in entries:
        won[payer] -= amount
        won[payee] += amount
    return won


def _paid_between(entries: Iterable[Any], one: int, other: int, seats: int, house: Mapping[str, str]) -> Value:
    got = sum(amount for _, payer, payee, amount, _ in entries if (payer, payee) == (other, one))
    gave = sum(amount for _, payer, payee, amount, _ in entries if (payer, payee) == (one, other))
    return got - gave


# --- Asszorti ---

_ASSZORTI: Final = re.compile(r"([321h][HDCSN]) (\d+)(?:-(\d+)-(\d+))?(?: ([KRSHM]))?(?: A([-+*])[KRSHM]?)?")
_ASSZORTI_KEYS: Final = tuple(f"{contract}{trump}" for contract in "321h" for trump in "HDCSN")


def _asszorti(hand: Facts, brought: Mapping[int, Value], house: Mapping[str, str]) -> Outcome:
    found = _ASSZORTI.fullmatch(hand["deal"])
    assert found, hand
    key, tricks, left, right, kontra, arrivazs = found.groups()
    taken, declarer = int(tricks), hand["declarer"]
    own: list[Part] = []
    if taken >= 6:
        own.append(("overtricks", "", declarer, taken - 6, 1))
    if taken == 6:
        bare = house["six_five_nil"] == "yes" and sorted([left, right]) == ["0", "5"]
        own.append(("six_five_nil", "", declarer, int(bare), 1))
    for sign, name in ("+", "won"), ("-", "lost"), ("*", "idegen"):
        if arrivazs:
            own.append((f"arrivazs_{name}", "", declarer, int(arrivazs == sign), 1))
    level = " KRSHM".index(kontra or " ")
    for each in range(6):
        own.append(("kontra", str(each), declarer, int(each == level), 1))
        own.append(("kontra_points", str(each), declarer, brought[declarer] if each == level else 0, 1))
    return Outcome(_players(hand, 3), (declarer,), taken >= 6, _ASSZORTI_KEYS, key, own)


# --- Tarokk ---

_TAROKK: Final = re.compile(r"([321s])(?:(\?)|(=)|\+([123]))(?: (--?|\+\+?|\d+))?((?: [^ *]+)*)(?: \*[24])?")


def _tarokk(hand: Facts, brought: Mapping[int, Value], house: Mapping[str, str]) -> Outcome:
    found = _TAROKK.fullmatch(hand["deal"])
    assert found, hand
    key, proba, _alone, partner, points, rest = found.groups()
    playing = _players(hand, 4)
    order = _turned(playing, hand["declarer"], -1)
    words = rest.split()
    side = [0, int(partner)] if partner else [0]
    made = not proba and _declarers_win(points, words, house["tie_47"])
    own: list[Part] = [("alone", "", order[0], int(not partner), 1)]
    if not partner:
        own.append(("alone_won", "", order[0], int(made), 1))
    for place, seat in enumerate(order):
        own.append(("partner", "", seat, int(bool(place) and place in side), 1))
        if place and place in side:
            own.append(("partner_won", "", seat, int(made), 1))
        own += _tarokk_seat(seat, place, "" if place in side else "-", points or "", words)
    return Outcome(playing, tuple(order[place] for place in side), made, ("3", "2", "1", "s"), key, own)


def _declarers_win(points: str, words: list[str], tie: str) -> bool:
    if "v" in words or "-v" in words:
        return "v" in words
    if points == "47":
        kontra = next((word for word in words if word in list("KRSHM")), "")
        return {"opponents": False, "kontra_needs_48": bool(kontra), "last_kontra_loses": kontra in list("KSM")}[tie]
    return points in ("+", "++") or (points.isdigit() and int(points) >= 48)


def _tarokk_seat(seat: int, place: int, sign: str, points: str, words: list[str]) -> Iterator[Part]:
    """The bonuses of the side with this sign, for one of its seats."""
    other = "" if sign else "-"
    announced = {found[1] for word in words if (found := re.fullmatch(rf"{sign}([DVTNUX])[KRSHM]?", word))}
    done = {letter.upper() for letter in "vtnux" if f"{sign}{letter}" in words}
    if "V" in done:
        done |= {"D", "T", "N"}
    if points == ("--" if sign else "++") or (points.isdigit() and (int(points) <= 23 if sign else int(points) >= 71)):
        done.add("D")
    for letter in "DVTNUX":
        yield "announced", letter, seat, int(letter in announced), 1
        yield "silent_made", letter, seat, int(letter in done - announced), 1
        if letter in announced:
            yield "announced_made", letter, seat, int(letter in done), 1
    yield "xxi_caught", "", seat, int(f"{sign}x" in words), 1
    yield "xxi_lost", "", seat, int(f"{other}x" in words), 1
    for number in "89":
        yield "tarokks", number, seat, int(f"{number}@{place}" in words), 1


# --- Preference ---

_CONTRACT: Final = re.compile(r"((?:[6-9]|10)[SCDHN]?) (pp|ph|wp|pw|rh|ww|cc|g)(?: (\d+)(?:-\d+-\d+)?)?")
_PREFERENCE_KEYS: Final = (*(f"{level}{strain}" for level in range(6, 11) for strain in ("", *"SCDHN")), "M")
#: The answers of the declarer's left neighbour and of the other, as they stood at last.
_ANSWERED: Final = {
    "pp": ("passed", "passed"),
    "ph": ("passed", "half"),
    "wp": ("whisted", "passed"),
    "pw": ("passed", "whisted"),
    "rh": ("whisted", "passed"),
    "ww": ("whisted", "whisted"),
}


def _preference(hand: Facts, brought: Mapping[int, Value], house: Mapping[str, str]) -> Outcome:
    if hand["deal"].startswith("R "):
        return _raspasovka(hand, house)
    playing, declarer = _players(hand, 3), hand["declarer"]
    if hand["deal"].startswith("M "):
        taken = int(hand["deal"][2:])
        own: list[Part] = [("mizer", "", declarer, 1, 1), ("mizer_tricks", "", declarer, taken, 1)]
        own.append(("mizer_made", "", declarer, int(taken == 0), 1))
        return Outcome(playing, (declarer,), taken == 0, _PREFERENCE_KEYS, "M", own)
    found = _CONTRACT.fullmatch(hand["deal"])
    assert found, hand
    key, answers, tricks = found.groups()
    level = int(key.rstrip("SCDHN"))
    missing = int(house["give_up"]) if answers == "g" else level - int(tricks or level)
    made = answers != "g" and missing <= 0
    own = [("mizer", "", declarer, 0, 1)]
    if not made:
        own.append(("missing", "", declarer, missing, 1))
    opponents = _turned(playing, declarer, 1)[1:]
    for seat, answer in zip(opponents, _ANSWERED.get(answers, ()), strict=False):
        own += [(each, "", seat, int(each == answer), 1) for each in ("whisted", "half", "passed")]
        if answer == "whisted":
            own.append(("short", "", seat, int(_is_short(hand["entries"], seat)), 1))
    return Outcome(playing, (declarer,), made, _PREFERENCE_KEYS, key, own)


def _is_short(entries: Iterable[Any], whister: int) -> bool:
    return any(
        reason == "short" and whister == (against if account == "bank" else seat)
        for account, seat, against, _amount, reason in entries
    )


def _raspasovka(hand: Facts, house: Mapping[str, str]) -> Outcome:
    seats = tuple(hand["seats"])
    order = _turned(seats, hand["dealer"], 1)
    part = [*order[1:], *(order[:1] if len(seats) == 3 or house["raspasy_dealer"] == "yes" else [])]
    taken = list(map(int, hand["deal"][2:].split("-")))
    assert len(taken) == len(part), hand
    own: list[Part] = []
    for seat, tricks in zip(part, taken, strict=True):
        own.append(("raspasovka_tricks", "", seat, tricks, 1))
        own.append(("raspasovka_clean", "", seat, int(tricks == 0), 1))
    return Outcome(tuple(part), (), False, _PREFERENCE_KEYS, "", own)


def _accounts(entries: Iterable[Any], name: str, seat: int, against: int | None = None) -> int:
    return sum(amount for account, whose, of, amount, _ in entries if (account, whose, of) == (name, seat, against))


def _settled(entries: Iterable[Any], seats: tuple[int, ...], house: Mapping[str, str]) -> dict[int, Value]:
    return {
        one: sum((_settled_between(entries, one, other, len(seats), house) for other in seats if other != one), 0)
        for one in seats
    }


def _settled_between(entries: Iterable[Any], one: int, other: int, seats: int, house: Mapping[str, str]) -> Value:
    pool = _accounts(entries, "pool", one) - _accounts(entries, "pool", other)
    dump = _accounts(entries, "dump", other) - _accounts(entries, "dump", one)
    bank = _accounts(entries, "bank", one, other) - _accounts(entries, "bank", other, one)
    return bank + Fraction(int(house["pool_point"]) * pool + int(house["dump_point"]) * dump, seats)


GAMES: Final[Mapping[str, GameOracle]] = {
    "asszorti": GameOracle(_asszorti, _paid, _paid_between),
    "tarokk": GameOracle(_tarokk, _paid, _paid_between, partner_shares=True),
    "preference": GameOracle(_preference, _settled, _settled_between),
}
