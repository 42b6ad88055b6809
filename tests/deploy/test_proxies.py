"""nginx and Caddy by the files in deploy/, each in front of a server of ours at its socket.

They are Debian's, with Debian's own nginx.conf around the site. Only names of folders and ports are others here.
"""

import gzip
import http.client
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from scorekeeper.http.asgi_bridge import MAX_FILE
from sessions_app.rate_limits import WRONG_LINKS
from tests.server import wait_until
from tests.serving import MANAGE, free_port, prepare, served
from tests.soak.phones import Answer, Phone, Table, invitation

DEPLOY = Path(settings.BASE_DIR) / "deploy"
HOST = "cards.example.org"
SOCKET = "/run/strigula/http.sock"
PATIENCE = 60
PROXIES = "nginx", "Caddy"


@dataclass(frozen=True)
class Proxy:
    """The ports at which a proxy takes HTTPS and plain HTTP."""

    secure: int
    plain: int

    @property
    def origin(self) -> str:
        return f"https://{HOST}:{self.secure}"


class Secure(http.client.HTTPSConnection):
    """A connection to a proxy on this machine by the name in its certificate."""

    def connect(self) -> None:
        http.client.HTTPConnection.connect(self)
        self.sock = _any_certificate().wrap_socket(self.sock, server_hostname=HOST)


