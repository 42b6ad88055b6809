"""Runs the plain-text vectors in `vectors/`; each file names its content and its source."""

from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from scorekeeper.games.asszorti import deal_from_text, deal_to_text, score
from scorekeeper.games.errors import InvalidDeal

VECTORS = Path(__file__).parent / "vectors"


def vectors(sign: str) -> list[ParameterSet]:
    return [
        pytest.param(*line.split(sign), id=f"{path.stem}:{number} {line}")
        for path in sorted(VECTORS.glob("*.txt"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if sign in line and not line.startswith("#")
    ]


def test_every_line_is_a_vector_a_comment_or_blank() -> None:
    for path in VECTORS.glob("*.txt"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not line or line.startswith("#") or (" = " in line) != (" ! " in line), f"{path.name}: {line}"


@pytest.mark.parametrize(("text", "expected"), vectors(" = "))
def test_deal_counts_as_in_the_vectors(text: str, expected: str) -> None:
    deal = deal_from_text(text)
    counted = score(deal)
    game, arrivazs, points = map(int, expected.split())
    assert (counted.game, counted.arrivazs, counted.points) == (game, arrivazs, points)
    assert deal_to_text(deal) == text


@pytest.mark.parametrize(("text", "expected"), vectors(" ! "))
def test_impossible_deal_is_refused_as_in_the_vectors(text: str, expected: str) -> None:
    with pytest.raises(InvalidDeal) as refusal:
        deal_from_text(text)
    found = [f"{name} {message.code}" for name, message in refusal.value.errors.items()]
    assert found == expected.split(", ")
