"""The writer of a circle's players: names, marks, 'plays no more', and two names merged into one person.

Merging gives the seats, payments and phones of one name to the other; each of them keeps its former player. So every
figure of a person is the sum without any reader knowing of merging, and constraints of the database keep a person from
sitting twice at one table, or paying himself. Unmerging gives back exactly those seats, payments and phones, whatever
was renamed, recorded or started in between.

Each write is one short transaction that locks the circle, as every writer of seats and members does.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from scorekeeper.text.hungarian_order import sort_key
from scorekeeper.text.names import name_key
from sessions_app.errors import MarkTaken, PlayerNameTaken, SamePerson
from sessions_app.models import Circle, Evening, EveningChange, Member, Player, Removal, Repayment, Seat, User
from sessions_app.readers.people.players import NamedPlayer, named, players_by_name, why_not_mergeable
from sessions_app.transactions import hold_circle, raise_repayment_version, raise_versions, writing
from sessions_app.writers import circles

#: The condition of players whom nothing names: no seat, phone, other name or payment.
UNUSED: Final = {"seats": None, "members": None, "merged": None, "repaid": None, "received": None}
#: The two sides of a payment.
SIDES: Final = ("payer", "payee")


def players_named(circle: Circle, names: Sequence[str]) -> list[NamedPlayer]:
    """Return the players of these names, new ones created, for a caller that has locked the circle and seats them.

    A player who is seated plays again. Raise SamePerson if two of the names are merged into one person.
    """
    known = players_by_name(circle.players.select_related("merged_into").order_by("-pk"))
    found: list[NamedPlayer] = []
    for name in names:
        player = known.get(name) or known.get(name_key(name)) or Player.objects.create(circle=circle, name=name)
        found.append(named(player))
    earlier: dict[int, str] = {}
    for name, each in zip(names, found, strict=True):
        if each.player.pk in earlier:
            raise SamePerson(earlier[each.player.pk], name)
        earlier[each.player.pk] = name
    back = [each.player.pk for each in found if each.player.plays_no_more]
    if back:
        Player.objects.filter(pk__in=back).update(plays_no_more=False)
    return found


@writing
def rename(circle_id: int, player_id: int, name: str, *, by: User) -> None:
    """Rename a player in all his evenings; an equal name changes nothing.

    Raise PlayerNameTaken, Player.DoesNotExist.
    """
    circle = hold_circle(circle_id)
    player = circle.players.get(pk=player_id)
    if player.name == name:
        return
    others = circle.players.exclude(pk=player_id).values_list("name", "pk")
    taken = {name_key(known): other for known, other in others}
    if other := taken.get(name_key(name)):
        raise PlayerNameTaken(player_id, other)
    write_name(player_id, player.name, name, by=by).save()
    _renew(Evening.objects.filter(pk__in=Seat.objects.filter(player=player_id).values("evening")))


def write_name(player_id: int, before: str, after: str, *, by: User) -> EveningChange:
    """Write a player's new name, and return the change for the caller to save."""
    Player.objects.filter(pk=player_id).update(name=after, sort_key=sort_key(after))
    return EveningChange(
        player_id=player_id,
        kind=EveningChange.Kind.NAME,
        made_by=by,
        before={"name": before},
        after={"name": after},
    )


@writing
def set_mark(circle_id: int, player_id: int, shape: str, colour: str) -> None:
    """Give a player a mark, or none by two empty words. Raise MarkTaken, Player.DoesNotExist."""
    player = hold_circle(circle_id).players.get(pk=player_id)
    player.mark_shape, player.mark_colour = shape, colour
    try:
        with transaction.atomic():
            player.save(update_fields=["mark_shape", "mark_colour"])
    except IntegrityError as taken:
        raise MarkTaken from taken


@writing
def set_plays_no_more(circle_id: int, player_id: int, plays_no_more: bool) -> None:
    """Set whether a player plays no more: he is then not offered for new evenings. Raise Player.DoesNotExist."""
    player = hold_circle(circle_id).players.get(pk=player_id)
    player.plays_no_more = plays_no_more
    player.save(update_fields=["plays_no_more"])


@writing
def merge(circle_id: int, player_id: int, other_id: int, *, by: User) -> None:
    """Make `other_id` another name of the player; doing it twice changes nothing.

    Raise MergeRefused, Player.DoesNotExist.
    """
    circle = hold_circle(circle_id)
    player, other = circle.players.get(pk=player_id), circle.players.get(pk=other_id)
    if other.merged_into_id == player.pk:
        return
    if refused := why_not_mergeable(player, other):
        raise refused
    Seat.objects.filter(player=other).update(player=player, sat_as=other)
    for phones in (Member, Removal):
        phones.objects.filter(player=other).update(player=player, held_as=other)
    _pass_on(circle, (({side: other}, {side: player, f"{side}_as": other}) for side in SIDES))
    other.merged_into = player
    other.save(update_fields=["merged_into"])
    before, after = {"name": other.name}, {"name": player.name, "player": player.pk}
    EveningChange.objects.create(player=other, kind=EveningChange.Kind.MERGE, made_by=by, before=before, after=after)
    _renew(Evening.objects.filter(pk__in=Seat.objects.filter(sat_as=other).values("evening")))


@writing
def unmerge(circle_id: int, other_id: int, *, by: User) -> None:
    """Give a merged player his own seats, payments and phones again; doing it twice changes nothing.

    Raise Player.DoesNotExist.
    """
    circle = hold_circle(circle_id)
    other = circle.players.select_related("merged_into").get(pk=other_id)
    player = other.merged_into
    if player is None:
        return
    Seat.objects.filter(sat_as=other).update(player=other, sat_as=None)
    for phones in (Member, Removal):
        phones.objects.filter(held_as=other).update(player=other, held_as=None)
    _pass_on(circle, (({f"{side}_as": other}, {side: other, f"{side}_as": None}) for side in SIDES))
    other.merged_into = None
    other.save(update_fields=["merged_into"])
    before, after = {"name": player.name, "player": player.pk}, {"name": other.name}
    EveningChange.objects.create(player=other, kind=EveningChange.Kind.UNMERGE, made_by=by, before=before, after=after)
    _renew(Evening.objects.filter(pk__in=Seat.objects.filter(player=other).values("evening")))


def _pass_on(circle: Circle, changes: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """Change whose the payments are, of those that each filter finds."""
    if sum(Repayment.objects.filter(**which).update(**changed) for which, changed in changes):
        raise_repayment_version(circle)


def _renew(evenings: QuerySet[Evening]) -> None:
    """Raise the versions of these evenings, so that all phones redraw them, and renew their search texts."""
    raise_versions(evenings)
    circles.renew_search_texts(evenings)
