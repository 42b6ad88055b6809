"""Open debts of a circle against a recount on paper, in whatever order sessions, payments and merges happen."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from scorekeeper.games.amounts import Amount
from sessions_app.errors import MergeRefused, RepaymentRefused
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Player
from sessions_app.readers.evening.edit import latest_change
from sessions_app.readers.money.balances import balances as balances_of_circle
from sessions_app.readers.money.open_debts import open_debts
from sessions_app.readers.money.statement import statement
from sessions_app.readers.money.who_owes import WhoOwes
from sessions_app.readers.people.circles import players_of
from sessions_app.writers import evening_edit, evenings, ledger, players, repayments
from tests.factories import UserFactory
from tests.ledger.books import assert_verified
from tests.ledger.test_open_debts import with_stake
from tests.ledger.test_statement import pages
from tests.selection import heavy

pytestmark = pytest.mark.django_db


NAMES = ("Anna", "Béla", "Cili", "Dóra", "Bela")
#: Tables of the three games, and what a hand of each comes to: by declarer (payer, payee, points), on paper.
GAMES = {
    "asszorti": {"2H 7": 6, "2H 5": -4, "1N 5": -12},
    "tarokk": {"s= 66": 4},
    "preference": {"+1": Fraction(10, 3), "-1": Fraction(-10, 3)},
}
STAKES = ((None, ""), ("10", "HUF"), ("3", "HUF"), ("0.05", "EUR"))


class Paper:
    """A circle's books as people would keep them with a pencil."""

    def __init__(self) -> None:
        self.evenings: dict[int, tuple[str, tuple[str, ...], tuple[str | None, str]]] = {}
        self.hands: dict[int, list[tuple[str, str] | None]] = defaultdict(list)
        self.rows: dict[int, tuple[str, str, int, str, bool]] = {}
        self.merged: dict[str, str] = {}
        self.results: dict[int, tuple[str, Counter[str]]] = {}

    def person(self, name: str) -> str:
        return self.merged.get(name, name)

    def currency(self, evening: int) -> str:
        game, _names, (_stake, currency) = self.evenings[evening]
        return currency or f"points:{game}"

    def standing(self) -> dict[str, Counter[tuple[str, str]]]:
        """Debts of each pair, by currency, both ways round."""
        found: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)

        def owes(currency: str, payer: str, payee: str, amount: Amount) -> None:
            found[currency][self.person(payer), self.person(payee)] += amount  # type: ignore[assignment]
            found[currency][self.person(payee), self.person(payer)] -= amount  # type: ignore[assignment]

        for evening in self.evenings:
            for loser, winner, amount in self.lost(evening):
                owes(self.currency(evening), loser, winner, amount)
        for payer, payee, units, currency, is_opening in self.rows.values():
            owes(currency, payer, payee, units if is_opening else -units)
        return found

    def lost(self, evening: int) -> Iterator[tuple[str, str, Amount]]:
        """Loser, winner and amount of each hand, below zero if it is the other way round."""
        game, names, (stake, currency) = self.evenings[evening]
        worth = 1 if stake is None else Fraction(stake) * (100 if currency == "EUR" else 1)
        for hand in filter(None, self.hands[evening]):
            declarer, deal = hand
            for name in names:
                if name != declarer:
                    loses = GAMES[game][deal] * (-1 if game == "preference" else 1)
                    yield name, declarer, loses * worth

    def write_result(self, evening: int) -> None:
        won: Counter[str] = Counter()
        for loser, winner, amount in self.lost(evening):
            won[loser] -= amount  # type: ignore[assignment]
            won[winner] += amount  # type: ignore[assignment]
        self.results[evening] = self.currency(evening), won

    def balances(self) -> dict[str, Counter[str]]:
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for currency, won in self.results.values():
            for name, amount in won.items():
                found[currency][self.person(name)] += amount
        for payer, payee, units, currency, is_opening in self.rows.values():
            found[currency][self.person(payer)] += -units if is_opening else units
            found[currency][self.person(payee)] -= -units if is_opening else units
        return found


