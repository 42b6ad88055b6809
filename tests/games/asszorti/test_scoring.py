"""The count, by the plain-text vectors in `vectors/`, of which each names its content and its source; and its words."""

from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import (
    BOOK,
    GAME,
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Rules,
    Trump,
    deal_from_text,
    deal_to_text,
    leader,
    opponents,
    payments,
    playing_seats,
    reads_as,
    score,
)
from scorekeeper.games.asszorti.announcing import Announcement, Doubling, Item
from scorekeeper.games.asszorti.deal import Sides
from scorekeeper.games.asszorti.scoring import worth
from scorekeeper.games.base import Place, ScoreLine
from scorekeeper.games.errors import GameError, InvalidDeal, Message, NotPlaying
from tests.games.vectors import lines

VECTORS = Path(__file__).parent / "vectors"
REFUSED = {"NotPlaying": NotPlaying, "ValueError": ValueError, "InvalidDeal": InvalidDeal}


def vectors(pattern: str, sign: str = "=") -> list[ParameterSet]:
    """The lines `rules | given = expected`, or `!` for a refusal; without a bar it is a hand by the book."""
    found = []
    for at, line in lines(*sorted(VECTORS.glob(pattern))):
        rules, _bar, rest = line.rpartition("|")
        of_sign = " ! " if " ! " in rest else " ="
        given, there, expected = rest.partition(of_sign)
        assert there, at
        if of_sign.strip() == sign:
            found.append(pytest.param(GAME.rules_from_text(rules), given.strip(), expected.strip(), id=at))
    return found


def told(message: Message, *, with_params: bool = True) -> str:
    params = (f"{name}={value}" for name, value in message.params.items()) if with_params else ()
    return " ".join([message.code, *params])


def place_of(words: str, dealer: str, declarer: str) -> Place:
    return Place(tuple(map(int, words.split())), int(dealer), None if declarer == "-" else int(declarer))


def deal_of(notation: str) -> Deal | None:
    return None if notation == "thrown in" else deal_from_text(notation, Rules(six_five_nil=False))


# --- A hand ---


@pytest.mark.parametrize(("rules", "text", "expected"), [*vectors("*.txt"), *vectors("house/deals.txt")])
def test_deal_counts_as_in_the_vectors(rules: Rules, text: str, expected: str) -> None:
    deal = deal_from_text(text, rules)
    counted = score(deal, rules)
    assert [counted.game, counted.arrivazs, counted.points] == list(map(int, expected.split()))
    assert sum(line.amount for line in counted.lines) == counted.points
    assert deal_to_text(deal) == text


@pytest.mark.parametrize(("rules", "text", "expected"), [*vectors("*.txt", "!"), *vectors("house/deals.txt", "!")])
def test_impossible_deal_is_refused_as_in_the_vectors(rules: Rules, text: str, expected: str) -> None:
    with pytest.raises(InvalidDeal) as refused:
        deal_from_text(text, rules)
    with_params = "=" in expected
    found = [f"{name} {told(message, with_params=with_params)}" for name, message in refused.value.errors.items()]
    assert ", ".join(found) == expected


HOUSE_REFUSALS = [each for each in vectors("house/deals.txt", "!") if each.values[0] != BOOK]


@pytest.mark.parametrize(("rules", "text", "expected"), HOUSE_REFUSALS)
def test_deal_made_elsewhere_is_refused_by_the_house_rules_too(rules: Rules, text: str, expected: str) -> None:
    try:
        deal = deal_from_text(text)
    except InvalidDeal:
        return  # the book refuses it as well
    with pytest.raises(InvalidDeal):
        deal.check(rules)
    with pytest.raises(InvalidDeal):
        GAME.count(deal, Place((0, 1, 2), 0, 1), None, rules)


@pytest.mark.parametrize(
    ("one", "other", "by_book", "without_the_deduction"),
    [
        ("2H 6-5-0", "2H 6-4-1", False, True),
        ("2H 6-5-0", "2H 6-0-5", True, True),
        ("2H 7-4-0", "2H 7", True, True),
        ("2H 6-5-0", "2H 7", False, False),
    ],
)
def test_a_split_that_changes_nothing_is_no_other_hand(
    one: str, other: str, by_book: bool, without_the_deduction: bool
) -> None:
    free = Rules(six_five_nil=False)
    assert reads_as(deal_from_text(one), deal_from_text(other)) is by_book
    assert reads_as(deal_from_text(one, free), deal_from_text(other, free), free) is without_the_deduction


def test_the_steps_of_a_full_count() -> None:
    assert score(deal_from_text("hD 6-5-0 S A-K")).lines == (
        ScoreLine("game", "base", {"contract": "hand", "trump": "diamonds"}, 8),
        ScoreLine("game", "kontra", {"kontra": 3, "factor": 8}, 56),
        ScoreLine("game", "deduction", {"base": 8}, -8),
        ScoreLine("arrivazs", "lost", {}, -8),
        ScoreLine("arrivazs", "kontra", {"kontra": 1, "factor": 2}, -8),
    )


