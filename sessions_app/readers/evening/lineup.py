"""The players at the table now, clockwise, those who have gone home, and those who could sit down."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import F, Max

from scorekeeper.games.base import Game
from sessions_app.models import Evening, Player
from sessions_app.readers.evening.hand_in_play import has_begun

#: The most names offered.
OFFERED: Final = 12


class Sitter(NamedTuple):
    """A player who sits at the table, and the next one clockwise."""

    seat: int
    name: str
    next_name: str


@dataclass(frozen=True, slots=True)
class Lineup:
    """The lineup. `room` is how many more players the game could take, `spare` how many fewer, 0 for not even one."""

    sitting: tuple[Sitter, ...]
    gone: tuple[str, ...]
    known: tuple[str, ...]
    room: int
    spare: int

    @property
    def has_changed(self) -> bool:
        """Return whether the columns differ from the seats at the table, clockwise."""
        return bool(self.gone) or [sitter.seat for sitter in self.sitting] != list(range(len(self.sitting)))


def deals_right(game: Game[Any, Any, Any]) -> bool:
    """Return whether the deal goes round against the numbers of the seats."""
    most = max(game.seat_counts)
    return game.next_dealer(most, 0) == most - 1


def of(evening: Evening) -> Lineup:
    """Return the evening's lineup: two queries."""
    names = dict(evening.seats.values_list("position", "player__name"))
    sitting = evening.sitting
    known = (
        Player.objects.filter(circle=evening.circle_id, merged_into=None, plays_no_more=False)
        .annotate(latest=Max("seats__evening"))
        .order_by(F("latest").desc(nulls_last=True), "pk")
        .values_list("name", flat=True)
    )
    here = {names[seat] for seat in sitting}
    gone = tuple(name for seat, name in names.items() if seat not in sitting)
    others = [name for name in known[: OFFERED + len(names)] if name not in here and name not in gone]
    counts = evening.game.seat_counts
    return Lineup(
        tuple(
            Sitter(seat, names[seat], names[following])
            for seat, following in zip(sitting, (*sitting[1:], sitting[0]), strict=True)
        ),
        gone,
        (*gone, *others)[:OFFERED],
        sum(count > len(sitting) for count in counts),
        sum(count < len(sitting) for count in counts),
    )


def obstacle(evening: Evening) -> str:
    """Return the code of LineupRefused why nobody can come or go now, '' if they can: one query at most."""
    if evening.has_ended:
        return "ended"
    if not evening.game.seats_may_change:
        return "seats_fixed"
    return "being_played" if has_begun(evening) else ""
