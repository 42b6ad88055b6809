"""The errors of a deal by field, and deals that record one hand; all combinations are in `test_every_deal.py`."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from scorekeeper.games.asszorti import (
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Trump,
    deal_from_text,
    deal_to_text,
    reads_as,
    score,
)
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
    assert set(errors(tricks=(-1, 6, 6), arrivazs=Arrivazs.WON)) == {"tricks"}
    assert set(errors(tricks=(12, 0, 0), arrivazs=Arrivazs.LOST)) == {"tricks"}
    assert set(errors(tricks=None, arrivazs=Arrivazs.WON)) == {"tricks"}


def test_a_refusal_says_what_it_is() -> None:
    with pytest.raises(GameError, match=r"^tricks: tricks_sum, arrivazs: arrivazs_few_tricks$"):
        Deal(Contract.TWO, Trump.HEARTS, (2, 3, 3), arrivazs=Arrivazs.WON)


def test_the_words_are_those_of_the_rule_sheet() -> None:
    assert [contract.value for contract in Contract] == ["3", "2", "1", "hand"]
    assert [trump.value for trump in Trump] == ["hearts", "diamonds", "clubs", "spades", "none"]
    assert [arrivazs.value for arrivazs in Arrivazs] == ["none", "lost", "won", "idegen"]
    assert [(kontra.value, kontra.factor) for kontra in Kontra] == [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (5, 32)]


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


HAND_AT_DIAMONDS = Deal(Contract.HAND, Trump.DIAMONDS, (6, 5, 0), Kontra.SZUBKONTRA, Arrivazs.LOST, Kontra.KONTRA)


@pytest.mark.parametrize(
    ("text", "deal"),
    [
        ("2H 7-3-1 K", Deal(Contract.TWO, Trump.HEARTS, (7, 3, 1), Kontra.KONTRA)),
        ("hD 6-5-0 S A-K", HAND_AT_DIAMONDS),
        ("3C 10-0-1 R A*", Deal(Contract.THREE, Trump.CLUBS, (10, 0, 1), Kontra.REKONTRA, Arrivazs.IDEGEN)),
        ("1S 7", Deal(Contract.ONE, Trump.SPADES, (7, None, None))),
        ("1N 0 H", Deal(Contract.ONE, Trump.NONE, (0, None, None), Kontra.HIRSKONTRA)),
        (
            "1N 11 A+M",
            Deal(Contract.ONE, Trump.NONE, (11, None, None), arrivazs=Arrivazs.WON, arrivazs_kontra=Kontra(5)),
        ),
    ],
)
def test_notation_is_read_and_written_both_ways(text: str, deal: Deal) -> None:
    assert deal_from_text(text) == deal
    assert deal_to_text(deal) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "2H", "2H ", "2H  7", " 2H 7", "2H 7 ", "2H 7\n", "2H\t7", "2 H 7", "H2 7", "4H 7", "HH 7", "2h 7"),
        *("hn 7", "2♥ 7", "2H 7-4", "2H 7-3-1-0", "2H 7-3-", "2H -7-3-1", "2H 07-3-1", "2H 07", "2H +7", "2H 100"),
        *("2H ٧", "2H seven", "2H 7 k", "2H 7 X", "2H 7 KK", "2H 7 K R", "2H 7 A", "2H 7 AK", "2H 7 A K", "2H 7 A+ K"),
        *("2H 7 A++", "2H 7 A+KK", "2H 7 A+k", "2H 7 A+ A-", "2H 7 a+", "2H 7 A\N{MINUS SIGN}"),
    ],
)
def test_malformed_notation_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        deal_from_text(text)
