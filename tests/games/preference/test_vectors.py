"""Runs the plain-text vectors in `vectors/`; each file names its content and its source."""

from fractions import Fraction

import pytest

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.errors import InvalidDeal, NotationError, NotPlaying
from scorekeeper.games.preference import (
    GAME,
    balances,
    check_seats,
    count,
    deal_from_text,
    deal_to_text,
    may_follow,
    pairwise,
    participants,
    places,
    playing_seats,
    sheet_from_text,
    sheet_to_text,
    standing_to_text,
)
from scorekeeper.money.settlement import in_whole_units
from tests.games.preference.hands import VECTORS, Given, rules_and_seats, seats_of, summed, vectors
from tests.games.vectors import lines

SIGNS = (" = ", " ! ", " > ", " : ", " ~ ", " ; ")
EVENINGS = "evenings.txt"


def test_every_line_is_a_vector_a_comment_or_blank() -> None:
    for path in sorted(VECTORS.glob("*.txt")):
        for at, line in lines(path):
            assert any(sign in f"{line} " for sign in SIGNS) or (path.name == EVENINGS and "|" in line), at


@vectors("worked.txt", "switches.txt", "aid.txt", "errata.txt", sign=" = ")
def test_deal_counts_as_in_the_vectors(given: str, expected: str) -> None:
    hand = Given.of(given)
    counted = hand.count()
    entries, semicolon, standing = expected.partition(";")
    assert (sheet_to_text(summed(counted.entries)) or "-") == entries.strip()
    if semicolon:
        assert standing_to_text(counted.standing) == standing.strip()
    assert deal_to_text(deal_from_text(hand.text, hand.rules)) == hand.text


@vectors("explained.txt", sign=" = ")
def test_score_lines_are_those_of_the_vectors(given: str, expected: str) -> None:
    assert ", ".join(map(written, Given.of(given).count().lines)) == expected


def written(line: ScoreLine) -> str:
    against = f">{line.params['against']}" if "against" in line.params else ""
    letter = str(line.params["account"])[0].upper()
    return f"{line.item} {line.code} {letter}{line.params['seat']}{against}{line.amount:+}"


@vectors("refused.txt", sign=" ! ")
def test_impossible_deal_is_refused_as_in_the_vectors(given: str, expected: str) -> None:
    hand, found = Given.of(given), ["-"]
    try:
        deal = deal_from_text(hand.text, hand.rules)
        check_seats(deal, hand.seats, hand.dealer, hand.declarer, hand.rules)
        may_follow(deal, hand.standing, hand.rules)
    except InvalidDeal as refused:
        found = [f"{name} {message.code}" for name, message in refused.errors.items()]
    assert found == expected.split(", ")


@vectors("spelling.txt", sign=" ! ")
def test_no_other_spelling_is_read(given: str, expected: str) -> None:
    rules, _seats = rules_and_seats(given.partition("|")[0])
    with pytest.raises(NotationError):
        deal_from_text(given.partition("| ")[2], rules)
    assert expected == "malformed"


@vectors("spelling.txt", sign=" : ")
def test_a_deal_is_written_as_it_is_read(given: str, expected: str) -> None:
    house, _bar, text = given.partition("| ")
    rules, _seats = rules_and_seats(house)
    assert deal_to_text(deal_from_text(text, rules)) == text
    assert expected == "read"


@vectors("seating.txt", sign=" = ")
def test_playing_seats_and_next_dealer_are_those_of_the_vectors(given: str, expected: str) -> None:
    sitting, dealer = given.split(";")
    table = seats_of(sitting), int(dealer)
    playing, following, part = expected.split(";")
    assert playing_seats(*table) == seats_of(playing)
    assert GAME.next_dealer(*table) == int(following)
    assert participants(*table) == seats_of(part)
    assert participants(*table, talon=False) == seats_of(playing)
    assert GAME.leaders(*table) == dict.fromkeys(seats_of(playing), seats_of(playing)[0])


@vectors("seating.txt", sign=" > ")
def test_places_are_those_of_the_vectors(given: str, expected: str) -> None:
    sitting, dealer, declarer = given.split(";")
    assert places(seats_of(sitting), int(dealer), int(declarer)) == seats_of(expected)


@vectors("seating.txt", sign=" ! ")
def test_seat_that_does_not_play_has_no_place(given: str, expected: str) -> None:
    sitting, dealer, declarer = given.split(";")
    with pytest.raises({"NotPlaying": NotPlaying, "ValueError": ValueError}[expected]):
        places(seats_of(sitting), int(dealer), int(declarer))


# --- Results of a sheet ---


@vectors("settlements.txt", "errata.txt", sign=" > ")
def test_balances_are_those_of_the_vectors(given: str, expected: str) -> None:
    house, sheet = given.split("|")
    rules, seats = rules_and_seats(house)
    got = balances(sheet_from_text(sheet.strip()), seats, rules)
    assert tuple(got.values()) == tuple(map(Fraction, expected.split()))
    assert tuple(got) == seats


@vectors("settlements.txt", sign=" : ")
def test_debts_of_pairs_are_those_of_the_vectors(given: str, expected: str) -> None:
    house, sheet = given.split("|")
    rules, seats = rules_and_seats(house)
    owed = pairwise(sheet_from_text(sheet.strip()), seats, rules)
    assert ", ".join(f"{payer}>{payee} {points}" for (payer, payee), points in owed.items()) == expected


@vectors("settlements.txt", sign=" ~ ")
def test_balances_are_rounded_to_whole_units_as_in_the_vectors(given: str, expected: str) -> None:
    amounts, _bar, cut = given.partition("|")
    results = tuple(map(Fraction, amounts.split()))
    assert in_whole_units(results, seats_of(cut)) == tuple(map(int, expected.split()))


def test_a_hand_is_counted_only_where_it_can_be() -> None:
    for given, error in (
        (" | @2:- | 6S pp", NotPlaying),
        ("/4 | @3:3 | 6S pp", NotPlaying),
        (" | @2:0 | R 4-3-3", NotPlaying),
        (" | @2:0 | = D0+1", NotPlaying),
        ("/4 | | R 4-3-3", InvalidDeal),
        (" | | = D3+1", InvalidDeal),
    ):
        with pytest.raises(error):
            Given.of(given).count()
    hand = Given.of("give_up=3 | | 6S g")
    with pytest.raises(InvalidDeal):
        count(deal_from_text(hand.text, hand.rules), hand.place, hand.standing, Given.of(" | | 6S pp").rules)
