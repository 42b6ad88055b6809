"""Set-up from nothing: which Python ./run takes, and when it installs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

PROJECT = Path(settings.BASE_DIR)
TOOLS = ("cat", "cksum", "cp", "dirname", "mkdir", "rm", "sed", "sh")

# Stands in for Python: makes a .venv with itself inside, and logs its requests to install.
FAKE_PYTHON = """#!/bin/sh
case "$*" in
    "-m venv "*) rm -rf .venv && mkdir -p .venv/bin && cp "$0" .venv/bin/python && echo venv >>done.log ;;
    "-m pip "*) echo "${@##* }" | cat >/dev/null; shift $(($# - 1)); echo "$1" >>done.log; [ ! -e offline ] ;;
    *print*) echo "$PWD/.venv 3 13" ;;
    *umask) umask ;;
    *.py*) echo "$@" ;;
esac
"""


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A PATH with the tools of any machine, and no Python but a pyenv shim that leads nowhere."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        found = next(place for place in ("/bin", "/usr/bin") if Path(place, tool).exists())
        (folder / tool).symlink_to(Path(found, tool))
    for shim in ("python3.14", "python3.13", "python3.12"):
        executable(folder / shim, "#!/bin/sh\nexit 127\n")
    executable(folder / "python3", "#!/bin/sh\nexit 1\n")  # as one that is too old, or has no venv
    return folder


class Machine:
    """A checkout, and the little that is installed beside it."""

    def __init__(self, folder: Path, tools: Path) -> None:
        self.checkout = folder / "a b"  # a path with a space in it
        (self.checkout / "requirements").mkdir(parents=True)
        (self.checkout / "run").write_bytes((PROJECT / "run").read_bytes())
        for name in ("base", "dev"):
            (self.checkout / f"requirements/{name}.txt").write_text(f"# {name}")
        self.environment = {"PATH": str(tools), "HOME": str(folder / "home")}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["/bin/sh", str(self.checkout / "run"), *arguments]
        return subprocess.run(  # noqa: S603
            command, env=self.environment, capture_output=True, text=True, check=False, umask=0o022
        )

    def done(self) -> list[str]:
        """The folders made and the packages installed since the last call."""
        log = self.checkout / "done.log"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines


@pytest.fixture
def machine(tmp_path: Path, tools: Path) -> Machine:
    machine = Machine(tmp_path, tools)
    machine.environment["PYTHON"] = str(executable(tmp_path / "fake/python", FAKE_PYTHON))
    return machine


NEW_FOR_SERVING = ["venv", "requirements/base.txt"]


@pytest.mark.parametrize(
    "place", [".pyenv/versions/3.13.0/bin/python3", ".local/share/uv/python/cpython-3.13/bin/python3"]
)
def test_a_python_is_found_behind_shims_that_lead_nowhere(tmp_path: Path, tools: Path, place: str) -> None:
    machine = Machine(tmp_path, tools)
    real = executable(tmp_path / "home" / place, f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    assert machine.run("find-python").stdout == f"{real}\n"


def test_a_named_python_comes_first(machine: Machine) -> None:
    assert machine.run("find-python").stdout == f"{machine.environment['PYTHON']}\n"


def test_version_is_printed_without_an_installation(machine: Machine) -> None:
    (machine.checkout / "pyproject.toml").write_bytes((PROJECT / "pyproject.toml").read_bytes())
    assert machine.run("--version").stdout == f"Strigula {settings.VERSION}\n"
    assert machine.done() == []


def test_the_second_start_installs_nothing(machine: Machine) -> None:
    assert machine.run("--port", "8001").stdout == "manage.py serve --port 8001\n"
    assert machine.done() == NEW_FOR_SERVING
    assert machine.run().stdout == "manage.py serve\n"
    assert machine.done() == []
    (machine.checkout / "requirements/base.txt").write_text("# other")
    assert machine.run().returncode == 0
    assert machine.done() == ["requirements/base.txt"], "it has changed"


def test_installing_alone_compiles_and_leaves_nothing_to_a_start(machine: Machine) -> None:
    assert machine.run("install").stdout == "-m compileall -q manage.py scorekeeper sessions_app\n"
    assert machine.done() == NEW_FOR_SERVING
    for _twice in range(2):
        machine.run("exec", "python", "-m", "x")
    assert machine.run().stdout == "manage.py serve\n"
    assert machine.done() == ["requirements/dev.txt"], "what tests need is added once, and serves too"


def test_files_of_the_app_are_its_user_s_alone_and_those_of_development_tools_are_not(machine: Machine) -> None:
    assert machine.run("manage", "umask").stdout == "0077\n"
    assert machine.run("--port", "umask").stdout == "0077\n"
    assert machine.run("exec", "python", "umask").stdout != "0077\n"


def test_an_interrupted_installation_is_begun_anew(machine: Machine) -> None:
    offline = machine.checkout / "offline"
    offline.touch()
    first = machine.run()
    assert (first.returncode, machine.done()) == (1, NEW_FOR_SERVING)
    assert "could not be installed" in first.stderr
    assert not (machine.checkout / ".venv/stamp").exists()
    offline.unlink()
    assert machine.run().returncode == 0
    assert machine.done() == NEW_FOR_SERVING


def test_a_venv_that_was_moved_or_lost_its_interpreter_is_made_anew(machine: Machine) -> None:
    machine.run()
    machine.done()
    machine.checkout = machine.checkout.rename(machine.checkout.with_name("elsewhere"))
    assert machine.run().returncode == 0
    assert machine.done() == NEW_FOR_SERVING
    interpreter = machine.checkout / ".venv/bin/python"
    interpreter.unlink()
    interpreter.symlink_to("/nowhere/python3")
    assert machine.run("exec", "python").returncode == 0
    assert machine.done() == ["venv", "requirements/dev.txt"]


def test_a_venv_that_is_a_link_to_another_checkout_s_is_left_alone(machine: Machine) -> None:
    machine.run()
    lent = machine.checkout.parent / "lent"
    (machine.checkout / ".venv").rename(lent)
    (lent / "stamp").write_text("elsewhere 3 13\nbase 1\n")
    (machine.checkout / ".venv").symlink_to(lent)
    refused = machine.run()
    assert refused.returncode == 1
    assert ".venv is a link" in refused.stderr
    assert (lent / "bin/python").exists()


def test_an_unknown_word_is_answered_with_the_usage(machine: Machine) -> None:
    answer = machine.run("sevre")
    assert answer.returncode == 2
    assert answer.stderr.startswith("./run [--port N] [--demo]")
    assert machine.done() == []


def test_serving_and_tests_are_locked_to_the_same_versions() -> None:
    pins = {
        name: set(re.findall(r"^\S+==\S+", (PROJECT / f"requirements/{name}.txt").read_text(), re.MULTILINE))
        for name in ("base", "dev")
    }
    assert pins["base"]
    assert pins["base"] < pins["dev"]


EXCUSES = """
import pytest

