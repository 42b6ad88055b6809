"""Bounded, thread-safe LRU cache, one per process.

The key holds everything that a value depends on, so a cached value is never stale. Nothing of a single user is cached.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any
from weakref import WeakSet

_all: "WeakSet[LRUCache[Any]]" = WeakSet()


class LRUCache[Value]:
    def __init__(self, most: int, weigh: Callable[[Value], int] = lambda _value: 1) -> None:
        """Hold values of a total weight of `most`, by default so many values. A value's weight must not change."""
        self._most, self._weigh, self._weight = most, weigh, 0
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = Lock()
        _all.add(self)

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> Value | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: Value) -> None:
        with self._lock:
            known = self._values.pop(key, None)
            if known is not None:
                self._weight -= self._weigh(known)
            self._values[key] = value
            self._weight += self._weigh(value)
            while self._weight > self._most:
                _key, oldest = self._values.popitem(last=False)
                self._weight -= self._weigh(oldest)

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self._weight = 0

    def get_or_make(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of this key, made if it is missing. Two threads may both make it: the values are equal."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value


def clear_all() -> None:
    """Clear all caches: another database may have the same counters with other content."""
    for cache in list(_all):
        cache.clear()
