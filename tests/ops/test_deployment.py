"""Settings of a server behind a proxy: what each brings about, and what the start warns of."""

import runpy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test.utils import override_settings

from scorekeeper.ops import deployment, network
from sessions_app.management.commands.serve import Command


@pytest.fixture(autouse=True)
def addresses(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The addresses of this machine: a laptop's, to which a test may add."""
    own = {"127.0.0.1", "192.168.1.7"}
    monkeypatch.setattr(network, "own_addresses", lambda: own)
    return own


@pytest.fixture
def configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that reads the program's own settings with these variables."""

    def read(**environ: str) -> dict[str, Any]:
        for name, value in {"DATA": str(tmp_path), **environ}.items():
            monkeypatch.setenv(f"SCOREKEEPER_{name}", value)
        found = runpy.run_path(str(Path(settings.BASE_DIR) / "scorekeeper/settings.py"))
        return {
            name: value
            for name, value in found.items()
            if name.startswith(
                ("HTTPS", "HSTS", "PROXY", "PASSKEY", "SECURE_", "LOGGING", "CIRCLE", "DEMO", "SERVER_NAME", "IMPRINT")
            )
        }

    return read


def warned(found: dict[str, Any], at: str = "::") -> list[str]:
    """The beginnings of the warnings of a server that listens there."""
    with override_settings(**found):
        return [warning.partition(":")[0] for warning in deployment.warnings(at)]


@pytest.mark.parametrize(
    ("value", "subdomains", "preload"), [(None, False, False), ("subdomains", True, False), ("preload", True, True)]
)
def test_hsts_covers_this_host_alone_and_a_wider_setting_is_warned_of(
    configure: Any, value: str | None, subdomains: bool, preload: bool
) -> None:
    found = configure(HTTPS="true", PROXY="true", **({"HSTS": value} if value else {}))
    assert (found["SECURE_HSTS_INCLUDE_SUBDOMAINS"], found["SECURE_HSTS_PRELOAD"]) == (subdomains, preload)
    assert warned(found) == ([f"SCOREKEEPER_HSTS={value}"] if value else [])
    assert not configure(HTTPS="false")["SECURE_HSTS_INCLUDE_SUBDOMAINS"]


def test_domain_of_passkeys_that_covers_no_host_is_warned_of(configure: Any) -> None:
    found = configure(PASSKEY_DOMAIN="example.org")
    hosts = {"example.org": [], "cards.example.org": [], "badexample.org": ["SCOREKEEPER_PASSKEY_DOMAIN=example.org"]}
    assert {host: warned(found | {"ALLOWED_HOSTS": [host, "192.0.2.1"]}) for host in hosts} == hosts


TOGETHER, DOMAIN = "SCOREKEEPER_CODE: set it together", "PASSKEY_DOMAIN: give a domain such as"
SECRET = "16 or more letters and digits"


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"HSTS": "all"}, "choose host, subdomains or preload, not 'all'"),
        ({"LOG": "all"}, "text or json, not 'all'"),
        ({"PROXY": "all"}, "give the number of proxies, true or false, not 'all'"),
        ({"CIRCLES": "all"}, "choose anybody, code, members or operator, not 'all'"),
        ({"DEMO": "all"}, "choose true or false"),
        ({"PATH": "/cards"}, r"SCOREKEEPER_PATH: .* a host name of its own"),
        *(
            ({"PASSKEY_DOMAIN": it}, DOMAIN)
            for it in ("https://a.org", "a.org:80", "A.org", "192.0.2.1", "a..b", "a/b")
        ),
        *((it, TOGETHER) for it in ({"CIRCLES": "code"}, {"CODE": "hetes"}, {"CIRCLES": "members", "CODE": "hetes"})),
        *(({"CIRCLES": "code", "CODE": it}, "8 to 100 characters") for it in ("1234567", "x" * 101)),
        ({"NAME": "two\nlines"}, "SCOREKEEPER_NAME: give one line"),
        ({"IMPRINT": "x" * 201}, "SCOREKEEPER_IMPRINT: give one line"),
        *(({"IMPRINT": it}, "begins with https") for it in ("Anna javascript://a.org", "https://", "https://[1")),
        *(({"IMPRINT": it}, "one link, at the end") for it in ("https://a.org/ Anna", "https://a.org https://b.org")),
        *(({"METRICS_TOKEN": it}, SECRET) for it in ("f3a1c5d7e9b2f4a", "f3a1c5d7e9b2f4 6c8d0", "f3a1c5d7e9b2f4a6\n")),
        ({"METRICS_TOKEN": "f3a1c5d7e9b2f4á6c8d0"}, SECRET),
    ],
)
def test_setting_that_cannot_be_meant_is_refused(configure: Any, environ: dict[str, str], said: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=said):
        configure(**environ)


BY_CODE = {"CIRCLES": "code", "CODE": "piros  hetes", "DEMO": "true"}


