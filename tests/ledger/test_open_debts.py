"""Open debts of a circle, against a recount on paper: by examples, and in whatever order things happen."""

from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from scorekeeper.games.amounts import Amount
from sessions_app.errors import MergeRefused, RepaymentRefused
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Player, Repayment, User
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.readers.money.open_debts import counted_debts, open_debts
from sessions_app.readers.money.who_owes import WhoOwes
from sessions_app.readers.people.circles import players_of
from sessions_app.readers.snapshot import snapshot
from sessions_app.writers import evening_edit, evenings, ledger, players, repayments
from tests.factories import UserFactory, evening_of, record, started
from tests.ledger.books import assert_verified
from tests.selection import heavy

pytestmark = pytest.mark.django_db

type Named = dict[tuple[str, str], Amount]


def begun(
    by: User, game: str, names: tuple[str, ...], stake: int | str | None = None, currency: str = "HUF"
) -> Evening:
    opening = evenings.Opening(names, 0, None if stake is None else Decimal(stake), currency, game)
    return started(opening, by=by)


def agree(evening: Evening, by: User, line: str) -> None:
    """Agree on entries without cards, as Preference does."""
    number = Evening.objects.get(pk=evening.pk).last_number + 1
    ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(number % 3, None, line, deal_stays=True), by=by)


def key(name: str) -> int:
    return Player.objects.get(name=name).pk


def pay(evening: Evening, payer: str, payee: str, units: int, currency: str = "HUF", **more: Any) -> Repayment:
    wanted = repayments.Wanted(key(payer), key(payee), units, currency, **more)
    by = evening.circle.members.earliest("pk").user
    return repayments.book(evening.circle_id, wanted, token=uuid4(), by=by).row


def fresh(evening: Evening) -> Circle:
    return Circle.objects.get(pk=evening.circle_id)


def who_owes(evening: Evening) -> WhoOwes:
    circle = fresh(evening)
    return WhoOwes(circle, open_debts(circle), players_of(circle))


def pairs(evening: Evening, currency: str = "HUF", evenings: tuple[int, ...] = ()) -> Named:
    found = who_owes(evening).open_in(currency, evenings)
    return {(pair.payer.name, pair.payee.name): pair.amount for pair in found.pairs}


def balances(evening: Evening, currency: str = "HUF") -> dict[str, Amount]:
    return {player.name: amount for player, amount in who_owes(evening).open_in(currency).players}


