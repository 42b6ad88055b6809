"""The wheel, installed in a bare environment, with no checkout in sight."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.release.visiting import visit
from tests.serving import PROJECT, environment, free_port, served

UV = Path(sys.executable).with_name("uv")


def run(*command: str | Path, cwd: Path = PROJECT, **environ: str) -> str:
    done = subprocess.run(  # noqa: S603
        command, cwd=cwd, env=environment(Path(), **environ), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def strigula(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console script, installed from the wheel; of each requirement the locked version."""
    folder = tmp_path_factory.mktemp("wheel")
    run("./run", "release", folder)
    (wheel,) = folder.glob("*.whl")
    venv = folder / "venv"
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


def test_wheel_alone_passes_deployment_checks_and_names_itself(strigula: Path, tmp_path: Path) -> None:
    here = {"SCOREKEEPER_DATA": str(tmp_path), "SCOREKEEPER_HTTPS": "true"}
    run(strigula, "manage", "check", "--deploy", "--fail-level", "WARNING", cwd=tmp_path, **here)
    assert run(strigula, "--version", cwd=tmp_path) == run("./run", "--version")
