"""Balances and lists of a circle against a paper book, in whatever order sessions, payments and merges happen."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.models import F
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from scorekeeper.games.amounts import Amount
from sessions_app.errors import EveningUsed, MergeRefused, RepaymentRefused
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Hand, Player, Repayment
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.readers.money import lists
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.lists import Line, PaymentList
from sessions_app.readers.money.statement import statement
from sessions_app.readers.money.tonight import Night, night_of
from sessions_app.readers.people.circles import players_of
from sessions_app.writers import circles, evening_edit, evenings, ledger, players, repayments
from tests.factories import UserFactory
from tests.ledger.books import assert_verified
from tests.ledger.test_statement import pages
from tests.selection import heavy

pytestmark = pytest.mark.django_db

NAMES = ("Anna", "Béla", "Cili", "Dóra", "Bela")
#: The three games, and what the declarer of a hand wins from each of the others, on paper.
GAMES = {
    "asszorti": {"2H 7": 6, "2H 5": -4, "1N 5": -12},
    "tarokk": {"s= 66": 4},
    "preference": {"+1": Fraction(-10, 3), "-1": Fraction(10, 3)},
}
STAKES = ((None, ""), ("10", "HUF"), ("3", "HUF"), ("0.05", "EUR"), ("0.01", "EUR"))
stakes = st.sampled_from(STAKES)


@dataclass
class Session:
    """A session as people would remember it: the hand with its declarer and deal, None for one struck out.

    `result` is what it ended with, by name, in `result_currency`; '' if there is none.
    """

    game: str
    names: tuple[str, ...]
    stake: tuple[str | None, str]
    day: int
    begun: int
    in_chips: bool = False
    has_ended: bool = False
    hands: list[tuple[str, str] | None] = field(default_factory=list)
    result_currency: str = ""
    result: Counter[str] = field(default_factory=Counter)

    @property
    def currency(self) -> str:
        return self.stake[1] or f"points:{self.game}"

    def end(self) -> None:
        self.has_ended = True
        stake, currency = self.stake
        worth = 1 if stake is None else Fraction(stake) * (100 if currency == "EUR" else 1)
        self.result_currency, self.result = "", Counter()
        if self.in_chips or not any(self.hands):
            return
        self.result_currency = self.currency
        for declarer, deal in filter(None, self.hands):
            for name in self.names:
                if name != declarer:
                    gains = GAMES[self.game][deal] * worth
                    self.result[declarer] += gains  # type: ignore[assignment]
                    self.result[name] -= gains  # type: ignore[assignment]


class Paid(NamedTuple):
    payer: str
    payee: str
    units: int
    currency: str
    sessions: tuple[int, ...]
    is_opening: bool
    booked: int


class Paper:
    """A circle's books as people would keep them with a pencil."""

    def __init__(self) -> None:
        self.sessions: dict[int, Session] = {}
        self.rows: dict[int, Paid] = {}
        self.merged: dict[str, str] = {}
        self.day = self.clock = 0

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def person(self, name: str) -> str:
        return self.merged.get(name, name)

    def balances(self) -> dict[str, Counter[str]]:
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for session in self.sessions.values():
            for name, amount in session.result.items():
                found[session.result_currency][self.person(name)] += amount
        for row in self.rows.values():
            units = -row.units if row.is_opening else row.units
            found[row.currency][self.person(row.payer)] += units
            found[row.currency][self.person(row.payee)] -= units
        return found

    def night(self, of: int) -> tuple[str, set[int], Counter[str], bool]:
        """The currency of a session's night, its sessions, balances of all who sat there, and whether it is apart."""
        day, currency = self.sessions[of].day, self.sessions[of].result_currency
        night = {pk: each for pk, each in self.sessions.items() if (each.day, each.result_currency) == (day, currency)}
        found: Counter[str] = Counter()
        for session in night.values():
            for name in session.names:
                found[self.person(name)] += session.result[name]
        is_apart, sat = True, set(found)
        for row in self.rows.values():
            both = {self.person(row.payer), self.person(row.payee)}
            if row.currency != currency or row.is_opening:
                continue
            if night.keys() & set(row.sessions) and both <= sat:
                found[self.person(row.payer)] += row.units
                found[self.person(row.payee)] -= row.units
                is_apart &= set(row.sessions) <= night.keys()
            elif not row.sessions and both & sat and row.booked > min(each.begun for each in night.values()):
                is_apart = False
        return currency, set(night), found, is_apart


