"""The file that counts requests: shared by workers, forgotten in time, and harmless when it is damaged."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from scorekeeper.http import rate_counter


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "limits.sqlite3"


def often(file: Path, times: int, who: bytes = b"me", most: int = 3) -> list[int]:
    return [rate_counter.count(file, "circle", who, most=most, within=3600) for _time in range(times)]


def test_workers_count_together(file: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from scorekeeper.http import rate_counter\n"
        "print(sum(not rate_counter.count(Path(sys.argv[1]), 'circle', b'me', most=50, within=3600)"
        " for _ in range(100)))"
    )
    command = [sys.executable, "-c", program, str(file)]
    workers = [subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE) for _each in range(3)]  # noqa: S603
    assert sum(int(worker.communicate()[0]) for worker in workers) == 50


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> float:
    """The time at which the clock stands: between two counts no second is to pass."""
    stands_at: float = rate_counter.time.time()
    monkeypatch.setattr(rate_counter.time, "time", lambda: stands_at)
    return stands_at


def test_count_ends_with_its_period_and_is_deleted(file: Path, now: float, monkeypatch: pytest.MonkeyPatch) -> None:
    assert often(file, 5) == [0, 0, 0, 3600, 3600]
    for later, to_go in ((3599, 1), (3601, 0)):
        monkeypatch.setattr(rate_counter.time, "time", lambda at=now + later: at)
        assert often(file, 1, who=b"me") == [to_go]
    often(file, 1, who=b"another")
    monkeypatch.setattr(rate_counter.time, "time", lambda: now + 9000)
    often(file, 1, who=b"third")
    assert b"me" not in file.read_bytes()
    assert b"another" not in file.read_bytes()
    often(file, 4, who=b"third")
    monkeypatch.setattr(rate_counter.time, "time", lambda: now)
    assert often(file, 1, who=b"third") == [0], "a clock set back shuts nobody out for longer"


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"\1" * 5000])
def test_a_damaged_file_is_begun_anew_and_refuses_nobody(
    file: Path, content: bytes, now: float, caplog: pytest.LogCaptureFixture
) -> None:
    file.write_bytes(content)
    assert often(file, 5) == [0, 0, 0, 3600, 3600]
    assert "starting again from zero" in caplog.text


def test_failing_count_refuses_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert often(tmp_path / "nowhere" / "limits.sqlite3", 5) == [0] * 5
    assert "Could not count a circle" in caplog.text
