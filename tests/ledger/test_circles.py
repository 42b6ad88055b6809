"""Names of circles."""

import pytest

from sessions_app.models import CIRCLE_NAME_LENGTH, NAME_LENGTH
from sessions_app.readers.people.circles import offered_name


@pytest.mark.parametrize(
    ("names", "offered"),
    [
        ([], ""),
        (["Anna"], "Anna"),
        (["Anna", "Béla", "Cili"], "Anna, Béla, Cili"),
        (["Anna", "Béla", "Cili", "Dóra"], "Anna, Béla, Cili, Dóra"),
        (["Anna", "Béla", "Cili", "Dóra", "Emil"], "Anna, Béla, Cili, Dóra …"),
    ],
)
def test_a_name_is_offered_of_the_players_names(names: list[str], offered: str) -> None:
    assert offered_name(names) == offered


def test_an_offered_name_of_the_longest_names_can_be_stored() -> None:
    assert len(offered_name(["x" * NAME_LENGTH] * 9)) <= CIRCLE_NAME_LENGTH
