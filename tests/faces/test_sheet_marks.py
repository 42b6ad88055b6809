"""The marks of a hand in its row of the sheet: in words where they have room, else in letters."""

import pytest
from django.utils import translation

from scorekeeper.games import asszorti, preference, tarokk
from scorekeeper.games.base import Place
from sessions_app.faces import FACES, sample_evening
from sessions_app.faces.hand_words import DOT, NARROW_ROW, ROOM, ROW, Mark, marks_beside
from sessions_app.models import User
from sessions_app.readers.evening import seating
from tests.factories import evening_of, record

FOUR = ("Anna", "Béla", "Cili", "Dani")


@pytest.mark.parametrize(
    ("key", "line", "language", "shown"),
    [
        ("asszorti", "2H 7 K", "en", ["kontra ×2"]),
        ("asszorti", "hN 6-5-0 M A+M", "en", ["M×32", "6:5:0", "A+ M×32"]),
        ("tarokk", "2+3 42 K N", "hu", ["kontra ×2", "négy király bukott"]),
        ("tarokk", "1= 54 -t", "hu", ["ellenf. csendes tuletroá"]),
        ("tarokk", "2+2 61 8@1 9@3", "en", ["8T Béla", "9T Dani"]),
        ("preference", "6S wp 7", "en", ["Béla whists"]),
    ],
)
def test_marks_are_words_where_their_row_has_room(key: str, line: str, language: str, shown: list[str]) -> None:
    game = {"asszorti": asszorti, "tarokk": tarokk, "preference": preference}[key].GAME
    deal = game.deal_from_text(line, game.rules_from_text(""))
    with translation.override(language):
        found = FACES[key].form.marks_of(deal, FOUR[: max(game.seat_counts[0], 3)], "")
        texts = [mark.short if found.in_words else mark.text for mark in found.marks]
    assert [text.translate({0x2068: None, 0x2069: None}) for text in texts] == shown


@pytest.mark.parametrize(("length", "in_words"), [(ROOM - 8, True), (ROOM - 7, True), (ROOM - 6, False)])
def test_the_names_beside_the_marks_take_of_their_room(length: int, in_words: bool) -> None:
    found = marks_beside([Mark("", "full", "x" * length)], "Anna")
    assert found.in_words is in_words
    assert len(found.marks) == in_words, "a mark without letters is dropped where there is no room for words"


@pytest.mark.parametrize(
    ("line", "language", "is_said"),
    [
        ("s+3 ++ v", "hu", (True, True)),  # Anna szóló, segítő: Dani, volát
        ("2+3 + K", "hu", (True, False)),
        ("2+3 42 K N", "hu", (False, False)),
        ("3?", "en", (True, True)),
    ],
)
def test_tarokk_deal_is_worded_if_its_row_has_room(line: str, language: str, is_said: tuple[bool, bool]) -> None:
    with translation.override(language):
        found = FACES["tarokk"].form.marks_of(tarokk.deal_from_text(line), FOUR, "")
    assert (found.deal_in_words, found.deal_is_brief) == is_said


@pytest.mark.parametrize(("spare", "has_room"), [(1, True), (0, True), (-1, False)])
def test_the_words_of_a_deal_take_a_third_more_room(spare: int, has_room: bool) -> None:
    said = "x" * 30  # as wide as 40
    mark = Mark("y" * (NARROW_ROW - 40 - DOT - spare), "full", "y" * (ROW - 40 - DOT - spare))
    found = marks_beside([mark], said=said)
    assert (found.deal_in_words, found.deal_is_brief) == (has_room, has_room)
    assert not marks_beside([mark]).deal_in_words, "a row without such words"


# --- The evening that home draws for a first visit: its figures are those of the ledger ---


FACE = next(face for face in FACES.values() if face.sample_hands)


def test_its_figures_are_those_of_the_same_evening_in_the_ledger(owner: User) -> None:
    assert FACE.sample_hands
    sample, recorded = sample_evening(), evening_of(owner, sample_evening().names, FACE.sample_hands.first_dealer)
    for declarer, deal in FACE.sample_hands.hands:
        record(recorded, owner, deal, declarer=declarer)
    recorded.refresh_from_db()
    turn, hand = seating.turn(recorded), recorded.hands.get(number=recorded.last_number)
    assert sample.seats == tuple((seat.name, seat.balance) for seat in seating.seats_of(recorded))
    assert (sample.number + 1, sample.dealer) == (turn.number, turn.dealer)
    game, rules = recorded.game, recorded.house
    counted = game.count(sample.deal, Place((0, 1, 2), hand.dealer, hand.declarer), game.start(rules), rules)
    won = game.balances({entry.of: entry.amount for entry in counted.entries}, (0, 1, 2), rules)
    assert sample.amounts == tuple(won[seat] for seat in range(3))
    assert (hand.declarer, hand.deal) == (sample.declarer, game.deal_to_text(sample.deal))
    assert sample_evening() is sample
    assert hash(sample), "it can be a cache's key"
