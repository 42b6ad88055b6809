"""A database that the migrations before 1.0 made is brought up to date by this version, and has the same schema.

`kept/` holds such a database for each engine: four sessions, four hands, a payment, a hand in play.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from sessions_app import migrations
from sessions_app.management.data_version import LAST_BEFORE_1_0
from tests.serving import managed

MIGRATE_AND_VERIFY = "from django.core.management import call_command as run; run('migrate'); run('verify')"
KEPT = Path(__file__).with_name("kept")
type Schema = set[tuple[str, ...]]

COLUMNS = """
    SELECT table_name, column_name, data_type, character_maximum_length::text, is_nullable, identity_generation,
           column_default
    FROM information_schema.columns WHERE table_schema = 'public'
"""
# A dump writes the casts of a check otherwise than the check was made.
CONSTRAINTS = """
    SELECT conrelid::regclass::text,
           regexp_replace(pg_get_constraintdef(oid), '::(text|character varying)(\\[\\])?|[()]', '', 'g')
    FROM pg_constraint WHERE contype <> 'n'
"""
INDEXES = "SELECT tablename, regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON') FROM pg_indexes"
PERSISTENCE = "SELECT relname, relpersistence::text FROM pg_class WHERE relkind = 'r'"


@pytest.fixture
def kept(empty: dict[str, str]) -> dict[str, str]:
    """The settings of a database as the migrations before 1.0 left it."""
    script = (KEPT / f"{connection.vendor}.sql").read_text()
    with closing(opened(empty["DATABASE_URL"])) as there:
        there.executescript(script) if connection.vendor == "sqlite" else there.execute(script)
        there.commit()
    return empty


def opened(url: str) -> Any:
    return sqlite3.connect(url.removeprefix("sqlite:///")) if connection.vendor == "sqlite" else psycopg.connect(url)


def schema(cursor: Any) -> Schema:
    """Return all that a database holds its rows to, without the order of columns and the names that Django makes."""

    def rows(query: str) -> Iterator[tuple[str, ...]]:
        cursor.execute(query)
        return (tuple(map(str, row)) for row in cursor.fetchall() if not str(row[0]).startswith(("pg_", "sql_")))

    if connection.vendor == "sqlite":
        tables = rows("SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {(table, clause) for table, sql in tables for clause in clauses(sql)}
    return {row for query in (COLUMNS, CONSTRAINTS, INDEXES, PERSISTENCE) for row in rows(query)}


def clauses(sql: str) -> Iterator[str]:
    """Yield the columns and constraints of a CREATE TABLE; the whole of a CREATE INDEX, without its name."""
    if not sql.startswith("CREATE TABLE"):
        yield re.sub(r'INDEX "\w+" ON', "INDEX ON", sql)
        return
    depth, clause = 0, ""
    for letter in sql[sql.index("(") + 1 : sql.rindex(")")]:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth:
            yield " ".join(clause.split())
            clause = ""
        else:
            clause += letter
    yield " ".join(clause.split())


def test_database_of_before_1_0_is_migrated_from_1_0_on_and_has_the_schema_of_a_new_one(
    tmp_path: Path, kept: dict[str, str], transactional_db: None
) -> None:
    migrated = managed("shell", "-v0", "-c", MIGRATE_AND_VERIFY, data=tmp_path / "data", **kept)
    assert (migrated.returncode, migrated.stderr) == (0, "")
    names = sorted(path.stem for path in Path(migrations.__path__[0]).glob("0*.py"))
    assert re.findall(r"Applying (\S+?)\.\.\.", migrated.stdout) == [f"sessions_app.{name}" for name in names[1:]]
    assert migrated.stdout.endswith("4 sessions, 4 hands: no faults.\n")
    with closing(opened(kept["DATABASE_URL"])) as there, connection.cursor() as new:
        results = there.execute("SELECT result FROM sessions_app_seat WHERE result IS NOT NULL ORDER BY position")
        assert [amount for (amount,) in results.fetchall()] == [-60 + 90, 60 + 150, -240], "of the ended session alone"
        assert schema(there.cursor()) == schema(new)


@pytest.mark.django_db
def test_database_of_long_before_1_0_is_refused_with_the_commit_to_start_once() -> None:
    *_earlier, (app, name) = import_module(f"{migrations.__name__}.0001_version_1_0").Migration.replaces
    MigrationRecorder(connection).record_unapplied(app, name)
    with pytest.raises(CommandError, match=f"git checkout {LAST_BEFORE_1_0}"):
        call_command("migrate", verbosity=0)
