"""This machine as the phones around it reach it: its names, its addresses, its ports. Nothing but Python's own library.

Nothing here asks a name server: where there is none, as on a phone's hotspot, the answer takes seconds to fail.
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

from scorekeeper.ops import processes

# An address of the documentation's (RFC 5737, RFC 3849): no machine has it, the route to it is the route to anywhere.
_ANYWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
_GET_INTERFACE_ADDRESS = {"linux": 0x8915, "darwin": 0xC0206921}  # SIOCGIFADDR


class PortTaken(Exception):
    """The port cannot be had; the message says why, as a sentence."""


def lan_address() -> str | None:
    """The IPv4 address that the machines around reach this one by; None when it is on no network."""
    candidates = (_outward_address(socket.AF_INET), *_interface_addresses())
    return next((address for address in candidates if address and not address.startswith("127.")), None)


def own_hosts() -> list[str]:
    """All names and addresses of this machine, as they stand in a Host header, without the port."""
    name = socket.gethostname().partition(".")[0].lower()
    addresses = {"127.0.0.1", *_interface_addresses(), _outward_address(socket.AF_INET)}
    addresses |= {f"[{address}]" for address in ("::1", _outward_address(socket.AF_INET6)) if address}
    return ["localhost", name, f"{name}.local", *sorted(address for address in addresses if address)]


def every_interface() -> str:
    """The address to listen on: all of IPv6 and IPv4 where one socket takes both, else all of IPv4."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        if not probe.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
            return "::"
    return "0.0.0.0"  # noqa: S104  # the phones at the table are the whole point


def check_port(port: int, patience: float = 0) -> None:
    """Raise PortTaken when nobody could listen on the port, now nor within so many seconds."""
    deadline = time.monotonic() + patience
    # The system tells nobody that a port became free.
    while (problem := _problem(port)) == errno.EADDRINUSE and time.monotonic() < deadline:
        time.sleep(0.05)
    if problem == errno.EADDRINUSE:
        raise PortTaken(in_use(port))
    if problem:
        raise PortTaken(f"Port {port} cannot be used ({os.strerror(problem)}). {_another(port)}")


def in_use(port: int, ours: int | None = None) -> str:
    """A sentence that says who has the port, and what to do. `ours`: the process of a score keeper known to have it."""
    holder = processes.listener(port)
    if ours or (holder and processes.is_of_a_score_keeper(holder)) or is_ours(port):
        to_stop = ours or (holder and processes.starter(holder))
        which = (
            f" (process {to_stop}). Stop it: kill {to_stop}" if to_stop else ". Stop it where it was started: Ctrl-C"
        )
        return f"Port {port} is in use by a Scorekeeper that is already running{which}\n{_another(port)}"
    who = f"{processes.name(holder)} (process {holder})" if holder else "another program"
    return f"Port {port} is in use by {who}. {_another(port)}"


def status(port: int, path: str, host: str) -> int | None:
    """The HTTP status this machine answers with on the port when asked by that name; None when it does not answer."""
    answer = _answer(port, path, host)
    return answer.status if answer else None


def is_ours(port: int) -> bool:
    """Whether it is a score keeper that answers there, under whatever name."""
    answer = _answer(port, "/healthz", "localhost", seconds=1)
    return answer is not None and answer.getheader("X-Scorekeeper") is not None


def _answer(port: int, path: str, host: str, seconds: float = 5) -> http.client.HTTPResponse | None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request("GET", path, headers={"Host": host})
        return connection.getresponse()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def _problem(port: int) -> int | None:
    """Why nobody could listen on the port, as an error's number."""
    address = every_interface()
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        # Connections of a server that has just ended are no obstacle.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            return error.errno
    return None


def _another(port: int) -> str:
    return f"Choose another: ./run --port {port % 65535 + 1}"


def _outward_address(family: socket.AddressFamily) -> str | None:
    """This end of the route to the rest of the world. A datagram socket that connects looks it up and sends nothing."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((_ANYWHERE[family], 9))
        return str(probe.getsockname()[0])
    return None


def _interface_addresses() -> Iterator[str]:
    """The IPv4 address of each network interface that has one."""
    question = _GET_INTERFACE_ADDRESS.get(sys.platform)
    if question is None:
        return
    import fcntl  # there is none on Windows

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            # An interface without an IPv4 address refuses the question.
            with contextlib.suppress(OSError):
                # struct ifreq: 16 bytes of name, then a sockaddr_in, whose address stands in its bytes 4 to 8.
                answer = fcntl.ioctl(probe, question, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(answer[20:24])
