from decimal import Decimal

import pytest

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.factories import evening_of, record


@pytest.fixture
def euros(owner: User) -> Evening:
    """Béla and Cili owe Anna 3 euros each."""
    evening = evening_of(owner, stake=Decimal("0.5"), currency="EUR")
    record(evening, owner, "2H 7", declarer=0)
    evenings.end(evening.pk)
    return evening
