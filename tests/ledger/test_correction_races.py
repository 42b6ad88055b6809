"""Two keepers correct and strike out the same hands at the same moment; the long form is in tests/soak."""

import pytest

from tests.soak import corrections

pytestmark = pytest.mark.django_db(transaction=True)


def test_corrections_and_voids_race_while_others_write_and_nothing_is_lost() -> None:
    corrections.race(races=len(corrections.PAIRS), writers=3)
