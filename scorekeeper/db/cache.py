"""Bounded, thread-safe LRU caches, whose bound is one for all caches of a process.

The key holds everything that a value depends on, so a cached value is never stale. Nothing of a single user is cached.
"""

import gc
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import count
from math import inf
from sys import getsizeof
from threading import Lock
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

#: Bytes of all caches of a process together. The pages of a circle of 30 with 1,000 evenings take a fifth of it.
MOST_BYTES: Final = 64_000_000
#: The largest part of these that one value may take.
LARGEST: Final = 4
#: Bytes of an entry beside its key and its value.
ENTRY: Final = 300
#: Parts of the program: values refer to them and do not hold them.
OF_THE_PROGRAM: Final = (type, ModuleType, FunctionType, BuiltinFunctionType)
#: Objects that refer to no others.
ATOMS: Final = frozenset((str, int, float, bool, bytes, type(None)))


class CacheStore:
    """The bound of several caches together: of too many bytes the entries go that were used the longest ago."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.weight = most, 0
        self.lock, self.ticks = Lock(), count()
        self.caches: list[LRUCache[Any]] = []

    def trim(self) -> None:
        """Drop entries until the others are within the bound. The caller holds the lock."""
        while self.weight > self.most:
            self.weight -= min(self.caches, key=lambda cache: cache.oldest).drop_oldest()


#: The store of a process.
STORE: Final = CacheStore()


class _Key:
    """A key with its hash: that of a lazily translated text is another one in another language."""

    __slots__ = ("hash", "key")

    def __init__(self, key: Hashable) -> None:
        self.key, self.hash = key, hash(key)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.key == other.key


@dataclass(slots=True)
class _Entry[Value]:
    value: Value
    weight: int
    used: int


class LRUCache[Value]:
    """A cache in a store. A value must grow little once it is cached; None is not cached."""

    def __init__(self, store: CacheStore = STORE) -> None:
        self._store = store
        self._entries: OrderedDict[_Key, _Entry[Value]] = OrderedDict()
        store.caches.append(self)

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable) -> Value | None:
        hashed = _Key(key)
        with self._store.lock:
            entry = self._entries.get(hashed)
            if entry is None:
                return None
            entry.used = next(self._store.ticks)
            self._entries.move_to_end(hashed)
            return entry.value

    def put(self, key: Hashable, value: Value) -> None:
        store, weight = self._store, size_of(key, value) + ENTRY
        if weight * LARGEST > store.most:
            return
        hashed = _Key(key)
        with store.lock:
            known = self._entries.pop(hashed, None)
            self._entries[hashed] = _Entry(value, weight, next(store.ticks))
            store.weight += weight - (known.weight if known else 0)
            store.trim()

    def clear(self) -> None:
        with self._store.lock:
            self._store.weight -= sum(entry.weight for entry in self._entries.values())
            self._entries.clear()

    @property
    def oldest(self) -> float:
        """The time of the entry that was used the longest ago."""
        return next((entry.used for entry in self._entries.values()), inf)

    def drop_oldest(self) -> int:
        """Drop the entry that was used the longest ago and return its weight. The caller holds the lock."""
        _key, entry = self._entries.popitem(last=False)
        return entry.weight

    def get_or_make(self, key: Hashable | None, make: Callable[[], Value]) -> Value:
        """Return the value of this key, made if it is missing, and each time if the key is None.

        Two threads may both make it: the values are equal.
        """
        if key is None:
            return make()
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value


def size_of(*things: object) -> int:
    """Return the bytes of these objects and of all that they refer to: texts and numbers as often as they occur."""
    seen: set[int] = set()
    size, level = 0, list(things)
    while level:
        containers = []
        for each in level:
            if type(each) in ATOMS:
                size += getsizeof(each)
            elif id(each) not in seen and not isinstance(each, OF_THE_PROGRAM):
                seen.add(id(each))
                size += getsizeof(each)
                containers.append(each)
        level = gc.get_referents(*containers) if containers else []
    return size


def clear_all() -> None:
    """Clear all caches of the process: another database may have the same counters with other content."""
    for cache in STORE.caches:
        cache.clear()