@pytest.mark.parametrize(
    ("environ", "name", "value"),
    [
        *(({"CIRCLES": who}, "DEMO", who == "anybody") for who in ("anybody", "members", "operator")),
        *((BY_CODE, name, value) for name, value in (("DEMO", True), ("CIRCLE_CODE", "piros hetes"))),
        ({"IMPRINT": ""}, "IMPRINT", ("", "")),
        ({"IMPRINT": "Anna,  a@example.org"}, "IMPRINT", ("Anna, a@example.org", "")),
        ({"IMPRINT": "https://example.org/me"}, "IMPRINT", ("", "https://example.org/me")),
        ({"IMPRINT": "Club Anna https://example.org/me"}, "IMPRINT", ("Club Anna", "https://example.org/me")),
        ({}, "PROXY", 0),
        *(({"PROXY": said}, "PROXY", proxies) for said, proxies in (("false", 0), ("true", 1), ("1", 1), ("2", 2))),
    ],
)
def test_setting_is_read_as_its_value(configure: Any, environ: dict[str, str], name: str, value: object) -> None:
    assert configure(**environ)[name] == value


def test_serve_with_a_demo_is_refused_where_there_is_none() -> None:
    with override_settings(DEMO=False), pytest.raises(CommandError, match="Set SCOREKEEPER_DEMO=true"):
        call_command(Command(), "--demo")


def test_log_is_json_if_a_setting_says_so(configure: Any) -> None:
    assert [configure(LOG=form)["LOGGING"]["handlers"]["stderr"]["formatter"] for form in ("text", "json")] == [
        *("text", "json")
    ]


def test_public_address_past_the_proxy_is_warned_of(configure: Any, addresses: set[str]) -> None:
    assert warned(configure(PROXY="true")) == []
    addresses.add("2a00:1450:4001::1")
    assert warned(configure(PROXY="false")) == []
    behind = configure(PROXY="true")
    told = ["SCOREKEEPER_PROXY"]
    assert [warned(behind, at) for at in ("::", "0.0.0.0", "8.8.8.8")] == [told, told, told]  # noqa: S104
    assert [warned(behind, at) for at in ("127.0.0.1", "192.168.1.7", "/run/cards.sock")] == [[], [], []]


def test_proxy_https_socket_and_hosts_that_do_not_go_together_are_warned_of(configure: Any) -> None:
    assert warned(configure(HTTPS="true")) == ["SCOREKEEPER_HTTPS without SCOREKEEPER_PROXY"]
    assert warned(configure(HTTPS="true", PROXY="true")) == warned(configure(HTTPS="false")) == []
    unnamed = {"ALLOWED_HOSTS": network.OwnHosts()}
    assert warned(configure(PROXY="false") | unnamed) == []
    assert warned(configure(PROXY="true") | unnamed) == ["SCOREKEEPER_PROXY without SCOREKEEPER_HOSTS"]
    assert warned(configure(PROXY="false"), "/run/cards.sock") == ["--socket without SCOREKEEPER_PROXY"]
    assert warned(configure(PROXY="true"), "/run/cards.sock") == []


@pytest.mark.parametrize(
    ("environ", "at", "hosts", "address"),
    [
        ({}, "::", ["localhost", "192.168.1.7"], "http://localhost:8000"),
        ({}, "0.0.0.0", ["cards.example"], "http://cards.example:8000"),  # noqa: S104
        ({}, "127.0.0.1", ["localhost"], "http://localhost:8000"),
        ({}, "192.168.1.7", ["localhost"], "http://192.168.1.7:8000"),
        ({}, "fd00::7", ["localhost"], "http://[fd00::7]:8000"),
        ({}, "/run/cards.sock", ["localhost"], ""),
        ({"HTTPS": "true"}, "::", ["cards.example"], ""),
        ({"HTTPS": "true", "PROXY": "true"}, "127.0.0.1", ["cards.example", "localhost"], "https://cards.example"),
        ({"HTTPS": "true", "PROXY": "true"}, "/run/cards.sock", [".cards.example"], "https://cards.example"),
        ({"PROXY": "true"}, "127.0.0.1", ["cards.example"], "http://cards.example"),
    ],
)
def test_printed_address_is_one_that_answers(
    configure: Any, environ: dict[str, str], at: str, hosts: list[str], address: str
) -> None:
    with override_settings(**configure(**environ)):
        assert deployment.address(at, 8000, hosts) == address


@pytest.mark.parametrize(
    ("proxies", "host", "socket", "at"),
    [
        (0, None, None, network.every_interface()),
        (1, None, None, "127.0.0.1"),
        (1, "192.168.1.7", None, "192.168.1.7"),
        (0, None, Path("/run/cards.sock"), "/run/cards.sock"),
    ],
)
def test_server_listens_everywhere_and_behind_a_proxy_on_this_machine_only(
    proxies: int, host: str | None, socket: Path | None, at: str
) -> None:
    with override_settings(PROXY=proxies):
        assert deployment.listens_at(host, socket) == at


def test_new_address_of_a_laptop_is_printed_with_its_qr_code(monkeypatch: pytest.MonkeyPatch) -> None:
    lan = "192.168.1.7"
    monkeypatch.setattr(network, "lan_address", lambda: lan)
    monkeypatch.setattr(network, "own_hosts", lambda: ["localhost", lan])
    told = StringIO()
    command = Command(stdout=told)
    with override_settings(ALLOWED_HOSTS=network.OwnHosts()):
        assert command.announce_anew("192.168.1.7", "::", 8000, "/") == lan
        assert told.getvalue() == ""
        lan = "10.0.0.9"
        assert command.announce_anew("192.168.1.7", "::", 8000, "/") == lan
    assert "On this network:  http://10.0.0.9:8000/" in told.getvalue()
    assert "▀" in told.getvalue()
