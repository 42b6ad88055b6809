"""The writer of evenings: start, end, reopen, take away."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

from django.db import IntegrityError
from django.utils import timezone

from scorekeeper.games import DEFAULT, GAMES
from sessions_app.models import GameSession, Member, OpenHand, Player, Role, Seat, Table, User, lineup_to_text
from sessions_app.writers import profiles
from sessions_app.writers.writing import hold_evening, hold_table, hold_table_and_evening, hold_user, writing

JUST_NOW = timedelta(minutes=5)


class TokenTaken(Exception):
    """Somebody else has started an evening by this form's token."""


class HandsRecorded(Exception):
    """The evening has a hand on its sheet, void or not, or one that is being played: it stays."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What is settled before the first deal: names clockwise, the first dealer's seat, and money per point if any.

    `rules` is the line of the game's house rules; the table keeps them under the name `keep_as`, if any.
    """

    names: Sequence[str]
    first_dealer: int
    stake: Decimal | None = None
    currency: str = ""
    game_key: str = DEFAULT
    rules: str = ""
    keep_as: str = ""


def start(opening: Opening, *, token: UUID, by: User, table: Table | None = None) -> GameSession:
    """Open an evening and return it; a known token returns what it made.

    It is at `table`, or else at the circle these players belong to. The house rules are stamped on it, in their one
    spelling. Raises TokenTaken for a token by which somebody else has started an evening, InvalidRules,
    profiles.Refused where the table cannot keep them under that name, and ValueError for a table that the game is not
    played at.
    """
    game = GAMES[opening.game_key]
    game.playing_seats(len(opening.names), opening.first_dealer)
    opening = replace(opening, rules=game.rules_to_text(game.rules_from_text(opening.rules)))
    try:
        return _start(opening, token, by, table)
    except IntegrityError as taken:
        raise TokenTaken from taken


def starter(token: UUID) -> User | None:
    """Who started an evening by this token just now, while he is its table's only member.

    Two taps of a phone that nobody knows yet are two strangers to the server: this makes them one guest. The token was
    in that phone's form and nowhere else.
    """
    members = Member.objects.filter(
        table__evenings__token=token, table__evenings__started_at__gte=timezone.now() - JUST_NOW
    ).select_related("user")[:2]
    return members[0].user if len(members) == 1 and members[0].user.is_guest else None


@writing
def _start(opening: Opening, token: UUID, by: User, table: Table | None) -> GameSession:
    # Two starts at once wait for each other here, so that both find the players the first one made.
    hold_user(by.pk)
    known = GameSession.objects.filter(token=token, table__members__user=by).first()
    if known:
        return known
    table = hold_table((table or _circle_of(opening.names, by)).pk)
    if opening.keep_as:
        profiles.keep_at(table, opening.game_key, opening.keep_as, opening.rules, by=by)
    evening = GameSession.objects.create(
        table=table,
        token=token,
        game_key=opening.game_key,
        rules=opening.rules,
        first_dealer=opening.first_dealer,
        lineup=lineup_to_text(range(len(opening.names))),
        stake=opening.stake,
        currency=opening.currency if opening.stake else "",
    )
    players = {player.name.casefold(): player for player in table.players.all()}
    for position, name in enumerate(opening.names):
        player = players.get(name.casefold()) or Player.objects.create(table=table, name=name)
        Seat.objects.create(game_session=evening, position=position, player=player)
    return evening


def end(evening_id: int) -> None:
    """Close an evening: it takes no hand until it is reopened. Ending it twice changes nothing."""
    _set_ended(evening_id, True)


def reopen(evening_id: int) -> None:
    """Let an ended evening take hands again."""
    _set_ended(evening_id, False)


def may_go(evening: GameSession) -> bool:
    """Whether the evening was begun for nothing: no hand was ever recorded and none is being played: one query."""
    row = None if evening.last_number else OpenHand.objects.filter(game_session=evening.pk).first()
    return not (evening.last_number or (row and row.has_begun))


@writing
def remove(evening_id: int, *, by: User) -> None:
    """Take away an evening begun by mistake, and what it alone brought: players, and the table if nobody else is there.

    A player whose phone somebody holds stays, as long as the table does. Raises HandsRecorded,
    GameSession.DoesNotExist.
    """
    table, evening = hold_table_and_evening(evening_id)
    if not may_go(evening):
        raise HandsRecorded
    sat = list(evening.seats.values_list("player", flat=True))
    evening.delete()
    is_shared = table.members.exclude(user=by).exists()
    table.players.filter(pk__in=sat, seats=None, members=None).delete()
    if not (is_shared or table.evenings.exists()):
        table.delete()


def _circle_of(names: Sequence[str], by: User) -> Table:
    """Return the table these people play at: the one of `by`'s that knows most of them, and at least two.

    One familiar name alone does not let strangers into a circle's book; then a new table begins, owned by `by`. The
    demo's book is nobody's.
    """
    wanted = {name.casefold() for name in names}
    known = Counter(
        player.table_id
        for player in Player.objects.filter(
            table__members__user=by, table__members__role__in=[Role.OWNER, Role.KEEPER], table__is_demo=False
        ).order_by("-table_id")
        if player.name.casefold() in wanted
    )
    for table_id, matches in known.most_common(1):
        if matches >= 2:
            return Table.objects.get(pk=table_id)
    return new_table(by)


@writing
def new_table(owner: User, is_demo: bool = False) -> Table:
    """Make a table that belongs to `owner`."""
    table = Table.objects.create(is_demo=is_demo)
    Member.objects.create(table=table, user=owner, role=Role.OWNER, to_be_asked=not is_demo)
    return table


@writing
def _set_ended(evening_id: int, ended: bool) -> None:
    evening = hold_evening(evening_id)
    if evening.has_ended == ended:
        return
    evening.ended_at = timezone.now() if ended else None
    evening.version += 1
    evening.save(update_fields=["ended_at", "version"])
