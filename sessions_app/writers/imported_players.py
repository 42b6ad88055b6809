"""The writer of a document's players and authors, as part of an import.

A player whom the circle has already is known by his id, then by his name. An author is a name: each becomes a former
member of the circle, without a phone.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final
from uuid import UUID, uuid4

from django.utils.translation import gettext_noop as _

from sessions_app.errors import DocumentRefused
from sessions_app.models import NAME_LENGTH, Circle, EveningChange, Player, Removal, User
from sessions_app.readers.book.document import Value
from sessions_app.readers.book.document_reading import time_of
from sessions_app.readers.book.import_plan import Chosen, matched, twice
from sessions_app.readers.people.players import NamedPlayer, named

#: Begins the name of a user who is but the author of imported changes.
AUTHOR: Final = "author-"


class ImportedPlayers:
    """Rows of the document's players by their ids in it, and the users who stand for its authors, by their names."""

    def __init__(self, circle: Circle, rows: Mapping[str, Player], values: Sequence[Value]) -> None:
        self._rows = rows
        self._ids = {value["name"]: value["id"] for value in values}
        authors = Removal.objects.filter(circle=circle.pk, user__username__startswith=AUTHOR, player__isnull=False)
        self._authors = dict(authors.values_list("player", "user"))

    def of(self, token: str) -> NamedPlayer:
        """Return the person of a player, and the row of the name if that is merged here."""
        return named(self._rows[token])

    def key(self, token: str | None) -> int | None:
        """Return the key of a player's own row, None if he is not there."""
        row = self._rows.get(token or "")
        return row.pk if row else None

    def author(self, name: str) -> int | None:
        """Return the key of the user who stands for the author of this name, None if he is no player."""
        token = self._ids.get(name)
        return self._authors.get(self.of(token).player.pk) if token else None

    def add_authors(self, circle: Circle, names: set[str]) -> None:
        """Write a former member for each author who is a player, unless there is one already."""
        for name in sorted(names & self._ids.keys()):
            player = self.of(self._ids[name]).player
            if player.pk not in self._authors:
                user = User(username=f"{AUTHOR}{uuid4().hex}", is_guest=True)
                user.set_unusable_password()
                user.save()
                Removal.objects.create(circle=circle, user=user, player=player, by_choice=True)
                self._authors[player.pk] = user.pk


def write_players(
    circle: Circle, document: Value, authors: set[str], chosen: Chosen | None = None
) -> tuple[ImportedPlayers, list[Player]]:
    """Write the players and authors that are new, for a caller that has locked the circle. Return the new ones, too.

    Raise DocumentRefused.
    """
    values = {value["id"]: value for value in document["players"]}
    rows = matched(circle, document["players"], chosen or {})
    _require_once(rows, document["players"], chosen or {})
    new = list(_new_players(circle, [value for value in document["players"] if value["id"] not in rows]))
    Player.objects.bulk_create(new)
    players = ImportedPlayers(circle, rows | {str(player.token): player for player in new}, document["players"])
    for player in new:
        into = values[str(player.token)]["merged_into"]
        player.merged_into = players.of(into).player if into else None
    Player.objects.bulk_update([player for player in new if player.merged_into], ["merged_into"])
    histories = [(player, change) for player in new for change in values[str(player.token)]["changes"]]
    players.add_authors(circle, authors)
    EveningChange.objects.bulk_create(change_of(change, players, player=player) for player, change in histories)
    return players, new


def _require_once(rows: Mapping[str, Player], values: Sequence[Value], chosen: Chosen) -> None:
    """Raise DocumentRefused if two players are one here whom nobody has said to be one."""
    number = twice(rows, values, chosen)
    if number is not None:
        raise DocumentRefused(_("it is a player who is there twice"), ["players", str(number)])


def _new_players(circle: Circle, values: Sequence[Value]) -> Iterator[Player]:
    """Yield new players, each with its mark and its name unless another one has that."""
    marks = set(circle.players.exclude(mark_shape="").values_list("mark_shape", "mark_colour"))
    names = set(circle.players.values_list("name", flat=True))
    for value in values:
        mark = (value["mark"]["shape"], value["mark"]["colour"]) if value["mark"] else ("", "")
        shape, colour = ("", "") if mark in marks else mark
        marks.add(mark)
        name = free_name(value["name"], names)
        names.add(name)
        yield Player(
            circle=circle,
            token=UUID(value["id"]),
            name=name,
            mark_shape=shape,
            mark_colour=colour,
            plays_no_more=value["plays_no_more"],
        )


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number behind it if it is taken."""
    numbered = (f"{name[: NAME_LENGTH - 6]} {number}" for number in count(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def change_of(value: Value, players: ImportedPlayers, **of: Any) -> EveningChange:
    """Return an entry of a history, its players' ids replaced by keys."""
    states = {"before": dict(value["before"]), "after": dict(value["after"])}
    for state in states.values():
        if "player" in state:
            state["player"] = players.key(state["player"])
        if "players" in state:
            state["players"] = [players.key(token) for token in state["players"]]
    made = {"made_at": time_of(value["at"]), "made_by_id": players.author(value["by"])}
    return EveningChange(kind=value["kind"], **made, **states, **of)
