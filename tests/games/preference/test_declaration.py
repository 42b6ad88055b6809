"""The declaration and its text."""

import pytest

from scorekeeper.games.errors import MalformedState
from scorekeeper.games.preference import Strain
from scorekeeper.games.preference.announcing import Named
from scorekeeper.games.preference.auction import Call


@pytest.mark.parametrize(("level", "strain"), [(5, None), (11, None), (0, Strain.SPADES), (None, Strain.SPADES)])
def test_nobody_names_what_is_no_contract(level: int | None, strain: Strain | None) -> None:
    with pytest.raises(ValueError, match="is no contract"):
        Named(level, strain)


def test_every_bid_can_be_named_and_has_one_text() -> None:
    for bid in tuple(Call)[:26]:
        named = Named.from_text(bid)
        assert (named.to_text(), named.highest) == (bid, bid)
    for text in ("here", "pass", "6X", "M6", "m", "06", "6 S", ""):
        with pytest.raises(MalformedState):
            Named.from_text(text)
    assert [Named(level).highest for level in (6, 10)] == [Call.N6, Call.N10]
