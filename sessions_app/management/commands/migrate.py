"""manage.py migrate: Django's command, under a lock that admits one process at a time.

It then counts the roll-ups that are missing, or that other definitions counted.
"""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from scorekeeper.db.migration_lock import migrating
from sessions_app.writers import rollups


class Command(migrate.Command):
    def handle(self, *arguments: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        with migrating(connection):
            if connection.vendor == "sqlite":
                connection.make_file()  # type: ignore[attr-defined]
            super().handle(*arguments, **options)
            if not (options["app_label"] or options["plan"] or options["check_unapplied"]):
                rollups.fill()
