"""The game of Preference, as the registry lists it: its turn at the table, its statistics, its samples."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import EntryLike, Game, Place
from scorekeeper.games.errors import first_possible
from scorekeeper.games.measures import Feat, Measure, by_key, feat_of, seats_with
from scorekeeper.games.preference import counting, standing, validation
from scorekeeper.games.preference import deal as deals
from scorekeeper.games.preference.announcing import MIZER, Named
from scorekeeper.games.preference.deal import (
    ALL_TRICKS,
    BANK,
    DUMP,
    LEVELS,
    SEATING,
    TALON_TRICKS,
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Strain,
    participants,
    places,
)
from scorekeeper.games.preference.house_rules import HOUSE_RULES, Rules
from scorekeeper.games.preference.referee import REFEREE
from scorekeeper.games.preference.standing import Standing

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
#: The lowest contract whose making is remarkable.
HIGH: Final = 9
#: The fewest tricks taken in a mizer that are remarkable.
CAUGHT: Final = 3


class Preference(Game[Deal, Rules, Standing]):
    """Russian Preference (преферанс), by docs/rules/preference.md."""

    key = "preference"
    accounts = deals.ACCOUNTS
    house_rules = HOUSE_RULES
    referee = REFEREE
    seating = SEATING
    #: Dumps and pools are settled against the mean of all seats, so a change of players needs a new sheet.
    seats_may_change = False
    #: "A misdeal is thrown in: no entries, the same dealer again".
    redeals = ("stays",)

    deal_from_text = staticmethod(validation.deal_from_text)
    deal_to_text = staticmethod(deals.deal_to_text)
    reads_as = staticmethod(deals.reads_as)
    is_agreed = staticmethod(deals.is_agreed)
    agreed = staticmethod(deals.agreed)
    check_place = staticmethod(validation.check_place)
    may_follow = staticmethod(validation.may_follow)
    objection = staticmethod(validation.objection)

    start = staticmethod(standing.start)
    standing_from_text = staticmethod(standing.standing_from_text)
    standing_to_text = staticmethod(standing.standing_to_text)
    is_finished = staticmethod(standing.is_finished)

    count = staticmethod(counting.count)
    balances = staticmethod(standing.balances)
    pairwise = staticmethod(standing.pairwise)
    reminder = staticmethod(standing.reminder)

    def participants(self, place: Place, rules: Rules) -> tuple[int, ...]:
        """Return the seats that played: in a raspasovka of four also the dealer, who plays the talon by most rules."""
        if place.declarer is None:
            return participants(place.seats, place.dealer, talon=rules.raspasy_dealer)
        return self.playing_seats(place.seats, place.dealer)

    def is_made(self, deal: Deal, rules: Rules) -> bool:
        return isinstance(deal, Contract | Mizer) and deal.is_made

    def own_measures(
        self, deal: Deal, place: Place, amounts: Mapping[int, Amount], rules: Rules, entries: tuple[EntryLike, ...]
    ) -> Iterator[Measure]:
        """Yield the contract, or the tricks of a raspasovka; the opponents' answers, and short whisters."""
        part = self.participants(place, rules)
        declarer = place.declarer
        key = Named.of(deal).to_text() if isinstance(deal, Contract | Mizer) else ""
        for seat in part:
            yield from by_key("declared", seat, KEYS, frozenset({key} if seat == declarer else ()))
        if declarer is not None:
            yield Measure("declared_won", declarer, int(self.is_made(deal, rules)), 1, key)
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

    def feats(self, deal: Deal, place: Place, measures: tuple[Measure, ...]) -> Iterator[Feat]:
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
        if seats := tuple(seat for seat in self.playing_seats(place.seats, place.dealer) if seat in clean):
            yield Feat("raspasovka_clean", 5, seats)

    def likely(self, chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int | None, Deal]:
        """Return a hand as in a real evening: mostly sixes and sevens that are made."""
        match chance.choices(("contract", "raspasovka", "mizer", "agreed"), weights=(74, 18, 6, 2))[0]:
            case "raspasovka":
                return None, _raspasovka(chance, len(participants(seats, dealer, talon=rules.raspasy_dealer)))
            case "agreed":
                return None, _agreed(chance, seats)
            case "mizer":
                deal: Deal = Mizer(chance.choices((0, 1, 2, 3, 5), weights=(60, 20, 10, 6, 4))[0])
            case _:
                deal = first_possible(lambda: _any_contract(chance, rules))
        return chance.choice(self.playing_seats(seats, dealer)), deal


# --- Measures (docs/statistics.md) ---


def _contract(deal: Contract, place: Place, rules: Rules, entries: tuple[EntryLike, ...]) -> Iterator[Measure]:
    if place.declarer is None:
        return
    declarer, *opponents = places(place.seats, place.dealer, place.declarer)
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


# --- Samples ---


def _any_contract(chance: Random, rules: Rules) -> Contract:
    level = chance.choices(LEVELS, weights=(50, 28, 13, 6, 3))[0]
    answers = chance.choices(list(Answers), weights=(8, 8, 22, 18, 3, 30, 30, 2))[0]
    tricks: tuple[int, ...] = ()
    if answers.is_played:
        declarer = min(max(round(chance.gauss(level, 1)), 0), ALL_TRICKS)
        first = chance.randint(0, ALL_TRICKS - declarer)
        tricks = (declarer, first, ALL_TRICKS - declarer - first) if answers.of_two else (declarer,)
    deal = Contract(level, answers, tricks, chance.choice(list(Strain)))
    validation.check(deal, rules)
    return deal


def _raspasovka(chance: Random, part: int) -> Raspasovka:
    talon = (chance.randint(0, TALON_TRICKS),) * (part - 3)
    left = ALL_TRICKS - sum(talon)
    eldest = chance.randint(0, left // 2)
    following = chance.randint(0, left - eldest)
    return Raspasovka((eldest, following, left - eldest - following, *talon))


def _agreed(chance: Random, seats: tuple[int, ...]) -> Agreed:
    """Return agreed entries: a penalty, or a paid talon."""
    seat, other = chance.sample(seats, 2)
    account = chance.choice(((DUMP, seat, None), (BANK, seat, other)))
    return Agreed(((account, chance.choice((1, 2, 5, 10, 20))),))


GAME: Final = Preference()
