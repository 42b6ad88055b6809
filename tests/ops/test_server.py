"""The server of ./run: its QR code and static files, all ways in which it ends, and its message on a port in use."""

import os
import re
import signal
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace

import pytest
import segno
from django.test.utils import override_settings
from granian.server.mp import WorkerProcess

from scorekeeper.ops import network, server
from sessions_app.management.commands import serve
from sessions_app.management.commands.serve import RESET, WHITE_ON_BLACK, qr_code
from tests.selection import first
from tests.server import wait_until_all_serve
from tests.serving import children, free_port, prepare, served

#: Seconds after which a machine that is merely busy has answered.
PATIENCE = 30


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as a server leaves it: a start with it costs less."""
    data = tmp_path_factory.mktemp("ready")
    prepare(data)
    return data


@pytest.mark.parametrize("wish", first(1, [signal.SIGINT, signal.SIGTERM]), ids=lambda wish: wish.name)
def test_serve_says_where_it_is_and_ends_when_asked_with_its_idle_connections_closed(
    ready: Path, port: int, wish: signal.Signals
) -> None:
    key = (ready / "secret_key").read_text()
    (ready / f"metrics-{port}").mkdir(exist_ok=True)
    with served(ready, port) as (process, said), ExitStack() as idle:
        assert said.startswith(f"\n  On this machine:  http://localhost:{port}/\n"), "and nothing of the server's own"
        lan = network.lan_address()
        assert (f"http://{lan}:{port}/" in said) == ("▀" in said) == (lan is not None)
        assert not (ready / f"metrics-{port}").exists(), "no token, no numbers"
        for host in network.own_hosts():
            assert network.status(port, "/offline/", host, PATIENCE) == 200
        assert network.status(port, "/offline/", "elsewhere.example", PATIENCE) == 400
        assert network.status(port, "/healthz", "elsewhere.example", PATIENCE) == 200
        serving(process)
        for number in range(20):
            phone = idle.enter_context(socket.create_connection(("127.0.0.1", port)))
            if number % 2:
                phone.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert phone.recv(15) == b"HTTP/1.1 200 OK"
        process.send_signal(wish)
        last_words = process.communicate(timeout=PATIENCE)[0]
    told = [line for line in last_words.splitlines() if line and "No page for host 'elsewhere.example'" not in line]
    assert (process.returncode, told) == (0, ["Stopped. Nothing is lost."]), "no worker is killed"
    assert (ready / "secret_key").read_text() == key, "made once"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (ready, *ready.rglob("*"))}
    assert {"secret_key", "scorekeeper.sqlite3"} < set(modes)
    assert not {name: oct(mode) for name, mode in modes.items() if mode & 0o077}, "all of it for its owner only"
    assert len(key) >= 50
    assert network.status(port, "/healthz", "localhost") is None


def test_server_behind_a_proxy_listens_at_its_socket_alone(ready: Path, tmp_path: Path, port: int) -> None:
    path = tmp_path / "cards.sock"
    behind = {"SCOREKEEPER_PROXY": "true", "SCOREKEEPER_HTTPS": "true", "SCOREKEEPER_HOSTS": "cards.example"}
    with served(ready, port, "--socket", str(path), **behind) as (process, said):
        assert said.startswith("\n  Address:  https://cards.example/\n  No backup yet: ./run manage backup FILE\n")
        asked = [
            network.status(0, address, "cards.example", PATIENCE, at=str(path)) for address in ("/healthz", "/demo/")
        ]
        assert asked == [200, 301]
        assert network.status(port, "/healthz", "localhost") is None
        with served(ready, port, "--socket", str(path), **behind) as (second, said_by_second):
            assert second.wait(timeout=PATIENCE) == 1
        assert (
            f"socket of these data is in use by a Strigula that is already running (process {process.pid})"
            in said_by_second
        )
        process.terminate()
        last_words = process.communicate(timeout=PATIENCE)[0]
    assert "Killing" not in last_words
    assert (process.returncode, last_words.splitlines()[-1]) == (0, "Stopped. Nothing is lost.")
    assert not path.exists()


def test_local_server_prints_no_address_for_phones_and_sums_the_metrics_of_both_workers(ready: Path, port: int) -> None:
    token, sent = "f3a1c5d7e9b2f4a6c8d0", 0
    with served(ready, port, "--host", "127.0.0.1", SCOREKEEPER_METRICS_TOKEN=token) as (process, said):
        assert f"http://localhost:{port}/" in said
        assert "▀" not in said, "no address for phones"
        serving(process)
        folder = ready / f"metrics-{port}"
        while sum(b'"offline"' in file.read_bytes() for file in folder.glob("counter_*.db")) < 2:
            assert sent < 500, "one worker answers no request"
            sent += 1
            assert network.status(port, "/offline/", "localhost", PATIENCE) == 200
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})
        page = connection.getresponse().read().decode()
        connection.close()
    assert f'strigula_requests_total{{method="GET",route="offline",status="200"}} {sent}.0' in page
    waits = re.search(r'strigula_turn_seconds_count{queue="thread"} (\d+)', page)
    assert waits, "of all requests for a thread"
    assert int(waits[1]) > sent


def test_worker_is_known_to_have_ended_while_another_thread_collects_its_exit() -> None:
    worker = WorkerProcess.__new__(WorkerProcess)
    sentinel, held = os.pipe()
    worker.inner = SimpleNamespace(sentinel=sentinel, is_alive=lambda: True)
    assert server.is_running(worker)
    os.close(held)
    assert not server.is_running(worker)
    os.close(sentinel)


def serving(process: subprocess.Popen[str]) -> int:
    """The server's main process, once both its workers serve."""
    [main] = children(process.pid)
    wait_until_all_serve(main, workers=2)
    return main


