"""Pages that may cost much of the processor: one is made at a time in a worker, and a user is given so much an hour.

What a page costs follows from the size of its circle, which is not known before. So the pages of a circle, or of an
evening, are made as they come until one of them was dear. Then they take turns for an hour. Nothing is kept of a page
but its cost, and that in the memory of a worker: a second worker counts by itself.
"""

import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock, Semaphore, local
from typing import Final

from sessions_app.rate_limits import TooMany, short_wait

#: Seconds of the processor from which on a page is dear. A circle of 30 with 1,000 evenings has a few of these.
DEAR: Final = 0.05
#: Seconds of the processor for the pages of one user, within PERIOD seconds.
ALLOWED: Final = 120
PERIOD: Final = 3600
#: The threads of a worker that may wait for the turn, and the seconds that one of them waits.
WAITING: Final = 2
SECONDS_TO_WAIT: Final = 5
#: Seconds that a long page leaves to other threads when it makes way.
SECONDS_TO_MAKE_WAY: Final = 0.005
#: Seconds after which a page that still has time makes way again.
SECONDS_ON_END: Final = 0.1
#: Users, and circles or evenings, whose costs a worker remembers.
MOST: Final = 10_000


class Costs:
    """Seconds by a key, each sum forgotten PERIOD seconds after its first; the least lately used go first."""

    def __init__(self) -> None:
        self._of: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def add(self, key: Hashable, seconds: float) -> None:
        with self._lock:
            until, so_far = self._sum(key)
            self._of[key] = until, so_far + seconds
            self._of.move_to_end(key)
            if len(self._of) > MOST:
                self._of.popitem(last=False)

    def of(self, key: Hashable) -> tuple[float, float]:
        """Return the sum of a key, and the seconds until it is forgotten."""
        with self._lock:
            until, so_far = self._sum(key)
            return so_far, until - time.monotonic()

    def clear(self) -> None:
        with self._lock:
            self._of.clear()

    def _sum(self, key: Hashable) -> tuple[float, float]:
        until, so_far = self._of.get(key, (0, 0))
        now = time.monotonic()
        return (until, so_far) if now < until else (now + PERIOD, 0)


_of_users, _of_places = Costs(), Costs()
_waiting, _turn = Semaphore(WAITING + 1), Lock()


#: Has `has_turn` while the thread has the turn.
_thread = local()


def is_dear(place: Hashable) -> bool:
    """Return whether a page of this circle or evening was dear within the hour."""
    return _of_places.of(place)[0] > 0


def forget() -> None:
    """Forget all costs."""
    _of_users.clear()
    _of_places.clear()


def make_way() -> None:
    """Give up the processor for a moment in the midst of a long page, and the turn if the thread has it.

    The pause is what lets others in. Python hands a lock that is free, as it does the interpreter, to the thread that
    asks first: this one, if it asked again at once. No condition could be waited for instead: the threads that the
    pause is for, saves at a table above all, wait for the interpreter, and nothing tells that they do.
    """
    has_turn = hasattr(_thread, "has_turn")
    if has_turn:
        _turn.release()
    try:
        time.sleep(SECONDS_TO_MAKE_WAY)
    finally:
        if has_turn:
            _turn.acquire()


class TimeLeft:
    """The time of a request for what takes long: true until it is over. It makes way for others in between."""

    def __init__(self, seconds: float) -> None:
        self._begin = self._made_way = time.monotonic()
        self._seconds = seconds

    def __call__(self) -> bool:
        now = time.monotonic()
        if now > self._made_way + SECONDS_ON_END:
            make_way()
            self._made_way = time.monotonic()
        return now < self._begin + self._seconds


@contextmanager
def measured(place: Hashable, user: Hashable) -> Iterator[None]:
    """Make a page in the block, in its turn if those of the `place` are dear. Raise TooMany, NotYet."""
    with _turn_of(user) if is_dear(place) else nullcontext(), _counted(place, user):
        yield


@contextmanager
def _turn_of(user: Hashable) -> Iterator[None]:
    used, seconds = _of_users.of(user)
    if used >= ALLOWED:
        raise TooMany(max(1, round(seconds)))
    with short_wait("long pages", _waiting, _turn, SECONDS_TO_WAIT):
        _thread.has_turn = True
        try:
            yield
        finally:
            del _thread.has_turn


@contextmanager
def _counted(place: Hashable, user: Hashable) -> Iterator[None]:
    begin = time.thread_time()
    try:
        yield
    finally:
        seconds = time.thread_time() - begin
        if seconds >= DEAR:
            _of_users.add(user, seconds)
            _of_places.add(place, seconds)
