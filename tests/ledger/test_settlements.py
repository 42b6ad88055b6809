from decimal import Decimal

from scorekeeper.games.amounts import Amount
from sessions_app.models import Evening, User
from sessions_app.readers.money import settlements
from tests.factories import evening_of, record
from tests.ledger.reading import as_it_is


def as_figures(views: tuple[settlements.PairView, ...]) -> list[tuple[int, int, Amount, Amount | None]]:
    return [(view.payer.position, view.payee.position, view.points, view.coins) for view in views]


def fewest(settlement: settlements.Settlement) -> list[tuple[int, int, int]]:
    return [(payer.position, payee.position, units) for payer, payee, units in settlement.fewest(1)]


def test_a_settlement_shows_who_pays_whom_in_two_ways(three_hands: Evening) -> None:
    settlement = settlements.settlement(as_it_is(three_hands))
    assert [seat.balance for seat in settlement.seats] == [10, 22, -32]
    assert (settlement.currency, settlement.per_point) == ("HUF", Decimal(10))
    assert as_figures(settlement.pairwise) == [
        (0, 1, 4, 40),
        (2, 0, 14, 140),
        (2, 1, 18, 180),
    ]
    assert fewest(settlement) == [(2, 0, 100), (2, 1, 220)]


def test_a_payment_between_two_shows_what_they_have_paid_each_other(three_hands: Evening) -> None:
    why = [(view.paid, view.received) for view in settlements.settlement(as_it_is(three_hands)).pairwise]
    # (points, hands): Anna to Béla, Cili to Anna, Cili to Béla
    assert why == [((6, 1), (2, 1)), ((14, 2), (0, 0)), ((18, 2), (0, 0))]


def test_a_settlement_in_coins_keeps_the_decimals_of_the_currency(owner: User) -> None:
    evening = evening_of(owner, stake=Decimal("0.05"), currency="EUR")
    record(evening, owner)
    settlement = settlements.settlement(Evening.objects.get(pk=evening.pk))
    assert str(settlement.per_point) == "0.05"
    assert [str(seat.money) for seat in settlement.seats] == ["-0.30", "0.60", "-0.30"]
    assert [(view.coins, view.units) for view in settlement.pairwise] == [(30, 30), (30, 30)]


def test_at_a_table_of_four_the_pairs_add_up_over_the_hands_both_played(evening_of_four: Evening, owner: User) -> None:
    record(evening_of_four, owner, "2H 7", declarer=1, dealer=0)
    record(evening_of_four, owner, "2H 5", declarer=2, dealer=1)
    settlement = settlements.settlement(as_it_is(evening_of_four))
    assert [seat.balance for seat in settlement.seats] == [4, 12, -6 - 8, -6 + 4]
    assert [figures[:3] for figures in as_figures(settlement.pairwise)] == [
        (2, 0, 4),
        (2, 1, 6),
        (2, 3, 4),
        (3, 1, 6),
    ]
    assert fewest(settlement) == [(2, 0, 20), (2, 1, 120), (3, 0, 20)]


def test_an_evening_that_is_even_needs_no_payment(evening: Evening, owner: User) -> None:
    assert settlements.settlement(as_it_is(evening)).pairwise == ()
    for declarer in range(3):
        record(evening, owner, declarer=declarer)
    settlement = settlements.settlement(as_it_is(evening))
    assert [seat.balance for seat in settlement.seats] == [0, 0, 0]
    assert settlement.pairwise == settlement.fewest(1) == ()
