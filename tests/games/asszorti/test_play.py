"""Eleven tricks: the split, the lead, the last three."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import Arrivazs, Trump
from scorekeeper.games.asszorti.play import Tricks, idegen_can_be_asked
from scorekeeper.games.asszorti.seating import Sides
from scorekeeper.games.errors import IllegalMove, MalformedState
from tests.games.refusals import refusal

SIDES = Sides(declarer=2, left=0, right=1)
ROLES = {"D": 2, "L": 0, "R": 1}


def won(roles: str) -> Tricks:
    """Tricks won by declarer, left and right: `DDL`."""
    tricks = Tricks(SIDES)
    for role in roles:
        tricks = tricks.won(ROLES[role])
    return tricks


def walks(size: int = 11) -> st.SearchStrategy[str]:
    return st.text("DLR", max_size=size)


def test_declarers_right_leads_first_then_the_winner_of_each_trick() -> None:
    assert won("").leader == SIDES.right
    assert won("L").leader == SIDES.left
    assert won("LD").leader == SIDES.declarer
    assert won("D" * 10 + "R").leader is None


def test_declarer_plays_second_to_the_first_trick() -> None:
    for clockwise in ((2, 0, 1), (0, 1, 2), (3, 1, 2)):
        leader = Tricks(Sides.of(clockwise, clockwise[0])).leader
        assert leader is not None
        assert clockwise[clockwise.index(leader) - 2] == clockwise[0]


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


@pytest.mark.parametrize("last", [*map("".join, product("DLR", repeat=3))])
def test_arrivazs_takes_all_of_the_last_three(last: str) -> None:
    tricks = won("DLRDLRDL" + last)
    assert tricks.last_three == tuple(ROLES[role] for role in last)
    assert tricks.arrivazs_outcome is (Arrivazs.WON if last == "DDD" else Arrivazs.LOST)


def test_idegen_is_asked_only_of_an_announced_arrivazs_won_in_a_trump_contract() -> None:
    outcomes = (None, Arrivazs.LOST, Arrivazs.WON)
    for outcome, trump, announced in product(outcomes, Trump, (False, True)):
        expected = (outcome, announced) == (Arrivazs.WON, True) and trump.value != "none"
        assert idegen_can_be_asked(outcome, trump, announced=announced) == expected


@given(walks())
def test_counts_always_sum_to_the_tricks_played(roles: str) -> None:
    tricks = won(roles)
    assert tricks.split == tuple(map(roles.count, "DLR"))
    assert sum(tricks.split) == tricks.played == 11 - tricks.remaining
    assert tricks.is_over == (len(roles) == 11)


@given(walks())
def test_decided_arrivazs_never_changes_again(roles: str) -> None:
    outcomes = [won(roles[:number]).arrivazs_outcome for number in range(len(roles) + 1)]
    decided = [outcome for outcome in outcomes if outcome]
    assert len(set(decided)) <= 1
    assert outcomes[len(outcomes) - len(decided) :] == decided


@given(walks())
def test_text_round_trips(roles: str) -> None:
    assert Tricks.from_text(won(roles).to_text()) == won(roles)


@given(walks(10), st.sampled_from("DLR"))
def test_undo_takes_back_exactly_the_latest_trick(roles: str, role: str) -> None:
    assert won(roles + role).undo() == won(roles)


def test_there_is_no_twelfth_trick() -> None:
    assert refusal(lambda: won("D" * 12)).code == "all_tricks_played"


def test_who_does_not_play_wins_nothing() -> None:
    assert refusal(lambda: won("").won(3)) == ("not_playing", {"seat": 3})


def test_nothing_to_undo_at_the_start() -> None:
    assert refusal(won("").undo).code == "nothing_to_undo"


@pytest.mark.parametrize("text", ["", "2-0", "2-0-1 ", "2-0-1 x", "2-0-1 -1", "2-0-1 00"])
def test_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(MalformedState):
        Tricks.from_text(text)


def test_text_of_impossible_tricks_is_refused() -> None:
    with pytest.raises(IllegalMove):
        Tricks.from_text("2-0-1 3")
