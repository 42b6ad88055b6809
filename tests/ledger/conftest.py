import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection

from sessions_app.models import Evening, User
from tests.factories import record
from tests.ledger.books import ended


@pytest.fixture
def three_hands(evening: Evening, owner: User) -> Evening:
    """Béla wins 6 of each, Cili loses 12 to each, Anna wins 2 of each: Anna +10, Béla +22, Cili −32."""
    for declarer, deal in ((1, "2H 7"), (2, "1N 5"), (0, "3S 6-3-2")):
        record(evening, owner, deal, declarer=declarer)
    evening.refresh_from_db()
    return evening


@pytest.fixture
def played(evening: Evening, owner: User) -> Evening:
    """An evening of one hand that has ended."""
    ended(evening, owner)
    return evening


@pytest.fixture
def empty(tmp_path: Path, transactional_db: None) -> Iterator[dict[str, str]]:
    """The settings of an empty database beside that of the tests."""
    if connection.vendor == "sqlite":
        yield {"DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3"}
        return
    name = f"empty_{uuid4().hex}"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
        yield {"DATABASE_URL": f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"}
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
