"""The count: its values, the steps by which it explains itself, and the worth of a hand that is still played."""

from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import (
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Trump,
    deal_from_text,
    deal_to_text,
    leader,
    next_dealer,
    opponents,
    payments,
    playing_seats,
    score,
)
from scorekeeper.games.asszorti.announcing import Announcement, Doubling, Item
from scorekeeper.games.asszorti.deal import Sides
from scorekeeper.games.asszorti.scoring import worth
from scorekeeper.games.base import ScoreLine
from scorekeeper.games.errors import GameError, InvalidDeal, NotPlaying


def test_the_steps_of_a_full_count() -> None:
    assert score(deal_from_text("hD 6-5-0 S A-K")).lines == (
        ScoreLine("game", "base", {"contract": "hand", "trump": "diamonds"}, 8),
        ScoreLine("game", "kontra", {"kontra": 3, "factor": 8}, 56),
        ScoreLine("game", "deduction", {"base": 8}, -8),
        ScoreLine("arrivazs", "lost", {}, -8),
        ScoreLine("arrivazs", "kontra", {"kontra": 1, "factor": 2}, -8),
    )


def test_the_step_of_a_plain_game() -> None:
    assert score(deal_from_text("3N 6-4-1")).lines == (
        ScoreLine("game", "base", {"contract": "3", "trump": "none"}, 4),
    )


@pytest.mark.parametrize(("declarer", "opponents"), [(0, (0, 1)), (0, (1, 0)), (0, (1, 1))])
@pytest.mark.parametrize("text", ["2H 7", "2H 6-5-0"])
def test_three_different_seats_are_needed(text: str, declarer: int, opponents: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not all different"):
        payments(deal_from_text(text), declarer=declarer, opponents=opponents)


SIDES = Sides(2, 0, 1)


def doubled(announced: bool, game: Kontra, arrivazs: Kontra) -> Doubling:
    return Doubling(SIDES, announced).at_level(Item.GAME, game).at_level(Item.ARRIVAZS, arrivazs)


kontras = st.sampled_from(Kontra)


@given(st.sampled_from(Contract), st.sampled_from(Trump), kontras, kontras, st.integers(0, 11), st.data())
def test_worth_is_the_count_of_the_hand_that_ends_so(
    contract: Contract, trump: Trump, game: Kontra, on_arrivazs: Kontra, tricks: int, data: st.DataObject
) -> None:
    figures = worth(Announcement(contract, trump, True), doubled(True, game, on_arrivazs))
    outcome = data.draw(st.sampled_from(list(figures.arrivazs)))
    if (outcome is Arrivazs.LOST and tricks == 11) or (outcome is not Arrivazs.LOST and tricks < 3):
        return
    left = data.draw(st.integers(0, 11 - tricks))
    counted = score(Deal(contract, trump, (tricks, left, 11 - tricks - left), game, outcome, on_arrivazs))
    six_five_nil = tricks == 6 and left in (0, 5)
    expected = figures.six_five_nil if six_five_nil else figures.game[tricks]
    assert (counted.game, counted.arrivazs) == (expected, figures.arrivazs[outcome])


# --- Runs the plain-text vectors in `vectors/`; each file names its content and its source ---


VECTORS = Path(__file__).parent / "vectors"


def vectors(sign: str) -> list[ParameterSet]:
    return [
        pytest.param(*line.split(sign), id=f"{path.stem}:{number} {line}")
        for path in sorted(VECTORS.glob("*.txt"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if sign in line and not line.startswith("#")
    ]


def test_every_line_is_a_vector_a_comment_or_blank() -> None:
    for path in VECTORS.glob("*.txt"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not line or line.startswith("#") or (" = " in line) != (" ! " in line), f"{path.name}: {line}"


@pytest.mark.parametrize(("text", "expected"), vectors(" = "))
def test_deal_counts_as_in_the_vectors(text: str, expected: str) -> None:
    deal = deal_from_text(text)
    counted = score(deal)
    game, arrivazs, points = map(int, expected.split())
    assert (counted.game, counted.arrivazs, counted.points) == (game, arrivazs, points)
    assert deal_to_text(deal) == text


@pytest.mark.parametrize(("text", "expected"), vectors(" ! "))
def test_impossible_deal_is_refused_as_in_the_vectors(text: str, expected: str) -> None:
    with pytest.raises(InvalidDeal) as refusal:
        deal_from_text(text)
    found = [f"{name} {message.code}" for name, message in refusal.value.errors.items()]
    assert found == expected.split(", ")


# --- seating ---


@pytest.mark.parametrize(
    ("seats", "dealer", "speaking"),
    [
        (3, 0, (1, 2, 0)),
        (3, 1, (2, 0, 1)),
        (3, 2, (0, 1, 2)),
        (4, 0, (1, 2, 3)),
        (4, 1, (2, 3, 0)),
        (4, 2, (3, 0, 1)),
        (4, 3, (0, 1, 2)),
    ],
)
def test_the_dealers_left_speaks_first(seats: int, dealer: int, speaking: tuple[int, ...]) -> None:
    assert playing_seats(seats, dealer) == speaking


@pytest.mark.parametrize(("seats", "order"), [(3, [1, 2, 0]), (4, [1, 2, 3, 0])])
def test_the_deal_passes_to_the_left(seats: int, order: list[int]) -> None:
    assert [next_dealer(seats, dealer) for dealer in range(seats)] == order


@pytest.mark.parametrize(
    ("seats", "dealer", "declarer", "sides"),
    [
        (3, 0, 0, (1, 2)),
        (3, 0, 1, (2, 0)),
        (3, 0, 2, (0, 1)),
        (4, 0, 1, (2, 3)),
        (4, 0, 2, (3, 1)),
        (4, 0, 3, (1, 2)),
        (4, 2, 3, (0, 1)),
        (4, 2, 0, (1, 3)),
        (4, 2, 1, (3, 0)),
    ],
)
def test_the_opponents_are_left_and_right_among_those_who_play(
    seats: int, dealer: int, declarer: int, sides: tuple[int, int]
) -> None:
    assert opponents(seats, dealer, declarer) == sides
    assert leader(seats, dealer, declarer) == sides[1]


@pytest.mark.parametrize("ask", [opponents, leader])
def test_a_declarer_who_sits_out_is_refused(ask: Callable[[int, int, int], object]) -> None:
    for dealer in range(4):
        with pytest.raises(NotPlaying):
            ask(4, dealer, dealer)
    for stranger in (-1, 3):
        with pytest.raises(GameError):
            ask(3, 0, stranger)
