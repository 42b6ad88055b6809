"""Pictures as PNG: each is drawn in a process of its own, one at a time on a server, and cached by its SVG.

A process that crashes or hangs loses one picture and nothing else. Starting it takes a third of the time.
"""

import logging
import subprocess
import sys
from hashlib import sha256
from threading import Lock, Semaphore
from typing import Final

from django.conf import settings

from scorekeeper.db.cache import LRUCache
from sessions_app.drawing import lettering, svg_to_png
from sessions_app.rate_limits import short_wait

logger = logging.getLogger(__name__)

#: The file, beside the database, by which the workers' processes take turns.
LOCK: Final = "pictures.lock"
#: Seconds in which a picture must be drawn; it takes a tenth of one.
SECONDS: Final = 10
#: The threads of a worker that may wait for their turn, and the seconds that one of them waits.
WAITING: Final = 2
SECONDS_TO_WAIT: Final = 5
#: The first bytes of every PNG.
SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"

#: The pictures by the digests of their SVGs, which hold all that they show.
_drawn: LRUCache[bytes] = LRUCache()
_waiting, _turn = Semaphore(WAITING + 1), Lock()


class NotDrawn(Exception):
    """The process ended without a picture, twice, or took too long."""


def digest_of(svg: str) -> str:
    """Return a digest of all that a picture shows."""
    return sha256(svg.encode()).hexdigest()[:32]


def png_of(svg: str) -> bytes:
    """Return an SVG of ours as a PNG. Raise NotYet if too many others come first, NotDrawn if it cannot be drawn."""
    key = digest_of(svg)
    known = _drawn.get(key)
    if known is not None:
        return known
    with short_wait("pictures", _waiting, _turn, SECONDS_TO_WAIT):
        return _drawn.get_or_make(key, lambda: _drawn_by_process(svg))


def _drawn_by_process(svg: str) -> bytes:
    """Return what a process draws; a second one is started if the first has ended without a picture."""
    command = [sys.executable, "-I", svg_to_png.__file__, str(settings.DATA / LOCK), *lettering.files()]
    for _attempt in range(2):
        try:
            done = subprocess.run(command, input=svg.encode(), capture_output=True, timeout=SECONDS, check=False)  # noqa: S603
        except subprocess.TimeoutExpired:
            raise NotDrawn(f"no picture after {SECONDS} seconds") from None
        except OSError as error:
            raise NotDrawn(f"no process: {error}") from error
        if done.returncode == 0 and done.stdout.startswith(SIGNATURE):
            return done.stdout
        logger.warning("No picture, exit status %s: %s", done.returncode, done.stderr.decode(errors="replace")[-500:])
    raise NotDrawn(f"exit status {done.returncode}")
