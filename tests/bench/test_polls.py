"""Cost of a phone that follows, against one that opens the page. Apart from the tests: speed is no fact of the code.

./run test -s tests/bench
"""

from collections.abc import Callable
from time import perf_counter

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from tests.factories import record

ROUNDS = 200
#: A table of three that polls every two seconds must not feel like three that reload.
AT_LEAST = 3


def seconds(ask: Callable[[], object]) -> float:
    """The time of one call, the best of five rounds."""
    ask()
    rounds = []
    for _round in range(5):
        begin = perf_counter()
        for _call in range(ROUNDS // 5):
            ask()
        rounds.append((perf_counter() - begin) / (ROUNDS // 5))
    return min(rounds)


@pytest.mark.parametrize("hands", [3, 300])
def test_a_poll_that_finds_nothing_new_is_cheap(owners: Client, owner: User, evening: Evening, hands: int) -> None:
    for _hand in range(hands):
        record(evening, owner)
    evening.refresh_from_db()
    page, live = f"/sessions/{evening.pk}/", f"/sessions/{evening.pk}/live/?v={evening.version}"
    assert owners.get(live).status_code == 204
    ratio = seconds(lambda: owners.get(page)) / seconds(lambda: owners.get(live))
    print(f"\n{hands} hands: a page costs {ratio:.1f} times a poll")  # noqa: T201
    assert ratio >= AT_LEAST
