"""Debts divided by payments: the vectors, and what holds of any book."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.money.debts import AHEAD, Book, Debt, Paid, book_of

VECTORS = Path(__file__).parent / "vectors" / "debts.txt"
FIRST, SECOND = 3, 8


def amounts(text: str) -> dict[Any, Fraction]:
    """'1:100 -:2/3' as amounts by source."""
    parts = (part.split(":") for part in text.split())
    return {AHEAD if source == "-" else int(source): Fraction(amount) for source, amount in parts}


def payment(key: int, text: str) -> Paid:
    units, _at, sources = text.partition("@")
    named = tuple(int(source) for source in sources.split(",") if source)
    return paid(key, int(units), named)


def paid(key: int, units: int, sources: tuple[int, ...] = ()) -> Paid:
    first, second = (FIRST, SECOND) if units > 0 else (SECOND, FIRST)
    return Paid(key, first, second, abs(units), sources)


def vectors() -> list[Any]:
    rows = enumerate(VECTORS.read_text(encoding="utf-8").splitlines(), start=1)
    return [
        pytest.param(*(part.strip() for part in line.split("|")), id=f"line {number}")
        for number, line in rows
        if line and not line.startswith("#")
    ]


@pytest.mark.parametrize(("debts", "payments", "left", "ahead", "closed"), vectors())
@pytest.mark.parametrize("is_turned", [False, True])
def test_vector(debts: str, payments: str, left: str, ahead: str, closed: str, is_turned: bool) -> None:
    owed = [
        Debt(source, SECOND, FIRST, -amount) if is_turned else Debt(source, FIRST, SECOND, amount)
        for source, amount in amounts(debts).items()
    ]
    made = [payment(key, text) for key, text in enumerate(payments.split())]
    book = book_of(owed, made).pairs.get((FIRST, SECOND))
    if book is None:
        assert (owed, made) == ([], [])
        return
    assert book.left == amounts(left)
    assert book.ahead == Fraction(ahead)
    assert [book.closed[each.key] for each in made] == [amounts(each) for each in closed.split(";") if each.strip()]
    assert book.standing == sum(amounts(debts).values()) - sum(
        each.units if each.payer == FIRST else -each.units for each in made
    )


@pytest.mark.parametrize(
    ("debts", "payments", "still"),
    [
        ("1:100", "", "1:100"),
        ("1:100 2:-40", "", "1:60"),
        ("1:-40 2:100", "", "2:60"),
        ("1:30 2:-40 3:100", "", "3:90"),
        ("1:30 2:-30", "", ""),
        ("1:30 2:-31", "", "2:-1"),
        ("1:-5 2:20 3:-40", "", "3:-25"),
        ("1:-40", "10", "1:-40 -:-10"),
        ("1:40", "50", "-:-10"),
        ("1:40", "-5 50", "-:-5"),
        ("1:40", "-50@1 40", "1:50"),
    ],
)
def test_debts_both_ways_cancel_each_other_out_the_oldest_first(debts: str, payments: str, still: str) -> None:
    owed = [Debt(source, FIRST, SECOND, amount) for source, amount in amounts(debts).items()]
    made = [payment(key, text) for key, text in enumerate(payments.split())]
    assert book_of(owed, made).pairs[FIRST, SECOND].still_open() == amounts(still)


# --- Any book ---

type Found = tuple[list[Debt], list[Paid], Book]

PLAYERS = range(1, 6)
SOURCES = range(1, 5)


@st.composite
def debts(draw: st.DrawFn) -> Debt:
    payer, payee = draw(st.permutations(PLAYERS))[:2]
    amount = Fraction(draw(st.integers(-60, 60)), draw(st.sampled_from((1, 1, 2, 3))))
    return Debt(draw(st.sampled_from(SOURCES)), payer, payee, amount)


@st.composite
def payments(draw: st.DrawFn) -> list[Paid]:
    found = []
    for key in range(draw(st.integers(0, 8))):
        payer, payee = draw(st.permutations(PLAYERS))[:2]
        sources = tuple(sorted(draw(st.sets(st.sampled_from(SOURCES), max_size=3))))
        found.append(Paid(key, payer, payee, draw(st.integers(1, 90)), sources))
    return found


def in_order(owed: list[Debt]) -> list[Debt]:
    return sorted(owed, key=lambda debt: debt.source)  # type: ignore[arg-type,return-value]


@st.composite
def books(draw: st.DrawFn) -> Found:
    owed, made = in_order(draw(st.lists(debts()))), draw(payments())
    return owed, made, book_of(owed, made)


@given(books())
def test_the_standing_is_what_the_sheets_say_less_what_was_paid(found: Found) -> None:
    owed, made, book = found
    standing: Counter[tuple[int, int]] = Counter()
    won: Counter[int] = Counter()
    for payer, payee, amount in [
        *((debt.payer, debt.payee, debt.amount) for debt in owed),
        *((each.payer, each.payee, -each.units) for each in made),
    ]:
        standing[payer, payee] += amount  # type: ignore[assignment]
        standing[payee, payer] -= amount  # type: ignore[assignment]
        won[payer] -= amount  # type: ignore[assignment]
        won[payee] += amount  # type: ignore[assignment]
    for payer, payee in combinations(PLAYERS, 2):
        assert book.between(payer, payee) == -book.between(payee, payer) == standing[payer, payee]
    assert sum(book.balances.values()) == 0
    assert {player: won[player] for player in book.balances} == book.balances
    assert not any(won[player] for player in PLAYERS if player not in book.balances)
    assert book.open_pairs == {pair: amount for pair, amount in standing.items() if amount > 0}


@given(books(), st.sets(st.sampled_from(SOURCES)))
def test_these_sources_and_all_else_are_the_standing(found: Found, sources: set[int]) -> None:
    _owed, _made, book = found
    others = set(SOURCES) - sources
    assert sum(book.balances_of(sources).values()) == 0
    for (first, second), pair in book.pairs.items():
        assert pair.of(sources) + pair.of(others) - pair.ahead == pair.standing
        assert book.between(first, second, sources) == pair.of(sources)
        assert book.pairs_of(sources).get((first, second), 0) - book.pairs_of(sources).get(
            (second, first), 0
        ) == pair.of(sources)


@given(books())
def test_each_payment_is_divided_as_a_whole(found: Found) -> None:
    _owed, made, book = found
    for each in made:
        closed = book.closed_by(each.key)
        assert sum(closed.values()) == each.units
        assert all(amount > 0 for amount in closed.values())
        assert not each.sources or closed.keys() <= set(each.sources)
    for pair in book.pairs.values():
        for source in pair.left:
            closed_of = sum(closed.get(source, 0) for closed in pair.closed.values())
            assert pair.left[source] == pair.owed.get(source, 0) - closed_of


@given(books())
def test_what_is_still_open_adds_up_to_the_standing(found: Found) -> None:
    for pair in found[-1].pairs.values():
        still = pair.still_open()
        assert sum(still.values()) == pair.standing
        assert all(amount * pair.standing > 0 for amount in still.values())
        assert all(abs(amount) <= abs(pair.left.get(source, -pair.ahead)) for source, amount in still.items())


def test_a_key_of_no_payment_closed_nothing() -> None:
    assert book_of([], [paid(1, 5)]).closed_by(2) == {}
    assert book_of([], []).between(1, 2) == 0
