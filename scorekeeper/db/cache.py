"""What was made once and is the same each time, kept in this process: so much of it, what was asked for last.

The key is all that it depends on; so nothing kept is ever wrong, only forgotten. It is never anything of one phone.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock


class Kept[Thing]:
    def __init__(self, most: int, weigh: Callable[[Thing], int] = lambda _thing: 1) -> None:
        """So many are kept, or so much as they weigh together; what is kept must not change its weight."""
        self._most, self._weigh, self._weight = most, weigh, 0
        self._things: OrderedDict[Hashable, Thing] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._things)

    def get(self, key: Hashable) -> Thing | None:
        with self._lock:
            thing = self._things.get(key)
            if thing is not None:
                self._things.move_to_end(key)
            return thing

    def keep(self, key: Hashable, thing: Thing) -> None:
        with self._lock:
            known = self._things.pop(key, None)
            if known is not None:
                self._weight -= self._weigh(known)
            self._things[key] = thing
            self._weight += self._weigh(thing)
            while self._weight > self._most:
                _key, oldest = self._things.popitem(last=False)
                self._weight -= self._weigh(oldest)

    def forget(self) -> None:
        with self._lock:
            self._things.clear()
            self._weight = 0

    def of(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """The thing of this key, made if it is not there. Two at once may both make it: it comes to the same."""
        thing = self.get(key)
        if thing is None:
            thing = make()
            self.keep(key, thing)
        return thing
