"""The balances of an evening hand by hand, and its remarkable hands."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from random import Random

import pytest

from scorekeeper.games.amounts import Amount
from scorekeeper.games.measures import Feat, Measure
from sessions_app.models import Evening, User
from sessions_app.readers.evening import result, seating, sheets
from sessions_app.readers.evening.figures import MeasuredHand
from sessions_app.readers.evening.result import BalanceCurve, Extreme, RemarkableHand, select
from sessions_app.writers import ledger
from tests.factories import record
from tests.games.registered import AnyGame, every_game, some_rules
from tests.ledger.books import as_it_is, grow
from tests.ledger.test_conformance import HANDS, correct, evening_at, some_facts, write
from tests.selection import first

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]


def curve_of(evening: Evening, columns: int = 3) -> BalanceCurve:
    return result.balance_curve(as_it_is(evening), columns)


@pytest.mark.parametrize("seed", first(1, range(4)))
@every_game
def test_curve_agrees_with_the_sheet_after_any_correction(game: AnyGame, owner: User, seed: int):
    chance = Random(seed)  # noqa: S311  cards, not keys
    evening = evening_at(game, owner, some_rules(game, chance))
    for number in range(1, HANDS + 1):
        write(evening, owner, number, some_facts(evening, chance, chance.choice(evening.sitting)))
    for _ in range(3):
        correct(evening, owner, chance)
        now = as_it_is(evening)
        names = seating.names_of(now)
        lines, curve = sheets.sheet(now, names, down_to=1).rows, curve_of(evening, len(names))
        counted = {line.number: line.totals for line in lines if not (line.is_void or line.is_thrown_in)}
        assert dict(zip(curve.numbers, zip(*curve.after_each, strict=True), strict=True)) == counted
        assert [each[-1] for each in curve.by_seat] == [seat.balance for seat in seating.seats_of(now)]


def test_curve_and_remarkable_hand_of_an_endless_evening_are_of_its_newest_hands_by_one_query_and_by_three(
    evening: Evening,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: Callable[..., AbstractContextManager[object]],
):
    grow(evening, owner, 30)
    whole = curve_of(evening)
    assert whole.numbers == tuple(range(1, 31))
    monkeypatch.setattr(result, "MOST_READ", 12)
    with django_assert_num_queries(1):
        newest = result.balance_curve(evening, 3)
    assert newest.numbers == whole.numbers[18:]
    assert newest.by_seat == tuple(each[18:] for each in whole.by_seat)
    with django_assert_num_queries(3):
        assert [hand.number for hand in result.remarkable_hands(evening)] == [19], "the first of equal ones"


def test_curve_says_who_leads_since_when_and_whether_there_is_anything_to_draw():
    curve = BalanceCurve((2, 3, 5, 6), ((0, 4, 9, 6, 6), (0, -2, -12, -3, -2), (0, -2, 3, -3, -4)))
    assert (curve.leaders, curve.led_since) == ((0,), 2)
    assert (curve.highest, curve.lowest) == (Extreme(0, 9, 3), Extreme(1, -12, 3))
    turned = BalanceCurve((1, 2, 3, 4), ((0, 4, 2, 2, 1), (0, -2, 3, 4, 5), (0, -2, -5, -6, -6)))
    assert (turned.leaders, turned.led_since) == ((1,), 2)
    tied = BalanceCurve((1, 2), ((0, 4, 3), (0, -2, 3), (0, -2, -6)))
    assert (tied.leaders, tied.led_since) == ((0, 1), 2)
    even = BalanceCurve((1, 2), ((0, 4, 0), (0, -2, 0), (0, -2, 0)))
    assert (even.leaders, even.led_since, even.is_drawn) == ((), None, True)
    assert not BalanceCurve((), ((0,), (0,))).is_drawn
    assert not BalanceCurve((1,), ((0, 4), (0, -4))).is_drawn
    assert not BalanceCurve((1, 2), ((0, 0, 0), (0, 0, 0))).is_drawn


RARE, COMMON = Feat("rare", 9, (0,)), Feat("common", 1, (1,))


def hand(number: int, amounts: Mapping[int, Amount], feats: tuple[Feat, ...]) -> MeasuredHand:
    """A hand with these amounts by seat; seat 0 declared it."""
    names = ("as_declarer", "as_opponent")
    measures = tuple(Measure(names[seat > 0], seat, amount, 1) for seat, amount in amounts.items())
    return MeasuredHand(number, measures, feats)


def test_dearest_hand_comes_first_then_the_rarest_feats_five_at_most():
    hands = [
        hand(1, {0: 2, 1: -2}, (COMMON,)),
        hand(2, {0: 4, 1: -4}, (RARE,)),
        hand(3, {0: -9, 1: 5, 2: 4}, ()),
    ]
    assert select(hands) == (RemarkableHand(3, (), 0, -9), RemarkableHand(2, (RARE,)), RemarkableHand(1, (COMMON,)))
    all_in_one = [hand(1, {0: 6, 1: -6}, (COMMON, RARE))]
    assert select(all_in_one) == (RemarkableHand(1, (RARE, COMMON), 0, 6),), "once, with all its reasons"
    rarer = [hand(number, {0: number}, (Feat(str(number), number, (0,)),)) for number in range(1, 9)]
    assert [hand.number for hand in select(rarer)] == [8, 7, 6, 5, 4]
    assert select([hand(1, {0: 0, 1: 0}, ())]) == select([]) == (), "no hand is the dearest where nobody paid"


def test_first_of_equal_hands_and_feats_is_shown():
    hands = [hand(number, {0: -6, 1: 6}, ()) for number in (1, 2)]
    assert select(hands) == (RemarkableHand(1, (), 1, 6),)
    feats = {1: 1, 2: 3, 3: 3, 4: 2}
    hands = [hand(number, {0: 0}, (Feat("feat", 1, (0,), high),)) for number, high in feats.items()]
    assert select(hands) == (RemarkableHand(2, (Feat("feat", 1, (0,), 3),)),)


def test_hands_that_do_not_count_are_not_remembered(three_hands: Evening, owner: User):
    assert [(hand.number, hand.amount) for hand in result.remarkable_hands(three_hands)] == [(2, -24)]
    record(three_hands, owner, "2H 6-5-0", declarer=0)
    ledger.void(three_hands.pk, 2, by=owner)
    found = result.remarkable_hands(as_it_is(three_hands))
    assert [hand.number for hand in found] == [1, 4]
    assert [feat.code for feat in found[1].feats] == ["six_five_nil"]
