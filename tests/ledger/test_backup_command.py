"""The output of `manage.py backup`, and its copy of the database that the program runs on."""

import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import override_settings

from scorekeeper.ops import backups, processes
from sessions_app.management.commands.serve import last_backup
from sessions_app.models import Evening, User
from tests.factories import record
from tests.ledger.books import said_by

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_last_backup() -> Iterator[None]:
    yield
    (settings.DATA / backups.LAST).unlink(missing_ok=True)


def test_backup_holds_the_key_and_what_postgresql_does_not_keep_itself(
    tmp_path: Path, owner: User, evening: Evening
) -> None:
    record(evening, owner)
    file = tmp_path / "kept"
    said = said_by("backup", str(file))
    with zipfile.ZipFile(file) as packed:
        assert packed.read(backups.KEY).decode() == settings.SECRET_KEY
        holds_it = backups.DATABASE in packed.namelist()
    if connection.vendor == "sqlite":
        assert holds_it
        assert "1 session, 1 hand" in said
    else:
        assert not holds_it
        assert "pg_dump --format=custom" in said


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
        said = said_by("backup", str(folder), "--keep", "3")
    kept = {path.name for path in folder.iterdir()}
    assert kept == others | {"strigula-20261129-030000.zip", "strigula-20261130-030000.zip"}, (
        "one has a wrong clock's date"
    )
    assert "Deleted 1 older backup; 3 are left." in said
    assert zipfile.is_zipfile(folder / "strigula-20261130-030000.zip")
    with override_settings(TIME_ZONE="Europe/Budapest"):
        assert last_backup() == "Last backup: 2026-11-30 04:00"


@pytest.mark.parametrize("place", ["nowhere", "."])
def test_failed_backup_for_a_timer_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    for number in range(5):
        (tmp_path / f"strigula-2026112{number}-030000.zip").touch()
    monkeypatch.setattr(backups, "write", Mock(side_effect=backups.BackupError("the disk is full")))
    with pytest.raises(CommandError, match=r"There is no folder .*nowhere|the disk is full"):
        said_by("backup", str(tmp_path / place), keep=3)
    assert len(list(tmp_path.iterdir())) == 5
    assert not (settings.DATA / backups.LAST).exists()


def test_restore_beneath_a_running_server_or_over_a_database_without_a_word_is_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "kept")
    said_by("backup", file)
    with processes.claimed(settings.DATA, 4321), pytest.raises(CommandError, match="Stop it first"):
        said_by("restore", file, "--replace")
    if connection.vendor == "sqlite":
        with pytest.raises(CommandError, match="--replace"):
            said_by("restore", file)
    else:
        assert "pg_restore --no-owner" in said_by("restore", file)
