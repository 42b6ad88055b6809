"""The interface of a game, tested on each with random hands."""

from contextlib import suppress
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.base import Entry, Place
from scorekeeper.games.errors import GameError
from scorekeeper.games.payment_game import PAID
from sessions_app.readers.evening.recount import sheet_of
from tests.games.registered import AnyGame, every_game, some_rules, some_table

chances = st.randoms(use_true_random=False)
#: As long as the columns that keep them.
LONGEST = {"deal": 200, "rules": 600, "account": 12, "reason": 20}
HANDS = 12


@every_game
def test_the_book_comes_first_and_needs_no_word(game: AnyGame) -> None:
    book, *others = game.PROFILES.items()
    assert game.rules_from_text("") == game.rules_from_text(book[0]) == book[1]
    assert (game.rules_to_text(book[1]), game.differences(book[1])) == ("", ())
    assert book[1] == type(book[1])()
    assert game.rules_from_text(" ".join(f"{each.name}={each.book}" for each in game.SWITCHES)) == book[1]
    for key, rules in others:
        assert (game.rules_from_text(key), game.rules_to_text(rules)) == (rules, key)
        assert game.differences(rules)


@every_game
@given(chance=chances)
def test_rules_have_one_spelling(game: AnyGame, chance: Random) -> None:
    rules = some_rules(game, chance)
    text = game.rules_to_text(rules)
    assert game.rules_from_text(text) == rules
    assert len(text) <= LONGEST["rules"]
    differing = game.differences(rules)
    assert game.rules_from_text(" ".join(f"{each.switch}={each.value}" for each in differing)) == rules
    assert all(each.value != each.base for each in differing)


@every_game
def test_everybody_deals_in_turn_and_those_who_play_sit_there(game: AnyGame) -> None:
    for count in game.seat_counts:
        for sitting in permutations(range(count)):
            dealers = [sitting[0]]
            while len(dealers) < count:
                dealers.append(game.next_dealer(sitting, dealers[-1]))
            assert sorted(dealers) == sorted(sitting)
            assert game.next_dealer(sitting, dealers[-1]) == dealers[0]
            for dealer in sitting:
                playing = game.playing_seats(sitting, dealer)
                assert len(set(playing)) == len(playing)
                assert set(playing) <= set(sitting)
                leaders = game.leaders(sitting, dealer)
                assert set(leaders) | set(leaders.values()) <= set(playing)
        for dealer in range(count):
            everybody = tuple(range(count))
            assert game.playing_seats(count, dealer) == game.playing_seats(everybody, dealer)
            assert game.next_dealer(count, dealer) == game.next_dealer(everybody, dealer)


@every_game
def test_game_names_its_ways_to_go_on_after_a_thrown_in_hand(game: AnyGame) -> None:
    assert game.redeals
    assert len(set(game.redeals)) == len(game.redeals)
    assert set(game.redeals) <= {"stays", "passes"}


@every_game
def test_its_accounts_are_told_apart_by_a_letter(game: AnyGame) -> None:
    """In the short form of a sheet."""
    assert len({account[0] for account in game.accounts}) == len(game.accounts)


@every_game
def test_no_other_table_and_no_dealer_from_elsewhere(game: AnyGame) -> None:
    for ask in (game.playing_seats, game.next_dealer, game.leaders):
        for seats, dealer in ((max(game.seat_counts) + 1, 0), (1, 0), (game.seat_counts[0], 9)):
            with pytest.raises(ValueError, match=r"."):
                ask(seats, dealer)


