"""Reader of Preference's vectors, and random hands of any kind."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from scorekeeper.games import preference
from scorekeeper.games.base import Account, Count, Entry, Place
from scorekeeper.games.errors import first_possible
from scorekeeper.games.preference import (
    GAME,
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Rules,
    Standing,
    Strain,
    check,
    count,
    deal_from_text,
    participants,
    playing_seats,
    standing_from_text,
    start,
)
from tests.games import registered
from tests.games.vectors import lines

HANDS = 10
VECTORS = Path(__file__).parent / "vectors"


def vectors(*names: str, sign: str) -> pytest.MarkDecorator:
    """Both sides of the lines that have this sign."""
    found = [
        pytest.param(*(side.strip() for side in line.rsplit(sign, 1)), id=at)
        for at, line in lines(*(VECTORS / name for name in names))
        if sign in line
    ]
    return pytest.mark.parametrize(("given", "expected"), found)


def seats_of(words: str) -> tuple[int, ...]:
    return tuple(map(int, words.split()))


def rules_and_seats(words: str) -> tuple[Rules, tuple[int, ...]]:
    """House rules, and the seats: four where that is said."""
    house, four, _rest = words.partition("/4")
    return GAME.rules_from_text(house), tuple(range(4 if four else 3))


@dataclass(frozen=True)
class Given:
    """The words before the sign: the rules, the table and the hands before, and a hand."""

    rules: Rules
    seats: tuple[int, ...]
    dealer: int
    declarer: int | None
    standing: Standing
    text: str

    @classmethod
    def of(cls, words: str) -> "Given":
        house, before, text = (part.strip() for part in words.split("|"))
        rules, seats = rules_and_seats(house)
        dealer, declarer, known = seats[-1], "-" if text[0] in "R=" else "0", []
        for word in before.split():
            if word[0] == "T":
                rules = replace(rules, target=int(word[1:]))
            elif word[0] == "@":
                dealer, declarer = int(word[1]), word[3:]
            else:
                known.append(word)
        standing = standing_from_text(" ".join(known))
        return cls(rules, seats, dealer, None if declarer == "-" else int(declarer), standing, text)

    @property
    def place(self) -> Place:
        return Place(self.seats, self.dealer, self.declarer)

    def count(self) -> Count[Standing]:
        return count(deal_from_text(self.text, self.rules), self.place, self.standing, self.rules)


# --- Hands of any kind ---


def some_rules(chance: Random) -> Rules:
    rules = registered.some_rules(preference.GAME, chance)
    assert isinstance(rules, Rules)
    return replace(rules, target=chance.choice((1, 4, 10, 20)))


def some_hand(chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int | None, Deal]:
    """A declarer and a possible deal, the unlikely as often as the likely."""

    def anyhow() -> Deal:
        deal = _anyhow(chance, seats, dealer, rules)
        check(deal, rules)
        return deal

    deal = first_possible(anyhow)
    return chance.choice(playing_seats(seats, dealer)) if isinstance(deal, Contract | Mizer) else None, deal


def _anyhow(chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> Deal:
    match chance.choice("cccccmra"):
        case "m":
            return Mizer(chance.choice((0, 0, 1, 10, chance.randint(0, 10))))
        case "r":
            return Raspasovka(_split(chance, len(participants(seats, dealer, talon=rules.raspasy_dealer))))
        case "a":
            return _agreed(chance, seats)
    answers = chance.choice(list(Answers))
    tricks = _split(chance, 3) if answers.of_two else (chance.randint(0, 10),) if answers.is_played else ()
    return Contract(chance.randint(6, 10), answers, tricks, chance.choice((None, *Strain)))


def _split(chance: Random, parts: int) -> tuple[int, ...]:
    """Ten tricks, so often none for one or another."""
    whose = chance.choices(
        range(parts), weights=[chance.choice((0, 1, 3)) + (part == 0) for part in range(parts)], k=10
    )
    return tuple(whose.count(part) for part in range(parts))


def _agreed(chance: Random, seats: tuple[int, ...]) -> Agreed:
    accounts = [
        *((name, seat, None) for name in ("pool", "dump") for seat in seats),
        *(("bank", seat, other) for seat in seats for other in seats if seat != other),
    ]
    said = chance.sample(accounts, chance.choice((1, 1, 2, 3, len(accounts))))
    return Agreed(tuple((account, chance.choice((-1, 1)) * chance.randint(1, 30)) for account in said))


# --- Evenings of any kind ---


@dataclass(frozen=True)
class Dealt:
    place: Place
    deal: Deal | None


def some_evening(chance: Random, rules: Rules) -> list[Dealt]:
    seats, evening = tuple(chance.sample(range(4), 4) if chance.randrange(2) else chance.sample(range(3), 3)), []
    dealer = seats[0]
    for _ in range(chance.randint(0, HANDS)):
        declarer, deal = some_hand(chance, seats, dealer, rules)
        evening.append(Dealt(Place(seats, dealer, declarer), deal))
        dealer = GAME.next_dealer(seats, dealer)
        if chance.randrange(8) == 0:
            evening.append(Dealt(Place(seats, dealer), None))
    return evening


def counted(evening: Iterable[Dealt], rules: Rules, standing: Standing | None = None) -> Iterator[Count[Standing]]:
    standing = start(rules) if standing is None else standing
    for dealt in evening:
        hand = count(dealt.deal, dealt.place, standing, rules)
        yield hand
        standing = hand.standing


def summed(entries: Iterable[Entry]) -> dict[Account, int]:
    """Return the amounts of the accounts, without those of 0."""
    sums: dict[Account, int] = {}
    for entry in entries:
        sums[entry.of] = sums.get(entry.of, 0) + entry.amount
    return {of: amount for of, amount in sums.items() if amount}
