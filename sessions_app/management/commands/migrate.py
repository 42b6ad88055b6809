"""manage.py migrate: Django's command, under a lock that admits one process at a time.

It makes the file of a SQLite database, which no connection does, and refuses data of a newer version or of one before
1.0. In the end it stores the time zone of new data, and counts the roll-ups that are missing or that other definitions
counted.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import Error, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from scorekeeper.db.sqlite.write_queue import NO_LOCKS, open_beside
from sessions_app.management.data_version import refuse_other_version
from sessions_app.writers import results

#: Number of PostgreSQL's advisory lock; it has no other meaning.
NUMBER: Final = 0x5C02E
#: Suffix of the lock file beside a SQLite database. The write queue's file does not do: each write releases its locks.
ENDING: Final = ".migrating"


class Command(migrate.Command):
    def handle(self, *arguments: Any, **options: Any) -> None:
        connection: Any = connections[options["database"]]
        with migrating(connection):
            if connection.vendor == "sqlite":
                try:
                    connection.make_file()
                except OperationalError as error:
                    raise CommandError(str(error)) from error
            refuse_other_version(options["database"])
            super().handle(*arguments, **options)
            if not (options["app_label"] or options["plan"] or options["check_unapplied"]):
                results.keep_time_zone(settings.TIME_ZONE)
                results.fill_rollups()


# --- The lock: others wait, and then find nothing left to do ---


@contextmanager
def migrating(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold the migration lock of a database. It ends with the connection or the process, even a killed one."""
    if connection.vendor == "postgresql":
        with _advisory_lock(connection):
            yield
    elif connection.vendor == "sqlite" and not connection.is_in_memory_db():  # type: ignore[attr-defined]
        with _locked_file(Path(connection.settings_dict["NAME"]).resolve()):
            yield
    else:
        yield


@contextmanager
def _advisory_lock(connection: BaseDatabaseWrapper) -> Iterator[None]:
    with connection.cursor() as cursor:
        # A migration may take longer than lock_timeout allows.
        cursor.execute("SELECT current_setting('lock_timeout'), set_config('lock_timeout', '0', false)")
        (usual, _none) = cursor.fetchone()
        cursor.execute("SELECT pg_advisory_lock(%s)", [NUMBER])
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [usual])
    try:
        yield
    finally:
        # A lost connection has lost the lock, too; the error that broke it is the one to report.
        with suppress(Error), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [NUMBER])


@contextmanager
def _locked_file(database: Path) -> Iterator[None]:
    file = open_beside(database, ENDING)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
        yield
    finally:
        with suppress(OSError):
            os.close(file)
