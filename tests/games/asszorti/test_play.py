"""The tricks of a hand, and the claims and concessions that end it (docs/rules/asszorti.md §7)."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import Arrivazs
from scorekeeper.games.asszorti.deal import Sides
from scorekeeper.games.asszorti.play import Outcome, Play, Tricks
from scorekeeper.games.errors import IllegalMove, MalformedState
from tests.games.refusals import code, refusal, vectors

SIDES = Sides(declarer=2, left=0, right=1)
ROLES = {"D": 2, "L": 0, "R": 1}


def played(story: str) -> Play:
    """The play that `DDL claim disputed D` tells."""
    words = [word if word.islower() else " ".join(str(ROLES[role]) for role in word) for word in story.split()]
    return Play.from_text(" ".join(("2-0-1", *words)))


def won(roles: str) -> Tricks:
    """Tricks won by declarer, left and right: `DDL`."""
    tricks = Tricks(SIDES)
    for role in roles:
        tricks = tricks.won(ROLES[role])
    return tricks


def test_declarers_right_leads_first_then_the_winner_of_each_trick() -> None:
    assert won("").leader == SIDES.right
    assert won("L").leader == SIDES.left
    assert won("LD").leader == SIDES.declarer
    assert won("D" * 10 + "R").leader is None


def test_split_counts_what_each_has_won_so_far() -> None:
    assert won("").split == (0, 0, 0)
    assert won("DLRDD").split == (3, 1, 1)
    assert won("DDDDDDLLLLL").split == (6, 5, 0)


@pytest.mark.parametrize(
    ("roles", "outcome"),
    [
        ("", None),
        ("L" * 8, None),
        ("L" * 8 + "D", None),
        ("L" * 8 + "DD", None),
        ("L" * 8 + "DDD", Arrivazs.WON),
        ("D" * 8 + "L", Arrivazs.LOST),
        ("D" * 8 + "R", Arrivazs.LOST),
        ("D" * 8 + "DL", Arrivazs.LOST),
        ("D" * 8 + "DDR", Arrivazs.LOST),
        ("D" * 8 + "LDD", Arrivazs.LOST),
        ("D" * 7 + "LDDD", Arrivazs.WON),
    ],
)
def test_arrivazs_is_lost_or_won_as_soon_as_it_is_decided(roles: str, outcome: Arrivazs | None) -> None:
    assert won(roles).arrivazs_outcome is outcome


def test_there_is_no_twelfth_trick() -> None:
    assert refusal(lambda: won("D" * 12)).code == "all_tricks_played"


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


@pytest.mark.parametrize("number", range(5))
def test_every_claim_in_the_first_five_tricks_ends_as_in_the_model(number: int) -> None:
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
def test_hand_is_over_exactly_when_nothing_can_be_done(play: Play) -> None:
    assert play.is_over == (not legal(play))
    if play.is_over:
        assert {code(moved, play, move) for move in MOVES} == {"hand_over"}


@given(plays())
def test_moves_offered_are_those_that_are_not_refused(play: Play) -> None:
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


def asked(story: str = "DDDDDD concede") -> Outcome:
    outcome = played(story).outcome
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("left", [-1, 6])
def test_split_that_does_not_fit_is_refused(left: int) -> None:
    assert refusal(lambda: asked().with_left(left)) == ("split_sum", {"sum": left, "needed": 5})


@pytest.mark.parametrize("story", ["DDDDDDL concede", "DDDDDDLR concede", "claim stands", "DDDDDDLLLLL"])
def test_answer_is_refused_where_the_rule_decides(story: str) -> None:
    assert refusal(lambda: asked(story).with_left(0)).code == "split_not_asked"


def test_declarers_cards_lie_open_while_a_disputed_claim_is_played() -> None:
    assert played("D claim disputed").cards_open
    assert played("D claim disputed D").cards_open
    for story in ("D", "D claim", "D claim disputed L", "D claim disputed concede", "D claim stands"):
        assert not played(story).cards_open


def test_winner_goes_on_leading_in_a_disputed_claim() -> None:
    assert played("DL claim").leader is None
    assert played("DL claim disputed").leader == SIDES.left
    assert played("DL claim disputed D").leader == SIDES.declarer
    assert played("DL claim disputed R").leader is None


def test_nothing_to_undo_at_the_start() -> None:
    assert refusal(played("").undo).code == "nothing_to_undo"


def test_trick_of_a_seat_that_does_not_play_is_refused() -> None:
    assert refusal(lambda: played("").won(3)).code == "not_playing"


@pytest.mark.parametrize("text", ["", "2-0", "2-0-1 ", "2-0-1 dispute", "2-0-1 2  2", "2-0-1 claim Stands"])
def test_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(MalformedState):
        Play.from_text(text)


def test_text_of_an_impossible_play_is_refused() -> None:
    with pytest.raises(IllegalMove):
        Play.from_text("2-0-1 claim stands 0")
