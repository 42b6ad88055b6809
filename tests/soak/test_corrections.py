"""20 races of two keepers, with 8 writers beside them: ./run test tests/soak/test_corrections.py

On PostgreSQL with DATABASE_URL.
"""

import pytest

from tests.soak import corrections

pytestmark = pytest.mark.django_db(transaction=True)


def test_20_corrections_and_voids_race_beside_8_writers_and_nothing_is_lost() -> None:
    corrections.race(races=20, writers=8)
