"""What was called before a hand, for the referee of every game in which there is something to call."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from django.utils.translation import gettext as _

from sessions_app.wording import Words, isolated

type Names = Sequence[str]


class SeatCall(Protocol):
    """One call, and the seat that made it."""

    @property
    def seat(self) -> int: ...

    @property
    def call(self) -> Any: ...


class CallRound(Protocol):
    """What a game says of the calls before a hand. `to_call` is None once they are over."""

    @property
    def seats(self) -> tuple[int, ...]: ...

    @property
    def spoken(self) -> tuple[SeatCall, ...]: ...

    @property
    def passed(self) -> Iterable[int]: ...

    @property
    def to_call(self) -> int | None: ...


class Speaker(NamedTuple):
    """One of those who speak, in the order of speaking: what he has called, in words."""

    seat: int
    calls: tuple[Words, ...]
    has_passed: bool
    is_to_call: bool


def speakers(call_round: CallRound, words: Mapping[Any, Words]) -> Iterator[Speaker]:
    for seat in call_round.seats:
        calls = tuple(words[spoken.call] for spoken in call_round.spoken if spoken.seat == seat)
        yield Speaker(seat, calls, seat in call_round.passed, seat == call_round.to_call)


def so_far(call_round: CallRound | None, declarer: int | None, words: Mapping[Any, Words], names: Names) -> str:
    """What is noted before it is known what is played, as a sentence; '' where nothing is."""
    if call_round and call_round.spoken:
        said = ", ".join(f"{isolated(names[each.seat])}: {words[each.call]}" for each in call_round.spoken)
        if call_round.to_call is None:
            return _("Called: %(said)s.") % {"said": said}
        return _("Called: %(said)s; %(name)s is to call.") % {"said": said, "name": isolated(names[call_round.to_call])}
    return _("%(name)s plays.") % {"name": isolated(names[declarer])} if declarer is not None else ""


def refusal_params(
    params: Mapping[str, int | str], names: Names, words: Mapping[str, Callable[[str], Words]]
) -> dict[str, object]:
    """What the sentence of a refusal needs: seats as names, and by `words` what the game's own parameters are."""
    said: dict[str, object] = dict(params)
    for key, value in params.items():
        if key in ("seat", "turn"):
            said[key] = isolated(names[int(value)]) if int(value) in range(len(names)) else "?"
        elif key in words:
            said[key] = words[key](str(value))
    return said
