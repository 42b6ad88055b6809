"""The measures and feats of a hand of Preference (docs/statistics.md)."""

from collections.abc import Iterator, Mapping
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import EntryLike, Place
from scorekeeper.games.measures import Feat, Measure, by_key, feat_of, seats_with
from scorekeeper.games.preference import seating
from scorekeeper.games.preference.announcing import MIZER, Named
from scorekeeper.games.preference.deal import BANK, DUMP, LEVELS, Answers, Contract, Deal, Mizer, Raspasovka, Strain
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.preference.seating import playing_seats

#: The contracts as in the notation: `6S`, `6` without its strain, `M`.
KEYS: Final = (*(Named(level, strain).to_text() for level in LEVELS for strain in (*Strain, None)), MIZER.to_text())
#: The reason of entries for missing tricks.
SHORT: Final = "short"
WHISTED: Final = "whisted"
PASSED: Final = "passed"
ANSWERS: Final = (WHISTED, "half", PASSED)
#: The answers of the first and the second that stood in the end (docs/rules/preference.md §4). The second after a
#: retrieved half counts as having passed. If a ten is checked or a contract given up, nobody answers.
_AT_LAST: Final[Mapping[Answers, tuple[str, str]]] = {
    Answers.PASSED: (PASSED, PASSED),
    Answers.HALF: (PASSED, "half"),
    Answers.FIRST: (WHISTED, PASSED),
    Answers.SECOND: (PASSED, WHISTED),
    Answers.RETRIEVED: (WHISTED, PASSED),
    Answers.BOTH: (WHISTED, WHISTED),
}


def participants(place: Place, rules: Rules) -> tuple[int, ...]:
    """Return the seats that played: in a raspasovka of four also the dealer, who plays the talon by most rules."""
    if place.declarer is None:
        return seating.participants(place.seats, place.dealer, talon=rules.raspasy_dealer)
    return seating.playing_seats(place.seats, place.dealer)


def is_made(deal: Deal, rules: Rules) -> bool:
    return isinstance(deal, Contract | Mizer) and deal.is_made


def own_measures(
    deal: Deal, place: Place, amounts: Mapping[int, Amount], rules: Rules, entries: tuple[EntryLike, ...]
) -> Iterator[Measure]:
    """Yield the contract, or the tricks of a raspasovka; the opponents' answers, and the whisters who were short."""
    part = participants(place, rules)
    declarer = place.declarer
    key = Named.of(deal).to_text() if isinstance(deal, Contract | Mizer) else ""
    for seat in part:
        yield from by_key("declared", seat, KEYS, frozenset({key} if seat == declarer else ()))
    if declarer is not None:
        yield Measure("declared_won", declarer, int(is_made(deal, rules)), 1, key)
        yield Measure("mizer", declarer, int(isinstance(deal, Mizer)), 1)
    match deal:
        case Contract():
            yield from _contract(deal, place, rules, entries)
        case Mizer(tricks) if declarer is not None:
            yield Measure("mizer_made", declarer, int(deal.is_made), 1)
            yield Measure("mizer_tricks", declarer, tricks or 0, 1)
        case Raspasovka(taken):
            for seat, tricks in zip(part, taken, strict=True):
                yield Measure("raspasovka_tricks", seat, tricks, 1)
                yield Measure("raspasovka_clean", seat, int(not tricks), 1)


def _contract(deal: Contract, place: Place, rules: Rules, entries: tuple[EntryLike, ...]) -> Iterator[Measure]:
    if place.declarer is None:
        return
    declarer, *opponents = seating.places(place.seats, place.dealer, place.declarer)
    if not deal.is_made:
        yield Measure("missing", declarer, _missing(deal, rules), 1)
    if deal.answers not in _AT_LAST:
        return
    for seat, answer in zip(opponents, _AT_LAST[deal.answers], strict=True):
        for each in ANSWERS:
            yield Measure(each, seat, int(each == answer), 1)
        if answer == WHISTED:
            yield Measure(SHORT, seat, int(any(_is_short(entry, seat) for entry in entries)), 1)


def _missing(deal: Contract, rules: Rules) -> int:
    """Return the tricks missing; of a contract given up, those for which the house has the declarer pay."""
    return rules.give_up if deal.answers is Answers.GIVEN_UP else deal.level - deal.tricks[0]


def _is_short(entry: EntryLike, whister: int) -> bool:
    """Return whether the entry is for missing tricks of the whister: against him in a bank, or in his own dump."""
    account = {BANK: entry.against, DUMP: entry.seat}
    return entry.reason == SHORT and account.get(entry.account) == whister


# --- Feats ---


#: The lowest contract whose making is remarkable.
HIGH: Final = 9
#: The fewest tricks taken in a mizer that are remarkable.
CAUGHT: Final = 3


def feats(deal: Deal, place: Place, measures: tuple[Measure, ...]) -> Iterator[Feat]:
    """Yield a mizer made or badly caught, a contract of nine or ten made, and the clean players of a raspasovka.

    The dealer of four has only the talon in a raspasovka, so taking nothing with it is no feat.
    """
    for each in measures:
        if each.name == "mizer_tricks" and each.amount >= CAUGHT:
            yield Feat("mizer_caught", 9, (each.seat,), int(each.amount))
    yield from feat_of(measures, "mizer_made", 8)
    if isinstance(deal, Contract) and deal.level >= HIGH:
        yield from feat_of(measures, "declared_won", 7, code="level", number=deal.level)
    clean = set(seats_with(measures, "raspasovka_clean"))
    if seats := tuple(seat for seat in playing_seats(place.seats, place.dealer) if seat in clean):
        yield Feat("raspasovka_clean", 5, seats)