class Books(RuleBasedStateMachine):
    """Sessions of all games and stakes, corrections before and after payments, payments, parts, undos and merges."""

    @initialize()
    def open(self) -> None:
        self.owner, self.paper = UserFactory(), Paper()
        for game, stake in zip(sorted(GAMES), STAKES[1:], strict=False):
            self.begin(game, NAMES[:4], stake)
            self.circle = Circle.objects.get()

    def begin(self, game: str, names: tuple[str, ...], stake: tuple[str | None, str], in_chips: bool = False) -> None:
        seats, (worth, currency) = names[:4] if game == "tarokk" else names[:3], stake
        opening = evenings.Opening(seats, 0, worth and Decimal(worth), currency, game, in_chips=in_chips)  # type: ignore[arg-type]
        circle = getattr(self, "circle", None)
        evening = evenings.start(opening, token=uuid4(), by=self.owner, circle=circle)
        self.paper.sessions[evening.pk] = Session(game, seats, stake, self.paper.day, self.paper.tick(), in_chips)

    @rule(game=st.sampled_from(sorted(GAMES)), names=st.permutations(NAMES), stake=stakes, in_chips=st.booleans())
    def start(self, game: str, names: list[str], stake: tuple[str | None, str], in_chips: bool) -> None:
        if len({self.paper.person(name) for name in names[:4]}) == 4:
            self.begin(game, tuple(names), stake, in_chips and game != "preference")

    @rule()
    def wait_for_another_day(self) -> None:
        """Move all that was written two days back."""
        two_days = timedelta(days=2)
        began, ended = F("started_at") - two_days, F("ended_at") - two_days
        Evening.objects.update(started_at=began, ended_at=ended)
        Hand.objects.update(recorded_at=F("recorded_at") - two_days)
        Repayment.objects.update(made_at=F("made_at") - two_days)
        self.paper.day += 1

    def drawn(self, data: st.DataObject) -> tuple[Evening, Session]:
        pk = data.draw(st.sampled_from(sorted(self.paper.sessions)))
        return Evening.objects.get(pk=pk), self.paper.sessions[pk]

    @rule(data=st.data(), ends=st.booleans())
    def play(self, data: st.DataObject, ends: bool) -> None:
        evening, session = self.drawn(data)
        seat, deal = self.hand_of(session, data)
        self.reopen(evening, session)
        self.write(evening, evening.last_number + 1, seat, deal)
        session.hands.append((session.names[seat], deal))
        if ends:
            self.end(evening, session)

    def hand_of(self, session: Session, data: st.DataObject) -> tuple[int, str]:
        seats, deals = range(len(session.names)), sorted(GAMES[session.game])
        return data.draw(st.sampled_from(seats)), data.draw(st.sampled_from(deals))

    def write(self, evening: Evening, number: int, seat: int, deal: str, amends: bool = False) -> None:
        facts = Facts(0, seat, deal)
        if evening.game_key == "preference":
            facts = Facts(0, None, f"= D{seat}{deal}", deal_stays=True)
        if amends:
            ledger.amend(evening.pk, number, facts=facts, by=self.owner)
        else:
            ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=self.owner)

    @rule(data=st.data(), voids=st.booleans())
    def correct(self, data: st.DataObject, voids: bool) -> None:
        """Correct, strike out or restore an old hand of a session that may be paid, and end it again."""
        evening, session = self.drawn(data)
        if not session.hands:
            return
        at = data.draw(st.integers(0, len(session.hands) - 1))
        self.reopen(evening, session)
        if session.hands[at] and voids:
            ledger.void(evening.pk, at + 1, by=self.owner)
            session.hands[at] = None
        else:
            seat, deal = self.hand_of(session, data)
            ledger.restore(evening.pk, at + 1, by=self.owner)
            self.write(evening, at + 1, seat, deal, amends=True)
            session.hands[at] = session.names[seat], deal
        self.end(evening, session)

    def end(self, evening: Evening, session: Session) -> None:
        evenings.end(evening.pk)
        session.end()

    def reopen(self, evening: Evening, session: Session) -> None:
        evenings.reopen(evening.pk)
        session.has_ended = False

    @rule(data=st.data())
    def end_or_reopen(self, data: st.DataObject) -> None:
        evening, session = self.drawn(data)
        if session.has_ended:
            self.reopen(evening, session)
        else:
            self.end(evening, session)

    @rule(data=st.data(), stake=stakes, in_chips=st.booleans())
    def edit(self, data: st.DataObject, stake: tuple[str | None, str], in_chips: bool) -> None:
        evening, session = self.drawn(data)
        session.stake, session.in_chips = stake, in_chips and session.game != "preference"
        worth, currency = stake
        money = {"stake": worth and Decimal(worth), "currency": currency}
        wanted = replace(shape_of(evening), **money, in_chips=session.in_chips)  # type: ignore[arg-type]
        evening_edit.edit(evening.pk, wanted, seen=latest_change(evening), by=self.owner)
        if session.has_ended:
            session.end()

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        evening, session = self.drawn(data)
        if len(self.paper.sessions) > 1:
            with suppress(EveningUsed):
                evenings.remove(evening.pk, by=self.owner)
                assert not any(session.hands)
                del self.paper.sessions[evening.pk]

    @rule(coin=st.sampled_from((1, 5)))
    def round_to(self, coin: int) -> None:
        circles.set_cash_coins(self.circle.pk, {"HUF": coin, "EUR": coin})

    @rule(data=st.data(), names=st.permutations(NAMES), units=st.integers(1, 400), is_opening=st.booleans())
    def pay_freely(self, data: st.DataObject, names: list[str], units: int, is_opening: bool) -> None:
        """Book any payment, which may be refused."""
        some = st.sets(st.sampled_from(sorted(self.paper.sessions)), max_size=2)
        asked = () if is_opening else tuple(data.draw(some))
        currency = data.draw(st.sampled_from(sorted({each.currency for each in self.paper.sessions.values()})))
        payer, payee = (Player.objects.filter(name=name).first() for name in names[:2])
        if payer and payee:
            with suppress(RepaymentRefused):
                self.book(payer.pk, payee.pk, units, currency, asked, is_opening)

    def book(
        self, payer: int, payee: int, units: int, currency: str, asked: tuple[int, ...], is_opening: bool = False
    ) -> None:
        kind = Repayment.Kind.OPENING if is_opening else Repayment.Kind.PAYMENT
        wanted = repayments.Wanted(payer, payee, units, currency, asked, kind=kind)
        row = repayments.book(self.circle.pk, wanted, token=uuid4(), by=self.owner).row
        names = [(name or player).name for name, player in ((row.payer_as, row.payer), (row.payee_as, row.payee))]
        self.paper.rows[row.pk] = Paid(names[0], names[1], units, currency, asked, is_opening, self.paper.tick())

    def book_line(self, line: Line, units: int) -> None:
        """Book what a list suggests: it is never refused."""
        self.book(line.payer.id, line.payee.id, units, line.currency, line.evenings)

    @rule(data=st.data())
    def pay_a_list_line_by_line(self, data: st.DataObject) -> None:
        for read in self.some_list(data):
            lines = read().lines
            left = written(lines)
            for line in data.draw(st.permutations(lines)):
                self.book_line(line, line.units)
                left -= written([line])
                assert written(read().lines) == left
            assert read().is_even

    @rule(data=st.data(), part=st.integers(2, 3))
    def pay_a_part_or_too_much(self, data: st.DataObject, part: int) -> None:
        for read in self.some_list(data):
            line = data.draw(st.sampled_from(read().lines))
            self.book_line(line, max(1, data.draw(st.sampled_from((line.units // part, line.units * part)))))

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

    def everything(self) -> dict[str, PaymentList]:
        circle = Circle.objects.get()
        return lists.everything(circle, balances(circle.pk), players_of(circle))

    def tonight(self, evening: int) -> tuple[Night, PaymentList] | None:
        """The night of a session and its list; None if it has no result."""
        circle = Circle.objects.get()
        night = night_of(Evening.objects.get(pk=evening))
        return night and (night, lists.tonight(circle, balances(circle.pk), night, players_of(circle)))

    def some_list(self, data: st.DataObject) -> Iterator[Callable[[], PaymentList]]:
        """Yield what reads one of the lists that have lines, if there is any."""
        nights = {pk: self.tonight(pk) for pk in sorted(self.paper.sessions)}
        scopes: list[str | int] = [currency for currency, shown in self.everything().items() if shown.lines]
        scopes += [pk for pk, found in nights.items() if found and found[0].is_offered and found[1].lines]
        if scopes:
            scope = data.draw(st.sampled_from(scopes))
            yield lambda: self.everything()[scope] if isinstance(scope, str) else self.tonight(scope)[1]  # type: ignore[index]

    @invariant()
    def balances_and_lists_agree(self) -> None:
        if not hasattr(self, "circle"):
            return
        paper, circle = self.paper.balances(), Circle.objects.get()
        found = self.everything()
        assert found.keys() >= paper.keys()
        for currency, shown in found.items():
            assert sum(amount for _player, amount in shown.balances) == 0
            assert without_zeros(named(shown)) == without_zeros(paper[currency])
            assert_settles(shown, lists.coin_of(circle, currency))

    @invariant()
    def nights_agree(self) -> None:
        for pk, session in getattr(self, "paper", Paper()).sessions.items():
            found = self.tonight(pk)
            assert bool(found) == bool(session.result_currency)
            if found:
                (night, shown), (currency, sessions, on_paper, is_apart) = found, self.paper.night(pk)
                assert (night.currency, {*night.sessions}, night.is_offered) == (currency, sessions, is_apart)
                assert named(shown) == on_paper, "all who sat there and nobody else"
                assert_settles(shown, lists.coin_of(Circle.objects.get(), currency))

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
                    pk
                    for pk, session in self.paper.sessions.items()
                    if session.result_currency == currency and player.name in map(self.paper.person, session.names)
                )

    def teardown(self) -> None:
        if hasattr(self, "circle"):
            assert_verified()


def named(shown: PaymentList) -> dict[str, Amount]:
    return {player.name: amount for player, amount in shown.balances}


def without_zeros(amounts: dict[str, Amount] | Counter[str]) -> dict[str, Amount]:
    return {name: amount for name, amount in amounts.items() if amount}


def written(lines: Iterable[Line]) -> set[tuple[str, str, int]]:
    return {(line.payer.name, line.payee.name, line.units) for line in lines}


def assert_settles(shown: PaymentList, coin: int) -> None:
    """Assert that a list asks debtors to pay creditors, and that all are even once it is paid, and not before."""
    left, is_even = named(shown), all(-coin < amount < coin for _player, amount in shown.balances)
    assert is_even == shown.is_even == (not shown.lines)
    for line in shown.lines:
        assert left[line.payer.name] < 0 < left[line.payee.name]
        left[line.payer.name] += line.units
        left[line.payee.name] -= line.units
    assert all(-coin < amount < coin for amount in left.values())


@pytest.mark.django_db
def test_balances_and_lists_agree_with_paper_in_whatever_order_things_happen() -> None:
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