def all_ended(process: subprocess.Popen[str], port: int) -> str:
    """The last output of all processes that could write there: it is read to its end when the last of them has gone.

    A worker that took too long to stop shows only a busy machine.
    """
    last_words = process.communicate(timeout=PATIENCE)[0]
    network.check_port(port)
    return "".join(line for line in last_words.splitlines(keepends=True) if "refused to gracefully stop" not in line)


@pytest.mark.thorough
@pytest.mark.parametrize("killed", ["starter and server", "starter", "server"])
def test_however_it_is_killed_nothing_is_left_on_the_port(ready: Path, port: int, killed: str) -> None:
    with served(ready, port) as (process, _said):
        main = serving(process)
        for name, pid in {"starter": process.pid, "server": main}.items():
            if name in killed:
                os.kill(pid, signal.SIGKILL)
        last_words = all_ended(process, port)
    if killed == "server":
        assert process.returncode == 1
        assert "The server stopped unexpectedly" in last_words
    else:
        assert last_words == ""
    if killed == "starter":
        with served(ready, port) as (_process, said):
            assert f"http://localhost:{port}/" in said, "the lock went with who held it"


ADDRESS = "http://192.168.1.7:8000/"
#: Whether the upper and the lower half are in the letter's colour.
HALVES = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}


def modules(drawn: list[str]) -> list[list[int]]:
    """Return the rows of the code; 1 is dark. The letters are white, their ground is black."""
    return [[1 - HALVES[letter][half] for letter in line] for line in drawn for half in (0, 1)]


def test_qr_code_is_dark_on_light_in_a_terminal_of_any_colours() -> None:
    lines = qr_code(ADDRESS, is_terminal=True).splitlines()
    assert all(line.startswith("\x1b[38;5;231;48;5;16m") and line.endswith("\x1b[0m") for line in lines)
    drawn = [line.removeprefix(WHITE_ON_BLACK).removesuffix(RESET) for line in lines]
    code = [list(row) for row in segno.make(ADDRESS, micro=False).matrix_iter(border=2)]
    assert modules(drawn)[: len(code)] == code
    assert qr_code(ADDRESS, is_terminal=False).splitlines() == drawn, "no colours in a file"


@pytest.fixture
def collected(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "source").mkdir()
    (tmp_path / "data").mkdir()
    storages = {"staticfiles": {"BACKEND": "scorekeeper.http.bundles.Storage"}}
    root = tmp_path / "data/static"
    finders = ["django.contrib.staticfiles.finders.FileSystemFinder"]  # of no app, whose files take seconds
    sources = {"STATICFILES_DIRS": [tmp_path / "source"], "STATICFILES_FINDERS": finders}
    with override_settings(STATIC_ROOT=root, STORAGES=storages, **sources):
        yield root


@pytest.fixture
def collect(tmp_path: Path, collected: Path) -> Callable[[str], set[str]]:
    """Return a function that collects a script with this content, and returns the names that it is served by."""

    def collect(content: str) -> set[str]:
        (tmp_path / "source/card.js").write_text(content)
        serve.collect_static_files()
        return {path.name for path in collected.glob("card.*.js*")}

    return collect


def test_files_of_the_version_before_stay_and_older_ones_go(collect: Callable[[str], set[str]]) -> None:
    first, second, third = collect("1;" * 400), collect("2;" * 400), collect("3;" * 400)
    assert first < second, "pages that are open load them"
    assert second - first < third
    assert not first & third
    assert len(first) == len(third) / 2 == 3, "as it is, and compressed in two ways"


def test_file_that_a_full_disk_cut_short_is_collected_again(
    collect: Callable[[str], set[str]], collected: Path
) -> None:
    collected.mkdir()
    (collected / "card.js").write_text("1;")
    collect("1;" * 400)
    assert len((collected / "card.js").read_text()) == 800
