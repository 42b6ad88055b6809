"""The writer of a document's players and authors, as part of an import.

A player whom the circle has already is known by his id, then by his name. An author is a name: each becomes a former
member of the circle, without a phone.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

from scorekeeper.text.names import name_key
from sessions_app.errors import DocumentRefused
from sessions_app.models import Circle, EveningChange, Player, Removal, User
from sessions_app.readers.book.document import Value, authors_in
from sessions_app.readers.book.document_reading import time_of
from sessions_app.writers.players import NamedPlayer, named, players_by_name

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


def write_players(circle: Circle, document: Value) -> ImportedPlayers:
    """Write the players and authors that are new, for a caller that has locked the circle. Raise DocumentRefused."""
    values = {value["id"]: value for value in document["players"]}
    rows = _known(circle, document["players"])
    new = list(_new_players(circle, [value for value in document["players"] if value["id"] not in rows]))
    Player.objects.bulk_create(new)
    players = ImportedPlayers(circle, rows | {str(player.token): player for player in new}, document["players"])
    for player in new:
        into = values[str(player.token)]["merged_into"]
        player.merged_into = players.of(into).player if into else None
    Player.objects.bulk_update([player for player in new if player.merged_into], ["merged_into"])
    histories = [(player, change) for player in new for change in values[str(player.token)]["changes"]]
    made = (*document["house_profiles"], *(change for value in document["players"] for change in value["changes"]))
    players.add_authors(circle, authors_in(document["sessions"], document["payments"], made))
    EveningChange.objects.bulk_create(change_of(change, players, player=player) for player, change in histories)
    return players


def _known(circle: Circle, values: Sequence[Value]) -> dict[str, Player]:
    """Return the document's players that the circle has, by their ids. Raise DocumentRefused if two are one here."""
    here = circle.players.select_related("merged_into").order_by("-pk")
    by_id, by_name = {str(player.token): player for player in here}, players_by_name(here)
    found: dict[str, Player] = {}
    keys: set[int] = set()
    for number, value in enumerate(values, start=1):
        row = by_id.get(value["id"]) or by_name.get(value["name"]) or by_name.get(name_key(value["name"]))
        if row is None:
            continue
        if row.pk in keys:
            raise DocumentRefused(_("it is a player who is there twice"), ["players", str(number)])
        keys.add(row.pk)
        found[value["id"]] = row
    return found


def _new_players(circle: Circle, values: Sequence[Value]) -> Iterator[Player]:
    """Yield new players, each with its mark unless another one has that."""
    marks = set(circle.players.exclude(mark_shape="").values_list("mark_shape", "mark_colour"))
    for value in values:
        mark = (value["mark"]["shape"], value["mark"]["colour"]) if value["mark"] else ("", "")
        shape, colour = ("", "") if mark in marks else mark
        marks.add(mark)
        yield Player(
            circle=circle,
            token=UUID(value["id"]),
            name=value["name"],
            mark_shape=shape,
            mark_colour=colour,
            plays_no_more=value["plays_no_more"],
        )


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
