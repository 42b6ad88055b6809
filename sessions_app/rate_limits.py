"""Rate limits by IP address, over all workers: counted in PostgreSQL where that is the database, else in a file.

Only what costs something and needs no membership is counted: new guests, demos, links that do not exist, pages of
rules by house rules that were not looked up before. The figures are such that a family, or a club of forty, behind one
address meets none of them. An address is kept as a keyed hash, for as long as it is counted, and stands in no log.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from scorekeeper.http import rate_counter
from sessions_app.writers import rate_counts

HOUR: Final = 3600
#: What of an IPv6 address is the household's; the rest its machines choose, a new one each if they like.
HOUSEHOLD_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Limit:
    """So many `what` an hour from one address."""

    what: str
    most: int


NEW_CIRCLES: Final = Limit("circle", 60)
DEMOS: Final = Limit("demo", 60)
WRONG_LINKS: Final = Limit("link", 60)
#: Pages of rules by house rules that no game has for a profile: each is counted and drawn for itself.
HOUSE_RULES: Final = Limit("rules", 240)

#: So many of a worker's threads may stand and wait for a demo; the others are for who keeps score.
WAITING: Final = 4
SECONDS_TO_WAIT: Final = 6
#: When a demo that did not get its turn is to be asked for again.
SECONDS_TO_COME_BACK: Final = 5
_waiting = BoundedSemaphore(WAITING)


class Later(Exception):
    """Not now; in so many `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class TooMany(Later):
    """There were as many as there may be."""


class NotYet(Later):
    """Others are before him."""


def check(limit: Limit, request: HttpRequest) -> None:
    """See whether one more may come from where the request does: TooMany if not. Nothing is counted."""
    _refuse(_asked(rate_counts.seconds_to_wait, rate_counter.seconds_to_wait, limit, request))


def count(limit: Limit, request: HttpRequest) -> None:
    """Count one more from where the request comes. Raises TooMany where there were enough."""
    _refuse(_asked(rate_counts.count, rate_counter.count, limit, request))


def _asked(of_database: Callable[..., int], of_file: Callable[..., int], limit: Limit, request: HttpRequest) -> int:
    """Ask PostgreSQL where it is the database: all servers that share it count together."""
    if connection.vendor == "postgresql":
        return of_database(limit.what, _whose(request, rate_counts.key()), most=limit.most, within=HOUR)
    whose = _whose(request, settings.SECRET_KEY)
    return of_file(_file(), limit.what, whose, most=limit.most, within=HOUR)


def _refuse(seconds_to_wait: int) -> None:
    if seconds_to_wait:
        raise TooMany(seconds_to_wait)


def forget() -> None:
    """Forget who has done what, as far as it is counted in a file: other servers count in the same database."""
    rate_counter.forget(_file())


@contextmanager
def turn_to_lay_a_demo() -> Iterator[None]:
    """Let one demo be laid at a time, the next ones wait: hands are written between two of its evenings, not between
    a dozen's. Raises NotYet for whom there is no room to wait, or no turn in time.
    """
    if not _waiting.acquire(blocking=False):
        raise NotYet(SECONDS_TO_COME_BACK)
    try:
        handle = os.open(settings.DATA / "demo.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(handle)
            yield
        finally:
            os.close(handle)
    finally:
        _waiting.release()


def address(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """Where the request comes from: what the proxy in front has said last, if there is one; else who is connected."""
    said = [request.META.get("REMOTE_ADDR", "")]
    if settings.PROXY:
        # What stands before the last was said by who came to the proxy, and may be anything.
        said.insert(0, request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
    for text in said:
        try:
            found = ip_address(text)
        except ValueError:
            continue
        return getattr(found, "ipv4_mapped", None) or found
    return None


def _whose(request: HttpRequest, key: bytes | str) -> bytes:
    """A name for the household that the request comes from, out of which nobody reads its address without the key."""
    found = address(request)
    whose = str(ip_network((found, HOUSEHOLD_BITS), strict=False) if isinstance(found, IPv6Address) else found)
    return salted_hmac("sessions_app.rate_limits", whose, secret=key, algorithm="sha256").digest()[:16]


def _file() -> Path:
    return settings.DATA / "limits.sqlite3"


def _lock(handle: int) -> None:
    """Lock the file, or raise NotYet. It is tried again and again, as flock itself would wait without end."""
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise NotYet(SECONDS_TO_COME_BACK) from None
            time.sleep(0.05)
