"""Errors of deals that no line can express; and the properties of the facts."""

from typing import Any

import pytest

from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.preference import (
    BOOK,
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Strain,
    check,
    deal_from_text,
    is_agreed,
)
from scorekeeper.games.preference.deal import quota, value

P0, D0, B01 = ("pool", 0, None), ("dump", 0, None), ("bank", 0, 1)


def anything(value: Any) -> Any:
    """A value that is none of its field's."""
    return value


def refused(deal: Deal) -> dict[str, str]:
    with pytest.raises(InvalidDeal) as invalid:
        check(deal, BOOK)
    return {name: message.code for name, message in invalid.value.errors.items()}


@pytest.mark.parametrize(
    ("field", "deals"),
    [
        ("level", [Contract(each, Answers.PASSED) for each in (5, 11, anything("6"), anything(True))]),
        ("answers", [Contract(6, anything("pp"))]),
        ("strain", [Contract(6, Answers.PASSED, strain=anything("S"))]),
        ("tricks", [Contract(6, Answers.FIRST, anything(each)) for each in ([6], ("6",))]),
        ("tricks", [Contract(6, Answers.BOTH, anything((6, 3, None))), Mizer(anything("0"))]),
        ("tricks", [Raspasovka(anything(("4", 3, 3)))]),
        ("amounts", [Agreed(()), Agreed(((P0, 0),)), Agreed(((P0, anything("3")),))]),
        ("amounts", [Agreed(((anything(("paid", 0, None)), 3),)), Agreed(((("pool", 0, 1), 3),))]),
        ("amounts", [Agreed(((("bank", 0, None), 3),))]),
    ],
)
def test_value_of_no_field_is_refused(field: str, deals: list[Deal]) -> None:
    for deal in deals:
        assert refused(deal) == {field: "unknown"}, deal


@pytest.mark.parametrize(
    ("deal", "field", "code"),
    [
        (Contract(6, Answers.FIRST, (-1,)), "tricks", "tricks_range"),
        (Contract(6, Answers.BOTH, (7, 5, -2)), "tricks", "tricks_sum"),
        (Contract(6, Answers.BOTH, (1, 2, -5)), "tricks", "tricks_range"),
        (Contract(6, Answers.BOTH, (6, 2, 1, 1)), "tricks", "tricks_extra"),
        (Mizer(-1), "tricks", "tricks_range"),
        (Raspasovka((5, 5, 0, 0, 0)), "tricks", "raspasy_count"),
        (Raspasovka((5, 3, 3, -1)), "tricks", "tricks_sum"),
        (Agreed(((D0, 3), (D0, 2))), "amounts", "place_twice"),
        (Agreed(((B01, 3), (D0, 3), (B01, 2))), "amounts", "place_twice"),
    ],
)
def test_value_of_no_notation_is_refused(deal: Deal, field: str, code: str) -> None:
    assert refused(deal) == {field: code}


def test_agreed_entries_are_in_the_order_of_the_short_form_and_are_no_hand() -> None:
    assert Agreed(((B01, 1), (D0, 2), (P0, 3))) == Agreed(((P0, 3), (D0, 2), (B01, 1)))
    assert is_agreed(deal_from_text("= D0+1"))
    assert not any(is_agreed(deal_from_text(text)) for text in ("6S pp", "6S wp 6", "M 0", "R 4-3-3"))


def test_values_and_quotas_are_those_of_the_page() -> None:
    assert [(value(level), quota(level)) for level in range(6, 11)] == [(2, 4), (4, 2), (6, 1), (8, 1), (10, 1)]
    assert "".join(Strain) == "SCDHN"
