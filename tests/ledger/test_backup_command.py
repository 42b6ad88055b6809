"""The output of `manage.py backup`, and its copy of the database that the program runs on."""

import zipfile
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from scorekeeper.ops import backups, processes
from sessions_app.models import Evening, User
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_holds_the_key_and_what_postgresql_does_not_keep_itself(
    tmp_path: Path, owner: User, evening: Evening
) -> None:
    record(evening, owner)
    said, file = StringIO(), tmp_path / "kept"
    call_command("backup", str(file), stdout=said)
    with zipfile.ZipFile(file) as packed:
        assert packed.read(backups.KEY).decode() == settings.SECRET_KEY
        holds_it = backups.DATABASE in packed.namelist()
    if connection.vendor == "sqlite":
        assert holds_it
        assert "1 session, 1 hand" in said.getvalue()
    else:
        assert not holds_it
        assert "pg_dump --format=custom" in said.getvalue()


def test_restore_beneath_a_running_server_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    call_command("backup", str(file), stdout=StringIO())
    with processes.claimed(settings.DATA, 4321), pytest.raises(CommandError, match="Stop it first"):
        call_command("restore", str(file), "--replace", stdout=StringIO())


def test_a_database_that_is_there_is_not_written_over_without_a_word(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    call_command("backup", str(file), stdout=StringIO())
    if connection.vendor == "sqlite":
        with pytest.raises(CommandError, match="--replace"):
            call_command("restore", str(file), stdout=StringIO())
    else:
        said = StringIO()
        call_command("restore", str(file), stdout=said)
        assert "pg_restore --no-owner" in said.getvalue()
