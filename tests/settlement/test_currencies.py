"""The coins and notes of each currency are in its smallest unit, and the payments by them are whole."""

import pytest

from sessions_app.words.money import CASH_COINS, CURRENCIES, NOTES


def test_each_currency_has_notes_and_says_to_which_coins_it_is_rounded() -> None:
    assert list(CASH_COINS) == list(NOTES) == list(CURRENCIES)


@pytest.mark.parametrize("currency", CURRENCIES)
def test_a_coin_of_a_currency_is_one_that_there_is_and_every_note_comes_to_it(currency: str) -> None:
    notes = NOTES[currency]
    assert list(notes) == sorted(set(notes))
    for coin in CASH_COINS[currency]:
        assert coin in notes
        assert coin > 1, "the smallest unit rounds nothing"
        assert all(note % coin == 0 for note in notes if note >= coin)
