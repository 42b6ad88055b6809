"""The players who may say kontra, rekontra, … and their turns: every legal ladder and every illegal step, against a
table.
"""

from itertools import product

import pytest

from scorekeeper.games.asszorti import Kontra
from scorekeeper.games.asszorti.announcing import Doubling, Item, Said
from scorekeeper.games.asszorti.deal import Sides
from tests.games.refusals import code, refusal

SIDES = Sides(declarer=2, left=0, right=1)
STRANGER = 3
ROLES = {"D": 2, "L": 0, "R": 1}

#: Every possible ladder by the speakers of its steps, and the players who may say the next one. Written from
#: docs/rules/asszorti.md §4: kontra either opponent, rekontra the declarer, szubkontra the OTHER opponent, hirskontra
#: the declarer, mordkontra either opponent.
TABLE = {
    **{"": "LR", "L": "D", "R": "D", "LD": "R", "RD": "L", "LDR": "D", "RDL": "D", "LDRD": "LR", "RDLD": "LR"},
    **dict.fromkeys(["LDRDL", "LDRDR", "RDLDL", "RDLDR"], ""),
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
        assert Doubling.from_text(doubling.to_text()) == doubling
        for item, ladder in ((Item.GAME, game), (Item.ARRIVAZS, arrivazs)):
            for role, seat in ROLES.items():
                assert code(doubling.say, seat, item) == expected_code(ladder, role), (game, arrivazs, role)
            assert code(doubling.say, STRANGER, item) == "not_playing"
            assert doubling.may_say(item) == {ROLES[role]: len(ladder) + 1 for role in TABLE[ladder]}
            assert (doubling.level(item), doubling.speakers(item)) == (len(ladder), tuple(map(ROLES.get, ladder)))
            assert all(doubling.say(seat, item).undo() == doubling for seat in doubling.may_say(item))


def test_arrivazs_that_was_not_announced_cannot_be_doubled() -> None:
    for game in TABLE:
        doubling = said(game, announced=False)
        assert (doubling.items, doubling.may_say(Item.ARRIVAZS)) == ((Item.GAME,), {})
        assert doubling.level(Item.ARRIVAZS) is Kontra.NONE
        assert doubling.at_level(Item.ARRIVAZS, Kontra.NONE) == doubling
        assert code(doubling.at_level, Item.ARRIVAZS, Kontra.KONTRA) == "arrivazs_not_announced"
        for role, seat in ROLES.items():
            assert code(doubling.say, seat, Item.ARRIVAZS) == "arrivazs_not_announced"
            assert code(doubling.say, seat, Item.GAME) == expected_code(game, role)
        assert Doubling.from_text(doubling.to_text()) == doubling


def test_refusal_names_seat_item_and_step() -> None:
    message = refusal(lambda: said("LD").say(SIDES.left, Item.GAME))
    assert message == ("szubkontra_same_opponent", {"seat": 0, "item": "game", "kontra": 3})
    message = refusal(lambda: said("", "L").say(SIDES.right, Item.ARRIVAZS))
    assert message == ("not_his_kontra", {"seat": 1, "item": "arrivazs", "kontra": 2})
    message = refusal(lambda: said("", "LDRDR").say(SIDES.left, Item.ARRIVAZS))
    assert message == ("ladder_end", {"item": "arrivazs"})
    assert refusal(said("").undo).code == "nothing_to_undo"


@pytest.mark.parametrize(("game", "arrivazs"), [("", ""), ("L", ""), ("", "R"), ("LDRDL", "R")])
def test_any_kontra_shows_the_talon_until_the_end_of_the_first_trick(game: str, arrivazs: str) -> None:
    doubling = said(game, arrivazs)
    assert doubling.talon_shown(0) == bool(game or arrivazs)
    assert not any(doubling.talon_shown(played) for played in range(1, 12))


def test_text_reads_as_it_was_said() -> None:
    doubling = said("LD", "R")
    assert doubling.to_text() == "2-0-1 announced game:0 game:2 arrivazs:1"
    assert doubling.said == ((Item.GAME, 0), (Item.GAME, 2), (Item.ARRIVAZS, 1))
    assert all(isinstance(one, Said) for one in doubling.said)


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


def test_steps_that_nobody_was_heard_to_say_are_given_to_the_first_who_may() -> None:
    assert said("").at_level(Item.GAME, Kontra.MORDKONTRA).speakers(Item.GAME) == (0, 2, 1, 2, 0)
    assert said("R").at_level(Item.GAME, Kontra.SZUBKONTRA).speakers(Item.GAME) == (1, 2, 0)
