"""A player of a circle: other names, phones, history, and the names that may be the same person."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple, Self

from django.db.models import Q, QuerySet

from scorekeeper.text.names import fold, name_key
from sessions_app.errors import MergeRefused, PlayerNameTaken
from sessions_app.models import Circle, Evening, EveningChange, Member, Player, Repayment, Seat
from sessions_app.readers.people.circles import CirclePlayer

#: The most entries of a player's history on the page, and the most phones.
MOST_CHANGES: Final = 20
MOST_PHONES: Final = 20


class NamedPlayer(NamedTuple):
    """The player of a name, and the row of the name itself if it is merged into that player."""

    player: Player
    sat_as: Player | None


def players_by_name(players: Collection[Player] | QuerySet[Player]) -> dict[str, Player]:
    """Return players by their names and by the keys of these.

    Two may differ by invisible characters only: the exact spelling comes first, then the player who comes last.
    """
    return {name_key(player.name): player for player in players} | {player.name: player for player in players}


def named(row: Player) -> NamedPlayer:
    """Return the player of a name by its row, whose `merged_into` was read."""
    return NamedPlayer(row.merged_into, row) if row.merged_into else NamedPlayer(row, None)


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two players whose names may be one person's; `second` joined the circle later."""

    first: CirclePlayer
    second: CirclePlayer


class NamesMerged(NamedTuple):
    """Two players merged: the one whose name stays, and the one who becomes another name of that one."""

    stays: Player
    goes: Player


@dataclass(frozen=True, slots=True)
class NameConflict:
    """A player is to get a name that another has: the ways to merge the two, or why there is none.

    The way in which the wanted name stays is the first.
    """

    player_id: int
    ways: tuple[NamesMerged, ...]
    refused: MergeRefused | None


class _FoldedName(NamedTuple):
    """A name folded, without its initial, and the initial ('' for none)."""

    name: str
    initial: str

    def may_be(self, other: Self) -> bool:
        return self.name == other.name and (self.initial == other.initial or not (self.initial and other.initial))


def player_of(circle: Circle, player_id: int) -> Player:
    """Return the circle's player: one query. Raise Player.DoesNotExist."""
    return Player.objects.get(circle=circle.pk, pk=player_id)


def other_names(player: Player) -> tuple[CirclePlayer, ...]:
    """Return the names merged into this player: one query."""
    merged = Player.objects.filter(merged_into=player.pk).order_by("sort_key", "pk")
    return tuple(CirclePlayer(pk, name) for pk, name in merged.values_list("pk", "name"))


def phones_of(player: Player) -> tuple[Member, ...]:
    """Return the phones that belong to the player, the one seen last first: one query."""
    return tuple(Member.objects.filter(player=player.pk).order_by("-last_seen_at", "pk")[:MOST_PHONES])


def history_of(player: Player) -> QuerySet[EveningChange]:
    """Return the latest changes of the player's names, the newest first, those of names merged into him too."""
    of_names = Q(player=player.pk) | Q(player__merged_into=player.pk)
    of_names |= Q(kind=EveningChange.Kind.MERGE, after__player=player.pk)
    of_names |= Q(kind=EveningChange.Kind.UNMERGE, before__player=player.pk)
    return EveningChange.objects.filter(of_names, player__circle=player.circle_id).order_by("-pk")[:MOST_CHANGES]


def why_not_mergeable(player: Player, other: Player) -> MergeRefused | None:
    """Return why `other` cannot become another name of the player, None if it can: at most three queries."""
    if player.pk == other.pk:
        return MergeRefused("itself")
    if player.merged_into_id or other.merged_into_id:
        return MergeRefused("merged_already")
    if other.merged.exists():
        return MergeRefused("has_names")
    of_both = Evening.objects.filter(seats__player=player.pk).filter(seats__player=other.pk)
    if latest := of_both.order_by("-started_at", "-pk").first():
        return MergeRefused("one_table", latest)
    between = Q(payer=player.pk, payee=other.pk) | Q(payer=other.pk, payee=player.pk)
    return MergeRefused("paid") if Repayment.objects.filter(between, undone_at=None).exists() else None


def name_conflict(circle_id: int, taken: PlayerNameTaken) -> NameConflict:
    """Return the conflict of a player with the one who has the wanted name: at most eight queries.

    Raise Player.DoesNotExist.
    """
    players = Player.objects.select_related("merged_into").filter(circle=circle_id)
    player, named = players.get(pk=taken.player), players.get(pk=taken.other)
    other = named.merged_into or named
    if other == player:
        return NameConflict(player.pk, (), MergeRefused("own_name"))
    pairs = ((other, player), (player, other))
    refused = [why_not_mergeable(*pair) for pair in pairs]
    ways = tuple(NamesMerged(*pair) for pair, why in zip(pairs, refused, strict=True) if why is None)
    return NameConflict(player.pk, ways, None if ways else refused[0])


def table_mates(player: Player) -> set[int]:
    """Return the keys of the players who have sat at a table with the player: one query."""
    his = Seat.objects.filter(player=player.pk).values("evening")
    found = Seat.objects.filter(evening__in=his).order_by().values_list("player", flat=True).distinct()
    return set(found)


def likenesses(players: Sequence[CirclePlayer]) -> tuple[Likeness, ...]:
    """Return the pairs of these players that may be one person and never sat at one table: one query."""
    alike: dict[str, list[tuple[CirclePlayer, _FoldedName]]] = {}
    for player in players:
        folded = _folded(player.name)
        alike.setdefault(folded.name, []).append((player, folded))
    pairs = [
        Likeness(first, second)
        for found in alike.values()
        for (first, one), (second, two) in combinations(found, 2)
        if one.may_be(two)
    ]
    together = set(_pairs_at_tables({player.id for pair in pairs for player in (pair.first, pair.second)}))
    return tuple(pair for pair in pairs if frozenset((pair.first.id, pair.second.id)) not in together)


def is_alike(name: str, other: str) -> bool:
    """Return whether two names may be one person's: 'Béla' and 'bela', 'Béla K.' and 'Béla', but no 'Béla N.'."""
    return _folded(name).may_be(_folded(other))


def _folded(name: str) -> _FoldedName:
    words = "".join(char if char.isalnum() else " " for char in fold(name)).split()
    if len(words) > 1 and len(words[-1]) == 1:
        return _FoldedName(" ".join(words[:-1]), words[-1])
    return _FoldedName(" ".join(words) or name, "")


def _pairs_at_tables(players: Iterable[int]) -> Iterator[frozenset[int]]:
    """Yield each pair of these players at one table, table by table."""
    at: dict[int, list[int]] = {}
    # 0 is no player's key: the query is sent without any pair too, so the number of queries is fixed.
    seats = Seat.objects.filter(player__in=[0, *players]).order_by("evening").values_list("evening", "player")
    for evening, player in seats:
        at.setdefault(evening, []).append(player)
    for sitting in at.values():
        yield from map(frozenset, combinations(sitting, 2))
