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
