"""The profiles of docs/rules/tarokk.md §12, in the words of its table of switches."""

from scorekeeper.games.tarokk import GAME


def test_competition_rules_are_one_profile() -> None:
    """The values beside which the table says PVSZ, where they are not the first ones."""
    line = "tarokks_paid_by=opponents ladder=4 proba=3 lone_discards=all"
    assert list(GAME.PROFILES) == ["book", "pvsz"]
    assert GAME.rules_from_text(line) == GAME.PROFILES["pvsz"]
    assert GAME.rules_to_text(GAME.PROFILES["pvsz"]) == "pvsz"
    assert [f"{each.switch}={each.value}" for each in GAME.differences(GAME.PROFILES["pvsz"])] == line.split()
