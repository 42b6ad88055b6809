"""Check of the stored data: every hand recounted from its facts, standing by standing, and compared.

It only reads, all in one snapshot, so it may run beside a server that writes. It reports each fault and repairs
nothing. A fault in one place does not hide those in others.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sessions_app.models import Evening, Hand
from sessions_app.readers.verify.circles import circle_faults
from sessions_app.readers.verify.evenings import evening_faults, rollup_faults
from sessions_app.readers.verify.rows import Fault, as_far_as_read, readable, row_faults
from sessions_app.transactions import snapshot

__all__ = ["Fault", "Verified", "verify"]


class Verified(NamedTuple):
    """The numbers of evenings and hands checked, and of faults reported."""

    evenings: int
    hands: int
    faults: int


def verify(tell: Callable[[Fault], object]) -> Verified:
    """Check the whole database, and call `tell` with every fault."""
    faults = 0
    with snapshot():
        for fault in _faults():
            faults += 1
            tell(fault)
        return Verified(Evening.objects.count(), Hand.objects.count(), faults)


def _faults() -> Iterator[Fault]:
    for what in row_faults():
        yield Fault(None, None, what)
    yield from circle_faults()
    for evening in readable(Evening.objects.order_by("pk")):
        yield from evening_faults(evening)
        for what in as_far_as_read("its roll-up", rollup_faults(evening)):
            yield Fault(evening.pk, None, what)
