"""Helpers of the ledger's tests: read all rows of the database, and recount an evening's books."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection
from django.db.models import Model

from scorekeeper.games.base import Account
from scorekeeper.games.errors import GameError, InvalidDeal, NotationError, NotPlaying
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandEntry, Installation, RateCount
from sessions_app.readers import verify

type Pair = tuple[int, int | None]

#: Facts that the game's rules refuse at any table of three or four, and by which error.
UNKNOWN_TO_THE_GAME = [
    pytest.param(Facts(0, 1, "2H 12"), InvalidDeal, id="12 tricks"),
    pytest.param(Facts(0, 1, "2H 7-3-2"), InvalidDeal, id="12 tricks in all"),
    pytest.param(Facts(0, 1, "2H 6"), InvalidDeal, id="6 tricks without a split"),
    pytest.param(Facts(0, 1, "2N 7 A*"), InvalidDeal, id="idegen at no trumps"),
    pytest.param(Facts(0, 1, "2H 2 A+"), InvalidDeal, id="arrivazs won with 2 tricks"),
    pytest.param(Facts(0, 1, "2H 11 A-"), InvalidDeal, id="arrivazs lost with 11 tricks"),
    pytest.param(Facts(0, 1, "2H  7"), NotationError, id="two spaces"),
    pytest.param(Facts(0, 1, "2H 7 A K"), NotationError, id="kontra of no arrivazs"),
    pytest.param(Facts(0, 1, "4H 7"), NotationError, id="contract 4"),
    pytest.param(Facts(0, 1, "2H 7; DROP TABLE"), NotationError, id="more than a deal"),
    pytest.param(Facts(0, 4, "2H 7"), NotPlaying, id="declarer 4"),
]

#: Facts that no table has at all; which error says so is open.
IMPOSSIBLE = [
    *(Facts(4, 1, "2H 7"), Facts(-1, 1, "2H 7"), Facts(0, -1, "2H 7"), Facts(4), Facts(-1)),
    *(Facts(0, None, "2H 7"), Facts(0, 1, ""), Facts(0, 1, "2H 7", deal_stays=True), Facts(0, 1, "2H 7" + " " * 100)),
]
ANY_REFUSAL = (GameError, ValueError, DatabaseError)


def everything() -> dict[str, list[dict[str, Any]]]:
    """Every row of every table of the app, but for the counts of anonymous requests and the installation's own row."""
    return {
        model.__name__: _rows(model)
        for model in apps.get_app_config("sessions_app").get_models()
        if model not in (Installation, RateCount)
    }


def _rows(model: type[Model]) -> list[dict[str, Any]]:
    """Read the rows by plain SQL: many tests compare all there is, and querysets cost ten times as much."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {model._meta.db_table} ORDER BY {model._meta.pk.column}")  # noqa: S608
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


@contextmanager
def nothing_written() -> Iterator[None]:
    before = everything()
    yield
    assert everything() == before


def payments_of(hand: Hand) -> set[tuple[int, int, int]]:
    return set(hand.entries.values_list("seat", "against", "amount"))


def pair_totals(evening: Evening) -> dict[Pair, tuple[int, int]]:
    """(points, hands) of the pairs that have paid each other anything."""
    totals = Evening.objects.get(pk=evening.pk).sheet
    return {(payer, payee): tuple(total) for (_account, payer, payee), total in totals.items()}


def history_of(hand: Hand) -> list[tuple[int, str]]:
    return list(hand.revisions.order_by("number").values_list("number", "action"))


def assert_verified() -> None:
    """Let the program itself count every hand again."""
    faults: list[verify.Fault] = []
    verify.verify(faults.append)
    assert faults == []


def assert_books_balance(evening: Evening) -> None:
    """Count the evening anew from the payments and the history of its hands, and compare it with the stored figures."""
    evening.refresh_from_db()
    points: Counter[Account] = Counter()
    hands: Counter[Account] = Counter()
    for entry in HandEntry.objects.filter(hand__evening=evening, hand__is_void=False):
        account = entry.account, entry.seat, entry.against
        points[account] += entry.amount
        hands[account] += 1
    assert evening.sheet == {account: (points[account], hands[account]) for account in points}
    kept = list(evening.hands.order_by("number"))
    assert [hand.number for hand in kept] == list(range(1, evening.last_number + 1))
    assert evening.hand_count == sum(not hand.is_void and hand.is_played for hand in kept)
    for hand in kept:
        assert hand.kind == ("thrown_in" if not hand.deal else "agreed" if hand.deal_stays else "played")
        revisions = list(hand.revisions.order_by("number"))
        assert [revision.number for revision in revisions] == list(range(1, hand.revision_count + 1))
        assert [revision.before for revision in revisions] == [None, *(revision.after for revision in revisions[:-1])]
        assert revisions[-1].after == {
            "facts": {
                "dealer": hand.dealer,
                "declarer": hand.declarer,
                "deal": hand.deal,
                "deal_stays": hand.deal_stays,
            },
            "is_void": hand.is_void,
            "entries": sorted(
                [row.account, row.seat, row.against, row.amount, row.reason] for row in hand.entries.all()
            ),
        }
