"""Check of the circles: their owners, their players' sort keys and merges."""

from collections.abc import Iterator
from typing import Final

from django.db.models import Exists, F, OuterRef, Q

from scorekeeper.text.hungarian_order import sort_key
from sessions_app.models import Circle, Member, Player, Removal, Role, Seat

#: A circle's key and its fault.
type CircleFault = tuple[int, str]

#: Rows in memory at once.
BATCH: Final = 200


def circle_faults() -> Iterator[CircleFault]:
    """Yield a fault for each circle without an owner, and for each player whose sort key is not that of his name.

    A demo that nobody has opened yet has no owner.
    """
    members = Member.objects.filter(circle=OuterRef("pk"))
    unowned = Circle.objects.filter(~Exists(members.filter(role=Role.OWNER)))
    unopened = Q(is_demo=True) & ~Exists(members)
    for pk in unowned.exclude(unopened).order_by("pk").values_list("pk", flat=True):
        yield pk, "it has no owner"
    players = Player.objects.order_by("pk").values_list("pk", "circle_id", "name", "sort_key")
    for pk, circle, name, key in players.iterator(BATCH):
        if key != sort_key(name):
            yield circle, f"the sort key of player {pk} is {key!r}; by the name it is {sort_key(name)!r}"


def player_faults() -> Iterator[CircleFault]:
    """Yield a fault for each impossible merge, and for each seat or phone whose former player is not merged."""
    merged = Player.objects.filter(merged_into__isnull=False).select_related("merged_into").order_by("pk")
    for player in merged.iterator(BATCH):
        into = player.merged_into
        for what in _of_merged(player, into) if into else ():
            yield player.circle_id, what
    for model, chosen, what in ((Seat, "sat_as", "seat"), (Member, "held_as", "phone"), (Removal, "held_as", "phone")):
        strays = model.objects.filter(**{f"{chosen}__isnull": False})
        strays = strays.exclude(**{f"{chosen}__merged_into": F("player")}).order_by("pk")
        for pk, name, player, circle in strays.values_list("pk", chosen, "player", f"{chosen}__circle"):
            fault = f"{what} {pk} belongs to player {player} by the name of player {name}, who is not merged into him"
            yield circle, fault


def _of_merged(player: Player, into: Player) -> Iterator[str]:
    merge = f"player {player.pk} is merged into player {into.pk}"
    if into.circle_id != player.circle_id:
        yield f"{merge} of another circle"
    if into.merged_into_id is not None:
        yield f"{merge}, who is merged into player {into.merged_into_id}"
    if player.seats.exists() or player.members.exists():
        yield f"{merge}, but still has seats or phones"