# --- Entries, and the end that was agreed on ---


@pytest.mark.parametrize(("rules", "text", "expected"), vectors("house/entries.txt"))
def test_hand_writes_the_entries_of_the_vectors(rules: Rules, text: str, expected: str) -> None:
    seats, dealer, declarer, notation = text.split(", ")
    deal = deal_of(notation)
    counted = GAME.count(deal, place_of(seats, dealer, declarer), GAME.start(rules), rules)
    assert all(entry.account == "paid" and entry.reason == "points" for entry in counted.entries)
    assert ", ".join(sorted(f"{each.seat}>{each.against} {each.amount}" for each in counted.entries)) == expected
    assert (counted.lines, counted.standing) == (score(deal, rules).lines if deal else (), None)


@pytest.mark.parametrize(("rules", "text", "expected"), vectors("house/entries.txt", "!"))
def test_impossible_hand_writes_no_entries(rules: Rules, text: str, expected: str) -> None:
    seats, dealer, declarer, notation = text.split(", ")
    with pytest.raises(REFUSED[expected]):
        GAME.count(deal_of(notation), place_of(seats, dealer, declarer), GAME.start(rules), rules)


@pytest.mark.parametrize(("rules", "text", "expected"), vectors("house/reminders.txt"))
def test_reminder_comes_at_the_agreed_end(rules: Rules, text: str, expected: str) -> None:
    hands, _comma, balances = text.partition(", ")
    won = [int(number) for number in balances.split()]
    # A seat below pays those above, in any order: only the balances are asked for.
    sheet = {("paid", seat, None): -amount for seat, amount in enumerate(won) if amount}
    found = GAME.reminder(sheet, int(hands), (0, 1, 2), rules)
    assert (told(found) if found else "") == expected


SIDES = Sides(2, 0, 1)
kontras = st.sampled_from(Kontra)


@given(st.sampled_from(Contract), st.sampled_from(Trump), kontras, kontras, st.integers(0, 11), st.data())
def test_worth_is_the_count_of_the_hand_that_ends_so(
    contract: Contract, trump: Trump, game: Kontra, on_arrivazs: Kontra, tricks: int, data: st.DataObject
) -> None:
    doubled = Doubling(SIDES, True).at_level(Item.GAME, game).at_level(Item.ARRIVAZS, on_arrivazs)
    figures = worth(Announcement(contract, trump, True), doubled)
    outcome = data.draw(st.sampled_from(list(figures.arrivazs)))
    if (outcome is Arrivazs.LOST and tricks == 11) or (outcome is not Arrivazs.LOST and tricks < 3):
        return
    left = data.draw(st.integers(0, 11 - tricks))
    counted = score(Deal(contract, trump, (tricks, left, 11 - tricks - left), game, outcome, on_arrivazs))
    expected = figures.six_five_nil if tricks == 6 and left in (0, 5) else figures.game[tricks]
    assert (counted.game, counted.arrivazs) == (expected, figures.arrivazs[outcome])


# --- Seating ---


def test_the_dealers_left_speaks_first_and_deals_next() -> None:
    for dealer in range(3):
        assert playing_seats(3, dealer) == ((dealer + 1) % 3, (dealer + 2) % 3, dealer)
    for dealer in range(4):
        assert playing_seats(4, dealer) == ((dealer + 1) % 4, (dealer + 2) % 4, (dealer + 3) % 4)
        assert [GAME.next_dealer(seats, dealer % seats) for seats in (3, 4)] == [(dealer % 3 + 1) % 3, (dealer + 1) % 4]


@pytest.mark.parametrize(
    ("seats", "dealer", "sides"),
    [
        (3, 0, {0: (1, 2), 1: (2, 0), 2: (0, 1)}),
        (4, 0, {1: (2, 3), 2: (3, 1), 3: (1, 2)}),
        (4, 2, {3: (0, 1), 0: (1, 3), 1: (3, 0)}),
    ],
)
def test_the_opponents_are_left_and_right_among_those_who_play_and_the_right_one_leads(
    seats: int, dealer: int, sides: dict[int, tuple[int, int]]
) -> None:
    assert {declarer: opponents(seats, dealer, declarer) for declarer in sides} == sides
    assert {declarer: leader(seats, dealer, declarer) for declarer in sides} == {each: sides[each][1] for each in sides}


def test_a_declarer_who_sits_out_and_seats_that_are_not_three_are_refused() -> None:
    for ask in (opponents, leader):
        for seats, dealer, declarer in (*((4, dealer, dealer) for dealer in range(4)), (3, 0, -1), (3, 0, 3)):
            with pytest.raises(NotPlaying if seats == 4 else GameError):
                ask(seats, dealer, declarer)
    for sides in ((0, 1), (1, 0), (1, 1)):
        with pytest.raises(ValueError, match="not all different"):
            payments(deal_from_text("2H 7"), declarer=0, opponents=sides)
