"""Games in which one seat pays another, as the Hungarian ones: the ladder of doublings, and the account `paid`."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, Self

from scorekeeper.games.base import Count, Entry, Game, Payment, Place, ScoreLine, Sheet, short_form
from scorekeeper.games.errors import InvalidDeal, Message, NotationError, NotPlaying
from scorekeeper.games.measures import Feat

# --- The ladder of doublings: kontra, rekontra, … mordkontra ---


class Kontra(IntEnum):
    """The number of times an item was doubled; `factor` multiplies the item."""

    NONE = 0
    KONTRA = 1
    REKONTRA = 2
    SZUBKONTRA = 3
    HIRSKONTRA = 4
    MORDKONTRA = 5

    @property
    def factor(self) -> int:
        return 1 << self.value


#: The kontras by their letters in a notation.
KONTRAS: Final[Mapping[str, Kontra]] = {
    "": Kontra.NONE,
    "K": Kontra.KONTRA,
    "R": Kontra.REKONTRA,
    "S": Kontra.SZUBKONTRA,
    "H": Kontra.HIRSKONTRA,
    "M": Kontra.MORDKONTRA,
}


def letter_of[Value](letters: Mapping[str, Value], value: Value) -> str:
    """Return the letter of a value in the notation, by a table such as KONTRAS."""
    return next(letter for letter, meant in letters.items() if meant is value)


def too_high(kontra: Kontra, ladder: int) -> Message | None:
    """Return the message for a kontra above the highest of the house rules, else None."""
    return Message("kontra_too_high", {"highest": ladder}) if kontra > ladder else None


def boldest_kontra(declarer: int, kontras: Iterable[Kontra]) -> Iterator[Feat]:
    """Yield the feat of the highest of all kontras of a hand, as the declarer's; nothing if nobody said one."""
    boldest = max(kontras)
    if boldest:
        yield Feat("kontra", 9 if boldest > Kontra.KONTRA else 2, (declarer,), boldest.value)


# --- Payments ---


PAID: Final = "paid"
#: The most points of an agreed payment: the payments between five seats fit into a line of 200 characters.
MOST_AGREED: Final = 10**9
_AGREED: Final = re.compile(r"= P[0-9]>[0-9]\+[1-9][0-9]{0,9}(?: P[0-9]>[0-9]\+[1-9][0-9]{0,9})*")


