"""The effect of Asszorti's house rules; without them it is the game of docs/rules/asszorti.md."""

from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from scorekeeper.games.asszorti import (
    BOOK,
    GAME,
    Deal,
    Rules,
    deal_from_text,
    deal_to_text,
    reads_as,
    score,
)
from scorekeeper.games.base import Place
from scorekeeper.games.errors import InvalidDeal, Message, NotPlaying

VECTORS = Path(__file__).parent / "vectors" / "house"
REFUSED = {"NotPlaying": NotPlaying, "ValueError": ValueError, "InvalidDeal": InvalidDeal}


def vectors(name: str, sign: str = "=") -> list[ParameterSet]:
    """The lines `rules | given = expected`, or `!` for a refusal."""
    found = []
    for number, line in enumerate((VECTORS / name).read_text(encoding="utf-8").splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        rules, _bar, rest = line.partition("|")
        of_sign = " ! " if " ! " in rest else " ="
        given, _sign, expected = rest.partition(of_sign)
        if of_sign.strip() == sign:
            values = (GAME.rules_from_text(rules), given.strip(), expected.strip())
            found.append(pytest.param(*values, id=f"{name.removesuffix('.txt')}:{number} {line}"))
    return found


def told(message: Message) -> str:
    return " ".join([message.code, *(f"{name}={value}" for name, value in message.params.items())])


def place_of(words: str, dealer: str, declarer: str) -> Place:
    return Place(tuple(map(int, words.split())), int(dealer), None if declarer == "-" else int(declarer))


def deal_of(notation: str) -> Deal | None:
    return None if notation == "thrown in" else deal_from_text(notation, Rules(six_five_nil=False))


# --- A hand ---


@pytest.mark.parametrize(("rules", "text", "expected"), vectors("deals.txt"))
def test_deal_counts_as_in_the_vectors(rules: Rules, text: str, expected: str) -> None:
    deal = deal_from_text(text, rules)
    counted = score(deal, rules)
    assert [counted.game, counted.arrivazs, counted.points] == list(map(int, expected.split()))
    assert sum(line.amount for line in counted.lines) == counted.points
    assert deal_to_text(deal) == text


@pytest.mark.parametrize(("rules", "text", "expected"), vectors("deals.txt", "!"))
def test_impossible_deal_is_refused_as_in_the_vectors(rules: Rules, text: str, expected: str) -> None:
    with pytest.raises(InvalidDeal) as refused:
        deal_from_text(text, rules)
    assert ", ".join(f"{name} {told(message)}" for name, message in refused.value.errors.items()) == expected


@pytest.mark.parametrize(("rules", "text", "expected"), [p for p in vectors("deals.txt", "!") if p.values[0] != BOOK])
def test_deal_made_elsewhere_is_refused_by_the_house_rules_too(rules: Rules, text: str, expected: str) -> None:
    try:
        deal = deal_from_text(text)
    except InvalidDeal:
        return  # the book refuses it as well
    with pytest.raises(InvalidDeal):
        deal.check(rules)
    with pytest.raises(InvalidDeal):
        GAME.count(deal, Place((0, 1, 2), 0, 1), None, rules)


# --- By the book ---


# --- One hand noted by two ---


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


# --- Entries ---


@pytest.mark.parametrize(("rules", "text", "expected"), vectors("entries.txt"))
def test_hand_writes_the_entries_of_the_vectors(rules: Rules, text: str, expected: str) -> None:
    seats, dealer, declarer, notation = text.split(", ")
    deal = deal_of(notation)
    counted = GAME.count(deal, place_of(seats, dealer, declarer), GAME.start(rules), rules)
    assert all(entry.account == "paid" and entry.reason == "points" for entry in counted.entries)
    paid = sorted(f"{each.seat}>{each.against} {each.amount}" for each in counted.entries)
    assert ", ".join(paid) == expected
    assert counted.lines == (score(deal, rules).lines if deal else ())
    assert counted.standing is None


@pytest.mark.parametrize(("rules", "text", "expected"), vectors("entries.txt", "!"))
def test_impossible_hand_writes_no_entries(rules: Rules, text: str, expected: str) -> None:
    seats, dealer, declarer, notation = text.split(", ")
    with pytest.raises(REFUSED[expected]):
        GAME.count(deal_of(notation), place_of(seats, dealer, declarer), GAME.start(rules), rules)


# --- The end that was agreed on ---


@pytest.mark.parametrize(("rules", "text", "expected"), vectors("reminders.txt"))
def test_reminder_comes_at_the_agreed_end(rules: Rules, text: str, expected: str) -> None:
    hands, _comma, balances = text.partition(", ")
    won = [int(number) for number in balances.split()]
    # A seat below pays those above, in any order: only the balances are asked for.
    sheet = {("paid", seat, None): -amount for seat, amount in enumerate(won) if amount}
    found = GAME.reminder(sheet, int(hands), (0, 1, 2), rules)
    assert (told(found) if found else "") == expected