@every_game
@given(chance=chances, at=st.integers(0, 200), letter=st.characters(codec="ascii"))
def test_a_deal_has_one_spelling(game: AnyGame, chance: Random, at: int, letter: str) -> None:
    rules, sitting = some_rules(game, chance), some_table(game, chance)
    _declarer, deal = game.likely(chance, sitting, chance.choice(sitting), rules)
    text = game.deal_to_text(deal)
    assert game.deal_from_text(text, rules) == deal
    assert game.reads_as(deal, deal, rules)
    assert 0 < len(text) <= LONGEST["deal"]
    place = at % (len(text) + 1)
    for other in (f" {text}", f"{text} ", f"{text}\n", text[:place] + letter + text[place + at % 2 :]):
        with suppress(GameError):
            assert game.deal_to_text(game.deal_from_text(other, rules)) == other


@every_game
@given(chance=chances)
def test_entries_of_an_evening_add_up(game: AnyGame, chance: Random) -> None:
    rules, sitting = some_rules(game, chance), some_table(game, chance)
    standing, dealer, written, hands = game.start(rules), sitting[0], list[Entry](), 0
    for _ in range(chance.randint(0, HANDS)):
        declarer, deal = game.likely(chance, sitting, dealer, rules)
        if chance.randrange(8) == 0:
            declarer, deal = None, None
        count = game.count(deal, Place(sitting, dealer, declarer), standing, rules)
        again = game.count(deal, Place(sitting, dealer, declarer), standing, rules)
        assert (count.entries, count.lines, count.standing) == (again.entries, again.lines, again.standing)
        text = game.standing_to_text(count.standing)
        assert game.standing_from_text(text) == count.standing
        assert game.standing_to_text(game.standing_from_text(text)) == text
        assert all(type(line.amount) is int for line in count.lines)
        require_sound(game, count.entries, sitting)
        if game.pays_per_hand:
            playing = game.participants(Place(sitting, dealer, declarer), rules)
            assert {seat for entry in count.entries for seat in (entry.seat, entry.against)} <= set(playing)
        written += count.entries
        sheet = sheet_of(written)
        require_even(game, sheet, sitting, rules)
        standing, dealer, hands = count.standing, game.next_dealer(sitting, dealer), hands + 1
        game.reminder(sheet, hands, sitting, rules)


def require_sound(game: AnyGame, entries: tuple[Entry, ...], sitting: tuple[int, ...]) -> None:
    for entry in entries:
        assert entry.account in game.accounts
        assert entry.account == PAID or not game.pays_per_hand
        assert entry.seat in sitting
        assert entry.against is None or entry.against in sitting
        assert type(entry.amount) is int
        assert len(entry.account) <= LONGEST["account"]
        assert len(entry.reason) <= LONGEST["reason"]
    assert len({(entry.of, entry.reason) for entry in entries}) == len(entries)


def require_even(game: AnyGame, sheet: dict[Any, int], sitting: tuple[int, ...], rules: Any) -> None:
    """The balances sum to zero, and to the debts of all pairs."""
    balances = dict(game.balances(sheet, sitting, rules))
    assert set(balances) == set(sitting)
    assert sum(balances.values()) == 0
    for (payer, payee), owed in game.pairwise(sheet, sitting, rules).items():
        assert owed > 0
        balances[payer] += owed
        balances[payee] -= owed
    assert not any(balances.values())


@every_game
@given(chance=chances)
def test_agreed_entries_come_to_the_balances_that_they_were_made_of(game: AnyGame, chance: Random) -> None:
    seats = tuple(range(chance.choice(game.seat_counts)))
    won = [chance.randint(-2, 2) for _seat in seats[1:]]
    balances = dict(enumerate([*won, -sum(won)])) if any(won) else {0: 1, 1: -1} | dict.fromkeys(seats[2:], 0)
    deal, rules, place = game.agreed(balances), game.PROFILES["book"], Place(seats, seats[0])
    text = game.deal_to_text(deal)
    assert game.is_agreed(deal)
    assert (game.deal_from_text(text, rules), len(text) <= LONGEST["deal"]) == (deal, True)
    before = game.start(rules)
    count = game.count(deal, place, before, rules)
    assert (game.balances(sheet_of(count.entries), seats, rules), count.standing) == (balances, before)
    assert game.reads_as(deal, deal, rules)
