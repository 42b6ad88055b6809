import pytest

from scorekeeper.games import GAMES, asszorti
from scorekeeper.games.base import Payment


@pytest.mark.parametrize(("payer", "payee", "points"), [(0, 0, 5), (0, 1, 0), (0, 1, -1)])
def test_a_payment_goes_from_one_to_another_and_is_above_zero(payer: int, payee: int, points: int) -> None:
    with pytest.raises(ValueError, match="pay"):
        Payment(payer, payee, points)


def test_payments_are_ordered_by_payer_payee_and_points() -> None:
    assert sorted([Payment(1, 0, 1), Payment(0, 2, 1), Payment(0, 1, 2), Payment(0, 1, 1)]) == [
        Payment(0, 1, 1),
        Payment(0, 1, 2),
        Payment(0, 2, 1),
        Payment(1, 0, 1),
    ]


def test_the_registry_holds_each_game_under_its_key() -> None:
    assert {key: game.key for key, game in GAMES.items()} == {key: key for key in ("asszorti", "tarokk", "preference")}


def test_a_game_offers_its_rules() -> None:
    game = GAMES["asszorti"]
    deal = game.deal_from_text("2H 7-3-1 K")
    declarer, dealer = 0, 3
    sides = asszorti.opponents(4, dealer, declarer)
    assert game.seat_counts == (3, 4)
    assert game.deal_to_text(deal) == "2H 7-3-1 K"
    assert asszorti.score(deal).points == 12
    assert asszorti.payments(deal, declarer=declarer, opponents=sides) == (Payment(1, 0, 12), Payment(2, 0, 12))
    assert game.next_dealer(4, dealer) == 0
    assert game.playing_seats(4, dealer) == (0, 1, 2)
    assert asszorti.leader(4, dealer, declarer) == 2
