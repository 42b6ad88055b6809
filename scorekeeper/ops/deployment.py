"""Address of the server, and warnings: of settings that lock visitors out or trust them too far, of other writers."""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from scorekeeper.db.sqlite import write_queue
from scorekeeper.http.passkey_domain import uncovered
from scorekeeper.ops import network, processes


def listens_at(host: str | None, socket: Path | None) -> str:
    """Return the address to listen at, or the path of a socket. Behind a proxy only this machine can connect."""
    if socket:
        return str(socket.absolute())
    return host or (network.THIS_MACHINE if settings.PROXY else network.every_interface())


def warnings(at: str) -> Iterator[str]:
    """Yield a warning for each such setting of a server that listens `at` an address, or at the socket of a path."""
    if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS:
        yield (
            f"SCOREKEEPER_HSTS={settings.HSTS}: for a year, browsers that have been here open no subdomain of this "
            "host by plain HTTP, whatever serves it."
        )
    if settings.PASSKEY_DOMAIN and (names := uncovered(settings.ALLOWED_HOSTS)):
        yield (
            f"SCOREKEEPER_PASSKEY_DOMAIN={settings.PASSKEY_DOMAIN}: no passkey can be made or used at "
            f"{', '.join(names)}. It must be the host or a domain above it."
        )
    if settings.PROXY and isinstance(settings.ALLOWED_HOSTS, network.OwnHosts):
        yield (
            "SCOREKEEPER_PROXY without SCOREKEEPER_HOSTS: visitors are answered by this machine's own names alone. "
            "Set it to the host by which they come."
        )
    if settings.HTTPS and not settings.PROXY:
        yield (
            "SCOREKEEPER_HTTPS without SCOREKEEPER_PROXY: this server has no certificate, and every page is redirected "
            "to https:// for ever. Set SCOREKEEPER_PROXY=true behind a proxy with HTTPS that sets X-Forwarded-Proto."
        )
    if at.startswith("/") and not settings.PROXY:
        yield "--socket without SCOREKEEPER_PROXY: all visitors count as one, and share one rate limit."
    if settings.PROXY and (public := network.public_addresses(at)):
        yield (
            f"SCOREKEEPER_PROXY: this server can be reached past the proxy, at {', '.join(public)}. Clients there can "
            "forge X-Forwarded-For and pass every rate limit: let only the proxy reach the port."
        )


def address(at: str, port: int, hosts: list[str]) -> str:
    """Return the address by which visitors reach the server, without a path; '' if none answers."""
    host = hosts[0].removeprefix(".")
    if settings.PROXY:
        return f"{'https' if settings.HTTPS else 'http'}://{host}"
    if settings.HTTPS or at.startswith("/"):
        return ""
    if "localhost" in hosts:
        host = "localhost"
    if at not in (*network.EVERYWHERE, network.THIS_MACHINE):
        host = f"[{at}]" if ":" in at else at
    return f"http://{host}:{port}"


def startup_warnings(database: Path) -> Iterator[str]:
    """Yield a sentence for each way in which the database could be written without queueing, as far as can be told."""
    if not write_queue.queue_of(database).has_locks():
        yield (
            f"The file system of {database.parent} has no locks: two processes that write there can damage the "
            "database. Keep SCOREKEEPER_DATA on a local disk, or serve with --workers 1."
        )
    for process in processes.with_open(database, without=write_queue.queue_file(database)):
        yield (
            f"Process {process} ({processes.name(process)}) has the database open and does not take turns to write. "
            "End it, or saving can fail because the database is locked."
        )
