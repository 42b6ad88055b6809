"""manage.py migrate: Django's command, under a lock that admits one process at a time.

It makes the file of a SQLite database, which no connection does, and refuses data of a newer version or of one before
1.0. In the end it stores the time zone of new data, and counts the roll-ups that are missing or that other definitions
counted.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections

from scorekeeper.db.migration_lock import migrating
from sessions_app.management.data_version import refuse_other_version
from sessions_app.writers import installation, results


def make_file(connection: Any) -> None:
    try:
        connection.make_file()
    except OperationalError as error:
        raise CommandError(str(error)) from error


class Command(migrate.Command):
    def handle(self, *arguments: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        with migrating(connection):
            if connection.vendor == "sqlite":
                make_file(connection)
            refuse_other_version(options["database"])
            super().handle(*arguments, **options)
            if not (options["app_label"] or options["plan"] or options["check_unapplied"]):
                installation.keep_time_zone(settings.TIME_ZONE)
                results.fill_rollups()