class Books(RuleBasedStateMachine):
    """Evenings of all games and stakes, corrections before and after payments, payments, parts, undos and merges."""

    @initialize()
    def open(self) -> None:
        self.owner, self.paper = UserFactory(), Paper()
        self.begin("asszorti", NAMES[:4], 1)
        self.circle = Circle.objects.get()

    def begin(self, game: str, names: tuple[str, ...], stake: int) -> None:
        seats = names[:4] if game == "tarokk" else names[:3]
        worth, currency = STAKES[stake]
        opening = evenings.Opening(seats, 0, worth and Decimal(worth), currency, game)  # type: ignore[arg-type]
        circle = getattr(self, "circle", None)
        evening = evenings.start(opening, token=uuid4(), by=self.owner, circle=circle)
        self.paper.evenings[evening.pk] = game, seats, STAKES[stake]

    @rule(game=st.sampled_from(sorted(GAMES)), names=st.permutations(NAMES), stake=st.integers(0, len(STAKES) - 1))
    def start(self, game: str, names: list[str], stake: int) -> None:
        if len({self.paper.person(name) for name in names[:4]}) == 4:
            self.begin(game, tuple(names), stake)

    def drawn(self, data: st.DataObject) -> Evening:
        return Evening.objects.get(pk=data.draw(st.sampled_from(sorted(self.paper.evenings))))

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        evening = self.drawn(data)
        game, names, _stake = self.paper.evenings[evening.pk]
        seat, deal = data.draw(st.integers(0, len(names) - 1)), data.draw(st.sampled_from(sorted(GAMES[game])))
        evenings.reopen(evening.pk)
        self.write(evening, evening.last_number + 1, seat, deal)
        self.paper.hands[evening.pk].append((names[seat], deal))

    def write(self, evening: Evening, number: int, seat: int, deal: str, amends: bool = False) -> None:
        facts = Facts(0, seat, deal)
        if evening.game_key == "preference":
            facts = Facts(0, None, f"= D{seat}{deal}", deal_stays=True)
        if amends:
            ledger.amend(evening.pk, number, facts=facts, by=self.owner)
        else:
            ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=self.owner)

    @rule(data=st.data())
    def correct(self, data: st.DataObject) -> None:
        """Correct, strike out or restore an old hand of an evening that may be paid, and end it again."""
        evening = self.drawn(data)
        if not evening.last_number:
            return
        game, names, _stake = self.paper.evenings[evening.pk]
        number = data.draw(st.integers(1, evening.last_number))
        was = self.paper.hands[evening.pk][number - 1]
        evenings.reopen(evening.pk)
        if was and data.draw(st.booleans()):
            ledger.void(evening.pk, number, by=self.owner)
            self.paper.hands[evening.pk][number - 1] = None
        else:
            seat, deal = data.draw(st.integers(0, len(names) - 1)), data.draw(st.sampled_from(sorted(GAMES[game])))
            ledger.restore(evening.pk, number, by=self.owner)
            self.write(evening, number, seat, deal, amends=True)
            self.paper.hands[evening.pk][number - 1] = names[seat], deal
        self.end(evening)

    def end(self, evening: Evening) -> None:
        evenings.end(evening.pk)
        self.paper.write_result(evening.pk)

    @rule(data=st.data(), is_reopened=st.booleans())
    def end_or_reopen(self, data: st.DataObject, is_reopened: bool) -> None:
        evening = self.drawn(data)
        if is_reopened:
            evenings.reopen(evening.pk)
        elif not evening.has_ended:
            self.end(evening)

    @rule(data=st.data(), stake=st.integers(0, len(STAKES) - 1))
    def change_stake(self, data: st.DataObject, stake: int) -> None:
        evening = self.drawn(data)
        wanted = with_stake(evening, *STAKES[stake])
        evening_edit.edit(evening.pk, wanted, seen=latest_change(evening), by=self.owner)
        game, names, _stake = self.paper.evenings[evening.pk]
        self.paper.evenings[evening.pk] = game, names, STAKES[stake]
        if evening.has_ended:
            self.paper.write_result(evening.pk)

    @rule(data=st.data(), names=st.permutations(NAMES), units=st.integers(1, 400), is_opening=st.booleans())
    def pay_freely(self, data: st.DataObject, names: list[str], units: int, is_opening: bool) -> None:
        some = st.sets(st.sampled_from(sorted(self.paper.evenings)), max_size=2)
        asked = () if is_opening else tuple(data.draw(some))
        currency = self.paper.currency(data.draw(st.sampled_from(sorted(self.paper.evenings))))
        self.book(names[0], names[1], units, currency, asked, is_opening)

    def book(
        self, payer: str, payee: str, units: int, currency: str, asked: tuple[int, ...], is_opening: bool = False
    ) -> None:
        rows = [Player.objects.filter(name=name).first() for name in (payer, payee)]
        if None in rows:
            return
        kind = "opening" if is_opening else "payment"
        wanted = repayments.Wanted(rows[0].pk, rows[1].pk, units, currency, asked, kind=kind)  # type: ignore[union-attr]
        with suppress(RepaymentRefused):
            row = repayments.book(self.circle.pk, wanted, token=uuid4(), by=self.owner).row
            sat = [row.payer_as or row.payer, row.payee_as or row.payee]
            self.paper.rows[row.pk] = sat[0].name, sat[1].name, units, currency, is_opening

    @rule(data=st.data(), part=st.integers(1, 3), of_one=st.booleans())
    def pay_what_is_suggested(self, data: st.DataObject, part: int, of_one: bool) -> None:
        """Book a payment: as a whole or in part, of one evening alone or of all that is open."""
        evening = data.draw(st.sampled_from(sorted(self.paper.evenings)))
        found, currency = self.found(), self.paper.currency(evening)
        suggested = found.of_evenings(currency, (evening,)) if of_one else found.open_in(currency).suggested
        for line in suggested.lines[:2]:
            units = max(1, line.units // part)
            self.book(line.payer.name, line.payee.name, units, currency, line.evenings)

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        if self.paper.rows:
            pk = data.draw(st.sampled_from(sorted(self.paper.rows)))
            repayments.undo(self.circle.pk, pk, by=self.owner)
            del self.paper.rows[pk]

    @rule(pair=st.sampled_from(list(permutations(("Béla", "Bela", "Dóra"), 2))), is_apart=st.booleans())
    def merge_or_take_apart(self, pair: tuple[str, str], is_apart: bool) -> None:
        rows = [Player.objects.filter(name=name).first() for name in pair]
        if None in rows:
            return
        into, other = (row.pk for row in rows if row)
        if is_apart:
            players.unmerge(self.circle.pk, other, by=self.owner)
            self.paper.merged.pop(pair[1], None)
        else:
            with suppress(MergeRefused):
                players.merge(self.circle.pk, into, other, by=self.owner)
                self.paper.merged[pair[1]] = pair[0]

    def found(self) -> WhoOwes:
        circle = Circle.objects.get()
        return WhoOwes(circle, open_debts(circle), players_of(circle))

    @invariant()
    def books_agree(self) -> None:
        if not hasattr(self, "circle"):
            return
        found, paper = self.found(), self.paper.standing()
        for currency in {*paper, *found.debts.books}:
            shown = found.open_in(currency)
            assert {(pair.payer.name, pair.payee.name): pair.amount for pair in shown.pairs} == {
                pair: amount for pair, amount in paper[currency].items() if amount > 0
            }
            assert sum(amount for _player, amount in shown.players) == 0
            for player, amount in shown.players:
                assert amount == -sum(owed for (payer, _), owed in paper[currency].items() if payer == player.name)
            for pair in shown.pairs:
                assert sum(part.amount for part in pair.parts) + pair.of_earlier == pair.amount
            left = Counter({player.name: amount for player, amount in shown.players})
            for line in shown.suggested.lines:
                left[line.payer.name] += line.units
                left[line.payee.name] -= line.units
            gains = {each.player.name: each.amount for each in shown.suggested.rounding}
            assert {name: -amount for name, amount in left.items() if amount} == gains, "what is rounded off stays open"
            for evening in self.paper.evenings:
                for pair in found.open_in(currency, (evening,)).pairs:
                    assert pair.of_these + pair.before == pair.amount

    @invariant()
    def balances_agree(self) -> None:
        if not hasattr(self, "circle"):
            return
        found, paper = balances_of_circle(self.circle.pk), self.paper.balances()
        names = dict(Player.objects.values_list("pk", "name"))
        for currency in {*paper, *found.by_currency}:
            shown = {names[player]: amount for player, amount in found.of(currency).items() if amount}
            assert shown == {name: amount for name, amount in paper[currency].items() if amount}
            assert sum(found.of(currency).values()) == 0

    @invariant()
    def statements_agree(self) -> None:
        """Each player's rows are the sessions and payments of all his names, and add up to his balance."""
        if not hasattr(self, "circle"):
            return
        paper = self.paper.balances()
        for player in Player.objects.filter(merged_into=None):
            for currency in statement(player).currencies:
                found = [row for page in pages(player, currency, size=2) for row in page.rows]
                left = paper[currency][player.name]
                for row in found:
                    assert row.balance_after == left
                    left -= row.amount  # type: ignore[assignment]
                assert left == 0
                assert sorted(row.id for row in found if row.kind == "session") == sorted(
                    evening
                    for evening, (said_in, won) in self.paper.results.items()
                    if said_in == currency and won and self.sat(player.name, evening)
                )

    def sat(self, name: str, evening: int) -> bool:
        return name in map(self.paper.person, self.paper.evenings[evening][1])

    def teardown(self) -> None:
        if hasattr(self, "circle"):
            assert_verified()


@pytest.mark.django_db
def test_books_agree_in_whatever_order_things_happen() -> None:
    class InTransaction(Books):
        def __init__(self) -> None:
            super().__init__()
            self._around = transaction.atomic()
            self._around.__enter__()

        def teardown(self) -> None:
            super().teardown()
            transaction.set_rollback(True)
            self._around.__exit__(None, None, None)

    run_state_machine_as_test(InTransaction, settings=settings(heavy(), stateful_step_count=30))
