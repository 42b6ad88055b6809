import pytest

from scorekeeper.games.asszorti import Arrivazs, Contract, Deal, Kontra, Trump, deal_from_text, deal_to_text
from scorekeeper.games.errors import InvalidDeal, NotationError

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
            Deal(Contract.ONE, Trump.NONE, (11, None, None), Kontra.NONE, Arrivazs.WON, Kontra.MORDKONTRA),
        ),
    ],
)
def test_notation_is_read_and_written_both_ways(text: str, deal: Deal) -> None:
    assert deal_from_text(text) == deal
    assert deal_to_text(deal) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "2H",
        "2H ",
        "2H  7",
        " 2H 7",
        "2H 7 ",
        "2H 7\n",
        "2H\t7",
        "2 H 7",
        "H2 7",
        "4H 7",
        "HH 7",
        "2h 7",
        "hn 7",
        "2♥ 7",
        "2H 7-4",
        "2H 7-3-1-0",
        "2H 7-3-",
        "2H -7-3-1",
        "2H 07-3-1",
        "2H 07",
        "2H +7",
        "2H 100",
        "2H ٧",
        "2H seven",
        "2H 7 k",
        "2H 7 X",
        "2H 7 KK",
        "2H 7 K R",
        "2H 7 A",
        "2H 7 AK",
        "2H 7 A K",
        "2H 7 A+ K",
        "2H 7 A++",
        "2H 7 A+KK",
        "2H 7 A+k",
        "2H 7 A+ A-",
        "2H 7 a+",
        "2H 7 A\N{MINUS SIGN}",
    ],
)
def test_malformed_notation_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        deal_from_text(text)


@pytest.mark.parametrize("text", ["2H 7-3-2", "2H 12", "2H 6", "2N 7 A*", "2H 2 A+", "2H 11 A-"])
def test_impossible_notation_is_an_invalid_deal(text: str) -> None:
    with pytest.raises(InvalidDeal):
        deal_from_text(text)