def test_open_debts_are_those_of_the_sheets_by_currency_and_game(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    euros = begun(owner, "asszorti", ("Anna", "Béla", "Dóra"), "0.05", "EUR")
    record(euros, owner, "2H 5", declarer=0)
    pulka = begun(owner, "preference", ("Anna", "Béla", "Cili"), 2)
    agree(pulka, owner, "= D2+1")
    tarokk = begun(owner, "tarokk", ("Anna", "Béla", "Cili", "Dóra"))
    record(tarokk, owner, "s= 66", declarer=1)
    points = begun(owner, "asszorti", ("Anna", "Béla", "Cili"))
    record(points, owner, "2H 7", declarer=2)
    assert list(open_debts(fresh(evening)).books) == ["EUR", "HUF", "points:asszorti", "points:tarokk"]
    assert pairs(evening) == {
        ("Béla", "Anna"): 60,
        ("Cili", "Anna"): 60 + Fraction(20, 3),
        ("Cili", "Béla"): Fraction(20, 3),
    }
    assert balances(evening) == {"Anna": Fraction(380, 3), "Béla": Fraction(-160, 3), "Cili": Fraction(-220, 3)}
    assert pairs(evening, "EUR") == {("Anna", "Béla"): 20, ("Anna", "Dóra"): 20}
    assert pairs(evening, "points:tarokk") == {(name, "Béla"): 4 for name in ("Anna", "Cili", "Dóra")}
    assert pairs(evening, "points:asszorti") == {("Anna", "Cili"): 6, ("Béla", "Cili"): 6}


def test_payments_and_opening_balances_are_taken_into_account(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    pay(evening, "Béla", "Anna", 25)
    pay(evening, "Cili", "Anna", 70)
    pay(evening, "Cili", "Béla", 500, kind="opening")
    gone = pay(evening, "Béla", "Cili", 10)
    repayments.undo(evening.circle_id, gone.pk, by=owner)
    assert pairs(evening) == {("Béla", "Anna"): 35, ("Anna", "Cili"): 10, ("Cili", "Béla"): 500}
    assert balances(evening) == {"Béla": 465, "Anna": 25, "Cili": -490}


def parts(evening: Evening, payer: str, payee: str) -> list[tuple[object, Amount]]:
    found = who_owes(evening).open_in("HUF").pairs
    (pair,) = (pair for pair in found if (pair.payer.name, pair.payee.name) == (payer, payee))
    return [
        (part.evening.id if part.evening else part.opening.note if part.opening else "ahead", part.amount)
        for part in pair.parts
    ]


@pytest.mark.parametrize(("evenings", "shown", "earlier"), [(12, 12, 0), (13, 12, 1), (15, 12, 3)])
def test_pair_with_many_debts_shows_the_latest_and_the_sum_of_the_others(
    owner: User, evening: Evening, evenings: int, shown: int, earlier: int
) -> None:
    pay(evening, "Béla", "Anna", 100, kind="opening")
    record(evening, owner, "2H 7", declarer=0)
    for _evening in range(evenings - 2):
        record(evening_of(owner), owner, "2H 7", declarer=0)
    [pair] = [each for each in who_owes(evening).open_in("HUF").pairs if each.payer.name == "Béla"]
    assert (len(pair.parts), pair.earlier) == (shown, earlier)
    assert pair.of_earlier == (100 + 60 * (earlier - 1) if earlier else 0), "the paper book is the oldest"
    assert pair.amount == 100 + 60 * (evenings - 1) == pair.of_earlier + sum(part.amount for part in pair.parts)


def test_a_pair_unfolds_to_what_is_open_the_oldest_first(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    later = evening_of(owner)
    record(later, owner, "2H 7", declarer=0)
    pay(evening, "Béla", "Anna", 100, kind="opening", note="the blue book")
    assert parts(evening, "Béla", "Anna") == [("the blue book", 100), (evening.pk, 60), (later.pk, 60)]
    pay(evening, "Béla", "Anna", 130)
    assert parts(evening, "Béla", "Anna") == [(evening.pk, 30), (later.pk, 60)]
    pay(evening, "Béla", "Anna", 50, evenings=(later.pk,))
    assert parts(evening, "Béla", "Anna") == [(evening.pk, 30), (later.pk, 10)]
    pay(evening, "Béla", "Anna", 50)
    assert parts(evening, "Anna", "Béla") == [("ahead", 10)]


def test_debts_of_this_evening_and_of_before_add_up(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    later = evening_of(owner)
    record(later, owner, "2H 7", declarer=1)
    pay(evening, "Béla", "Anna", 20, evenings=(evening.pk,))
    found = who_owes(later).open_in("HUF", (later.pk,))
    assert {(pair.payer.name, pair.payee.name): (pair.amount, pair.of_these, pair.before) for pair in found.pairs} == {
        ("Anna", "Béla"): (20, 60, -40),
        ("Cili", "Anna"): (60, 0, 60),
        ("Cili", "Béla"): (60, 60, 0),
    }
    assert found.is_of_two_times
    pay(evening, "Anna", "Béla", 20, evenings=(later.pk,))
    found = who_owes(later).open_in("HUF", (later.pk,))
    assert [(pair.payer.name, pair.amount, pair.of_these, pair.before) for pair in found.pairs][-1] == (
        *("Anna", 0, 40),
        -40,
    )


def test_a_ring_of_debts_leaves_all_balances_at_zero(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    record(evening, owner, "2H 5", declarer=1)
    for line in who_owes(evening).open_in("HUF").suggested.lines:
        pay(evening, line.payer.name, line.payee.name, line.units)
    found = who_owes(evening).open_in("HUF")
    assert found.is_even
    assert found.suggested.lines == ()
    assert found.pairs


def test_lines_are_the_same_on_every_phone_until_something_is_paid(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)

    def tokens() -> set[Any]:
        found = who_owes(evening)
        of_this = found.of_evenings("HUF", (evening.pk,))
        return {line.token for line in (*found.open_in("HUF").suggested.lines, *of_this.lines)}

    assert tokens() == tokens()
    assert len(tokens()) == 4
    row = pay(evening, "Béla", "Anna", 60)
    repayments.undo(evening.circle_id, row.pk, by=owner)
    assert len(tokens()) == 4
    cilis = {line.token for line in who_owes(evening).open_in("HUF").suggested.lines if line.payer.name == "Cili"}
    assert cilis < tokens()


def test_suggested_payments_are_rounded_to_the_coin_of_the_circle(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    evening_edit.edit(evening.pk, _with_stake(evening, "1"), seen=0, by=owner)
    Circle.objects.update(cash_coins={"HUF": 5})
    found = who_owes(evening).open_in("HUF")
    assert [(line.payer.name, line.units) for line in found.suggested.lines] == [("Béla", 5), ("Cili", 5)]
    assert {each.player.name: each.amount for each in found.suggested.rounding} == {"Anna": -2, "Béla": 1, "Cili": 1}
    for line in found.suggested.lines:
        pay(evening, line.payer.name, line.payee.name, line.units)
    assert balances(evening) == {"Anna": 2, "Béla": -1, "Cili": -1}
    assert who_owes(evening).open_in("HUF").suggested.lines == ()


def _with_stake(evening: Evening, stake: str | None, currency: str = "HUF") -> Any:
    return replace(shape_of(evening), stake=None if stake is None else Decimal(stake), currency=currency)


@pytest.mark.parametrize("count", [1, 6])
def test_open_debts_take_as_many_queries_however_much_was_played_and_paid(
    owner: User, evening: Evening, django_assert_num_queries: Callable[..., Any], count: int
) -> None:
    for _ in range(count):
        record(played := evening_of(owner), owner, "2H 7")
        evenings.end(played.pk)
        pay(played, "Anna", "Béla", 5, evenings=(played.pk,))
    circle = fresh(evening)
    with django_assert_num_queries(6):
        WhoOwes(circle, open_debts(circle), []).debts.book("HUF")


@pytest.mark.django_db(transaction=True)
def test_debts_cached_while_a_clock_was_ahead_are_counted_anew_after_the_next_end(
    owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = evening, evening_of(owner), evening_of(owner)
    for each, deal in ((first, "2H 7"), (second, "2H 8"), (third, "2H 7")):
        record(each, owner, deal, declarer=0)

    def is_right() -> bool:
        with snapshot():
            return open_debts(fresh(first)).books == counted_debts(fresh(first)).books

    with monkeypatch.context() as patched:
        patched.setattr(timezone, "now", lambda: datetime.now(UTC) + timedelta(days=1))
        evenings.end(third.pk)
    evenings.end(first.pk)
    assert is_right()
    evenings.reopen(first.pk)
    evenings.end(second.pk)
    assert is_right()


@pytest.mark.django_db(transaction=True)
def test_open_debts_are_cached_until_something_changes(
    owner: User, evening: Evening, django_assert_num_queries: Callable[..., Any]
) -> None:
    ended = evening_of(owner)
    record(ended, owner, "2H 7", declarer=0)
    evenings.end(ended.pk)

    def asked(queries: int) -> dict[str, Amount]:
        circle = fresh(evening)
        with django_assert_num_queries(queries), snapshot():
            found = open_debts(circle)
        names = {player.id: player.name for player in players_of(circle)}
        return {names[player]: amount for player, amount in found.book("HUF").balances.items()}

    assert asked(8)["Anna"] == 120
    assert asked(2)["Anna"] == 120
    record(evening, owner, "2H 7", declarer=0)
    assert asked(6)["Anna"] == 240
    row = pay(ended, "Béla", "Anna", 30)
    assert asked(6)["Anna"] == 210
    repayments.undo(ended.circle_id, row.pk, by=owner)
    assert asked(6)["Anna"] == 240
    players.merge(ended.circle_id, key("Anna"), Player.objects.create(circle=ended.circle, name="anna.").pk, by=owner)
    assert asked(2)["Anna"] == 240
    evening_edit.edit(ended.pk, _with_stake(ended, "20"), seen=latest_change(ended), by=owner)
    assert asked(8)["Anna"] == 360


# --- In whatever order things happen ---

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

        for evening, (game, names, (stake, currency)) in self.evenings.items():
            worth = 1 if stake is None else Fraction(stake) * (100 if currency == "EUR" else 1)
            for hand in filter(None, self.hands[evening]):
                declarer, deal = hand
                for name in names:
                    if name != declarer:
                        loses = GAMES[game][deal] * (-1 if game == "preference" else 1)
                        owes(self.currency(evening), name, declarer, loses * worth)
        for payer, payee, units, currency, is_opening in self.rows.values():
            owes(currency, payer, payee, units if is_opening else -units)
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
        evenings.end(evening.pk)

    @rule(data=st.data(), stake=st.integers(0, len(STAKES) - 1))
    def change_stake(self, data: st.DataObject, stake: int) -> None:
        evening = self.drawn(data)
        wanted = _with_stake(evening, *STAKES[stake])
        evening_edit.edit(evening.pk, wanted, seen=latest_change(evening), by=self.owner)
        game, names, _stake = self.paper.evenings[evening.pk]
        self.paper.evenings[evening.pk] = game, names, STAKES[stake]

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
