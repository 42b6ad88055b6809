"""The count: against another that was written from docs/rules/tarokk.md alone, and the worth of an announced hand."""

from dataclasses import fields, replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.base import Payment, Place
from scorekeeper.games.errors import InvalidDeal, NotationError
from scorekeeper.games.tarokk import (
    BOOK,
    GAME,
    Band,
    Contract,
    Deal,
    PaidBy,
    Rules,
    Side,
    Tie,
    amounts,
    check_place,
    deal_from_text,
    deal_to_text,
    payments,
    places,
    reads_as,
    times,
)
from scorekeeper.games.tarokk.announcing import AnnouncedFacts
from scorekeeper.games.tarokk.enums import PLACES
from scorekeeper.games.tarokk.scoring import Amounts, Worth, worth
from tests.games.tarokk.by_the_book import by_the_book, who_pays
from tests.games.tarokk.hands import some_hand, some_rules
from tests.games.vectors import lines
from tests.selection import first

chances = st.randoms(use_true_random=False)


@given(chances)
def test_a_band_counts_as_any_number_in_it(chance: Random) -> None:
    rules = some_rules(chance)
    deal = some_hand(chance, rules)
    if not isinstance(deal.points, int):
        return
    if rules.tie_47 is not Tie.OPPONENTS and Band.of(deal.points) is Band.FROM_24:
        return  # its own vectors
    banded = replace(deal, points=Band.of(deal.points), rules=rules)
    assert amounts(banded, rules) == amounts(deal, rules)
    assert reads_as(banded, deal, rules)
    assert reads_as(deal, banded, rules)


@given(chances)
def test_everything_that_is_noted_makes_another_hand(chance: Random) -> None:
    deal, other = (some_hand(chance, BOOK) for _ in range(2))
    names = {each.name for each in fields(deal)} - {"points"}
    assert not reads_as(deal, other) or all(getattr(deal, name) == getattr(other, name) for name in names)


@given(chances, st.integers(0, 4), st.sampled_from([4, 5]))
def test_seat_that_sits_out_neither_pays_nor_receives(chance: Random, dealer: int, seats: int) -> None:
    rules = some_rules(chance)
    sitting = tuple(chance.sample(range(6), seats))
    dealer = sitting[dealer % seats]
    declarer, deal = chance.choice([seat for seat in sitting if seats == 4 or seat != dealer]), some_hand(chance, rules)
    written = GAME.count(deal, Place(sitting, dealer, declarer), (), rules).entries
    four = places(sitting, dealer, declarer)
    assert {seat for entry in written for seat in (entry.seat, entry.against)} <= set(four)
    expected = amounts(deal, rules)
    for place, seat in enumerate(four):
        got = sum(entry.amount * ((entry.against == seat) - (entry.seat == seat)) for entry in written)
        assert got == expected[place]


HANDS, HOUSES = 4_000, 10


