"""A power cut, as far as a test can play it: of writes not yet forced to the disk any piece may be there, or none.

A hand is acknowledged when its commit was forced to the disk (synchronous=FULL). Later writes may be cut at any byte,
or be left as zeros or as the earlier content.
"""

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from sessions_app.models import Evening, User
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)

#: The possible content of the disk where something was being written: nothing, zeros, or the earlier content.
LEFT: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda lost: b"",
    "zeros": lambda lost: bytes(len(lost)),
    "other": lambda lost: bytes(byte ^ 0x5A for byte in lost),
}


def on_disk() -> tuple[bytes, bytes]:
    """The database and its log, as they are now.

    Another process reads them: POSIX drops all locks of a process on a file as soon as it closes one descriptor of it.
    """
    database = Path(connection.settings_dict["NAME"])
    return _read(database), _read(database.with_name(f"{database.name}-wal"))


def _read(file: Path) -> bytes:
    return subprocess.run(["cat", str(file)], capture_output=True, check=True).stdout  # noqa: S603, S607


def found_after(cut: Path, database: bytes, log: bytes) -> tuple[list[int], int]:
    """The numbers of the hands that are there when the power is back, and the sum of all payments."""
    cut.write_bytes(database)
    cut.with_name(f"{cut.name}-wal").write_bytes(log)
    with closing(sqlite3.connect(cut)) as one:
        assert one.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        hands = [number for (number,) in one.execute("SELECT number FROM sessions_app_hand ORDER BY number")]
        (booked,) = one.execute("SELECT coalesce(sum(amount), 0) FROM sessions_app_handentry").fetchone()
        last, sheet = one.execute("SELECT last_number, sheet FROM sessions_app_evening").fetchone()
        assert booked == sum(amount for *_account, amount, _entries in json.loads(sheet))
        assert last == len(hands)
    for file in cut.parent.iterdir():
        file.unlink()
    return hands, booked


@pytest.mark.parametrize("left", LEFT)
def test_acknowledged_hands_survive_a_power_cut_and_none_is_half_there(
    tmp_path: Path, owner: User, evening: Evening, left: str
) -> None:
    with connection.cursor() as cursor:
        # A log of a thousand pages is begun anew by itself, and the tests before may have written almost as much.
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for _hand in range(2):
        record(evening, owner)
    database, acknowledged = on_disk()
    before = found_after(tmp_path / "before", database, acknowledged)
    record(evening, owner)
    same, log = on_disk()
    assert (same, log[: len(acknowledged)]) == (database, acknowledged), "the log has only grown"
    after = found_after(tmp_path / "after", database, log)
    assert (before[0], after[0]) == ([1, 2], [1, 2, 3])
    written = len(log) - len(acknowledged)
    for cut in sorted({0, 1, 23, 24, 25, written - 1, *range(0, written, 1997)}):
        kept = log[: len(acknowledged) + cut]
        found = found_after(tmp_path / "cut", database, kept + LEFT[left](log[len(kept) :]))
        assert found == before, f"cut after {cut} of {written} bytes"
