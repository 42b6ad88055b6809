"""ihatemoney, the peer that we are measured against: installed from PyPI beside us, and served as its manual has it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorekeeper.ops import network
from tests.server import wait_until
from tests.serving import free_port

PACKAGES = ("ihatemoney==7.2.1", "gunicorn")
#: The newest Python that it is known to run on comes first.
PYTHONS = ("3.13", "3.12", "3.11", "3.10")


def installed(folder: Path) -> Path:
    """A virtual environment with the peer in it, made once; it stays for the next time."""
    environment = folder / "-".join(PACKAGES).replace("==", "-")
    done = environment / "done"
    if not done.exists():
        shutil.rmtree(environment, ignore_errors=True)
        run(python(), "-m", "venv", str(environment))
        run(environment / "bin/python", "-m", "pip", "install", "--quiet", "--no-input", *PACKAGES)
        done.touch()
    return environment / "bin"


def python() -> str:
    """A Python that the peer runs on, by its name on the PATH, else among those of pyenv; run, and not believed."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in PYTHONS:
        named = (f"python{version}", *(str(found) for found in sorted(pyenv.glob(f"{version}.*/bin/python3"))))
        for name in named:
            if is_python(name):
                return name
    raise AssertionError(f"There is no Python {PYTHONS[0]} or older on this machine.")


def is_python(name: str) -> bool:
    try:
        return subprocess.run([name, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode == 0  # noqa: S603
    except OSError:
        return False


@contextmanager
def served(programs: Path, data: Path, workers: int) -> Iterator[int]:
    """ihatemoney with as many of gunicorn's workers, on a SQLite file of its own; its port."""
    port, settings = free_port(), data / "ihatemoney.cfg"
    data.mkdir()
    settings.write_text(
        f'SECRET_KEY = "of a bench"\nSQLALCHEMY_DATABASE_URI = "sqlite:///{data / "ihatemoney.sqlite3"}"\n'
        # Eight who sign in from one address are too many for it.
        "SESSION_COOKIE_SECURE = False\nMAIL_SUPPRESS_SEND = True\nRATELIMIT_ENABLED = False\n"
    )
    environ = os.environ | {"IHATEMONEY_SETTINGS_FILE_PATH": str(settings)}
    with (data / "said.txt").open("w") as said:
        # Its workers make the tables when they start, and two who do that at once are in each other's way.
        make = [programs / "python", "-c", "from ihatemoney.run import create_app; create_app()"]
        subprocess.run(make, env=environ, stdout=said, stderr=said, check=True)  # noqa: S603
        serve = [programs / "gunicorn", "-w", str(workers), "-b", f"127.0.0.1:{port}", "ihatemoney.wsgi:application"]
        process = subprocess.Popen(serve, env=environ, stdout=said, stderr=said)  # noqa: S603
        try:
            wait_until(lambda: network.status(port, "/healthcheck", "localhost") == 200, process)
            yield port
        finally:
            process.terminate()
            process.wait()


def run(*command: object) -> None:
    subprocess.run([str(word) for word in command], check=True)  # noqa: S603
