"""This machine on its network: names, addresses, ports."""

import errno
import ipaddress
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.http.request import validate_host

from scorekeeper.ops import network


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("", 0)) as listener:
        yield listener.getsockname()[1]


def test_own_hosts_are_names_and_addresses_and_nothing_wider() -> None:
    names = {"localhost", socket.gethostname().partition(".")[0].lower()}
    names |= {f"{name}.local" for name in names}
    hosts = network.own_hosts()
    assert hosts[0] == "localhost"
    assert {"127.0.0.1", "[::1]"} < set(hosts)
    for host in set(hosts) - names:
        ipaddress.ip_address(host.strip("[]"))


def test_the_lan_address_leads_outward_or_else_is_an_interface_s(monkeypatch: pytest.MonkeyPatch) -> None:
    outward = {socket.AF_INET: "192.168.1.7", socket.AF_INET6: "fd00::7"}
    interfaces = ["127.0.0.1", "172.20.10.1"]
    monkeypatch.setattr(network, "_outward_address", lambda family: outward.get(family))
    monkeypatch.setattr(network, "_interface_addresses", lambda: iter(interfaces))
    assert {"192.168.1.7", "[fd00::7]"} < set(network.own_hosts()), "in brackets"
    assert network.lan_address() == "192.168.1.7"
    outward.clear()
    assert network.lan_address() == "172.20.10.1"
    interfaces.pop()
    assert network.lan_address() is None
    assert {"localhost", "127.0.0.1", "[::1]"} < set(network.own_hosts()), "without a network too"


def test_sandbox_that_lists_no_interfaces_still_has_the_outward_address(monkeypatch: pytest.MonkeyPatch) -> None:
    forbidden = OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
    monkeypatch.setattr(socket, "if_nameindex", Mock(side_effect=forbidden))
    monkeypatch.setattr(network, "_outward_address", lambda family: "192.0.2.7")
    assert network.own_addresses() == {"192.0.2.7"}


def test_a_port_in_use_is_refused_with_a_sentence(taken_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    another = rf"Choose another: \./run --port {taken_port % 65535 + 1}"
    with pytest.raises(network.PortTaken, match=rf"^Port {taken_port} is in use by another program\. {another}$"):
        network.check_port(taken_port)
    monkeypatch.setattr(network, "is_ours", lambda port: True)
    with pytest.raises(network.PortTaken, match=r"already running\. Stop it where it was started: Ctrl-C\n"):
        network.check_port(taken_port)
    with pytest.raises(network.PortTaken, match=r"^This machine has no address 192\.0\.2\.99\. "):
        network.check_port(8000, at="192.0.2.99")


def test_a_port_that_is_about_to_be_free_is_waited_for_and_then_nobody_answers() -> None:
    with socket.create_server(("", 0)) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            listener.accept()[0].close()
        leaving = threading.Timer(0.2, listener.close)
        leaving.start()
        network.check_port(port, patience=30)
    assert network.status(port, "/", "localhost") is None


def test_laptop_that_changes_its_network_answers_at_its_new_address(monkeypatch: pytest.MonkeyPatch) -> None:
    now, own = 0.0, ["localhost", "192.168.1.7"]
    monkeypatch.setattr(network.time, "monotonic", lambda: now)
    monkeypatch.setattr(network, "own_hosts", lambda: own)
    hosts = network.OwnHosts()
    assert validate_host("192.168.1.7", hosts)
    own = ["localhost", "10.0.0.9"]
    assert not validate_host("10.0.0.9", hosts), "it does not look at each request"
    now = network.FRESH
    assert validate_host("10.0.0.9", hosts)
    assert not validate_host("192.168.1.7", hosts)
    assert not validate_host("elsewhere.example", hosts)


def test_socket_is_cleared_only_of_what_a_killed_server_left(tmp_path: Path) -> None:
    path = tmp_path / "cards.sock"
    network.clear_socket(path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        with pytest.raises(network.PortTaken, match="is in use by another program"):
            network.clear_socket(path)
    network.clear_socket(path)
    assert not path.exists()
    path.write_text("mine")
    for wrong, why in ((path, "another file"), (path.parent / "x/y", "no folder"), (path.parent / ("x" * 200), "long")):
        with pytest.raises(network.PortTaken, match=f"socket {wrong} cannot be .*{why}"):
            network.clear_socket(wrong)
    assert path.read_text() == "mine"
