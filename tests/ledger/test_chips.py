"""The chips that are pushed after hands and corrections come to the balances, whatever is corrected in any order."""

from contextlib import suppress
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.errors import GameError
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.readers.evening import hand_history
from sessions_app.readers.evening.hand_counts import sheet_of
from sessions_app.readers.evening.hand_history import Push
from sessions_app.readers.evening.seating import sums_of
from sessions_app.writers import ledger
from sessions_app.writers.evenings import Opening, start
from tests.selection import first

NAMES = ("Anna", "Béla", "Cili", "Dóra")
GAMES_IN_CHIPS = [key for key, game in GAMES.items() if game.pays_per_hand]
#: House rules under which a hand depends on the earlier ones, so that a correction recounts later hands.
RULES = {"tarokk": "after_throw_in=double"}


def started(owner: User, key: str) -> Evening:
    names = NAMES[: max(count for count in GAMES[key].seat_counts if count <= len(NAMES))]
    opening = Opening(names, 0, game_key=key, rules=RULES.get(key, ""), in_chips=True)
    return start(opening, token=uuid4(), by=owner)


def some_facts(evening: Evening, chance: Random) -> Facts:
    dealer = chance.choice(evening.sitting)
    if chance.randrange(4) == 0:
        return Facts(dealer, deal_stays=chance.random() < 0.5)
    declarer, deal = evening.game.likely(chance, evening.sitting, dealer, evening.house)
    return Facts(dealer, declarer, evening.game.deal_to_text(deal))


def change(evening: Evening, chance: Random, by: User) -> tuple[Push, ...]:
    """Record a hand, or correct one, and return what the phone is told to push."""
    evening.refresh_from_db()
    if not evening.last_number or chance.randrange(2):
        facts = some_facts(evening, chance)
        hand = ledger.record(evening.pk, token=uuid4(), number=evening.last_number + 1, facts=facts, by=by)
        return hand_history.pushes_of_hand(sheet_of(hand.entries.all()).items())
    number, was = chance.randint(1, evening.last_number), evening.version
    with suppress(GameError):
        chance.choice(
            [
                lambda: ledger.void(evening.pk, number, by=by),
                lambda: ledger.restore(evening.pk, number, by=by),
                lambda: ledger.amend(evening.pk, number, facts=some_facts(evening, chance), by=by),
            ]
        )()
    evening.refresh_from_db()
    if evening.version == was:
        return ()
    told = hand_history.pushes_of_latest_change(evening, number)
    assert told == of_history(evening, number, by), "the page of the hand tells the same"
    return told


def of_history(evening: Evening, number: int, viewer: User) -> tuple[Push, ...]:
    hand: Any = Hand.objects.get(evening=evening, number=number)
    names = list(NAMES[: evening.seats.count()])
    return hand_history.history_of(evening, hand, names, {}, viewer).entries[0].pushes


@pytest.mark.parametrize("key", GAMES_IN_CHIPS)
@pytest.mark.parametrize("seed", first(2, range(10)))
def test_whatever_is_played_and_corrected_the_chips_lie_as_the_balances_say(owner: User, key: str, seed: int) -> None:
    evening, chance = started(owner, key), Random(seed)  # noqa: S311 -- the same evening each time
    lying = dict.fromkeys(range(evening.seats.count()), 0)
    for _change in range(30):
        for push in change(evening, chance, owner):
            assert push.chips > 0
            lying[push.payer] -= push.chips
            lying[push.payee] += push.chips
        evening.refresh_from_db()
        assert lying == evening.game.balances(sums_of(evening), tuple(lying), evening.house)
    assert evening.in_chips
