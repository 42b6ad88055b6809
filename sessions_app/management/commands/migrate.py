"""manage.py migrate: Django's command, under a lock that admits one process at a time."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from scorekeeper.db.migration_lock import migrating


class Command(migrate.Command):
    def handle(self, *arguments: Any, **options: Any) -> None:
        with migrating(connections[options["database"]]):
            super().handle(*arguments, **options)
