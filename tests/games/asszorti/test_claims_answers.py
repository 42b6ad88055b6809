"""The players' answers on the split, the moves that a claim allows, and malformed plays."""

import pytest

from scorekeeper.games.asszorti import Arrivazs
from scorekeeper.games.asszorti.play import Outcome, Play
from scorekeeper.games.errors import IllegalMove, MalformedState
from tests.games.asszorti.claim_stories import SIDES, played
from tests.games.refusals import refusal


def asked(story: str = "DDDDDD concede") -> Outcome:
    outcome = played(story).outcome
    assert outcome is not None
    return outcome


def test_table_gives_all_to_one_opponent() -> None:
    assert asked().with_split(SIDES.left).tricks == (6, 5, 0)
    assert asked().with_split(SIDES.right).tricks == (6, 0, 5)


@pytest.mark.parametrize("split", [(left, 5 - left) for left in range(6)])
def test_table_may_split_as_it_likes(split: tuple[int, int]) -> None:
    answered = asked().with_split(split)
    assert answered.tricks == (6, *split)
    assert not answered.must_ask_split
    assert answered.arrivazs is Arrivazs.LOST


def test_table_may_tell_a_split_that_does_not_count() -> None:
    assert asked("DDDD concede").with_split(SIDES.right).tricks == (4, 0, 7)


@pytest.mark.parametrize("split", [(5, 1), (4, 0), (-1, 6), (6, -1)])
def test_split_that_does_not_fit_is_refused(split: tuple[int, int]) -> None:
    assert refusal(lambda: asked().with_split(split)) == ("split_sum", {"sum": sum(split), "needed": 5})


@pytest.mark.parametrize("seat", [SIDES.declarer, 3])
def test_tricks_go_to_no_one_but_an_opponent(seat: int) -> None:
    assert refusal(lambda: asked().with_split(seat)) == ("not_an_opponent", {"seat": seat})


@pytest.mark.parametrize("story", ["DDDDDDL concede", "DDDDDDLR concede", "claim stands", "DDDDDDLLLLL"])
def test_answer_is_refused_where_the_rule_decides(story: str) -> None:
    assert refusal(lambda: asked(story).with_split(SIDES.left)).code == "split_not_asked"


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


def test_arrivazs_is_known_before_the_hand_is_over() -> None:
    assert played("D" * 8).arrivazs_outcome is None
    assert played("D" * 8 + "L").arrivazs_outcome is Arrivazs.LOST
    assert played("D" * 8 + "L claim").arrivazs_outcome is Arrivazs.LOST
    assert played("D claim disputed").arrivazs_outcome is None


def test_nothing_to_undo_at_the_start() -> None:
    assert refusal(played("").undo).code == "nothing_to_undo"


def test_who_does_not_play_wins_nothing() -> None:
    assert refusal(lambda: played("").won(3)).code == "not_playing"


@pytest.mark.parametrize("text", ["", "2-0", "2-0-1 ", "2-0-1 dispute", "2-0-1 2  2", "2-0-1 claim Stands"])
def test_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(MalformedState):
        Play.from_text(text)


def test_text_of_an_impossible_play_is_refused() -> None:
    with pytest.raises(IllegalMove):
        Play.from_text("2-0-1 claim stands 0")


def test_opponents_may_share_what_the_declarer_left_in_any_way() -> None:
    for share in asked().shares:
        assert asked().with_split((share, 5 - share)).tricks == (6, share, 5 - share)
    assert list(asked().shares) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("story", "arrivazs"),
    [
        ("claim stands", Arrivazs.WON),
        ("DDDDDDDDDD claim stands", Arrivazs.WON),
        ("D concede", Arrivazs.LOST),
        ("D claim disputed L", Arrivazs.LOST),
        ("D claim disputed concede", Arrivazs.LOST),
        ("D claim", None),
    ],
)
def test_arrivazs_of_a_hand_that_was_cut_short_is_the_outcomes(story: str, arrivazs: Arrivazs | None) -> None:
    assert played(story).arrivazs_outcome is arrivazs
