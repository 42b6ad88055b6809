"""The recount adds up evenings and periods; the readers are checked against it."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from tests.statistics.recount import ALL, MERIT_PARTS, Figure, recount
from tests.statistics.tables import names_by_heading

BEGIN = datetime(2026, 1, 5, 18, tzinfo=UTC)
OF_A_BARE_SIX = {"overtricks", "six_five_nil", "kontra", "kontra_points"}
OF_EVENINGS = names_by_heading()["every session"]


def test_recount_has_every_figure_that_the_docs_name() -> None:
    found = {figure.measure for figure in recount([paid(1, stake=Decimal(1), currency="HUF")]).figures}
    assert found >= OF_EVENINGS
    assert found - OF_EVENINGS == names_by_heading()["every hand"] - MERIT_PARTS | OF_A_BARE_SIX


def paid(*results: int, seats: int = 3, kind: str = "played", **said: Any) -> dict[str, Any]:
    """An evening of Asszorti with a hand for each result: what seat 0 won of each of two others."""
    hands = []
    for result in results:
        pairs = [(1, 0), (2, 0)] if result > 0 else [(0, 1), (0, 2)]
        entries = [("paid", payer, payee, abs(result), "points") for payer, payee in pairs]
        hand = {"kind": kind, "is_void": False, "seats": (0, 1, 2), "dealer": 2, "declarer": 0, "deal": "2H 6-4-1"}
        hands.append(hand | {"entries": entries})
    plain = {"id": 1, "circle": 1, "is_demo": False, "game": "asszorti", "rules": "", "stake": None, "currency": ""}
    players = {seat: 100 + seat for seat in range(seats)}
    return plain | {"started_at": BEGIN, "seats": players, "hands": hands} | said


def evenings(*results: tuple[int, ...], **said: Any) -> list[dict[str, Any]]:
    """Evenings on consecutive days."""
    return [
        paid(*each, id=number, started_at=BEGIN + timedelta(days=number), **said) for number, each in enumerate(results)
    ]


def of(recounted: Any, measure: str, player: int = 100, key: str = "", game: str = "asszorti", **more: Any) -> Any:
    return tuple(recounted[Figure(game, measure, player, key, **more)])


@pytest.mark.parametrize(
    ("results", "won", "lost"),
    [
        ("+", 1, 0),
        ("-", 0, 1),
        ("0", 0, 0),
        ("++-+", 2, 1),
        ("+0+", 1, 0),
        ("-++--+", 2, 2),
        ("-0---", 0, 3),
    ],
)
def test_rows_of_evenings_won_and_lost(results: str, won: int, lost: int) -> None:
    """By their start, not by their number; an evening that comes out even ends both."""
    hands = {"+": (1,), "-": (-1,), "0": (1, -1)}
    recounted = recount(reversed(evenings(*(hands[each] for each in results))))
    assert (of(recounted, "streak_won")[0], of(recounted, "streak_lost")[0]) == (won, lost)


def test_money_is_by_currency_and_exact() -> None:
    forints = evenings((3,), (1,), stake=Decimal("0.100"), currency="HUF")
    euros = paid(-1, id=9, stake=Decimal("0.05"), currency="EUR")
    recounted = recount([*forints, euros, paid(5, id=10)])
    assert of(recounted, "money", key="HUF") == of(recounted, "money", key="HUF", game=ALL) == (Fraction(8, 10), 2)
    assert of(recounted, "money", key="EUR") == (Fraction(-1, 10), 1)
    assert of(recounted, "points") == (16, 4)
