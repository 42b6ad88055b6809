"""Names, addresses and ports by which phones on the network reach this machine.

No function asks a name server: without one, as on a phone's hotspot, a query takes seconds to fail.
"""

import contextlib
import errno
import http.client
import os
import socket
import struct
import sys
import time
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from scorekeeper.ops import project

# Documentation addresses (RFC 5737, RFC 3849): no machine has them, and the route to them is the default route.
_ANYWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
_GET_INTERFACE_ADDRESS = {"linux": 0x8915, "darwin": 0xC0206921}  # SIOCGIFADDR

#: The addresses that stand for all interfaces.
EVERYWHERE: Final = ("::", "0.0.0.0")  # noqa: S104
THIS_MACHINE: Final = "127.0.0.1"
#: Seconds for which this machine's addresses are not read again.
FRESH: Final = 2
#: Seconds to wait for an answer: a server that has just started on a busy machine takes some for its first one.
ANSWER_TIMEOUT: Final = 3


class PortTaken(Exception):
    """The port or socket cannot be used; the message is a sentence that says why."""


class OwnHosts(list[str]):
    """This machine's names and addresses, for ALLOWED_HOSTS. They are read again when an unknown host is asked for.

    So a laptop that changes its network answers at its new address.
    """

    def __init__(self) -> None:
        super().__init__(["localhost", THIS_MACHINE, "[::1]"])
        self._looked_at = float("-inf")

    def __iter__(self) -> Iterator[str]:
        yield from self[:]
        if time.monotonic() - self._looked_at >= FRESH:
            self._looked_at = time.monotonic()
            self[:] = own_hosts()
            yield from self[:]


def lan_address() -> str | None:
    """Return the IPv4 address by which the local network reaches this machine; None without a network."""
    candidates = (_outward_address(socket.AF_INET), *_interface_addresses())
    return next((address for address in candidates if address and not address.startswith("127.")), None)


def own_hosts() -> list[str]:
    """Return all names and addresses of this machine as in a Host header, without the port."""
    name = socket.gethostname().partition(".")[0].lower()
    addresses = {f"[{address}]" if ":" in address else address for address in (THIS_MACHINE, "::1", *own_addresses())}
    return ["localhost", name, f"{name}.local", *sorted(addresses)]


def own_addresses() -> set[str]:
    """Return the addresses of this machine's network interfaces; of IPv6, the one that leads outward."""
    outward = {_outward_address(family) for family in _ANYWHERE}
    return {*_interface_addresses(), *(address for address in outward if address)}


def public_addresses(at: str) -> list[str]:
    """Return the addresses by which the internet may reach a server that listens `at` an address or a socket's path."""
    if at.startswith("/"):
        return []
    listening = own_addresses() if at in EVERYWHERE else {at}
    return sorted(address for address in listening if ip_address(address).is_global)


def every_interface() -> str:
    """Return the address to listen on: all of IPv6 and IPv4 where one socket takes both, else all of IPv4."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        if not probe.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
            return EVERYWHERE[0]
    return EVERYWHERE[1]


def check_port(port: int, patience: float = 0, at: str = "") -> None:
    """Raise PortTaken if the port is not free at the address, nor becomes so within `patience` seconds."""
    deadline = time.monotonic() + patience
    while (problem := _problem(port, at or every_interface())) == errno.EADDRINUSE and time.monotonic() < deadline:
        time.sleep(0.05)  # the system gives no notice of a freed port
    if problem == errno.EADDRINUSE:
        raise PortTaken(in_use(port))
    if problem == errno.EADDRNOTAVAIL:
        raise PortTaken(f"This machine has no address {at}. Leave --host out, or choose one of its own.")
    if problem:
        raise PortTaken(f"Port {port} cannot be used ({os.strerror(problem)}). {_another(port)}")


def clear_socket(path: Path) -> None:
    """Delete a socket that a killed server left. Raise PortTaken if the path cannot be used."""
    if not path.parent.is_dir():
        raise PortTaken(f"The socket {path} cannot be made: there is no folder {path.parent}.")
    if path.exists() and not path.is_socket():
        raise PortTaken(f"The socket {path} cannot be made: there is another file of that name.")
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(path))
    except ConnectionRefusedError:
        path.unlink()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise PortTaken(f"The socket {path} cannot be used ({error.strerror or error}).") from error
    else:
        raise PortTaken(f"The socket {path} is in use by another program.")


def in_use(port: int | None, process: int | None = None) -> str:
    """Return a sentence that says that the port is in use, or the socket if None, and what to do.

    `process` is a Scorekeeper known to use it.
    """
    what, another = (f"Port {port}", f"\n{_another(port)}") if port else ("The socket of these data", "")
    if process or port is None or is_ours(port):
        how = f" (process {process}). Stop it: kill {process}" if process else ". Stop it where it was started: Ctrl-C"
        return f"{what} is in use by a Strigula that is already running{how}{another}"
    return f"Port {port} is in use by another program. {_another(port)}"


def status(port: int, path: str, host: str, timeout: float = ANSWER_TIMEOUT, *, at: str = THIS_MACHINE) -> int | None:
    """Return the HTTP status of a request by that host name; None without an answer.

    `at` is the address of the port, or the path of a socket.
    """
    answer = _answer(port, path, host, timeout, at)
    return answer.status if answer else None


def is_ours(port: int) -> bool:
    """Return whether a Scorekeeper answers on the port."""
    answer = _answer(port, "/healthz", "localhost", ANSWER_TIMEOUT)
    return answer is not None and answer.getheader("X-Scorekeeper") is not None


def _answer(port: int, path: str, host: str, timeout: float, at: str = THIS_MACHINE) -> http.client.HTTPResponse | None:
    connection = http.client.HTTPConnection(THIS_MACHINE if at in EVERYWHERE else at, port, timeout=timeout)
    try:
        if at.startswith("/"):
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.settimeout(timeout)
            connection.sock.connect(at)
        connection.request("GET", path, headers={"Host": host})
        return connection.getresponse()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def _problem(port: int, address: str) -> int | None:
    """Return the errno of listening on the port of the address; None if it is free."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        # Ignore lingering connections of a server that has just ended.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            return error.errno
    return None


def _another(port: int) -> str:
    return f"Choose another: {project.command(f'serve --port {port % 65535 + 1}')}"


def _outward_address(family: socket.AddressFamily) -> str | None:
    """Return the local address of the default route. Connecting a datagram socket looks it up and sends nothing."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((_ANYWHERE[family], 9))
        return str(probe.getsockname()[0])
    return None


def _interface_addresses() -> Iterator[str]:
    """Yield the IPv4 address of each network interface that has one."""
    question = _GET_INTERFACE_ADDRESS.get(sys.platform)
    if question is None:
        return
    import fcntl  # missing on Windows

    # A sandbox may forbid the question for interfaces, as a systemd unit does without AF_NETLINK.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            # The call fails for an interface without an IPv4 address.
            with contextlib.suppress(OSError):
                # struct ifreq: 16 bytes of name, then a sockaddr_in, whose address stands in its bytes 4 to 8.
                answer = fcntl.ioctl(probe, question, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(answer[20:24])
