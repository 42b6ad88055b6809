"""The wheel, installed in a bare environment, with no checkout in sight."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.release.visiting import visit
from tests.serving import PROJECT, free_port, run, served

UV = Path(sys.executable).with_name("uv")


@pytest.fixture(scope="module")
def strigula(release: Path) -> Path:
    """The console script, installed from the wheel; of each requirement the locked version."""
    (wheel,) = release.glob("*.whl")
    venv = release / "venv"
    run(UV, "venv", "--python", sys.executable, venv)
    python = venv / "bin/python"
    run(UV, "pip", "install", "--python", python, "--constraints", "requirements/base.txt", wheel)
    return venv / "bin/strigula"


def test_wheel_alone_serves_a_guest_in_both_languages(strigula: Path, tmp_path: Path) -> None:
    port, home = free_port(), {"HOME": str(tmp_path), "XDG_DATA_HOME": "", "SCOREKEEPER_DATA": ""}
    data = tmp_path / ".local/share/strigula"
    with served(data, port, program=[str(strigula)], cwd=tmp_path, **home) as (_process, said):
        assert f"Data: {data}\n  No backup yet: strigula manage backup FILE\n" in said
        visit(port)
    assert {path.name for path in data.iterdir()} >= {"secret_key", "scorekeeper.sqlite3", "static"}
    assert "No migrations to apply" in run(strigula, "manage", "migrate", cwd=tmp_path, **home)
    book = tmp_path / "book.json"
    book.write_text(run(strigula, "manage", "export_circle", "1", cwd=tmp_path, **home))
    read = run(strigula, "manage", "import_circle", book, cwd=tmp_path, **home)
    assert "1 of the file were here already" in read, "by docs/book.schema.json"


def test_wheel_alone_passes_deployment_checks_and_names_itself(strigula: Path, tmp_path: Path) -> None:
    here = {"SCOREKEEPER_DATA": str(tmp_path), "SCOREKEEPER_HTTPS": "true"}
    run(strigula, "manage", "check", "--deploy", "--fail-level", "WARNING", cwd=tmp_path, **here)
    assert run(strigula, "--version", cwd=tmp_path) == run("./run", "--version")


def test_sbom_names_each_locked_requirement_with_its_version(release: Path) -> None:
    (sbom,) = release.glob("*.cdx.json")
    named = {(part["name"], part["version"]) for part in json.loads(sbom.read_text())["components"]}
    lock = (PROJECT / "requirements/base.txt").read_text(encoding="utf-8")
    assert named == set(re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==([\w.]+)", lock, re.MULTILINE))
