"""The count, against another that was written from docs/rules/tarokk.md alone: 100,000 hands of any kind."""

from random import Random

import pytest

from scorekeeper.games.tarokk import GAME, amounts, deal_to_text, payments
from tests.games.tarokk.by_the_book import by_the_book, who_pays
from tests.games.tarokk.hands import some_hand
from tests.games.tarokk.test_properties import some_rules
from tests.selection import first

HANDS, HOUSES = 4_000, 25


@pytest.mark.parametrize("seed", first(2, range(HOUSES)))
def test_both_agree(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    for number in range(HANDS):
        rules = some_rules(chance) if number % 2 else GAME.PROFILES["book"]
        deal = some_hand(chance, rules)
        text, switches = deal_to_text(deal), {each.switch: each.value for each in GAME.differences(rules)}
        assert by_the_book(text, **switches) == amounts(deal, rules), (text, switches)
        if number % 10 == 0:
            paid = {(each.payer, each.payee): each.points for each in payments(deal, seats=(0, 1, 2, 3), rules=rules)}
            assert who_pays(text, **switches) == paid, (text, switches)
