"""The errors of a deal by field, and deals that record one hand; and every deal there is."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given

from scorekeeper.games.asszorti import (
    EXCLUDED,
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Trump,
    deal_from_text,
    deal_to_text,
    payments,
    reads_as,
    score,
)
from scorekeeper.games.base import Payment
from scorekeeper.games.errors import GameError, InvalidDeal, Message, NotationError
from tests.strategies import deals

FIELDS = ("contract", "trump", "tricks", "game_kontra", "arrivazs", "arrivazs_kontra")
UNKNOWN = Message("unknown", {})


def errors(**changed: Any) -> dict[str, Message]:
    with pytest.raises(InvalidDeal) as refusal:
        Deal(**({"contract": Contract.TWO, "trump": Trump.HEARTS, "tricks": (7, 3, 1)} | changed))
    return refusal.value.errors


OTHER_VALUES: dict[str, tuple[Any, ...]] = {
    "contract": ("2", 2, None),
    "trump": ("hearts", Contract.TWO),
    "game_kontra": (1, True, None),
    "arrivazs": ("won", []),
    "arrivazs_kontra": (1, "1"),
    "tricks": (
        *(None, 7, "731", [7, 3, 1], (), (11,), (7, 4), (7, 3, 1, 0), (None, None, None), (None, 7, 4)),
        *((7.0, 3, 1), (7, 3.0, 1), ("7", "3", "1"), (True, 5, 5), (5, True, 5), (5, 5, True)),
    ),
}


@pytest.mark.parametrize("field", OTHER_VALUES)
def test_value_of_another_type_is_refused(field: str) -> None:
    for value in OTHER_VALUES[field]:
        assert errors(**{field: value}) == {field: UNKNOWN}, value


def test_refusal_names_every_wrong_field_at_once() -> None:
    assert errors(**dict.fromkeys(FIELDS)) == dict.fromkeys(FIELDS, UNKNOWN)
    assert errors(trump=Trump.NONE, tricks=(7, 3, 0), arrivazs=Arrivazs.IDEGEN, game_kontra=7) == {
        "tricks": Message("tricks_sum", {"sum": 10}),
        "game_kontra": UNKNOWN,
        "arrivazs": Message("idegen_no_trumps", {}),
    }


def test_arrivazs_is_not_judged_by_impossible_tricks() -> None:
    for tricks, arrivazs in (((-1, 6, 6), Arrivazs.WON), ((12, 0, 0), Arrivazs.LOST), (None, Arrivazs.WON)):
        assert set(errors(tricks=tricks, arrivazs=arrivazs)) == {"tricks"}
    with pytest.raises(GameError, match=r"^tricks: tricks_sum, arrivazs: arrivazs_few_tricks$"):
        Deal(Contract.TWO, Trump.HEARTS, (2, 3, 3), arrivazs=Arrivazs.WON)


@given(deals())
def test_without_its_split_a_deal_reads_the_same_unless_somebody_took_none_of_eleven(deal: Deal) -> None:
    declarer, *others = deal.tricks
    if declarer == 6:
        turned = replace(deal, tricks=(6, others[1], others[0]))
    else:
        turned = replace(deal, tricks=(declarer, None, None))
    assert reads_as(deal, turned)
    assert score(deal).points == score(turned).points


# --- notation ---


@pytest.mark.parametrize(
    ("text", "deal"),
    [
        ("2H 7-3-1 K", Deal(Contract.TWO, Trump.HEARTS, (7, 3, 1), Kontra.KONTRA)),
        ("hD 6-5-0 S A-K", Deal(Contract.HAND, Trump.DIAMONDS, (6, 5, 0), Kontra(3), Arrivazs.LOST, Kontra.KONTRA)),
        ("3C 10-0-1 R A*", Deal(Contract.THREE, Trump.CLUBS, (10, 0, 1), Kontra.REKONTRA, Arrivazs.IDEGEN)),
        ("1S 7", Deal(Contract.ONE, Trump.SPADES, (7, None, None))),
        ("1N 11 H A+M", Deal(Contract.ONE, Trump.NONE, (11, None, None), Kontra(4), Arrivazs.WON, Kontra(5))),
    ],
)
def test_notation_is_read_and_written_both_ways(text: str, deal: Deal) -> None:
    assert deal_from_text(text) == deal
    assert deal_to_text(deal) == text


def test_malformed_notation_is_refused() -> None:
    for text in (
        *("", " ", "2H", "2H ", "2H  7", " 2H 7", "2H 7 ", "2H 7\n", "2H\t7", "2 H 7", "H2 7", "4H 7", "HH 7", "2h 7"),
        *("hn 7", "2♥ 7", "2H 7-4", "2H 7-3-1-0", "2H 7-3-", "2H -7-3-1", "2H 07-3-1", "2H 07", "2H +7", "2H 100"),
        *("2H ٧", "2H seven", "2H 7 k", "2H 7 X", "2H 7 KK", "2H 7 K R", "2H 7 A", "2H 7 AK", "2H 7 A K", "2H 7 A+ K"),
        *("2H 7 A++", "2H 7 A+KK", "2H 7 A+k", "2H 7 A+ A-", "2H 7 a+", "2H 7 A\N{MINUS SIGN}"),
    ):
        with pytest.raises(NotationError):
            deal_from_text(text)


# --- Every deal that can be written down, possible or not, against docs/rules/asszorti.md read a second time. ---
# Nothing here uses the rules' own tables: the game is looked up in the rows that §5.1 makes, the bounds are of §6.


POSSIBLE = 123_120

# The undoubled game with trumps, by the tricks of the side that won: 6 7 8 9 10 11.
ROWS = {
    "3": (2, 3, 4, 5, 6, 7),
    "2": (4, 6, 8, 10, 12, 14),
    "1": (6, 9, 12, 15, 18, 21),
    "hand": (8, 12, 16, 20, 24, 28),
}
TIMES = (1, 2, 4, 8, 16, 32)
SPLITS = [(d, a, 11 - d - a) for d in range(12) for a in range(12 - d)]

type Parts = tuple[Contract, Trump, tuple[int, int, int], Kontra, Arrivazs, Kontra]


def every_combination() -> Iterator[Parts]:
    return product(Contract, Trump, SPLITS, Kontra, Arrivazs, Kontra)


def fields_at_fault(parts: Parts) -> set[str]:
    _, trump, (declarer, _, _), _, arrivazs, arrivazs_kontra = parts
    at_fault = set()
    if arrivazs in ("won", "idegen") and declarer < 3:
        at_fault.add("arrivazs")
    if arrivazs == "lost" and declarer == 11:
        at_fault.add("arrivazs")
    if arrivazs == "idegen" and trump == "none":
        at_fault.add("arrivazs")
    if arrivazs == "none" and arrivazs_kontra > 0:
        at_fault.add("arrivazs_kontra")
    return at_fault


def counted_again(parts: Parts) -> tuple[int, int]:
    contract, trump, (declarer, left, right), game_kontra, arrivazs, arrivazs_kontra = parts
    dear = 2 if trump == "none" else 1
    if declarer > left + right:
        game = ROWS[contract][declarer - 6] * dear * TIMES[game_kontra]
    else:
        game = -ROWS[contract][left + right - 6] * dear * TIMES[game_kontra]
    if declarer == 6 and 5 in (left, right):
        game -= ROWS[contract][0] * dear
    extra = {"none": 0, "won": 8, "lost": -8, "idegen": 16}[arrivazs] * dear * TIMES[arrivazs_kontra]
    return game, extra


def refused_fields(parts: Parts) -> set[str]:
    try:
        Deal(*parts)
    except InvalidDeal as refusal:
        return set(refusal.errors)
    return set()


def test_every_deal_is_refused_or_counted_and_paid_as_the_rules_page_says() -> None:
    possible = 0
    for parts in every_combination():
        at_fault = fields_at_fault(parts)
        assert refused_fields(parts) == at_fault, parts
        if at_fault:
            continue
        possible += 1
        deal = Deal(*parts)
        counted = score(deal)
        assert (counted.game, counted.arrivazs) == counted_again(parts), parts
        assert counted.points == counted.game + counted.arrivazs
        assert sum(line.amount for line in counted.lines) == counted.points
        assert payments(deal, declarer=1, opponents=(2, 0)) == paid_again(counted.points)
    assert possible == POSSIBLE


def paid_again(points: int) -> tuple[Payment, ...]:
    """Both opponents pay the declarer, or he pays both."""
    if points > 0:
        return Payment(2, 1, points), Payment(0, 1, points)
    return (Payment(1, 2, -points), Payment(1, 0, -points)) if points else ()


def test_tricks_are_eleven() -> None:
    for tricks in product(range(13), range(13), range(13)):
        if sum(tricks) == 11:
            assert Deal(Contract.TWO, Trump.CLUBS, tricks).tricks == tricks
            continue
        with pytest.raises(InvalidDeal) as refusal:
            Deal(Contract.TWO, Trump.CLUBS, tricks)
        expected = "tricks_range" if 12 in tricks else "tricks_sum"
        assert [(name, message.code) for name, message in refusal.value.errors.items()] == [("tricks", expected)]


def form_values(parts: Parts) -> list[tuple[str, str]]:
    contract, trump, (declarer, _, _), game_kontra, arrivazs, arrivazs_kontra = parts
    return [
        ("arrivazs", arrivazs.value),
        ("arrivazs_kontra", str(arrivazs_kontra.value)),
        ("contract", contract.value),
        ("game_kontra", str(game_kontra.value)),
        ("tricks", str(declarer)),
        ("trump", trump.value),
    ]


def test_excluded_is_what_no_possible_deal_holds_together() -> None:
    thinkable, possible = set(), set()
    for parts in every_combination():
        pairs = list(combinations(form_values(parts), 2))
        thinkable.update(pairs)
        if not fields_at_fault(parts):
            possible.update(pairs)
    stated = [tuple(sorted(pair)) for pair in EXCLUDED]
    assert set(stated) == thinkable - possible
    assert len(stated) == len(set(stated))
