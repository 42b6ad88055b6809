"""manage.py restore FILE: restore a backup into an empty data folder, or with --replace into one in use."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone

from scorekeeper.ops import backups, processes, project
from sessions_app.management.commands.backup import pg_line
from sessions_app.management.data_version import known, refuse_older


class Command(BaseCommand):
    help = "Restore a backup into the data folder. Files that it replaces are kept there under other names."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="backup to restore")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="replace the database in the data folder; it is kept there under another name",
        )

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        is_sqlite = connection.vendor == "sqlite"
        connection.close()
        if (process := processes.serving(settings.DATA)) is not None:
            raise CommandError(f"A server is using {settings.DATA} (process {process}). Stop it first.")
        try:
            with backups.opened(file.absolute(), known=known()) as (said, folder):
                if (said.engine == "sqlite") != is_sqlite:
                    raise CommandError(f"This is a backup of {said.engine}, but DATABASE_URL names another database.")
                refuse_older("This backup", said.migrations)
                places = {backups.KEY: settings.DATA / backups.KEY}
                if is_sqlite:
                    places |= {backups.DATABASE: Path(connection.settings_dict["NAME"])}
                refuse_to_overwrite(places, replace)
                backups.restore(folder, places, aside=f"before-{timezone.now():%Y%m%dT%H%M%S}")
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Restored the backup of {said.written_at}. Start the server with {project.command('serve')}."
        )
        if not is_sqlite:
            self.stdout.write("The key is restored. Restore the database into an empty one:")
            self.stdout.write(f"  {pg_line('pg_restore --no-owner scorekeeper.dump')}")
        if os.environ.get("SECRET_KEY"):
            self.stdout.write("SECRET_KEY is set and overrides the restored key. Unset it.")


def refuse_to_overwrite(places: dict[str, Path], replace: bool) -> None:
    """Raise CommandError where a database would be overwritten without --replace. (A key alone opens nothing.)"""
    there = places.get(backups.DATABASE)
    if there and there.exists() and not replace:
        raise CommandError(
            f"{there} already exists. Use --replace to put the backup in its place. "
            "The old database is kept beside it under another name."
        )
