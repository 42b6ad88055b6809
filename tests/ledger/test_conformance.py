"""Corrections: for every game a corrected evening has the books, chips and standings of one recorded right at once."""

from contextlib import suppress
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.games import GAMES
from scorekeeper.games.base import Place
from scorekeeper.games.errors import GameError, InvalidDeal
from sessions_app.hand_facts import Facts
from sessions_app.models import Action, Evening, Hand, HandEntry, Revision, User
from sessions_app.readers.evening import hand_history, recount, seating
from sessions_app.readers.evening.hand_history import Push
from sessions_app.readers.evening.recount import facts_of, sheet_of
from sessions_app.readers.evening.seating import sums_of
from sessions_app.writers import ledger
from tests.factories import begun
from tests.games.registered import AnyGame, every_game, some_rules
from tests.ledger.books import assert_verified, nothing_written
from tests.selection import first
from tests.toy.game import GAME
from tests.toy.playing import record, toy_evening

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]

NAMES = ("Anna", "Béla", "Cili", "Dóra", "Edit")
HANDS, CORRECTIONS = 8, 10


def evening_at(game: AnyGame, owner: User, rules: Any) -> Evening:
    return begun(owner, game.key, game.rules_to_text(rules), NAMES[: game.seat_counts[0]])


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


def correct(evening: Evening, owner: User, chance: Random) -> int:
    """Correct a hand, if it can be so; return its number."""
    number = chance.randint(1, HANDS)
    hand = evening.hands.get(number=number)
    if chance.randrange(2):
        with suppress(InvalidDeal):
            ledger.amend(evening.pk, number, facts=some_facts(evening, chance, hand.dealer), by=owner)
    else:
        (ledger.restore if hand.is_void else ledger.void)(evening.pk, number, by=owner)
    return number


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
    every = list(range(1, HANDS + 1))
    for _ in range(CORRECTIONS):
        evening.refresh_from_db()
        version, before = evening.version, entries(evening, every)
        with CaptureQueriesContext(connection) as asked:
            corrected = correct(evening, owner, chance)
        evening.refresh_from_db()
        told = Revision.objects.filter(hand__evening=evening, version__gt=version, action=Action.RECOUNT)
        after = entries(evening, every)
        changed = [at for at, was, now in zip(every, before, after, strict=True) if was != now]
        assert sorted(told.values_list("hand__number", flat=True)) == [at for at in changed if at != corrected]
        assert len(asked) <= 17, "however many hands it changes"
        fresh = evening_at(game, owner, evening.house)
        standing = list(evening.hands.filter(is_void=False).order_by("number"))
        # A hand that may not follow now was written when it might.
        with monkeypatch.context() as patched:
            patched.setattr(game, "may_follow", lambda *_what: None)
            for number, hand in enumerate(standing, 1):
                write(fresh, owner, number, facts_of(hand))
        fresh.refresh_from_db()
        assert evening.sheet == {account: total for account, total in fresh.sheet.items() if any(total)}
        assert (evening.standing, evening.hand_count) == (fresh.standing, fresh.hand_count)
        assert [after[hand.number - 1] for hand in standing] == entries(fresh, list(range(1, len(standing) + 1)))
        standings = evening.hands.filter(is_void=False).order_by("number").values_list("standing", flat=True)
        assert list(standings) == list(fresh.hands.order_by("number").values_list("standing", flat=True))
    assert_verified()


#: House rules under which a hand depends on the earlier ones, so that a correction recounts later hands.
RULES = {"tarokk": "after_throw_in=double"}


