"""Databases that will not: the errors that Django raises when one is locked, full or gone, and ways to provoke them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import DatabaseError, OperationalError, connection


def of_sqlite(code: int, text: str) -> OperationalError:
    cause = sqlite3.OperationalError(text)
    cause.sqlite_errorcode = code
    return caused(OperationalError(text), cause)


def of_postgres(state: str) -> OperationalError:
    return caused(OperationalError(state), psycopg.errors.lookup(state)(state))


def caused[Error: DatabaseError](error: Error, cause: Exception) -> Error:
    error.__cause__ = cause
    return error


LOCKED = of_sqlite(sqlite3.SQLITE_BUSY, "database is locked")
DEADLOCK = of_postgres("40P01")
FULL = of_sqlite(sqlite3.SQLITE_FULL, "database or disk is full")
MOVED = of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED, "the database was moved")
GONE = OperationalError("connection failed: is the server running on that host?")


@contextmanager
def no_writing(error: DatabaseError) -> Iterator[None]:
    """Every statement that would write ends in this."""

    def refuse(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            raise error
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield


@contextmanager
def full_disk() -> Iterator[None]:
    """There is no room for another page in the database's file; where it has no such bound, as if there were none."""
    if connection.vendor != "sqlite":
        with no_writing(of_postgres("53100")):
            yield
        return
    with connection.cursor() as cursor:
        (bound,) = cursor.execute("PRAGMA max_page_count").fetchone()
        cursor.execute("VACUUM")  # freed pages are room too
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA max_page_count = {bound}")
