"""The players who may say kontra, rekontra, … and their turns: every legal ladder and every illegal step, against a
table.
"""

from itertools import product

import pytest

from scorekeeper.games.asszorti import Kontra
from scorekeeper.games.asszorti.announcing import Doubling, Item, Said
from scorekeeper.games.asszorti.deal import Sides
from scorekeeper.games.errors import IllegalMove, MalformedState
from tests.games.refusals import code, refusal

SIDES = Sides(declarer=2, left=0, right=1)
STRANGER = 3
ROLES = {"D": 2, "L": 0, "R": 1}

#: Every possible ladder by the speakers of its steps, and the players who may say the next one. Written from
#: docs/rules/asszorti.md §4: kontra either opponent, rekontra the declarer, szubkontra the OTHER opponent, hirskontra
#: the declarer, mordkontra either opponent.
TABLE = {
    "": "LR",
    "L": "D",
    "R": "D",
    "LD": "R",
    "RD": "L",
    "LDR": "D",
    "RDL": "D",
    "LDRD": "LR",
    "RDLD": "LR",
    "LDRDL": "",
    "LDRDR": "",
    "RDLDL": "",
    "RDLDR": "",
}


def said(game: str, arrivazs: str = "", *, announced: bool = True) -> Doubling:
    doubling = Doubling(SIDES, announced)
    for item, ladder in ((Item.GAME, game), (Item.ARRIVAZS, arrivazs)):
        for role in ladder:
            doubling = doubling.say(ROLES[role], item)
    return doubling


def expected_code(ladder: str, role: str) -> str | None:
    if role in TABLE[ladder]:
        return None
    if len(ladder) == 5:
        return "ladder_end"
    return "szubkontra_same_opponent" if ladder in ("LD", "RD") and role != "D" else "not_his_kontra"


def test_every_step_of_every_pair_of_ladders_is_taken_or_refused_by_the_table() -> None:
    for game, arrivazs in product(TABLE, TABLE):
        doubling = said(game, arrivazs)
        for role, (item, ladder) in product(ROLES, ((Item.GAME, game), (Item.ARRIVAZS, arrivazs))):
            refused = code(doubling.say, ROLES[role], item)
            assert refused == expected_code(ladder, role), (game, arrivazs, role)


def test_next_kontras_are_those_of_the_table() -> None:
    for game, arrivazs in product(TABLE, TABLE):
        doubling = said(game, arrivazs)
        for item, ladder in ((Item.GAME, game), (Item.ARRIVAZS, arrivazs)):
            step = len(ladder) + 1
            assert doubling.may_say(item) == {ROLES[role]: step for role in TABLE[ladder]}
            assert doubling.level(item) == len(ladder)
            assert doubling.speakers(item) == tuple(ROLES[role] for role in ladder)
            assert Doubling.from_text(doubling.to_text()) == doubling
            assert all(doubling.say(seat, item).undo() == doubling for seat in doubling.may_say(item))


def test_arrivazs_that_was_not_announced_cannot_be_doubled() -> None:
    for game in TABLE:
        doubling = said(game, announced=False)
        assert doubling.items == (Item.GAME,)
        assert doubling.may_say(Item.ARRIVAZS) == {}
        assert doubling.level(Item.ARRIVAZS) is Kontra.NONE
        for seat in SIDES:
            assert code(doubling.say, seat, Item.ARRIVAZS) == "arrivazs_not_announced"
        for role in ROLES:
            assert code(doubling.say, ROLES[role], Item.GAME) == expected_code(game, role)
        assert Doubling.from_text(doubling.to_text()) == doubling


def test_kontra_of_a_seat_that_does_not_play_is_refused() -> None:
    for game, item in product(TABLE, Item):
        assert code(said(game).say, STRANGER, item) == "not_playing"


def test_refusal_names_seat_item_and_step() -> None:
    message = refusal(lambda: said("LD").say(SIDES.left, Item.GAME))
    assert message == ("szubkontra_same_opponent", {"seat": 0, "item": "game", "kontra": 3})
    message = refusal(lambda: said("", "L").say(SIDES.right, Item.ARRIVAZS))
    assert message == ("not_his_kontra", {"seat": 1, "item": "arrivazs", "kontra": 2})
    message = refusal(lambda: said("", "LDRDR").say(SIDES.left, Item.ARRIVAZS))
    assert message == ("ladder_end", {"item": "arrivazs"})


@pytest.mark.parametrize(("game", "arrivazs"), [("L", ""), ("", "R"), ("LDRDL", "R")])
def test_any_kontra_shows_the_talon_until_the_end_of_the_first_trick(game: str, arrivazs: str) -> None:
    doubling = said(game, arrivazs)
    assert doubling.talon_shown(0)
    assert not any(doubling.talon_shown(played) for played in range(1, 12))


def test_talon_stays_hidden_without_a_kontra() -> None:
    assert not said("").talon_shown(0)


# --- properties ---------------------------------------------------------------------------------------------


# --- refusals and the small things --------------------------------------------------------------------------


def test_nothing_to_undo_at_the_start() -> None:
    assert refusal(said("").undo).code == "nothing_to_undo"


def test_text_reads_as_it_was_said() -> None:
    doubling = said("LD", "R")
    assert doubling.to_text() == "2-0-1 announced game:0 game:2 arrivazs:1"
    assert doubling.said == ((Item.GAME, 0), (Item.GAME, 2), (Item.ARRIVAZS, 1))
    assert all(isinstance(one, Said) for one in doubling.said)


@pytest.mark.parametrize(
    "text",
    ["", "2-0", "2-0-1 ", "2-0-1 games:0", "2-0-1 game", "2-0-1 game:x", "2-0-1 game:0 announced"],
)
def test_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(MalformedState):
        Doubling.from_text(text)


@pytest.mark.parametrize("text", ["2-0-1 game:2", "2-0-1 arrivazs:0", "2-0-1 game:0 game:2 game:0"])
def test_text_of_an_impossible_doubling_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove):
        Doubling.from_text(text)


# --- Levels without speakers ---


def test_every_level_is_reached_from_every_level_and_the_other_item_stays() -> None:
    for game, arrivazs in product(TABLE, TABLE):
        doubling = said(game, arrivazs)
        for level in Kontra:
            moved = doubling.at_level(Item.ARRIVAZS, level)
            assert (moved.level(Item.GAME), moved.level(Item.ARRIVAZS)) == (len(game), level)
            assert moved.speakers(Item.GAME) == doubling.speakers(Item.GAME)
            shared = min(level, len(arrivazs))
            assert moved.speakers(Item.ARRIVAZS)[:shared] == doubling.speakers(Item.ARRIVAZS)[:shared]
            assert Doubling.from_text(moved.to_text()) == moved


def test_steps_that_nobody_was_heard_to_say_are_given_to_the_first_who_may() -> None:
    assert said("").at_level(Item.GAME, Kontra.MORDKONTRA).speakers(Item.GAME) == (0, 2, 1, 2, 0)
    assert said("R").at_level(Item.GAME, Kontra.SZUBKONTRA).speakers(Item.GAME) == (1, 2, 0)


def test_level_of_an_arrivazs_that_was_not_announced_is_none() -> None:
    doubling = said("LD", announced=False)
    assert doubling.at_level(Item.ARRIVAZS, Kontra.NONE) == doubling
    assert refusal(lambda: doubling.at_level(Item.ARRIVAZS, Kontra.KONTRA)).code == "arrivazs_not_announced"
