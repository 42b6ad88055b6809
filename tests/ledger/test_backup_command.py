"""The output of `manage.py backup`, and its copy of the database that the program runs on."""

import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import override_settings

from scorekeeper.ops import backups, processes
from sessions_app.management.commands.serve import last_backup
from sessions_app.models import Evening, User
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_last_backup() -> Iterator[None]:
    yield
    (settings.DATA / backups.LAST).unlink(missing_ok=True)


def test_backup_holds_the_key_and_what_postgresql_does_not_keep_itself(
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


def test_backups_for_a_timer_are_named_by_the_time_and_only_the_newest_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, at = tmp_path / "kept", datetime(2026, 11, 27, 3, 0, tzinfo=UTC)
    folder.mkdir()
    others = {"strigula-of-the-club.zip", "notes.txt", "strigula-20300101-000000.zip"}
    for name in others:
        (folder / name).touch()
    monkeypatch.setattr("sessions_app.management.commands.backup.timezone.now", lambda: at)
    for day in range(4):
        at = datetime(2026, 11, 27 + day, 3, 0, tzinfo=UTC)
        said = StringIO()
        call_command("backup", str(folder), "--keep", "3", stdout=said)
    kept = {path.name for path in folder.iterdir()}
    assert kept == others | {"strigula-20261129-030000.zip", "strigula-20261130-030000.zip"}, (
        "one has a wrong clock's date"
    )
    assert "Deleted 1 older backup; 3 are left." in said.getvalue()
    assert zipfile.is_zipfile(folder / "strigula-20261130-030000.zip")
    with override_settings(TIME_ZONE="Europe/Budapest"):
        assert last_backup() == "Last backup: 2026-11-30 04:00"


@pytest.mark.parametrize("wrong", [{"file": "nowhere", "keep": 3}, {"file": ".", "keep": 3}])
def test_failed_backup_for_a_timer_deletes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    for number in range(5):
        (tmp_path / f"strigula-2026112{number}-030000.zip").touch()

    def fail(*_args: object, **_options: object) -> None:
        raise backups.BackupError("the disk is full")

    monkeypatch.setattr(backups, "write", fail)
    with pytest.raises(CommandError, match=r"There is no folder .*nowhere|the disk is full"):
        call_command("backup", str(tmp_path / wrong["file"]), keep=wrong["keep"], stdout=StringIO())
    assert len(list(tmp_path.iterdir())) == 5
    assert not (settings.DATA / backups.LAST).exists()


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
