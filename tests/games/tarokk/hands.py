"""Random hands of Tarokk: any that can be, the unlikely as often as the likely."""

from random import Random

from scorekeeper.games.errors import first_possible
from scorekeeper.games.tarokk import GAME, Announced, Band, Bonus, Contract, Deal, Kontra, Pagat, Rules, Side
from scorekeeper.games.tarokk.enums import Tarokks, declared_by
from tests.games import registered

SIDES = (None, None, *Side)


def some_rules(chance: Random) -> Rules:
    rules = registered.some_rules(GAME, chance)
    assert isinstance(rules, Rules)
    return rules


def some_hand(chance: Random, rules: Rules) -> Deal:
    """A possible deal of any kind."""
    return first_possible(lambda: _anyhow(chance, rules))


def _anyhow(chance: Random, rules: Rules) -> Deal:
    times = chance.choice((1, 2, 4)) if rules.after_throw_in else 1
    if chance.randrange(30) == 0:
        return Deal(chance.choice(list(Contract)[:3]), is_proba=True, times=times, rules=rules)
    volat = chance.choice(list(Side)) if chance.randrange(5) == 0 else None
    return Deal(
        contract=chance.choice(list(Contract)),
        partner=chance.choice((1, 2, 3, None)),
        points=chance.choice((chance.randint(0, 94), chance.choice((23, 24, 46, 47, 48, 70, 71)), _band(chance))),
        game_kontra=_kontra(chance, rules),
        announced=_announced(chance, rules),
        volat=volat,
        trull=None if volat else chance.choice(SIDES),
        kings=None if volat else chance.choice(SIDES),
        xxi=chance.choice((None, *SIDES)),
        pagat=chance.choice(list(Pagat)),
        tarokks=_tarokks(chance),
        times=times,
        rules=rules,
    )


def _band(chance: Random) -> Band:
    return chance.choice(list(Band))


def _kontra(chance: Random, rules: Rules) -> Kontra:
    return Kontra(chance.choice((0, 0, chance.randint(0, rules.ladder))))


def _announced(chance: Random, rules: Rules) -> tuple[Announced, ...]:
    every = [(side, bonus) for side in Side for bonus in Bonus]
    said = chance.sample(every, chance.choice((0, 0, 1, 1, 2, 3, 5, 12)))
    return tuple(Announced(side, bonus, _kontra(chance, rules)) for side, bonus in said)


def _tarokks(chance: Random) -> Tarokks:
    places = chance.sample(range(4), chance.choice((0, 0, 1, 2)))
    return declared_by({place: chance.choice((8, 9)) for place in places})
