"""Claims and concessions, against the cases of docs/rules/asszorti.md §7 and against a model on strings."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti.play import Outcome, Play
from tests.games.asszorti.claim_stories import SIDES, played
from tests.games.refusals import code, refusal, vectors


def told(outcome: Outcome | None) -> str:
    """An outcome as the vectors write it."""
    if outcome is None:
        return "open"
    split = "-".join("?" if number is None else str(number) for number in outcome.tricks)
    return f"{split} {outcome.arrivazs}" + (" ask" if outcome.must_ask_split else "")


@pytest.mark.parametrize(("story", "expected"), vectors("claims.txt"))
def test_tricks_end_as_in_the_vectors(story: str, expected: str) -> None:
    if expected.startswith("refused"):
        assert f"refused {refusal(lambda: played(story)).code}" == expected
    else:
        assert told(played(story).outcome) == expected
        assert played(story).is_over == (expected != "open")


# --- a model that only knows strings of D, L and R ----------------------------------------------------------


class Told(NamedTuple):
    """A hand with a claim after `before`; `later` are the tricks played after a dispute."""

    before: str
    said: str
    later: str = ""

    @property
    def story(self) -> str:
        return f"{self.before} {self.said} {self.later}"


def model(hand: Told) -> str:
    rest = 11 - len(hand.before)
    if hand.said == "claim stands" or hand.later == "D" * rest:
        whole = hand.before + "D" * rest
        return f"{counts(whole)} {'won' if whole.endswith('DDD') else 'lost'}"
    with_a_trick = [role for role in "LR" if role in hand.before]
    if with_a_trick:
        return f"{counts(hand.before + with_a_trick[0] * rest)} lost"
    return f"{len(hand.before)}-?-? lost" + (" ask" if len(hand.before) == 6 else "")


def counts(whole: str) -> str:
    return "-".join(str(whole.count(role)) for role in "DLR")


def endings(before: str) -> list[Told]:
    """Every claim or concession after these tricks, with every way in which a disputed one can end."""
    rest = 11 - len(before)
    later = ["D" * won + role for won in range(rest) for role in "LR"] + ["D" * rest]
    disputed = [Told(before, "claim disputed", played_on) for played_on in later]
    return [Told(before, "claim stands"), Told(before, "concede"), *disputed]


def befores(longest: int = 10) -> st.SearchStrategy[str]:
    return st.text("DLR", max_size=longest)


@pytest.mark.parametrize("number", range(7))
def test_every_claim_in_the_first_seven_tricks_ends_as_in_the_model(number: int) -> None:
    for before in map("".join, product("DLR", repeat=number)):
        for hand in endings(before):
            assert told(played(hand.story).outcome) == model(hand), hand


@pytest.mark.parametrize("eight", ["D" * 8, "L" * 8, "DDDDDDLR", "DDDDDDRR", "DDDDRRRR"])
def test_every_claim_within_the_last_three_ends_as_in_the_model(eight: str) -> None:
    for number in range(3):
        for before in map("".join, product("DLR", repeat=number)):
            for hand in endings(eight + before):
                assert told(played(hand.story).outcome) == model(hand), hand


@given(befores().flatmap(lambda before: st.sampled_from(endings(before))))
def test_any_claim_ends_as_in_the_model(hand: Told) -> None:
    assert told(played(hand.story).outcome) == model(hand)


# --- properties ---------------------------------------------------------------------------------------------

MOVES = ("won 0", "won 1", "won 2", "claim", "stands", "dispute", "concede")


def moved(play: Play, move: str) -> Play:
    match move.split():
        case ["won", seat]:
            return play.won(int(seat))
        case ["claim"]:
            return play.claim()
        case ["stands"]:
            return play.stands()
        case ["dispute"]:
            return play.dispute()
        case _:
            return play.concede()


def legal(play: Play) -> list[str]:
    return [move for move in MOVES if code(moved, play, move) is None]


@st.composite
def plays(draw: st.DrawFn) -> Play:
    play = Play.start(SIDES)
    for _ in range(draw(st.integers(0, 14))):
        moves = legal(play)
        if moves:
            play = moved(play, draw(st.sampled_from(moves)))
    return play


@given(plays())
def test_tricks_sum_to_eleven_however_the_hand_ends(play: Play) -> None:
    if play.outcome is None:
        return
    declarer, left, right = play.outcome.tricks
    assert 0 <= declarer <= 11
    assert (left is None) == (right is None)
    if left is not None and right is not None:
        assert declarer + left + right == 11
        assert min(left, right) >= 0


@given(plays())
def test_nobody_ends_with_fewer_tricks_than_he_had_at_the_claim(play: Play) -> None:
    if play.outcome is None:
        return
    had = (play.tricks.first(play.claimed.after) if play.claimed else play.tricks).split
    for before, after in zip(had, play.outcome.tricks, strict=True):
        assert after is None or after >= before


@given(plays())
def test_deduction_never_hangs_on_the_convention(play: Play) -> None:
    """A split that was chosen and not ruled, with both having a trick, is never 6:5:0."""
    if play.outcome and play.claimed and all(play.tricks.first(play.claimed.after).split[1:]):
        assert 0 not in play.outcome.tricks[1:]


@given(plays())
def test_hand_is_over_exactly_when_nothing_can_be_done(play: Play) -> None:
    assert play.is_over == (not legal(play))
    if play.is_over:
        assert {code(moved, play, move) for move in MOVES} == {"hand_over"}


@given(plays())
def test_what_may_be_done_is_what_is_not_refused(play: Play) -> None:
    moves = legal(play)
    assert play.may_claim == ("claim" in moves)
    assert play.may_concede == ("concede" in moves)
    assert play.may_answer == ("stands" in moves) == ("dispute" in moves)
    assert (play.leader is not None) == ("won 0" in moves)


@given(plays())
def test_undo_takes_back_exactly_the_latest_move(play: Play) -> None:
    for move in legal(play):
        assert moved(play, move).undo() == play


@given(plays())
def test_text_round_trips(play: Play) -> None:
    assert Play.from_text(play.to_text()) == play


@given(plays())
def test_decided_arrivazs_is_what_the_hand_ends_with(play: Play) -> None:
    for move in legal(play):
        if play.arrivazs_outcome is not None:
            assert moved(play, move).arrivazs_outcome is play.arrivazs_outcome


@pytest.mark.parametrize(
    ("story", "possible"),
    [
        ("", set(range(12))),
        ("DDL", set(range(2, 11))),
        ("DDDDDDLLLL", {6, 7}),
        ("DL claim", {1, 10}),
        ("D claim stands", {11}),
        ("DL concede", {1}),
        ("DL claim disputed", {1, 10}),
        ("DL claim disputed DDD", {1, 10}),
        ("D claim disputed DL", {1}),
        ("DDDDDDLLLLL", {6}),
    ],
)
def test_numbers_of_tricks_that_the_declarer_may_end_with(story: str, possible: set[int]) -> None:
    assert played(story).possible == possible


def ends(play: Play) -> set[int]:
    """Every number that any way to go on from here ends with."""
    if play.outcome:
        return {play.outcome.declarer}
    return set().union(*(ends(moved(play, move)) for move in legal(play)))


@pytest.mark.parametrize("before", ["D" * 7, "DDDDDDL", "LLLLRRR", "DLRDLRD"])
def test_he_may_end_with_just_what_some_way_to_go_on_ends_with(before: str) -> None:
    play = played(before)
    for position in (play, play.claim(), play.claim().dispute(), play.claim().dispute().won(SIDES.declarer)):
        assert position.possible == ends(position)


def positions(play: Play) -> Iterator[Play]:
    """This and every position that some way to go on leads to."""
    yield play
    for move in legal(play):
        yield from positions(moved(play, move))


@pytest.mark.parametrize("before", ["DDDDDDDD", "DDDDDDLL", "LLLLRRRR"])
def test_every_position_of_the_last_three_tricks_keeps_the_properties(before: str) -> None:
    """By chance hardly any hand has a disputed claim that is played out."""
    for play in positions(played(before)):
        assert play.possible == ends(play)
        assert Play.from_text(play.to_text()) == play
        for move in legal(play):
            after = moved(play, move)
            assert after.undo() == play
            assert play.arrivazs_outcome in (None, after.arrivazs_outcome)
