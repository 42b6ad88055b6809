"""The two hand-checked evenings of the browser tests, against the rules: hand by hand, amended, and settled."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from scorekeeper.games.base import Account, Count, Place
from scorekeeper.games.preference import (
    GAME,
    Rules,
    Standing,
    balances,
    check_seats,
    count,
    deal_from_text,
    deal_to_text,
    entries_to_text,
    is_agreed,
    is_finished,
    may_follow,
    next_dealer,
    pairwise,
    reminder,
    sheet_to_text,
    start,
)
from scorekeeper.money.fewest_payments import fewest_payments
from scorekeeper.money.settlement import in_whole_units
from tests.pulka import FOUR, THREE, Amend, Hand, Pulka, Sheet, read


@dataclass
class Table:
    """An evening as far as it has come: its hands by number, as they stand."""

    pulka: Pulka
    hands: dict[int, Hand] = field(default_factory=dict)

    @property
    def rules(self) -> Rules:
        return GAME.rules_from_text(self.pulka.rules)

    def counted(self) -> Iterator[tuple[Hand, Count[Standing]]]:
        """Every hand counted from the first, without the figures written beside it."""
        standing = start(self.rules)
        for hand in self.hands.values():
            place = Place(self.pulka.seats, hand.dealer, hand.declarer)
            deal = None if hand.is_thrown_in else deal_from_text(hand.deal, self.rules)
            counted = count(deal, place, standing, self.rules)
            yield hand, counted
            standing = counted.standing

    @property
    def standing(self) -> Standing:
        return next((counted.standing for _hand, counted in reversed(list(self.counted()))), start(self.rules))

    @property
    def sums(self) -> dict[Account, int]:
        sums = dict[Account, int]()
        for _hand, counted in self.counted():
            for entry in counted.entries:
                sums[entry.of] = sums.get(entry.of, 0) + entry.amount
        return {account: amount for account, amount in sums.items() if amount}

    def entries(self) -> dict[int, str]:
        return {hand.number: entries_to_text(counted.entries) for hand, counted in self.counted()}

    # --- The fields of a line ---

    def record(self, hand: Hand) -> None:
        assert hand.number == len(self.hands) + 1
        assert hand.dealer == self._who_deals(), f"hand {hand.number} is dealt by another"
        if not hand.is_thrown_in:
            self._may_be(hand)
            may_follow(deal_from_text(hand.deal, self.rules), self.standing, self.rules)
        self.hands[hand.number] = hand
        assert self.entries()[hand.number] == hand.entries, f"hand {hand.number}"

    def amend(self, amended: Amend) -> None:
        before, hand = self.entries(), amended.hand
        assert (hand.dealer, hand.number) == (self.hands[hand.number].dealer, hand.number)
        self._may_be(hand)
        self.hands[hand.number] = hand
        after = self.entries()
        assert after[hand.number] == hand.entries, f"hand {hand.number}, amended"
        assert {number: text for number, text in after.items() if text != before[number]} == {
            hand.number: hand.entries,
            **amended.changes,
        }
        for number, entries in amended.changes.items():
            self.hands[number] = replace(self.hands[number], entries=entries)

    def compare(self, said: Sheet) -> None:
        seats, sums = self.pulka.seats, self.sums
        results = balances(sums, seats, self.rules)
        assert sheet_to_text(sums) == said.sheet
        assert tuple(results.values()) == said.results
        assert sum(said.results) == 0
        assert self._over_with() == said.over
        assert is_finished(self.standing, self.rules) == (said.over is not None)
        assert (reminder(sums, len(self.hands), seats, self.rules) is not None) == (said.over is not None)
        if said.settled:
            pairs = pairwise(sums, seats, self.rules)
            assert tuple((*who, points) for who, points in pairs.items()) == said.pairs
            assert in_whole_units(list(results.values())) == said.whole
            paid = tuple((each.payer, each.payee, each.points) for each in fewest_payments(said.whole))
            assert paid == said.fewest

    def _may_be(self, hand: Hand) -> None:
        deal = deal_from_text(hand.deal, self.rules)
        assert deal_to_text(deal) == hand.deal
        assert is_agreed(deal) == hand.is_agreed
        check_seats(deal, self.pulka.seats, hand.dealer, hand.declarer, self.rules)

    def _who_deals(self) -> int:
        """The deal passes on after every hand, a raspasovka too, and stays after an entry that was no hand."""
        if not self.hands:
            return self.pulka.seats[0]
        last = self.hands[len(self.hands)]
        return last.dealer if last.is_thrown_in or last.is_agreed else next_dealer(self.pulka.seats, last.dealer)

    def _over_with(self) -> int | None:
        return next(
            (hand.number for hand, counted in self.counted() if is_finished(counted.standing, self.rules)), None
        )


@pytest.fixture(params=[THREE, FOUR], ids=lambda path: path.stem)
def pulka(request: pytest.FixtureRequest) -> Pulka:
    return read(request.param)


def test_every_line_is_what_the_rules_make_of_it(pulka: Pulka) -> None:
    table = Table(pulka)
    for line in pulka.lines:
        match line:
            case Hand():
                table.record(line)
            case Amend():
                table.amend(line)
            case Sheet():
                table.compare(line)
    assert isinstance(pulka.lines[-1], Sheet)
    assert pulka.lines[-1].settled
