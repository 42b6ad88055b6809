"""Runs the plain-text vectors in `vectors/`; each file names its content and its source."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.games.base import Payment, Place
from scorekeeper.games.errors import InvalidDeal, NotationError
from scorekeeper.games.tarokk import (
    BOOK,
    GAME,
    Rules,
    amounts,
    check_place,
    deal_from_text,
    deal_to_text,
    payments,
    times,
)

VECTORS = Path(__file__).parent / "vectors"
SIGNS = (" = ", " ! ", " > ")


def lines() -> Iterator[tuple[str, str]]:
    for path in sorted(VECTORS.glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line and not line.startswith("#"):
                yield f"{path.stem}:{number} {line}", line


def vectors(sign: str) -> pytest.MarkDecorator:
    """The house rules, the deal, and the expected result."""
    found = []
    for name, line in lines():
        if sign in line:
            given, expected = line.split(sign)
            rules, bar, deal = given.partition("| ")
            found.append(pytest.param(*((rules, deal) if bar else ("", given)), expected, id=name))
    return pytest.mark.parametrize(("rules", "text", "expected"), found)


def test_every_line_is_a_vector_a_comment_or_blank() -> None:
    for name, line in lines():
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


SEATED = [
    line
    for line in (VECTORS / "seating" / "proba.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize("line", SEATED)
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
