"""Rate limits for anonymous visitors, per IP address, over all workers: counted in PostgreSQL, or else in a file.

Counted are requests that cost something and need no membership: new guests, demos, links and keys that do not exist,
rules pages with house rules that were not looked up before, forms of a new evening, trial counts of a hand. A club of
forty behind one address stays below every limit. An address is kept as a keyed hash, while it is counted, and never
logged. Where members ask for as much, a user is counted instead of the address: anybody becomes one by a demo, which is
counted by address.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import BoundedSemaphore, Lock, Semaphore
from typing import Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import connection
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from scorekeeper.http import rate_counter
from scorekeeper.ops import metrics
from sessions_app.transactions import outside_snapshot
from sessions_app.words.wording import Words
from sessions_app.writers import rate_counts

HOUR: Final = 3600
#: The bits of an IPv6 address that name a household; its machines choose the others, and may change them.
HOUSEHOLD_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Limit:
    """`most` requests of the kind `what` an hour, per address or user; `why` is said of one more, if not the usual."""

    what: str
    most: int
    why: Words = ""


_OF_CIRCLES: Final = _(
    "Too many sessions were started from this network in the last hour. What you typed is still here."
)
_OF_OTHER_DEMOS: Final = _("Other demos are being prepared right now.")

NEW_CIRCLES: Final = Limit("circle", 60, _OF_CIRCLES)
DEMOS: Final = Limit("demo", 60, _("Too many demos were opened from this network in the last hour."))
WRONG_LINKS: Final = Limit("link", 60, _("Too many invalid links were tried from this network."))
#: Requests of a member to be owner, or to be another member; all phones of his circle are told of each.
CLAIMS: Final = Limit("claim", 10, _("You have asked too often."))
#: Codes that were typed to sign a phone in, right or wrong.
CODES: Final = Limit("code", 30, _("Too many codes were tried from this network."))
#: Passkeys and spare keys that open nothing.
WRONG_KEYS: Final = Limit("key", 60, _("Too many wrong keys were tried from this network."))
#: Rules pages with house rules of no game's profile: each is counted and rendered for itself.
HOUSE_RULES: Final = Limit("rules", 240, _("Too many house rules were looked up from this network in the last hour."))
#: Tries of the code by which a circle is started.
CIRCLE_CODES: Final = Limit("circle code", 60, _OF_CIRCLES)
#: Files that are brought.
IMPORTS: Final = Limit("import", 60)
#: Forms of a new evening: each change of the game or of its house rules asks for one.
NEW_FORMS: Final = Limit("form", 600)
#: Trial counts of a hand: each tap asks for one.
TRIAL_COUNTS: Final = Limit("worth", 1200)

#: At most this many of a worker's threads wait for a demo; the others serve the members who keep score.
WAITING: Final = 4
SECONDS_TO_WAIT: Final = 6
#: Retry-After of a demo that did not get its turn.
SECONDS_TO_COME_BACK: Final = 5
_waiting = BoundedSemaphore(WAITING)


class Later(Exception):
    """The visitor may try again in `seconds`; `why` is the reason, '' the usual one. The middleware answers 429."""

    def __init__(self, seconds: int, why: Words = "") -> None:
        super().__init__(seconds)
        self.seconds, self.why = seconds, why


class TooMany(Later):
    """The limit is reached."""


class NotYet(Later):
    """Others come first."""


def check(limit: Limit, request: HttpRequest) -> None:
    """Raise TooMany if the limit is reached for the request's address. Counts nothing."""
    _refuse(
        limit, _seconds_to_wait(rate_counts.seconds_to_wait, rate_counter.seconds_to_wait, limit, _address_of(request))
    )


def count(limit: Limit, request: HttpRequest, *, by_user: bool = False) -> None:
    """Count one more for the address, or for the user if there is one. Raise TooMany if the limit is reached."""
    user = request.session.get(SESSION_KEY) if by_user else None
    who = f"user {user}" if user else _address_of(request)
    _refuse(limit, _seconds_to_wait(rate_counts.count, rate_counter.count, limit, who))


def _seconds_to_wait(of_database: Callable[..., int], of_file: Callable[..., int], limit: Limit, who: str) -> int:
    """Return the seconds to wait, from PostgreSQL if that is the database: servers that share it count together."""
    if connection.vendor == "postgresql":
        with outside_snapshot():
            return of_database(limit.what, _hashed(who, rate_counts.key()), most=limit.most, within=HOUR)
    return of_file(
        rate_counter.file(settings.DATA), limit.what, _hashed(who, settings.SECRET_KEY), most=limit.most, within=HOUR
    )


def _refuse(limit: Limit, seconds_to_wait: int) -> None:
    if seconds_to_wait:
        metrics.count_refusal(limit.what)
        raise TooMany(seconds_to_wait, limit.why)


def forget() -> None:
    """Delete the counts of the file. Those in PostgreSQL stay, since other servers share them."""
    rate_counter.forget(rate_counter.file(settings.DATA))


@contextmanager
def turn_to_make_a_demo() -> Iterator[None]:
    """Let one demo be made at a time, so that a hand waits for the writes of one demo and not of a dozen.

    Raise NotYet if too many wait already, or if the turn does not come in time.
    """
    if not _waiting.acquire(blocking=False):
        raise NotYet(SECONDS_TO_COME_BACK, _OF_OTHER_DEMOS)
    try:
        handle = os.open(settings.DATA / "demo.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            begin = time.monotonic()
            try:
                _lock(handle)
            finally:
                metrics.count_turn("demos", time.monotonic() - begin)
            yield
        finally:
            os.close(handle)
    finally:
        _waiting.release()


@contextmanager
def short_wait(queue: str, waiting: Semaphore, turn: Lock, seconds: int) -> Iterator[None]:
    """Hold the lock `turn` in the block. Raise NotYet if too many wait for it, or if it is not free in some seconds."""
    if not waiting.acquire(blocking=False):
        raise NotYet(seconds)
    try:
        begin = time.monotonic()
        has_turn = turn.acquire(timeout=seconds)
        metrics.count_turn(queue, time.monotonic() - begin)
        if not has_turn:
            raise NotYet(seconds)
        try:
            yield
        finally:
            turn.release()
    finally:
        waiting.release()


def address(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """Return the visitor's address: the one that the outermost proxy added, if there are any; else the connection's."""
    candidates = [request.META.get("REMOTE_ADDR", "")]
    if settings.PROXY:
        # Each proxy adds one at the end; the visitor may have sent any before these.
        candidates.insert(0, request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")[-settings.PROXY :][0])
    for text in candidates:
        try:
            found = ip_address(_without_port(text.strip()))
        except ValueError:
            continue
        return getattr(found, "ipv4_mapped", None) or found
    return None


def _without_port(text: str) -> str:
    """Return the address without the brackets or the port of `192.0.2.1:80` and `[2001:db8::1]:80`."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _address_of(request: HttpRequest) -> str:
    """Return the visitor's address, that of the household for IPv6."""
    found = address(request)
    return str(ip_network((found, HOUSEHOLD_BITS), strict=False) if isinstance(found, IPv6Address) else found)


def _hashed(who: str, key: bytes | str) -> bytes:
    """Return a keyed hash of an address or a user: nobody reads the address out of it."""
    return salted_hmac("sessions_app.rate_limits", who, secret=key, algorithm="sha256").digest()[:16]


def _lock(handle: int) -> None:
    """Lock the file, or raise NotYet."""
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise NotYet(SECONDS_TO_COME_BACK, _OF_OTHER_DEMOS) from None
            time.sleep(0.05)  # flock has no lock with a timeout
