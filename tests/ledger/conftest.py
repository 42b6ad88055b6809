import pytest

from sessions_app.models import Evening, User
from tests.factories import record


@pytest.fixture
def three_hands(evening: Evening, owner: User) -> Evening:
    """Béla wins 6 of each, Cili loses 12 to each, Anna wins 2 of each: Anna +10, Béla +22, Cili −32."""
    for declarer, deal in ((1, "2H 7"), (2, "1N 5"), (0, "3S 6-3-2")):
        record(evening, owner, deal, declarer=declarer)
    evening.refresh_from_db()
    return evening
