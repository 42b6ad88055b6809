"""The tricks of a hand, and the claims and concessions that end it (docs/rules/asszorti.md §7)."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import Arrivazs
from scorekeeper.games.asszorti.play import Outcome, Play
from tests.games.asszorti.test_announcing import ROLES, SIDES
from tests.games.refusals import code, refusal
from tests.games.vectors import referee_vectors


def played(story: str) -> Play:
    """The play that `DDL claim disputed D` tells."""
    words = [word if word.islower() else " ".join(str(ROLES[role]) for role in word) for word in story.split()]
    return Play.from_text(" ".join(("2-0-1", *words)))


@pytest.mark.parametrize(
    ("roles", "leader", "split"),
    [
        ("", SIDES.right, (0, 0, 0)),
        ("L", SIDES.left, (0, 1, 0)),
        ("DLRDD", SIDES.declarer, (3, 1, 1)),
        ("DDDDDDLLLLL", None, (6, 5, 0)),
    ],
)
def test_declarers_right_leads_first_then_the_winner_of_each_trick(
    roles: str, leader: int | None, split: tuple[int, int, int]
) -> None:
    assert (played(roles).leader, played(roles).split) == (leader, split)


@pytest.mark.parametrize(
    ("outcome", "roles"),
    [
        (None, ["", "L" * 8, "L" * 8 + "D", "L" * 8 + "DD"]),
        (Arrivazs.WON, ["L" * 8 + "DDD", "D" * 7 + "LDDD"]),
        (Arrivazs.LOST, [f"{'D' * 8}{last}" for last in ("L", "R", "DL", "DDR", "LDD")]),
    ],
)
def test_arrivazs_is_lost_or_won_as_soon_as_it_is_decided(outcome: Arrivazs | None, roles: list[str]) -> None:
    assert [played(each).arrivazs_outcome for each in roles] == [outcome] * len(roles)


def told(outcome: Outcome | None) -> str:
    """An outcome as the vectors write it."""
    if outcome is None:
        return "open"
    split = "-".join("?" if number is None else str(number) for number in outcome.tricks)
    return f"{split} {outcome.arrivazs}" + (" ask" if outcome.must_ask_split else "")


@pytest.mark.parametrize(("story", "expected"), referee_vectors("asszorti", "claims.txt"))
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


@pytest.mark.parametrize("first", ["", "D" * 8, "L" * 8, "DDDDDDLR", "DDDDDDRR", "DDDDRRRR"])
def test_every_claim_early_and_within_the_last_three_ends_as_in_the_model(first: str) -> None:
    for number in range(3 if first else 5):
        for before in map("".join, product("DLR", repeat=number)):
            for hand in endings(first + before):
                assert told(played(hand.story).outcome) == model(hand), hand


@given(st.text("DLR", min_size=5, max_size=8).flatmap(lambda before: st.sampled_from(endings(before))))
def test_any_claim_ends_as_in_the_model(hand: Told) -> None:
    assert told(played(hand.story).outcome) == model(hand)


# --- properties ---------------------------------------------------------------------------------------------

MOVES = ("won 0", "won 1", "won 2", "claim", "stands", "dispute", "concede")


def moved(play: Play, move: str) -> Play:
    name, *seat = move.split()
    after: Play = getattr(play, name)(*map(int, seat))
    return after


def legal(play: Play) -> list[str]:
    return [move for move in MOVES if code(moved, play, move) is None]


def require_sound(play: Play) -> None:
    """The moves offered are those that are not refused, the text is read back, and undo takes back one move."""
    moves = legal(play)
    assert play.is_over == (not moves)
    assert moves or {code(moved, play, move) for move in MOVES} == {"hand_over"}
    assert play.may_claim == ("claim" in moves)
    assert play.may_concede == ("concede" in moves)
    assert play.may_answer == ("stands" in moves) == ("dispute" in moves)
    assert (play.leader is not None) == ("won 0" in moves)
    assert Play.from_text(play.to_text()) == play
    for move in moves:
        after = moved(play, move)
        assert after.undo() == play
        assert play.arrivazs_outcome in (None, after.arrivazs_outcome)


@st.composite
def plays(draw: st.DrawFn) -> Play:
    play = Play(SIDES)
    for _ in range(draw(st.integers(0, 14))):
        moves = legal(play)
        if moves:
            play = moved(play, draw(st.sampled_from(moves)))
    return play


@given(plays())
def test_any_position_is_sound(play: Play) -> None:
    require_sound(play)


def ends(play: Play) -> set[int]:
    """Every number that any way to go on from here ends with."""
    if play.outcome:
        return {play.outcome.declarer}
    return set().union(*(ends(moved(play, move)) for move in legal(play)))


def positions(play: Play) -> Iterator[Play]:
    """This and every position that some way to go on leads to."""
    yield play
    for move in legal(play):
        yield from positions(moved(play, move))


@pytest.mark.parametrize("before", ["DDDDDDDD", "DDDDDDLL", "LLLLRRRR"])
def test_every_position_of_the_last_three_tricks_is_sound_and_knows_where_it_may_end(before: str) -> None:
    """By chance hardly any hand has a disputed claim that is played out."""
    for play in positions(played(before)):
        assert play.possible == ends(play)
        require_sound(play)


@pytest.mark.parametrize(
    ("story", "possible"),
    [
        ("", set(range(12))),
        ("DDL", set(range(2, 11))),
        ("DL claim", {1, 10}),
        ("D claim stands", {11}),
        ("DL concede", {1}),
        ("DL claim disputed DDD", {1, 10}),
        ("D claim disputed DL", {1}),
    ],
)
def test_numbers_of_tricks_that_the_declarer_may_end_with(story: str, possible: set[int]) -> None:
    assert played(story).possible == possible


def asked(story: str = "DDDDDD concede") -> Outcome:
    outcome = played(story).outcome
    assert outcome is not None
    return outcome


def test_split_is_answered_only_where_it_is_asked_and_fits() -> None:
    for left in (-1, 6):
        assert refusal(lambda left=left: asked().with_left(left)) == ("split_sum", {"sum": left, "needed": 5})
    for story in ("DDDDDDL concede", "DDDDDDLR concede", "claim stands", "DDDDDDLLLLL"):
        assert code(asked(story).with_left, 0) == "split_not_asked"


def test_declarers_cards_lie_open_while_a_disputed_claim_is_played_and_its_winner_leads() -> None:
    assert played("D claim disputed").cards_open
    assert played("D claim disputed D").cards_open
    for story in ("D", "D claim", "D claim disputed L", "D claim disputed concede", "D claim stands"):
        assert not played(story).cards_open
    leaders = {"DL claim": None, "DL claim disputed": 0, "DL claim disputed D": 2, "DL claim disputed R": None}
    assert {story: played(story).leader for story in leaders} == leaders


def test_impossible_move_is_refused() -> None:
    assert refusal(lambda: played("D" * 12)).code == "hand_over"
    assert refusal(played("").undo).code == "nothing_to_undo"
    assert refusal(lambda: played("").won(3)).code == "not_playing"
