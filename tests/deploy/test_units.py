"""The units in deploy/ as systemd reads them. It is not running here, so nothing is started by them."""

import subprocess
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
UNITS = ("strigula.service", "strigula-backup.service", "strigula-backup.timer")
PROGRAM = "/srv/strigula/app"
#: Tenths of systemd's measure of what a service could do on its machine: 0 is nothing, 10 everything.
MOST_EXPOSED = 15


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """The units with the program in this folder: systemd wants to see what it is to start."""
    for name in UNITS:
        text = (ROOT / "deploy" / name).read_text()
        assert name.endswith(".timer") or f"\nExecStart={PROGRAM}/run " in text
        (tmp_path / name).write_text(text.replace(PROGRAM, str(ROOT)))
    return [tmp_path / name for name in UNITS]


def said(*arguments: str | Path) -> str:
    """The complaints of systemd-analyze."""
    command = ["systemd-analyze", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stderr + (done.stdout if done.returncode else "")


def test_units_are_read_without_a_complaint(units: list[Path]) -> None:
    assert said("verify", "--man=no", *units) == ""
    units[0].write_text(units[0].read_text().replace("ProtectHome", "ProtectsHome"))
    assert "ProtectsHome" in said("verify", "--man=no", *units)


def test_service_is_exposed_to_little_of_the_machine(units: list[Path]) -> None:
    for unit in units[:2]:
        assert said("security", "--offline=true", f"--threshold={MOST_EXPOSED}", unit) == ""
        assert said("security", "--offline=true", "--threshold=9", unit) != ""
