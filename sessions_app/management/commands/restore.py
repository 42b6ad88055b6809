"""manage.py restore FILE: put back what a backup holds, into an empty data folder, or with a word of consent."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from scorekeeper import backups, running
from sessions_app.management.commands.backup import pg_line


class Command(BaseCommand):
    help = "Put back what a backup holds. What the data folder held before stays in it under other names."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="there is a database in the data folder: put the backup in its place"
        )

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        is_sqlite = connection.vendor == "sqlite"
        connection.close()
        if (process := running.serving(settings.DATA)) is not None:
            raise CommandError(f"A score keeper serves from {settings.DATA} (process {process}): stop it first.")
        try:
            with backups.opened(file.absolute(), known=known()) as (said, folder):
                if (said.engine == "sqlite") != is_sqlite:
                    raise CommandError(f"This is a backup beside {said.engine}, and DATABASE_URL says otherwise.")
                places = {backups.KEY: settings.DATA / backups.KEY}
                if is_sqlite:
                    places |= {backups.DATABASE: Path(connection.settings_dict["NAME"])}
                refuse_to_overwrite(places, replace)
                backups.restore(folder, places, aside=f"before-{timezone.now():%Y%m%dT%H%M%S}")
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored what was written on {said.written_at}. ./run brings it up to date and serves it.")
        if not is_sqlite:
            self.stdout.write("The key is back. The database is PostgreSQL's, into an empty one:")
            self.stdout.write(f"  {pg_line('pg_restore --no-owner scorekeeper.dump')}")
        if os.environ.get("SECRET_KEY"):
            self.stdout.write("SECRET_KEY is set, and wins over the key that was restored: unset it.")


def refuse_to_overwrite(places: dict[str, Path], replace: bool) -> None:
    """A database that is there is not written over without a word. (A key without one opens nothing.)"""
    there = places.get(backups.DATABASE)
    if there and there.exists() and not replace:
        raise CommandError(
            f"There is a database already: {there}. Say --replace to put the backup in its place; "
            "what is there now then stays beside it under another name."
        )


def known() -> set[str]:
    """The migrations of this program, as 'app.name'."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
