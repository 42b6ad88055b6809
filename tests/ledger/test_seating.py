from decimal import Decimal

from sessions_app.models import Evening, User
from sessions_app.readers.evening import seating
from sessions_app.readers.money import settlements
from sessions_app.writers import ledger
from tests.factories import evening_of, record
from tests.ledger.reading import as_it_is


def test_seats_have_names_balances_and_money(three_hands: Evening) -> None:
    seats = seating.seats_of(as_it_is(three_hands))
    assert [(seat.position, seat.name, seat.balance, seat.money) for seat in seats] == [
        (0, "Anna", 10, Decimal(100)),
        (1, "Béla", 22, Decimal(220)),
        (2, "Cili", -32, Decimal(-320)),
    ]


def test_a_void_hand_is_in_no_balance(three_hands: Evening, owner: User) -> None:
    ledger.void(three_hands.pk, 2, by=owner)
    assert [seat.balance for seat in seating.seats_of(as_it_is(three_hands))] == [-2, 10, -8]


def test_without_a_stake_there_is_no_money(owner: User) -> None:
    evening = evening_of(owner, stake=None)
    record(evening, owner)
    assert [seat.money for seat in seating.seats_of(as_it_is(evening))] == [None] * 3
    settlement = settlements.settlement(as_it_is(evening))
    assert settlement.per_point is None
    assert settlement.currency == "points:asszorti"
    assert {view.coins for view in settlement.pairwise} == {None}
