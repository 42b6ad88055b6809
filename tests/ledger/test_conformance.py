"""For every game, a corrected evening has the same books as one recorded right at once."""

from contextlib import suppress
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.games.errors import InvalidDeal
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, HandEntry, User
from sessions_app.readers.evening.hand_counts import facts_of
from sessions_app.writers import ledger
from sessions_app.writers.evenings import Opening, start
from tests.games.registered import AnyGame, every_game, some_rules
from tests.ledger.books import assert_verified
from tests.selection import first

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]

NAMES = ("Anna", "Béla", "Cili", "Dóra", "Edit")
HANDS, CORRECTIONS = 8, 10


def evening_at(game: AnyGame, owner: User, rules: Any) -> Evening:
    opening = Opening(NAMES[: game.seat_counts[0]], 0, game_key=game.key, rules=game.rules_to_text(rules))
    return start(opening, token=uuid4(), by=owner)


def some_facts(evening: Evening, chance: Random, dealer: int) -> Facts:
    if chance.randrange(6) == 0:
        return Facts(dealer, deal_stays=chance.choice(evening.game.redeals) == "stays")
    declarer, deal = evening.game.likely(chance, evening.sitting, dealer, evening.house)
    return Facts(dealer, declarer, evening.game.deal_to_text(deal), evening.game.is_agreed(deal))


def write(evening: Evening, owner: User, number: int, facts: Facts) -> None:
    """Record it, or, where it may not follow the standing, a hand thrown in."""
    try:
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    except InvalidDeal:
        ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(facts.dealer), by=owner)


def correct(evening: Evening, owner: User, chance: Random) -> None:
    number = chance.randint(1, HANDS)
    hand = evening.hands.get(number=number)
    if chance.randrange(2):
        with suppress(InvalidDeal):
            ledger.amend(evening.pk, number, facts=some_facts(evening, chance, hand.dealer), by=owner)
    else:
        (ledger.restore if hand.is_void else ledger.void)(evening.pk, number, by=owner)


def entries(evening: Evening, numbers: list[int]) -> list[set[Any]]:
    """The entries of the hands of these numbers."""
    columns = ("account", "seat", "against", "amount", "reason")
    of_hand = HandEntry.objects.filter(hand__evening=evening)
    return [set(of_hand.filter(hand__number=number).values_list(*columns)) for number in numbers]


@pytest.mark.parametrize("seed", first(1, range(4)))
@every_game
def test_a_corrected_evening_is_one_that_was_written_right(
    game: AnyGame, owner: User, seed: int, monkeypatch: pytest.MonkeyPatch
):
    chance = Random(seed)  # noqa: S311  cards, not keys
    evening = evening_at(game, owner, some_rules(game, chance))
    for number in range(1, HANDS + 1):
        write(evening, owner, number, some_facts(evening, chance, chance.choice(evening.sitting)))
    for _ in range(CORRECTIONS):
        correct(evening, owner, chance)
        fresh = evening_at(game, owner, evening.house)
        standing = list(evening.hands.filter(is_void=False).order_by("number"))
        # A hand that may not follow now was written when it might.
        with monkeypatch.context() as patched:
            patched.setattr(game, "may_follow", lambda *_what: None)
            for number, hand in enumerate(standing, 1):
                write(fresh, owner, number, facts_of(hand))
        evening.refresh_from_db()
        fresh.refresh_from_db()
        assert evening.sheet == {account: total for account, total in fresh.sheet.items() if any(total)}
        assert (evening.standing, evening.hand_count) == (fresh.standing, fresh.hand_count)
        numbers = [hand.number for hand in standing]
        assert entries(evening, numbers) == entries(fresh, list(range(1, len(numbers) + 1)))
        standings = evening.hands.filter(is_void=False).order_by("number").values_list("standing", flat=True)
        assert list(standings) == list(fresh.hands.order_by("number").values_list("standing", flat=True))
    assert_verified()