@pytest.mark.parametrize("seed", first(2, range(HOUSES)))
def test_amounts_and_payments_agree_with_the_second_count(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    for number in range(HANDS):
        rules = some_rules(chance) if number % 2 else GAME.PROFILES["book"]
        deal = some_hand(chance, rules)
        text, switches = deal_to_text(deal), {each.switch: each.value for each in GAME.differences(rules)}
        assert by_the_book(text, **switches) == amounts(deal, rules), (text, switches)
        if number % 10 == 0:
            paid = {(each.payer, each.payee): each.points for each in payments(deal, seats=(0, 1, 2, 3), rules=rules)}
            assert who_pays(text, **switches) == paid, (text, switches)


def of(line: str, rules: Rules = BOOK) -> Worth:
    """The worth of a hand before its result is known."""
    deal = deal_from_text(line, rules)
    return worth(deal.contract, AnnouncedFacts(deal.game_kontra, deal.announced, deal.tarokks), times=1, rules=rules)


def items(found: Worth) -> dict[str, tuple[int, int]]:
    return {each.item.letters: (each.done, each.missed) for each in found.items}


def test_items_are_worth_their_value_times_their_kontra() -> None:
    assert items(of("2+2 61")) == {"": (2, -2)}
    assert items(of("1+2 72 R DK T -UK")) == {"": (12, -12), "D": (24, -24), "T": (2, -2), "-U": (20, -20)}
    assert items(of("2+2 53 XR")) == {"": (2, -2), "X": (168, -168)}


def test_tarokks_have_brought_their_amounts_already() -> None:
    assert of("2+2 61").brought == {}
    assert of("2+2 61 8@0").brought == dict.fromkeys((1, 2, 3, None), (3, -1, -1, -1))
    assert of("2+2 61 9@1 8@2").brought[3] == (-3, 5, 1, -3)
    by_side = of("2+2 61 8@1", Rules(tarokks_paid_by=PaidBy.OPPONENTS))
    assert by_side.brought[1] == (1, 1, -1, -1)
    assert by_side.brought[2] == (-1, 1, -1, 1)


def test_every_contract_can_be_asked_about() -> None:
    rules = Rules(tie_47=Tie.KONTRA_NEEDS_48, lone_discards=True)
    won = [worth(contract, rules=rules).plain[None].won for contract in Contract]
    assert won == [(3 * game, -game, -game, -game) for game in (1, 2, 3, 4)]


def test_hand_in_which_nothing_silent_happens_comes_to_the_sum_of_what_its_items_were_worth() -> None:
    chance = Random(48)  # noqa: S311 (chance, and no secret)
    seen = 0
    while seen < 300:
        deal = some_hand(chance, BOOK)
        if deal.is_proba:
            continue
        plain = Deal(deal.contract, deal.partner, 60, deal.game_kontra, deal.announced, tarokks=deal.tarokks)
        seen += 1
        told = AnnouncedFacts(plain.game_kontra, plain.announced, plain.tarokks)
        found = worth(plain.contract, told, partners=(plain.partner,))
        missed = [each for each in found.items if each.item.bonus]
        lost = sum(each.missed * (1 if each.item.side is Side.DECLARERS else -1) for each in missed)
        parts = [found.plain[plain.partner].won, spread(lost, plain), found.brought.get(plain.partner, (0, 0, 0, 0))]
        assert tuple(map(sum, zip(*parts, strict=True))) == amounts(plain)


def spread(points: int, deal: Deal) -> Amounts:
    alone = 3 if deal.partner is None else 1
    zero, one, two, three = (
        points * alone if place == 0 else points if place == deal.partner else -points for place in PLACES
    )
    return zero, one, two, three


# --- The plain-text vectors in vectors/; each file names its content and its source ---


VECTORS = Path(__file__).parent / "vectors"
LINES = list(lines(*sorted(VECTORS.glob("*.txt"))))
SIGNS = (" = ", " ! ", " > ")


def vectors(sign: str) -> pytest.MarkDecorator:
    """The house rules, the deal, and the expected result."""
    found = []
    for name, line in LINES:
        if sign in line:
            given, expected = line.split(sign)
            rules, bar, deal = given.partition("| ")
            found.append(pytest.param(*((rules, deal) if bar else ("", given)), expected, id=name))
    return pytest.mark.parametrize(("rules", "text", "expected"), found)


def test_every_line_is_a_vector_a_comment_or_blank() -> None:
    for name, line in LINES:
        assert sum(sign in line for sign in SIGNS) == 1, name


@vectors(" = ")
def test_deal_counts_as_in_the_vectors(rules: str, text: str, expected: str) -> None:
    house = GAME.rules_from_text(rules)
    deal = deal_from_text(text, house)
    assert amounts(deal, house) == tuple(map(int, expected.split()))
    assert deal_to_text(deal) == text


@vectors(" > ")
def test_payments_are_those_of_the_vectors(rules: str, text: str, expected: str) -> None:
    house = GAME.rules_from_text(rules)
    paid = payments(deal_from_text(text, house), seats=(0, 1, 2, 3), rules=house)
    assert paid == tuple(_payment(words) for words in expected.split(", "))


def _payment(words: str) -> Payment:
    pair, points = words.split()
    payer, payee = pair.split(">")
    return Payment(int(payer), int(payee), int(points))


@vectors(" ! ")
def test_impossible_deal_is_refused_as_in_the_vectors(rules: str, text: str, expected: str) -> None:
    with pytest.raises((InvalidDeal, NotationError)) as refusal:
        deal_from_text(text, GAME.rules_from_text(rules))
    if expected == "malformed":
        assert refusal.type is NotationError
    else:
        assert isinstance(refusal.value, InvalidDeal)
        assert [f"{name} {message.code}" for name, message in refusal.value.errors.items()] == expected.split(", ")


@pytest.mark.parametrize("line", [line for _at, line in lines(VECTORS / "seating" / "proba.txt")])
def test_place_that_is_refused_of_a_new_hand_still_counts_once_recorded(line: str) -> None:
    given, expected = line.split(" ! ")
    seats, dealer, declarer, text = given.split(" | ")
    place, found = Place(tuple(map(int, seats.split())), int(dealer), int(declarer)), ["-"]
    deal = deal_from_text(text)
    try:
        check_place(deal, place, BOOK)
    except InvalidDeal as refused:
        found = [f"{name} {message.code}" for name, message in refused.errors.items()]
    assert found == [expected]
    assert GAME.count(deal, place, GAME.start(BOOK), BOOK).entries


def after_throw_in(standing: tuple[int, ...], seats: int, rules: Rules) -> tuple[int, ...]:
    return GAME.standing_after(None, Place(tuple(range(seats)), 0), standing, rules)


def after_hand(standing: tuple[int, ...]) -> tuple[int, ...]:
    return GAME.standing_after(deal_from_text("2+1 61"), Place((0, 1, 2, 3), 0, 0), standing, BOOK)


def test_doubled_rounds_overlap_twice_at_most_and_run_out_with_the_hands() -> None:
    double = Rules(after_throw_in=True)
    once = after_throw_in(GAME.start(double), 4, double)
    twice = after_throw_in(after_hand(once), 4, double)
    assert (once, twice, after_throw_in(twice, 5, double)) == ((4,), (3, 4), (4, 5))
    assert [times(standing) for standing in (GAME.start(double), once, twice)] == [1, 2, 4]
    assert after_hand((1, 2)) == (1,)
    assert after_throw_in(once, 4, BOOK) == once
    with pytest.raises(ValueError, match="not a standing"):
        GAME.standing_from_text("3 4 4")


def test_competition_rules_are_one_profile() -> None:
    """The values beside which the table says PVSZ, where they are not the first ones."""
    line = "tarokks_paid_by=opponents ladder=4 proba=3 lone_discards=all"
    assert list(GAME.PROFILES) == ["book", "pvsz"]
    assert GAME.rules_from_text(line) == GAME.PROFILES["pvsz"]
    assert GAME.rules_to_text(GAME.PROFILES["pvsz"]) == "pvsz"
    assert [f"{each.switch}={each.value}" for each in GAME.differences(GAME.PROFILES["pvsz"])] == line.split()