@dataclass(frozen=True, slots=True)
class AgreedPayments:
    """Payments that the players agreed on, for which no cards were dealt; sorted, one at most between two seats.

    In the notation of a deal: `= P0>1+30 P2>1+12`.
    """

    payments: tuple[Payment, ...]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the notation. Raise NotationError."""
        found = _AGREED.fullmatch(text)
        words = [re.split("[P>+]", word)[1:] for word in text.split()[1:]] if found else []
        try:
            deal = cls(tuple(Payment(*map(int, word)) for word in words))
        except ValueError:
            raise NotationError(f"a seat pays itself: {text!r}") from None
        pairs = {frozenset((each.payer, each.payee)) for each in deal.payments}
        if not found or deal.to_text() != text or len(pairs) < len(words):
            raise NotationError(f"not the notation of agreed payments: {text!r}")
        return deal

    def __post_init__(self) -> None:
        object.__setattr__(self, "payments", tuple(sorted(self.payments)))

    def to_text(self) -> str:
        return f"= {short_form({(PAID, each.payer, each.payee): each.points for each in self.payments}, (PAID,))}"

    def check(self, seats: tuple[int, ...]) -> None:
        """Raise InvalidDeal for a seat that is not at the table, and for points beyond the most."""
        if any(not {each.payer, each.payee} <= set(seats) for each in self.payments):
            raise InvalidDeal({"payments": Message("unknown_seat", {})})
        if any(each.points > MOST_AGREED for each in self.payments):
            raise InvalidDeal({"payments": Message("amount_range", {"most": MOST_AGREED})})


class PaymentGame[Deal, Rules, Standing](Game[Any, Rules, Standing]):
    """A game whose hands write nothing but payments.

    A deal is a hand with a declarer, `Deal`, or AgreedPayments, without one, and may follow any other. No standing ends
    the game.
    """

    accounts = (PAID,)
    pays_per_hand = True

    @abstractmethod
    def hand_from_text(self, text: str, rules: Rules = ...) -> Deal:
        """Read the notation of a hand, as `deal_from_text`."""

    @abstractmethod
    def hand_to_text(self, deal: Deal) -> str:
        """Write the notation of a hand, as `deal_to_text`."""

    @abstractmethod
    def reads_alike(self, one: Deal, other: Deal, rules: Rules = ...) -> bool:
        """Return whether two hands read the same, as `reads_as`."""

    @abstractmethod
    def payments_of(
        self, deal: Deal, place: Place, declarer: int, standing: Standing, rules: Rules
    ) -> tuple[tuple[Payment, ...], tuple[ScoreLine, ...]]:
        """Return the payments of a hand, and the lines that explain them.

        Raise NotPlaying for a declarer who sits out, InvalidDeal for a deal that is impossible under these rules.
        """

    @abstractmethod
    def standing_after(self, deal: Deal | None, place: Place, standing: Standing, rules: Rules) -> Standing:
        """Return the standing after a hand; `deal` is None if it was thrown in."""

    def count(self, deal: Any, place: Place, standing: Standing, rules: Rules) -> Count[Standing]:
        if deal is None:
            self.playing_seats(place.seats, place.dealer)  # ValueError for a place that the game does not have
            if place.declarer is not None:
                raise NotPlaying("a hand thrown in has no declarer")
            return Count((), (), self.standing_after(None, place, standing, rules))
        if isinstance(deal, AgreedPayments):
            return self._count_agreed(deal, place, standing)
        if place.declarer is None:
            raise NotPlaying("every hand needs a declarer")
        payments, lines = self.payments_of(deal, place, place.declarer, standing, rules)
        return Count(entries(payments, "points"), lines, self.standing_after(deal, place, standing, rules))

    def _count_agreed(self, deal: AgreedPayments, place: Place, standing: Standing) -> Count[Standing]:
        if place.declarer is not None:
            raise NotPlaying("nobody declares agreed payments")
        deal.check(place.seats)
        return Count(entries(deal.payments, "agreed"), (), standing)

    def deal_from_text(self, text: str, rules: Rules | None = None) -> Any:
        if text.startswith("="):
            return AgreedPayments.from_text(text)
        return self.hand_from_text(text) if rules is None else self.hand_from_text(text, rules)

    def deal_to_text(self, deal: Any) -> str:
        return deal.to_text() if isinstance(deal, AgreedPayments) else self.hand_to_text(deal)

    def reads_as(self, one: Any, other: Any, rules: Rules | None = None) -> bool:
        if isinstance(one, AgreedPayments) or isinstance(other, AgreedPayments):
            return bool(one == other)
        return self.reads_alike(one, other) if rules is None else self.reads_alike(one, other, rules)

    def is_agreed(self, deal: Any) -> bool:
        return isinstance(deal, AgreedPayments)

    def agreed(self, balances: Mapping[int, int]) -> AgreedPayments:
        return AgreedPayments(in_pairs(balances))

    def check_place(self, deal: Any, place: Place, rules: Rules) -> None:
        """Allow any hand to any declarer."""

    def may_follow(self, deal: Any, standing: Standing, rules: Rules) -> None:
        """Allow any hand after any other."""

    def balances(self, sheet: Sheet, seats: tuple[int, ...], rules: Rules | None = None) -> Mapping[int, int]:
        """Return the points that each seat was paid, less those that it paid."""
        totals = dict.fromkeys(seats, 0)
        for (_account, payer, payee), points in sheet.items():
            totals[payer] -= points
            if payee is not None:
                totals[payee] += points
        return totals

    def pairwise(
        self, sheet: Sheet, seats: tuple[int, ...], rules: Rules | None = None
    ) -> Mapping[tuple[int, int], int]:
        """Return the net debts between two seats; pairs that owe each other nothing are left out."""
        owed = ((payer, payee, points) for (_account, payer, payee), points in sheet.items() if payee is not None)
        return {(paid.payer, paid.payee): paid.points for paid in netted(owed)}


def entries(payments: Iterable[Payment], reason: str) -> tuple[Entry, ...]:
    """Return payments as the entries of a hand."""
    return tuple(Entry(PAID, payment.payer, payment.payee, payment.points, reason) for payment in payments)


def in_pairs(balances: Mapping[int, int]) -> tuple[Payment, ...]:
    """Return payments that come to these balances, which sum to zero: the largest debts to the largest gains."""
    owing = sorted(((-points, seat) for seat, points in balances.items() if points < 0), key=_largest)
    gaining = sorted(((points, seat) for seat, points in balances.items() if points > 0), key=_largest)
    paid: list[Payment] = []
    while owing and gaining:
        (owed, payer), (gained, payee) = owing.pop(0), gaining.pop(0)
        paid.append(Payment(payer, payee, min(owed, gained)))
        if owed > gained:
            owing.insert(0, (owed - gained, payer))
        elif gained > owed:
            gaining.insert(0, (gained - owed, payee))
    return tuple(paid)


def _largest(side: tuple[int, int]) -> tuple[int, int]:
    points, seat = side
    return -points, seat


def netted(owed: Iterable[tuple[int, int, int]]) -> tuple[Payment, ...]:
    """Net (payer, payee, points of either sign) to at most one payment between two seats; leave even pairs out."""
    sums: dict[tuple[int, int], int] = {}
    for payer, payee, points in owed:
        sums[payer, payee] = sums.get((payer, payee), 0) + points
        sums[payee, payer] = sums.get((payee, payer), 0) - points
    return tuple(Payment(*pair, points) for pair, points in sorted(sums.items()) if points > 0)
