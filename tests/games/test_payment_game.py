"""Payments: balances and debts between two of a game whose hands write them, and the registry of games."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games import GAMES
from scorekeeper.games.asszorti import GAME, Rules
from scorekeeper.games.base import Payment
from scorekeeper.games.errors import InvalidDeal, NotationError
from scorekeeper.games.payment_game import MOST_AGREED, AgreedPayments, entries, in_pairs
from sessions_app.readers.evening.recount import sheet_of

SEATS = (0, 1, 2, 3)
PAIRS = [(payer, payee) for payer in SEATS for payee in SEATS if payer != payee]
payment_lists = st.lists(st.tuples(st.sampled_from(PAIRS), st.integers(1, 50)), max_size=20).map(
    lambda drawn: [Payment(payer, payee, points) for (payer, payee), points in drawn]
)


def balances(payments: list[Payment]) -> tuple[int, ...]:
    return tuple(GAME.balances(sheet_of(entries(payments, "points")), SEATS, Rules()).values())


def pairwise(payments: list[Payment]) -> Mapping[tuple[int, int], int]:
    return GAME.pairwise(sheet_of(entries(payments, "points")), SEATS, Rules())


def test_registry_holds_each_game_under_its_key() -> None:
    assert {key: game.key for key, game in GAMES.items()} == {key: key for key in ("asszorti", "tarokk", "preference")}


@pytest.mark.parametrize(("payer", "payee", "points"), [(0, 0, 5), (0, 1, 0), (0, 1, -1)])
def test_a_payment_goes_from_one_to_another_and_is_above_zero(payer: int, payee: int, points: int) -> None:
    with pytest.raises(ValueError, match="pay"):
        Payment(payer, payee, points)


def test_payments_add_up_to_balances_and_are_netted_by_pair() -> None:
    paid = [Payment(2, 0, 4), Payment(0, 1, 5), Payment(1, 0, 2), Payment(1, 2, 3), Payment(2, 1, 3), Payment(2, 0, 1)]
    assert balances(paid) == (2, 3, -5, 0)
    assert pairwise(paid) == {(0, 1): 3, (2, 0): 5}
    assert (balances([]), pairwise([])) == ((0, 0, 0, 0), {})


@given(payment_lists)
def test_pairwise_keeps_the_balances(payments: list[Payment]) -> None:
    owed = pairwise(payments)
    assert balances([Payment(*pair, points) for pair, points in owed.items()]) == balances(payments)
    assert list(owed) == sorted(owed)
    assert len({frozenset(pair) for pair in owed}) == len(owed)


def test_agreed_payments_take_the_largest_debts_to_the_largest_gains() -> None:
    assert AgreedPayments(in_pairs({0: 5, 1: -7, 2: 3, 3: -1})).to_text() == "= P1>0+5 P1>2+2 P3>2+1"


@pytest.mark.parametrize(
    ("texts", "error"),
    [
        (["=", "= ", "= P0>0+1", "= P0>1+0", "= P0>1-1", "=P0>1+1", "= D0+1"], NotationError),
        (["= P1>0+1 P0>2+1", "= P0>1+1 P1>0+1"], NotationError),
        (["= P0>3+1", f"= P0>1+{MOST_AGREED + 1}"], InvalidDeal),
    ],
    ids=["spelling", "order", "seat or amount"],
)
def test_agreed_payments_have_one_spelling_and_are_between_those_at_the_table_and_bounded(
    texts: list[str], error: type[Exception]
) -> None:
    for text in texts:
        with pytest.raises(error):
            AgreedPayments.from_text(text).check((0, 1, 2))
