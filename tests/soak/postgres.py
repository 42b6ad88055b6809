"""A PostgreSQL of one's own, that can crash and come up again: it keeps its promises of a power cut (fsync is on)."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Self
from urllib.parse import quote


class Postgres:
    """One cluster in a folder of its own, reached by a socket in it. `url` names its database."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._tools = folder, tools()
        self.url = f"postgres://postgres@{quote(str(folder), safe='')}/postgres"
        self._tool("initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8")

    def start(self) -> Self:
        options = f"-c listen_addresses='' -c unix_socket_directories={self._folder}"
        self._tool(
            "pg_ctl", "-D", str(self._folder / "data"), "-l", str(self._folder / "log"), "-w", "-o", options, "start"
        )
        return self

    def crash(self) -> None:
        """Kill the database without warning, as in a power cut."""
        self._tool("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "stop")

    def _tool(self, name: str, *arguments: str) -> None:
        command = [str(self._tools / name), *arguments]
        if os.getuid() == 0:  # it refuses to be root's
            command = ["/usr/sbin/runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, cwd="/", check=True, stdout=subprocess.DEVNULL)  # noqa: S603


def tools() -> Path:
    """The folder of PostgreSQL's own programs: the newest there is."""
    named = shutil.which("initdb")
    found = [Path(named).resolve().parent] if named else []
    found += [initdb.parent for initdb in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))]
    assert found, "There is no PostgreSQL server on this machine."
    return found[-1]


@contextmanager
def postgres() -> Iterator[Postgres]:
    folder = Path(mkdtemp(prefix="scorekeeper-"))
    try:
        folder.chmod(0o755)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = Postgres(folder).start()
        try:
            yield cluster
        finally:
            cluster.crash()
    finally:
        shutil.rmtree(folder)


@contextmanager
def either_database(name: str) -> Iterator[str]:
    """The URL of a PostgreSQL of one's own, or nothing for SQLite."""
    if name == "sqlite":
        yield ""
    else:
        with postgres() as cluster:
            yield cluster.url