@pytest.mark.skip(reason="lazy")
def test_skipped(): ...

def test_skips_itself(): pytest.skip("busy")

@pytest.mark.xfail(reason="known")
def test_excused(): assert False

@pytest.mark.xfail(reason="known")
def test_excused_for_nothing(): ...

def test_honest(): ...
"""


def test_run_in_ci_fails_by_skips_expected_failures_and_deselected_tests(tmp_path: Path) -> None:
    (tmp_path / "test_excuses.py").write_text(EXCUSES)
    excused = _pytest_in(tmp_path, "-p", "tests.ci_plugin")
    assert excused.returncode != 0
    assert re.search("3 failed, 1 passed, 1 error in ", excused.stdout)
    deselected = _pytest_in(tmp_path, "-p", "tests.ci_plugin", "-k", "honest")
    assert deselected.returncode != 0
    assert "ERROR: deselected: test_excuses.py::test_skipped, " in deselected.stdout + deselected.stderr


UNSTEADY = """
import pathlib
import pytest

@pytest.fixture
def new_phone(): ...

@pytest.mark.parametrize("number", range({failing}))
def test_of_luck(new_phone, number, request):
    path = pathlib.Path(request.config.rootpath, f"seen-{{number}}")
    seen = path.exists()
    path.touch()
    assert seen, "first time"

def test_broken_in_browser(new_phone): assert {honest}
def test_without_browser(): assert {honest}
"""


@pytest.mark.parametrize(
    ("failing", "honest", "processes", "endings"),
    [
        (
            3,
            True,
            2,
            [r"unsteady: test_luck.py::test_of_luck\[2\]", "AssertionError: first time", "5 passed, 3 rerun "],
        ),
        (4, True, 0, ["FAILED: 4 tests were unsteady, of at most 3", "6 passed, 4 rerun "]),
        (1, False, 0, [r"UNSTEADY test_luck.py::test_of_luck\[0\]", "2 failed, 1 passed, 2 rerun "]),
    ],
    ids=["three tolerated", "four refused", "others still fail"],
)
def test_browser_test_that_fails_once_is_reported_as_unsteady(
    tmp_path: Path, failing: int, honest: bool, processes: int, endings: list[str]
) -> None:
    (tmp_path / "test_luck.py").write_text(UNSTEADY.format(failing=failing, honest=honest))
    pytest_run = _pytest_in(tmp_path, "-p", "tests.ci_plugin", "-p", "tests.unsteady", "-n", str(processes))
    assert (pytest_run.returncode == 0) == (failing == 3), pytest_run.stdout
    for ending in endings:
        assert re.search(ending, pytest_run.stdout)


def _pytest_in(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "pytest", "-p", "no:django", "-c", os.devnull, "--rootdir", str(folder)]
    return subprocess.run(  # noqa: S603
        [*command, *options, str(folder)], cwd=PROJECT, capture_output=True, text=True, check=False
    )
