"""Random hands as in a real evening: mostly sixes and sevens that are made, now and then a raspasovka or a mizer."""

from random import Random

from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.preference.deal import (
    ALL_TRICKS,
    BANK,
    DUMP,
    LEVELS,
    TALON_TRICKS,
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Strain,
)
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.preference.seating import participants, playing_seats
from scorekeeper.games.preference.validation import check


def likely(chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int | None, Deal]:
    """Return a declarer, None if nobody declares, and a deal possible by these rules."""
    match chance.choices(("contract", "raspasovka", "mizer", "agreed"), weights=(74, 18, 6, 2))[0]:
        case "raspasovka":
            return None, _raspasovka(chance, len(participants(seats, dealer, talon=rules.raspasy_dealer)))
        case "agreed":
            return None, _agreed(chance, seats)
        case "mizer":
            deal: Deal = Mizer(chance.choices((0, 1, 2, 3, 5), weights=(60, 20, 10, 6, 4))[0])
        case _:
            deal = _possible(chance, rules)
    return chance.choice(playing_seats(seats, dealer)), deal


def _possible(chance: Random, rules: Rules) -> Contract:
    while True:
        deal = _contract(chance)
        try:
            check(deal, rules)
        except InvalidDeal:
            continue
        return deal


def _contract(chance: Random) -> Contract:
    level = chance.choices(LEVELS, weights=(50, 28, 13, 6, 3))[0]
    answers = chance.choices(list(Answers), weights=(8, 8, 22, 18, 3, 30, 30, 2))[0]
    tricks: tuple[int, ...] = ()
    if answers.is_played:
        declarer = min(max(round(chance.gauss(level, 1)), 0), ALL_TRICKS)
        first = chance.randint(0, ALL_TRICKS - declarer)
        tricks = (declarer, first, ALL_TRICKS - declarer - first) if answers.of_two else (declarer,)
    return Contract(level, answers, tricks, chance.choice(list(Strain)))


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
