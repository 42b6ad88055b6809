"""manage.py backup FILE: write the database and the secret key to one file, while the server keeps running."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone

from scorekeeper.ops import backups
from sessions_app.management.data_version import applied
from sessions_app.management.plurals import many


class Command(BaseCommand):
    help = "Write the database and the secret key to one file. The server can keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="file to write; it must not exist")

    def handle(self, *, file: Path, **options: Any) -> None:
        is_sqlite = connection.vendor == "sqlite"
        try:
            said = backups.write(
                file.absolute(),
                database=Path(connection.settings_dict["NAME"]).absolute() if is_sqlite else None,
                key=settings.SECRET_KEY,
                migrations=sorted(applied()),
                written_at=timezone.now().isoformat(timespec="seconds"),
            )
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        evenings, hands = (said.rows.get(f"sessions_app_{name}", 0) for name in ("evening", "hand"))
        holds = (
            f"{many(evenings, 'session')}, {many(hands, 'hand')} and the key"
            if is_sqlite
            else "the key, and no database"
        )
        self.stdout.write(f"Wrote {file.absolute()} and checked it. It holds {holds}.")
        if not is_sqlite:
            self.stdout.write(
                f"Back up the database too:\n  {pg_line('pg_dump --format=custom --file=scorekeeper.dump')}"
            )
        self.stdout.write("Anybody with this file can sign in as any user. Keep it secret.")


def pg_line(command: str) -> str:
    """Return a command line of a PostgreSQL tool for this database, without the password: the tool asks for it."""
    known = connection.settings_dict
    options = {"host": known["HOST"], "port": known["PORT"], "username": known["USER"]}
    said = [f"--{name}={value}" for name, value in options.items() if value]
    return " ".join([command, *said, f"--dbname={known['NAME']}"])
