"""The words of the calls before a hand, for the referee of every game that has calls."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from django.utils.translation import gettext as _

from sessions_app.words.wording import Words, isolated

type Names = Sequence[str]


class SeatCall(Protocol):
    """A call, and the seat that made it."""

    @property
    def seat(self) -> int: ...

    @property
    def call(self) -> Any: ...


class CallRound(Protocol):
    """The state of the calls before a hand. `to_call` is None once they are over."""

    @property
    def seats(self) -> tuple[int, ...]: ...

    @property
    def spoken(self) -> tuple[SeatCall, ...]: ...

    @property
    def passed(self) -> Iterable[int]: ...

    @property
    def to_call(self) -> int | None: ...


class Speaker(NamedTuple):
    """A player in the order of speaking, with all calls made so far in words."""

    seat: int
    calls: tuple[Words, ...]
    has_passed: bool
    is_to_call: bool


def speakers(call_round: CallRound, words: Mapping[Any, Words]) -> Iterator[Speaker]:
    """Yield the players in the order of speaking; `words` are those of each call."""
    for seat in call_round.seats:
        calls = tuple(words[spoken.call] for spoken in call_round.spoken if spoken.seat == seat)
        yield Speaker(seat, calls, seat in call_round.passed, seat == call_round.to_call)


def so_far(call_round: CallRound | None, declarer: int | None, words: Mapping[Any, Words], names: Names) -> str:
    """Return the notes before the announcement as a sentence, '' if there are none."""
    if call_round and call_round.spoken:
        said = ", ".join(f"{isolated(names[each.seat])}: {words[each.call]}" for each in call_round.spoken)
        if call_round.to_call is None:
            return _("Called: %(said)s.") % {"said": said}
        return _("Called: %(said)s; %(name)s is to call.") % {"said": said, "name": isolated(names[call_round.to_call])}
    return _("%(name)s plays.") % {"name": isolated(names[declarer])} if declarer is not None else ""


def refusal_params(
    params: Mapping[str, int | str], names: Names, words: Mapping[str, Callable[[str], Words]]
) -> dict[str, object]:
    """Return a refusal's parameters for its sentence: seats as names, and others by the game's `words`."""
    said: dict[str, object] = dict(params)
    for key, value in params.items():
        if key in ("seat", "turn"):
            said[key] = isolated(names[int(value)]) if int(value) in range(len(names)) else "?"
        elif key in words:
            said[key] = words[key](str(value))
    return said