def change(evening: Evening, chance: Random, by: User) -> tuple[Push, ...]:
    """Record a hand, or correct one, and return what the phone is told to push."""
    evening.refresh_from_db()
    dealer = chance.choice(evening.sitting)
    if not evening.last_number or chance.randrange(2):
        facts = some_facts(evening, chance, dealer)
        hand = ledger.record(evening.pk, token=uuid4(), number=evening.last_number + 1, facts=facts, by=by)
        return hand_history.pushes_of_hand(sheet_of(hand.entries.all()).items())
    number, was = chance.randint(1, evening.last_number), evening.version
    with suppress(GameError):
        chance.choice(
            [
                lambda: ledger.void(evening.pk, number, by=by),
                lambda: ledger.restore(evening.pk, number, by=by),
                lambda: ledger.amend(
                    evening.pk, number, facts=some_facts(evening, chance, chance.choice(evening.sitting)), by=by
                ),
            ]
        )()
    evening.refresh_from_db()
    if evening.version == was:
        return ()
    told = hand_history.pushes_of_latest_change(evening, number)
    names = list(NAMES[: evening.seats.count()])
    history = hand_history.history_of(evening, evening.hands.get(number=number), names, {}, by)
    assert told == history.entries[0].pushes, "the page of the hand tells the same"
    return told


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.pays_per_hand])
@pytest.mark.parametrize("seed", first(2, range(10)))
def test_whatever_is_played_and_corrected_the_chips_lie_as_the_balances_say(owner: User, key: str, seed: int) -> None:
    game, chance = GAMES[key], Random(seed)  # noqa: S311 -- the same evening each time
    evening = evening_at(game, owner, game.rules_from_text(RULES.get(key, "")))
    Evening.objects.filter(pk=evening.pk).update(in_chips=True)
    lying = dict.fromkeys(range(evening.seats.count()), 0)
    for _change in range(30):
        for push in change(evening, chance, owner):
            assert push.chips > 0
            lying[push.payer] -= push.chips
            lying[push.payee] += push.chips
        evening.refresh_from_db()
        assert lying == evening.game.balances(sums_of(evening), tuple(lying), evening.house)
    assert evening.in_chips


@pytest.fixture
def evening(owner: User) -> Evening:
    return toy_evening(owner)


def written(evening: Evening, number: int) -> dict[tuple[str, int, int | None], int]:
    entries = evening.hands.get(number=number).entries.all()
    return {(entry.account, entry.seat, entry.against): entry.amount for entry in entries}


def test_hand_that_may_not_follow_is_neither_recorded_nor_made_by_a_correction(evening: Evening, owner: User) -> None:
    record(evening, owner, "4/1/0")
    with nothing_written(), pytest.raises(InvalidDeal, match="nobody_won"):
        record(evening, owner, "0", 1)
    record(evening, owner, "+3", 1)
    with nothing_written(), pytest.raises(InvalidDeal, match="nobody_won"):
        ledger.amend(evening.pk, 2, facts=Facts(0, 1, "0"), by=owner)
    record(evening, owner, "0", 1)
    assert_verified()


def test_hand_that_was_possible_when_recorded_stays_and_may_be_corrected_but_not_tapped_anew(
    evening: Evening, owner: User
) -> None:
    record(evening, owner, "+1", 0)
    hand = record(evening, owner, "0", 1)
    deal, place = GAME.deal_from_text("0"), Place(hand.sitting, 0, 1)
    evening.refresh_from_db()
    assert recount.count(evening, deal, place, 3).entries == ()
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "4/1/0"), by=owner)
    evening.refresh_from_db()
    assert recount.count(evening, deal, place, 3, evening.hands.get(number=2)).entries == ()
    with pytest.raises(InvalidDeal, match="nobody_won"):
        recount.count(evening, deal, place, 3)
    assert ledger.amend(evening.pk, 2, facts=Facts(0, 2, "0"), by=owner).deal == "0"
    ledger.void(evening.pk, 2, by=owner)
    ledger.restore(evening.pk, 2, by=owner)
    assert_verified()


def test_agreed_entry_is_no_hand_and_leaves_the_deal(evening: Evening, owner: User) -> None:
    record(evening, owner, "4/1/0")
    evening.refresh_from_db()
    dealer = seating.turn(evening).dealer
    hand = record(evening, owner, "=3/0/0", dealer=dealer, deal_stays=True)
    evening.refresh_from_db()
    assert (hand.kind, hand.is_agreed, hand.is_thrown_in) == (Hand.Kind.AGREED, True, False)
    assert (evening.hand_count, evening.last_number) == (1, 2)
    assert seating.turn(evening).dealer == dealer
    assert written(evening, 2) == {("marks", 0, None): 3}
    ledger.amend(evening.pk, 2, facts=Facts(dealer, None, "3/0/0"), by=owner)
    evening.refresh_from_db()
    assert (evening.hand_count, written(evening, 2)) == (2, {("marks", 0, None): 6})
    assert_verified()
