"""Query plans of SQLite for the reads that a write makes."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from sessions_app.models import Evening, User
from tests.factories import record


def test_recording_a_hand_reads_hands_by_number_and_never_all_of_an_evening(evening: Evening, owner: User) -> None:
    record(evening, owner)
    with CaptureQueriesContext(connection) as asked:
        record(evening, owner)
    steps = [step for query in asked if query["sql"].startswith("SELECT") for step in plan_of(query["sql"])]
    of_hands = [step for step in steps if re.search(r"\bsessions_app_hand\b", step)]
    assert of_hands
    assert [step for step in of_hands if "evening_id=? AND number" not in step] == []


def plan_of(query: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query}")
        return [step for *_ids, step in cursor.fetchall()]
