"""The measures and feats of hands: the plain-text vectors of each game, and properties of any hand of any game."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Place
from scorekeeper.games.measures import Measure, Merit, summed
from sessions_app.readers.evening.recount import sheet_of
from tests.games.registered import AnyGame, every_game, some_rules, some_table
from tests.games.vectors import lines
from tests.statistics.recount import names_by_heading

HERE = Path(__file__).parent
GIVEN = re.compile(r"(?P<rules>.*?)\|(?P<standing>.*?)\|(?P<place>.*?)\|(?P<deal>.*)")
PLACE = re.compile(r"(?P<dealer>\d) (?P<declarer>\d|-)/(?P<seats>\d(?:-\d)+)")
EXPECTED = re.compile(
    r"(?P<name>\w+)(?:\[(?P<key>\w+)\])? (?:(?P<amount>-?\d+(?:/\d+)?)/(?P<of>[01])(?!/)|(?P<none>-)(?!\d))"
)

type Totals = dict[tuple[int, str, str], tuple[Amount, int]]


def vectors(of: str) -> Iterator[Any]:
    for key, game in GAMES.items():
        for at, line in lines(*(HERE / key / "vectors" / of).glob("*.txt")):
            yield pytest.param(game, *line.split(" => "), id=f"{key}:{at}")


class Given(NamedTuple):
    """The hand on the left of a vector, with its measures."""

    deal: Any
    place: Place
    measures: tuple[Measure, ...]


def given_hand(game: AnyGame, given: str) -> Given:
    """Return the hand on the left of a vector."""
    found = GIVEN.fullmatch(given)
    assert found, given
    rules_text, standing_text, place_text, text = (part.strip() for part in found.groups())
    rules = game.rules_from_text(rules_text)
    standing = game.standing_from_text(standing_text) if standing_text else game.start(rules)
    at = PLACE.fullmatch(place_text)
    assert at, given
    declarer = None if at["declarer"] == "-" else int(at["declarer"])
    place = Place(tuple(map(int, at["seats"].split("-"))), int(at["dealer"]), declarer)
    deal = game.deal_from_text(text, rules)
    return Given(deal, place, measures_of(game, deal, place, standing, rules))


def measures_of(game: AnyGame, deal: Any, place: Place, standing: Any, rules: Any) -> tuple[Measure, ...]:
    entries = game.count(deal, place, standing, rules).entries
    return game.measures(deal, place, amounts_of(game, entries, place, rules), rules, entries)


def amounts_of(game: AnyGame, entries: Any, place: Place, rules: Any) -> Mapping[int, Amount]:
    return game.balances(sheet_of(entries), place.seats, rules)


@pytest.mark.parametrize(("game", "given", "expected"), list(vectors("measures")))
def test_a_hand_counts_for_these_measures(game: AnyGame, given: str, expected: str) -> None:
    measures = given_hand(game, given).measures
    found = {(each.seat, each.name, each.key): (each.amount, each.of) for each in measures}
    assert len(found) == len(measures), "a measure was given twice"
    for words in expected.split(";"):
        seat, colon, figures = words.strip().partition(": ")
        assert colon
        matches = list(EXPECTED.finditer(figures))
        assert " ".join(each[0] for each in matches) == figures, "not a list of measures"
        for each in matches:
            figure = found.get((int(seat), each["name"], each["key"] or ""))
            assert figure == (None if each["none"] else (Fraction(each["amount"]), int(each["of"]))), each[0]


def test_each_measure_has_vectors_above_zero_at_zero_and_without_it() -> None:
    """A rate may be always above zero, and the figures of every hand are never left out."""
    always = {"hands", "won", "declared", "as_opponent", "merit"}
    for key, game in GAMES.items():
        text = "\n".join(str(vector.id) for vector in vectors("measures") if str(vector.id).startswith(key))
        for name in names_of(game):
            assert re.search(rf"\b{name}(\[\w+\])? -?[1-9]", text), f"{key}: {name} of something"
            assert name in always or re.search(rf"\b{name}(\[\w+\])? (0/1|-(?!\d))", text), f"{key}: no {name}"


def names_of(game: AnyGame) -> set[str]:
    """Return the names of all measures that a few hundred likely hands have."""
    chance, rules = Random(1), game.PROFILES["book"]  # noqa: S311  cards, not keys
    seats = tuple(range(max(game.seat_counts)))
    names: set[str] = set()
    for number in range(400):
        declarer, deal = game.likely(chance, seats, number % len(seats), rules)
        if not game.is_agreed(deal):
            place = Place(seats, number % len(seats), declarer)
            names |= {each.name for each in measures_of(game, deal, place, game.start(rules), rules)}
    return names


def test_the_page_of_the_statistics_names_them_all() -> None:
    """And no others, by game."""
    tables = names_by_heading()
    for key, game in GAMES.items():
        assert names_of(game) == tables["every hand"] | tables[key], key


# --- Any hand of any game ---


@every_game
@given(chance=st.randoms(use_true_random=False))
def test_measures_and_feats_of_any_hand_are_consistent(game: AnyGame, chance: Random) -> None:
    rules, seats = some_rules(game, chance), some_table(game, chance)
    dealer = chance.choice(seats)
    declarer, deal = game.likely(chance, seats, dealer, rules)
    if game.is_agreed(deal):
        return
    place = Place(seats, dealer, declarer)
    entries = game.count(deal, place, game.start(rules), rules).entries
    amounts = amounts_of(game, entries, place, rules)
    measures = game.measures(deal, place, amounts, rules, entries)
    assert {each.of for each in measures} <= {0, 1}
    part = {each.seat for each in measures}
    assert part == {each.seat for each in measures if each.name == "hands"}
    assert set(game.playing_seats(seats, dealer)) <= part <= set(seats)
    totals = summed(measures)
    assert len(totals) == len(measures)
    for seat in part:
        require_plain_figures(game, totals, seat, amounts[seat], declarer)
    for name, whole in game.counted_over.items():
        for seat, each, key in totals:
            if each == name and key:
                assert totals[seat, each, key][1] == totals.get((seat, whole, ""), (0, 0))[0]
                assert totals[seat, each, key][0] in (0, 1, amounts[seat])
    assert sum(totals[seat, "declared", ""][0] for seat in part) == (declarer is not None)
    assert sum(totals[seat, "won", ""][0] for seat in part) < len(seats)
    require_merit(game, totals, part, amounts)
    for feat in game.feats(deal, place, measures):
        assert feat.seats, "somebody's feat"
        assert set(feat.seats) <= part
        assert len(set(feat.seats)) == len(feat.seats)


def require_plain_figures(game: AnyGame, totals: Totals, seat: int, amount: Amount, declarer: int | None) -> None:
    assert totals[seat, "hands", ""] == (1, 0)
    assert totals[seat, "won", ""] == (amount > 0, 1)
    assert totals[seat, "declared", ""] == (seat == declarer, 1)
    mine = [totals[seat, name, ""] for name in ("as_declarer", "as_opponent") if (seat, name, "") in totals]
    assert mine == [(amount, 1)]
    keyed = [(name, figure) for (at, name, key), figure in totals.items() if at == seat and key]
    split = [amount for name, (amount, _of) in keyed if name == "declared"]
    assert not split or sum(split) == (seat == declarer)
    made = [figure for name, figure in keyed if name == "declared_won"]
    assert not split or made == ([totals[seat, "declared_won", ""]] if seat == declarer else [])


def require_merit(game: AnyGame, totals: Totals, part: set[int], amounts: Mapping[int, Amount]) -> None:
    merit: Merit = game.merit
    is_declared = any(name == "declared" and amount for (_seat, name, _key), (amount, _of) in totals.items())
    for seat in part:
        made, failed, defended = (
            totals.get((seat, f"merit_{name}", ""), (0, 0))[0] for name in ("made", "failed", "defended")
        )
        own = amounts[seat] if made or failed else 0
        points = (
            own + made * merit.made + failed * merit.failed + defended * merit.shares[len(part)] if is_declared else 0
        )
        assert totals[seat, "merit", ""] == (points, 1)


def test_sums_are_by_seat_name_and_key() -> None:
    measures = [
        Measure("a", 0, 2, 1),
        Measure("a", 0, Fraction(1, 2), 1),
        Measure("a", 0, 1, 1, "k"),
        Measure("a", 1, 3, 0),
    ]
    assert summed(measures) == {(0, "a", ""): (Fraction(5, 2), 2), (0, "a", "k"): (1, 1), (1, "a", ""): (3, 0)}


def test_a_partner_who_does_not_count_with_the_declarer_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["tarokk"]
    monkeypatch.setattr(game, "merit", Merit())
    found = {(each.seat, each.name): each.amount for each in given_hand(game, "|| 0 3/0-1-2-3 | 2+2 40").measures}
    assert [found[seat, "merit"] for seat in range(4)] == [30, 0, 30, -52]
    assert (1, "merit_failed") not in found


@pytest.mark.parametrize(("game", "given", "expected"), list(vectors("feats")))
def test_a_hand_has_these_feats(game: AnyGame, given: str, expected: str) -> None:
    hand = given_hand(game, given)
    found = [
        f"{feat.code} {'-'.join(map(str, feat.seats))} {feat.number}"
        for feat in game.feats(hand.deal, hand.place, hand.measures)
    ]
    assert "; ".join(sorted(found)) == ("" if expected == "-" else expected)
