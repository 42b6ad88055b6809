"""The game of Tarokk, as the registry lists it: its turn at the table, its standing, its statistics, its samples."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import EntryLike, Payment, Place, ScoreLine
from scorekeeper.games.errors import Message, first_possible
from scorekeeper.games.measures import Feat, Measure, Merit, by_key, feat_of
from scorekeeper.games.payment_game import Kontra, PaymentGame, boldest_kontra, letter_of
from scorekeeper.games.tarokk import deal as deals
from scorekeeper.games.tarokk import scoring, validation
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.enums import BONUSES, SEATING, Announced, Bonus, Contract, Pagat, Side, declared_by
from scorekeeper.games.tarokk.house_rules import HOUSE_RULES, Rules
from scorekeeper.games.tarokk.referee import REFEREE

#: The standing: the deals that each doubled round has left, the fewest first. It is the only thing in which a hand
#: depends on earlier ones, under the house rule that a round counts twice after a hand that was thrown in.
type Rounds = tuple[int, ...]

#: The highest number of rounds that overlap: of more, those with the most deals left count, four times together.
MOST_ROUNDS: Final = 2
CONTRACTS: Final = tuple(contract.value for contract in Contract)
LETTERS: Final = tuple(BONUSES)
TAROKKS: Final = ("8", "9")
_VOLAT, _ULTIMO = letter_of(BONUSES, Bonus.VOLAT), letter_of(BONUSES, Bonus.ULTIMO)


class Tarokk(PaymentGame[Deal, Rules, Rounds]):
    """Hungarian Tarokk, the game of calling the XX (Paskievics tarokk), by docs/rules/tarokk.md."""

    key = "tarokk"
    house_rules = HOUSE_RULES
    referee = REFEREE
    seating = SEATING
    seats_may_change = True
    #: After a hand that is thrown in, the same dealer deals again (§2): a house may double the next hands, not pass the
    #: deal on.
    redeals = ("stays",)
    merit = Merit(with_partner=True)
    counted_over = MappingProxyType(dict.fromkeys(("declared", "announced", "silent_made", "tarokks"), "hands"))

    hand_from_text = staticmethod(deals.deal_from_text)
    hand_to_text = staticmethod(deals.deal_to_text)
    reads_alike = staticmethod(deals.reads_as)
    check_place = staticmethod(validation.check_place)

    def start(self, rules: Rules) -> Rounds:
        """Return the standing without a doubled round."""
        return ()

    def standing_from_text(self, text: str) -> Rounds:
        """Read `4 4`, the deals left of each doubled round. Raise ValueError."""
        rounds = tuple(map(int, text.split()))
        if self.standing_to_text(rounds) != text or any(left < 1 for left in rounds) or rounds != _longest(rounds):
            raise ValueError(f"not a standing of this game: {text!r}")
        return rounds

    def standing_to_text(self, standing: Rounds) -> str:
        return " ".join(map(str, standing))

    def next_hand_note(self, standing: Rounds, rules: Rules) -> Message | None:
        """Return `doubled`, or None: the next `left` hands count `times` times, and `after` more count twice."""
        if not standing:
            return None
        return Message("doubled", {"times": times(standing), "left": standing[0], "after": standing[-1] - standing[0]})

    def standing_after(self, deal: Deal | None, place: Place, standing: Rounds, rules: Rules) -> Rounds:
        """Return one deal less in every round; after a throw-in, by house rule, one round more that counts twice."""
        if deal is not None:
            return tuple(left - 1 for left in standing if left > 1)
        return _longest((*standing, len(place.seats))) if rules.after_throw_in else standing

    def payments_of(
        self, deal: Deal, place: Place, declarer: int, standing: Rounds, rules: Rules
    ) -> tuple[tuple[Payment, ...], tuple[ScoreLine, ...]]:
        """Return the payments and lines of a hand. Its own `times`, unless 1, replace those of the standing."""
        deal.check(rules)
        seats = SEATING.places(place.seats, place.dealer, declarer)
        if deal.times == 1 and standing:
            deal = replace(deal, times=times(standing), rules=rules)
        return scoring.payments(deal, seats=seats, rules=rules), scoring.score(deal, rules).lines

    def declaring_seats(self, deal: Deal, place: Place) -> tuple[int, ...]:
        """Return the declarer's seat and the partner's; of a lone declarer his own."""
        seats = _places(place)
        return seats[:1] if deal.partner is None else (seats[0], seats[deal.partner])

    def is_made(self, deal: Deal, rules: Rules) -> bool:
        """Return whether the declarers won the game, whatever else was paid."""
        return not deal.is_proba and scoring.winner(deal, rules) is Side.DECLARERS

    def own_measures(
        self, deal: Deal, place: Place, amounts: Mapping[int, Amount], rules: Rules, entries: tuple[EntryLike, ...]
    ) -> Iterator[Measure]:
        """Yield the contract of the hand, the parts of declarer and partner, and the bonuses of each side."""
        for at, seat in enumerate(_places(place)):
            side = deal.side_of(at)
            yield from by_key("declared", seat, CONTRACTS, frozenset({deal.contract.value} if at == 0 else ()))
            yield Measure("partner", seat, int(at == deal.partner), 1)
            yield from _bonuses(deal, side, seat)
            yield Measure("xxi_caught", seat, int(deal.xxi is side), 1)
            yield Measure("xxi_lost", seat, int(deal.xxi is side.other), 1)
            yield from by_key("tarokks", seat, TAROKKS, frozenset({str(deal.tarokks[at])}))
        declarer, *partner = self.declaring_seats(deal, place)
        made = int(self.is_made(deal, rules))
        yield Measure("declared_won", declarer, made, 1, deal.contract.value)
        yield Measure("alone", declarer, int(deal.is_alone), 1)
        if deal.is_alone:
            yield Measure("alone_won", declarer, made, 1)
        for seat in partner:
            yield Measure("partner_won", seat, made, 1)

    def feats(self, deal: Deal, place: Place, measures: tuple[Measure, ...]) -> Iterator[Feat]:
        """Yield the feats of the hand: its boldest kontra, the bonuses of a side, the tarokks shown, a szóló made."""
        if place.declarer is not None:
            yield from boldest_kontra(place.declarer, (deal.game_kontra, *(each.kontra for each in deal.announced)))
        yield from feat_of(measures, "announced_made", 10, key=_VOLAT, code="volat", number=1)
        yield from feat_of(measures, "silent_made", 10, key=_VOLAT, code="volat")
        yield from feat_of(measures, "xxi_caught", 8)
        yield from feat_of(measures, "tarokks", 7, key="9", number=9)
        yield from feat_of(measures, "announced_made", 6, key=_ULTIMO, code="ultimo", number=1)
        yield from feat_of(measures, "silent_made", 6, key=_ULTIMO, code="ultimo")
        yield from feat_of(measures, "declared_won", 4, key=Contract.SOLO.value, code="solo")
        yield from feat_of(measures, "tarokks", 3, key="8", number=8)

    def likely(self, chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int, Deal]:
        """Return a hand: mostly low contracts and narrow games, now and then a bonus."""
        deal, playing = first_possible(lambda: _any(chance, rules)), self.playing_seats(seats, dealer)
        return playing[-1] if deal.is_proba else chance.choice(playing), deal


def times(standing: Rounds) -> int:
    """Return the factor of the next hand."""
    return 1 << len(standing)


def _longest(rounds: Rounds) -> Rounds:
    """Return the rounds that count: as all run out together, those with the most deals left."""
    return tuple(sorted(rounds)[-MOST_ROUNDS:])


# --- Measures (docs/statistics.md) ---


def _places(place: Place) -> tuple[int, ...]:
    if place.declarer is None:
        raise ValueError("every hand has a declarer")
    return SEATING.places(place.seats, place.dealer, place.declarer)


def _bonuses(deal: Deal, side: Side, seat: int) -> Iterator[Measure]:
    """Yield the bonuses of a side for one of its seats, made or not.

    A bonus made is one that lies in the side's tricks, also where the rules pay nothing for it: within a volát are a
    dupla, a trull and the kings.
    """
    announced = frozenset(letter for letter, bonus in BONUSES.items() if deal.kontra_of(side, bonus) is not None)
    # A lost próba has no other facts, not even card points.
    made = frozenset(letter for letter, bonus in BONUSES.items() if not deal.is_proba and deal.made(side, bonus))
    yield from by_key("announced", seat, LETTERS, announced)
    yield from by_key("announced_made", seat, tuple(sorted(announced)), made)
    yield from by_key("silent_made", seat, LETTERS, made - announced)


# --- Samples ---


def _any(chance: Random, rules: Rules) -> Deal:
    contract = chance.choices(list(Contract), weights=(50, 32, 13, 5))[0]
    if contract is not Contract.SOLO and chance.randrange(60) == 0:
        return Deal(contract, is_proba=True, rules=rules)
    kontra = Kontra(chance.choices(range(4), weights=(84, 12, 3, 1))[0])
    tarokks: dict[int, int] = {}
    if chance.randrange(7) == 0:
        tarokks[chance.randrange(4)] = chance.choices((8, 9), weights=(4, 1))[0]
    return Deal(
        contract=contract,
        partner=chance.choices((1, 2, 3, None), weights=(30, 30, 30, 10))[0],
        points=min(max(round(chance.gauss(54, 13)), 4), 90),
        game_kontra=kontra,
        announced=_announced(chance),
        trull=_somebody(chance, 12),
        kings=_somebody(chance, 9),
        xxi=_somebody(chance, 2),
        pagat=chance.choices(list(Pagat), weights=(84, 8, 4, 2, 2))[0],
        tarokks=declared_by(tarokks),
        rules=rules,
    )


def _announced(chance: Random) -> tuple[Announced, ...]:
    often = {Bonus.DOUBLE: 4, Bonus.VOLAT: 1, Bonus.TRULL: 14, Bonus.KINGS: 9, Bonus.ULTIMO: 6, Bonus.XXI: 1}
    kontras = (Kontra.NONE, Kontra.NONE, Kontra.NONE, Kontra.KONTRA)
    said = (Announced(Side.DECLARERS, bonus, chance.choice(kontras)) for bonus in Bonus)
    return tuple(each for each in said if chance.randrange(100) < often[each.bonus])


def _somebody(chance: Random, often: int) -> Side | None:
    """Return a side in `often` of a hundred hands, else None."""
    side = Side.DECLARERS if chance.randrange(100) < 70 else Side.OPPONENTS
    return side if chance.randrange(100) < often else None


GAME: Final = Tarokk()
