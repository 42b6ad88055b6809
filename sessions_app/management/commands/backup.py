"""manage.py backup FILE: write the database and the secret key to one file, while the server keeps running.

`backup --keep 14 FOLDER`, for a timer, names the file by the time and deletes the oldest ones of that folder.
"""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone

from scorekeeper.ops import backups
from sessions_app.management import many
from sessions_app.management.data_version import applied


def positive(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 9999:
        raise ArgumentTypeError("give a number from 1 to 9999")
    return int(text)


class Command(BaseCommand):
    help = "Write the database and the secret key to one file. The server can keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="file to write; it must not exist. With --keep: folder to write to")
        parser.add_argument("--keep", type=positive, metavar="N", help="keep the N newest backups of the folder")

    def handle(self, *, file: Path, keep: int | None, **options: Any) -> None:
        now = timezone.now()
        if keep:
            # Not made: it may be the place of a disk that is not mounted.
            if not file.is_dir():
                raise CommandError(f"There is no folder {file}. Nothing was written.")
            file = backups.in_series(file, now)
        is_sqlite = connection.vendor == "sqlite"
        try:
            said = backups.write(
                file.absolute(),
                database=Path(connection.settings_dict["NAME"]).absolute() if is_sqlite else None,
                key=settings.SECRET_KEY,
                migrations=sorted(applied()),
                written_at=now.isoformat(timespec="seconds"),
            )
            backups.note_last(settings.DATA, now)
            old = backups.thin_out(file.absolute(), keep) if keep else []
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        evenings, hands = (said.rows.get(f"sessions_app_{name}", 0) for name in ("evening", "hand"))
        holds = (
            f"{many(evenings, 'session')}, {many(hands, 'hand')} and the key"
            if is_sqlite
            else "the key, and no database"
        )
        self.stdout.write(f"Wrote {file.absolute()} and checked it. It holds {holds}.")
        if old:
            self.stdout.write(f"Deleted {many(len(old), 'older backup')}; {keep} are left.")
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