class Visitor(Phone):
    """A phone that comes by HTTPS, from one of the addresses of this machine."""

    def __init__(self, proxy: Proxy, address: str = "127.0.0.2") -> None:
        super().__init__(proxy.secure)
        self._connection = Secure("127.0.0.1", proxy.secure, timeout=PATIENCE, source_address=(address, 0))
        self._said = {"Host": f"{HOST}:{proxy.secure}", "Origin": proxy.origin}

    def _exchange(self, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Any:
        return super()._exchange(method, path, body, {**self._said, **headers})

    def raw(self, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        """The answer and its bytes as they came."""
        cookie = "; ".join(f"{name}={text}" for name, text in self._cookies.items())
        self._connection.request("GET", path, headers={**self._said, "Cookie": cookie, **headers})
        answer = self._connection.getresponse()
        return answer, answer.read()

    def bring(self, size: int) -> Answer:
        """Bring a file of that many bytes, which holds nothing."""
        fields = f'--x\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{self._token}\r\n'
        file = '--x\r\nContent-Disposition: form-data; name="file"; filename="book.json"\r\n\r\n'
        body = f"{fields}{file}".encode() + b"\0" * size + b"\r\n--x--\r\n"
        return self._ask("POST", "/import/", body, {"Content-Type": "multipart/form-data; boundary=x"})


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that the proxy's own user may enter, unlike pytest's."""
    with tempfile.TemporaryDirectory(prefix="strigula-proxies-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def proxies(folder: Path) -> Iterator[dict[str, Proxy]]:
    """Both proxies, and behind them a server, which all start at the same time."""
    with ExitStack() as running:
        found = {name: Proxy(free_port(), free_port()) for name in PROXIES}
        begun = [
            running.enter_context(_running(*_nginx(folder, found["nginx"]))),
            running.enter_context(_running(*_caddy(folder, found["Caddy"]))),
        ]
        running.enter_context(_server(folder))
        for process, proxy in zip(begun, found.values(), strict=True):
            _wait(process, proxy)
        yield found


@contextmanager
def _server(folder: Path) -> Iterator[None]:
    """A server by the settings in deploy/, at a socket, and in the sandbox of the unit."""
    prepare(folder / "data")
    lines = (DEPLOY / "strigula.env").read_text().splitlines()
    environ = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    environ["SCOREKEEPER_DATA"] = str(folder / "data")
    sandboxed = [sys.executable, "-m", "tests.deploy.sandbox", str(DEPLOY / "strigula.service"), *MANAGE]
    at = "--socket", str(folder / "http.sock")
    with served(folder / "data", free_port(), *at, program=sandboxed, **environ) as (_process, said):
        assert f"Address:  https://{HOST}/" in said
        assert "Warning" not in said
        yield


@pytest.fixture(params=PROXIES)
def proxy(proxies: dict[str, Proxy], request: pytest.FixtureRequest) -> Proxy:
    return proxies[request.param]


@pytest.fixture
def visitor(proxy: Proxy) -> Iterator[Visitor]:
    visitor = Visitor(proxy)
    yield visitor
    visitor.close()


def test_form_comes_through_and_its_cookies_links_and_redirects_are_of_https(proxy: Proxy, visitor: Visitor) -> None:
    evening = _evening(visitor)
    assert evening.startswith("/sessions/"), "no redirect to another host or port"
    assert {name[:7] for name in visitor._cookies} == {"__Host-"}
    assert visitor.get("/").headers["Strict-Transport-Security"] == "max-age=31536000"
    invitation(visitor, evening)
    assert f"{proxy.origin}/join/" in visitor.get(f"{evening}invite/keeper/").text
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=PATIENCE)
    plain.request("GET", "/rules/", headers={"Host": HOST})
    assert plain.getresponse().headers["Location"] == f"https://{HOST}/rules/"
    plain.close()


def test_sandboxed_server_makes_pictures_workbooks_and_options_of_passkeys(visitor: Visitor) -> None:
    evening = _evening(visitor)
    assert Table(evening, [visitor]).record(visitor).status == 200
    assert visitor.post(f"{evening}end/", {}).status == 302
    for kind in ("png", "xlsx", "json"):
        answer, body = visitor.raw(f"{evening}export.{kind}")
        assert (answer.status, len(body) > 1000) == (200, True), kind
    assert visitor.post("/me/passkeys/options/", {}).status == 200


def test_two_visitors_are_counted_as_two_and_a_forged_address_is_not_believed(proxy: Proxy) -> None:
    one, other = (
        Visitor(proxy, f"127.0.1.{proxy.secure % 200 + 1}"),
        Visitor(proxy, f"127.0.2.{proxy.secure % 200 + 1}"),
    )
    forged = [{"X-Forwarded-For": f"203.0.113.{at}", "X-Real-IP": "203.0.113.1"} for at in range(WRONG_LINKS.most + 1)]
    statuses = [one.get("/join/1-nothing/", headers).status for headers in forged]
    assert statuses == [404] * WRONG_LINKS.most + [429]
    assert other.get("/join/1-nothing/").status == 404
    one.close()
    other.close()


def test_polls_are_answered_by_what_is_there_now(visitor: Visitor) -> None:
    table = Table(_evening(visitor), [visitor])
    assert table.record(visitor).status == 200
    assert visitor.get(f"{table.evening}live/?v=0").status == 200
    found = re.search(r'data-version="(\d+)"', visitor.get(table.evening).text)
    assert found
    poll = f"{table.evening}live/?v={found[1]}"
    assert visitor.get(poll).status == 204
    assert table.record(visitor).status == 200
    assert visitor.get(poll).status == 200


def test_file_of_the_largest_size_comes_through_and_a_larger_one_is_refused_by_a_page(visitor: Visitor) -> None:
    visitor.get("/import/")
    assert visitor.post("/import/", {"begin": "on"}).status == 302
    visitor.get("/import/")
    answers = [visitor.bring(size) for size in (MAX_FILE, MAX_FILE + 1)]
    assert [(answer.status, "The file is larger than 50 MB" in answer.text) for answer in answers] == [
        (422, False),
        (422, True),
    ]


def test_page_is_compressed_once_and_one_with_a_secret_not_at_all(folder: Path, visitor: Visitor) -> None:
    evening = _evening(visitor)
    secret = invitation(visitor, evening)
    answer, body = visitor.raw("/", **{"Accept-Encoding": "gzip, br, zstd"})
    assert answer.headers.get_all("Content-Encoding") == ["gzip"]
    assert b"<html" in gzip.decompress(body)
    answer, body = visitor.raw(f"{evening}invite/keeper/", **{"Accept-Encoding": "gzip, br, zstd"})
    assert "Content-Encoding" not in answer.headers
    assert secret.encode() in body
    assert visitor.get(secret).status == 200
    logs = [log.read_text() for log in folder.glob("*.log")]
    assert logs
    assert not [log for log in logs if secret in log]


def _evening(visitor: Visitor) -> str:
    """Start a session; return its path."""
    visitor.get("/sessions/new/")
    names = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "player_4": ""}
    started = visitor.post("/sessions/new/", names | {"first_dealer": "1", "currency": "HUF"})
    assert started.status == 302, started.text
    evening = str(started.headers["Location"])
    visitor.get(evening)
    return evening


# --- The proxies ---


def _nginx(folder: Path, proxy: Proxy) -> tuple[list[str], dict[str, str]]:
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    subject = ["-subj", f"/CN={HOST}", "-days", "2", "-keyout", str(key), "-out", str(certificate)]
    _checked("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject)
    site = _written(
        folder / "site.conf",
        (DEPLOY / "nginx.conf").read_text(),
        {
            SOCKET: str(folder / "http.sock"),
            f"/etc/letsencrypt/live/{HOST}": str(folder),
            " 80;": f" {proxy.plain};",
            "[::]:80;": f"[::]:{proxy.plain};",
            " 443 ssl": f" {proxy.secure} ssl",
            "[::]:443 ssl": f"[::]:{proxy.secure} ssl",
        },
    )
    main = _written(
        folder / "nginx.conf",
        Path("/etc/nginx/nginx.conf").read_text(),
        {
            "/run/nginx.pid": str(folder / "nginx.pid"),
            "/etc/nginx/sites-enabled/*": str(site),
            "/var/log/nginx/": f"{folder}/",
        },
    )
    assert "warn" not in _checked("nginx", "-t", "-c", str(main))
    return ["nginx", "-c", str(main), "-g", "daemon off;"], {}


def _caddy(folder: Path, proxy: Proxy) -> tuple[list[str], dict[str, str]]:
    options = f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {proxy.plain}\n\thttps_port {proxy.secure}\n}}\n\n"
    file = _written(
        folder / "Caddyfile",
        options + (DEPLOY / "Caddyfile").read_text(),
        {SOCKET: str(folder / "http.sock"), f"{HOST} {{": f"{HOST} {{\n\ttls internal"},
    )
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "caddy"), "XDG_CONFIG_HOME": str(folder / "caddy")}
    config = "--config", str(file), "--adapter", "caddyfile"
    assert "not formatted" not in _checked("caddy", "validate", *config, **home)
    return ["caddy", "run", *config], home


def _written(file: Path, text: str, replaced: Mapping[str, str]) -> Path:
    """Write a file of deploy/ or of Debian with other names, each of which must be in it."""
    for name, here in replaced.items():
        assert name in text, f"{name} is no longer in {file.name}"
        text = text.replace(name, here)
    file.write_text(text)
    return file


def _checked(program: str, *arguments: str, **environ: str) -> str:
    """Run a program, which must end well; return its output."""
    assert shutil.which(program), f"install {program}, as .ci/run does"
    command = [program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environ, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@contextmanager
def _running(command: list[str], environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, env=os.environ | environ, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait(process: subprocess.Popen[bytes], proxy: Proxy) -> None:
    """Wait until the proxy takes a connection."""

    def takes_one() -> bool:
        with suppress(OSError), closing(Secure("127.0.0.1", proxy.secure)) as connection:
            connection.connect()
            return True
        return False

    wait_until(takes_one, process)


def _any_certificate() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
