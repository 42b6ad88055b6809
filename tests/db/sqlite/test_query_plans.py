"""How SQLite finds the rows that a write asks for."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from sessions_app.models import Evening, User
from tests.factories import record


def test_recording_looks_for_hands_by_number_and_not_through_all_of_the_evening(evening: Evening, owner: User) -> None:
    record(evening, owner)
    with CaptureQueriesContext(connection) as asked:
        record(evening, owner)
    plans = [step for query in asked if query["sql"].startswith("SELECT") for step in plan_of(query["sql"])]
    of_hands = [step for step in plans if " sessions_app_hand " in step]
    assert of_hands
    assert [step for step in of_hands if "evening_id=? AND number" not in step] == []


def plan_of(query: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query.replace('%', '%%')}")
        return [step for *_ids, step in cursor.fetchall()]
