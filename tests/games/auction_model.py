"""A model of an auction, to hold against a game's own, which is written another way.

The model is a table at which everybody speaks aloud in turn, even with only a pass left. It knows only the list of
calls with their speakers, and answers by reading it. The referee leaves those passes out.
"""

from collections.abc import Collection, Iterator

type Said = list[tuple[str, str]]


def has_the_bid(said: Said) -> str:
    """The player who has bid or held last; nobody, if nobody has."""
    return next((name for name, call in reversed(said) if call != "pass"), "")


class AuctionModel:
    """The course of an auction; a game adds the calls that are allowed."""

    names = "ABC"

    def allowed(self, said: Said, name: str) -> set[str]:
        raise NotImplementedError

    def still_in(self, said: Said) -> str:
        return "".join(name for name in self.names if (name, "pass") not in said)

    def is_over(self, said: Said) -> bool:
        """Whether only he is left who has the bid, or nobody."""
        return self.still_in(said) == has_the_bid(said)

    def speaks_next(self, said: Said) -> str | None:
        """The next to the last speaker who has not passed; nobody once it is over."""
        if self.is_over(said):
            return None
        after = self.names.index(said[-1][0]) + 1 if said else 0
        return next(name for name in (self.names * 2)[after:] if name in self.still_in(said))

    def with_silent_passes(self, said: Said) -> Said:
        while (name := self.speaks_next(said)) and self.allowed(said, name) == {"pass"}:
            said = [*said, (name, "pass")]
        return said

    def every_auction(
        self, calls_tried: Collection[str], said: Said | None = None, calls: tuple[str, ...] = ()
    ) -> Iterator[tuple[Said, tuple[str, ...]]]:
        """Every auction of these calls, at every point: with the silent passes, and without."""
        said = self.with_silent_passes(said or [])
        yield said, calls
        if name := self.speaks_next(said):
            for call in sorted(call for call in self.allowed(said, name) if call in calls_tried):
                yield from self.every_auction(calls_tried, [*said, (name, call)], (*calls, call))
