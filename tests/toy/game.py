"""The rules: `+7` won, `-7` lost, `0` neither; `2/0/3` the marks of seats 0, 1 and 2 where nobody declares.

`=2/0/3` are marks that were agreed on: they are never doubled. After marks that double somebody has to win or lose.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from types import MappingProxyType

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Count, Entry, Game, Payment, Place, ScoreLine, Seating, Seats, Sheet
from scorekeeper.games.errors import InvalidDeal, Message, NotationError, NotPlaying
from scorekeeper.games.house_rules import HouseRules, number, yes_no
from scorekeeper.games.payment_game import PAID, entries

MARKS = "marks"


@dataclass(frozen=True, slots=True)
class Rules:
    doubled: bool = yes_no(True)
    most: int = number(9, 1, 9)


PROFILES = MappingProxyType({"book": Rules(), "plain": Rules(doubled=False)})


@dataclass(frozen=True, slots=True)
class Deal:
    points: int = 0
    marks: tuple[int, ...] = ()
    is_agreed: bool = False

    def check(self, rules: Rules) -> None:
        if max(abs(self.points), *self.marks, 0) > rules.most:
            raise InvalidDeal({"marks" if self.marks else "points": Message("too_many", {"most": rules.most})})


def _lines(item: str, amount: int, times: int) -> tuple[ScoreLine, ...]:
    twice = ScoreLine(item, "twice", {}, amount)
    return (ScoreLine(item, item, {}, amount), twice)[:times]


class Toy(Game[Deal, Rules, int]):
    key = "toy"
    accounts = (PAID, MARKS)
    seating = Seating((3,), 3, clockwise=False)
    seats_may_change, redeals = False, ("stays",)
    house_rules = HouseRules(PROFILES)

    def leaders(self, seats: Seats, dealer: int) -> Mapping[int, int]:
        return dict.fromkeys(self.playing_seats(seats, dealer), dealer)

    def deal_from_text(self, text: str, rules: Rules = PROFILES["book"]) -> Deal:
        if re.fullmatch(r"[+-][1-9]\d?|0", text):
            deal = Deal(int(text))
        elif re.fullmatch(r"=?\d/\d/\d", text):
            deal = Deal(marks=tuple(map(int, text.removeprefix("=").split("/"))), is_agreed=text.startswith("="))
        else:
            raise NotationError(text)
        deal.check(rules)
        return deal

    def deal_to_text(self, deal: Deal) -> str:
        marks = "=" * deal.is_agreed + "/".join(map(str, deal.marks))
        return marks if deal.marks else f"{deal.points:+}" if deal.points else "0"

    def reads_as(self, one: Deal, other: Deal, rules: Rules = PROFILES["book"]) -> bool:
        return one == other

    def is_agreed(self, deal: Deal) -> bool:
        return deal.is_agreed

    def agreed(self, balances: Mapping[int, int]) -> Deal:
        most = max(balances.values())
        return Deal(marks=tuple(most - balances[seat] for seat in sorted(balances)), is_agreed=True)

    def check_place(self, deal: Deal, place: Place, rules: Rules) -> None:
        pass

    def may_follow(self, deal: Deal, standing: int, rules: Rules) -> None:
        if standing > 1 and not deal.points and not deal.marks:
            raise InvalidDeal({"points": Message("nobody_won", {})})

    def next_hand_note(self, standing: int, rules: Rules) -> Message | None:
        return Message("twice", {}) if standing > 1 else None

    def start(self, rules: Rules) -> int:
        return 1

    def standing_from_text(self, text: str) -> int:
        return int(text)

    def standing_to_text(self, standing: int) -> str:
        return str(standing)

    def count(self, deal: Deal | None, place: Place, standing: int, rules: Rules) -> Count[int]:
        order = self.playing_seats(place.seats, place.dealer)
        if deal is None:
            return Count((), (), standing)
        deal.check(rules)
        if (place.declarer in order) == bool(deal.marks) or (place.declarer is not None and deal.marks):
            raise NotPlaying("one against two declares, and nobody else does")
        if deal.marks:
            times = 1 if deal.is_agreed else standing
            marks = tuple(
                Entry(MARKS, seat, None, deal.marks[seat] * times, MARKS) for seat in order if deal.marks[seat]
            )
            total = sum(deal.marks)
            if deal.is_agreed:
                return Count(marks, _lines(MARKS, total, 1), standing)
            return Count(marks, _lines(MARKS, total, standing), 2 if rules.doubled else 1)
        two = [(seat, place.declarer) if deal.points > 0 else (place.declarer, seat) for seat in order]
        paid = [Payment(*pair, abs(deal.points) * standing) for pair in two if deal.points and pair[0] != pair[1]]
        after = 1 if deal.points > 0 else standing
        return Count(entries(paid, "points"), _lines("points", deal.points, standing), after)

    def balances(self, sheet: Sheet, seats: tuple[int, ...], rules: Rules) -> Mapping[int, Amount]:
        totals: dict[int, Amount] = dict.fromkeys(seats, 0)
        for (payer, payee), points in self.pairwise(sheet, seats, rules).items():
            totals[payer] -= points
            totals[payee] += points
        return {seat: int(total) if total == int(total) else total for seat, total in totals.items()}

    def pairwise(self, sheet: Sheet, seats: tuple[int, ...], rules: Rules) -> Mapping[tuple[int, int], Amount]:
        """Payments as they are; of the marks a third of the difference of the two."""
        owed: dict[tuple[int, int], Amount] = {}
        for (account, seat, against), amount in sheet.items():
            for other in seats if account == MARKS else (against,):
                if other is not None and other != seat:
                    share = Fraction(amount, 3 if account == MARKS else 1)
                    owed[seat, other] = owed.get((seat, other), 0) + share
                    owed[other, seat] = owed.get((other, seat), 0) - share
        return {pair: points for pair, points in sorted(owed.items()) if points > 0}

    def is_made(self, deal: Deal, rules: Rules) -> bool:
        return deal.points > 0

    def likely(self, chance: Random, seats: tuple[int, ...], dealer: int, rules: Rules) -> tuple[int | None, Deal]:
        if chance.randrange(3) == 0:
            marks = tuple(chance.randint(0, rules.most) for _ in range(3))
            return None, Deal(marks=marks, is_agreed=chance.randrange(3) == 0)
        return chance.choice(seats), Deal(chance.randint(-rules.most, rules.most))


GAME = Toy()
