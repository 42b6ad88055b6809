"""Check of the circles: owners, coins, house rules, players, members, claims, payments, and sums of their balances."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta
from itertools import chain
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.text.hungarian_order import sort_key
from sessions_app.models import (
    MOST_UNITS,
    POINTS,
    Circle,
    Evening,
    EveningChange,
    HouseProfile,
    Invite,
    Member,
    OwnershipClaim,
    Player,
    Removal,
    Repayment,
    RepaymentEvening,
    Role,
    Seat,
)
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.repayments import is_currency
from sessions_app.readers.verify.rows import BATCH, Fault, as_far_as_read, readable

#: The clocks of two servers may differ by this.
CLOCKS_DIFFER: Final = timedelta(minutes=5)

#: A circle's key and its fault.
type CircleFault = tuple[int, str]
#: Rows that may not be as they are, the column of their circle and those that the sentence names, and the sentence.
type Strange = tuple[QuerySet[Any, Any], tuple[str, ...], str]


def circle_faults() -> Iterator[Fault]:
    """Yield the faults of circles, and of all that is theirs but evenings."""
    for check in (_of_owners, _of_coins, _of_profiles, _of_sort_keys, _of_merges, _of_strange_rows, _of_payments):
        for circle, what in check():
            yield Fault(None, None, what, circle=circle)


def _of_owners() -> Iterator[CircleFault]:
    """Yield a fault for each circle without an owner.

    A demo that nobody has opened yet has none, nor has a circle that the operator made and nobody has joined, or one
    that is deleted with its last member gone.
    """
    members = Member.objects.filter(circle=OuterRef("pk"))
    unowned = Circle.objects.filter(~Exists(members.filter(role=Role.OWNER)))
    may_be_empty = Q(is_demo=True) | Q(evenings=None) | ~Q(deleted_from=None)
    for pk in unowned.exclude(may_be_empty & ~Exists(members)).order_by("pk").values_list("pk", flat=True):
        yield pk, "it has no owner"


def _of_coins() -> Iterator[CircleFault]:
    for circle in readable(Circle.objects.order_by("pk")):
        coins = circle.cash_coins
        are_whole = isinstance(coins, dict) and all(type(coin) is int and coin > 0 for coin in coins.values())
        if not are_whole or not CURRENCIES.keys() >= coins.keys():
            yield circle.pk, f"its coins are {coins!r}, not whole numbers by currency"


def _of_profiles() -> Iterator[CircleFault]:
    for profile in readable(HouseProfile.objects.order_by("pk")):
        for what in as_far_as_read(f"the saved house rules {profile.pk}", _of_profile(profile)):
            yield profile.circle_id, what


def _of_profile(profile: HouseProfile) -> Iterator[str]:
    if profile.game_key not in GAMES:
        yield f"its saved house rules {profile.name!r} are of the game {profile.game_key!r}, which is unknown"
        return
    game = GAMES[profile.game_key]
    rules = game.rules_to_text(game.rules_from_text(profile.rules))
    if rules != profile.rules:
        yield f"its saved house rules {profile.name!r} are {profile.rules!r}; their normal form is {rules!r}"


def _of_sort_keys() -> Iterator[CircleFault]:
    players = Player.objects.order_by("pk").values_list("pk", "circle_id", "name", "sort_key")
    for pk, circle, name, key in players.iterator(BATCH):
        if key != sort_key(name):
            yield circle, f"the sort key of player {pk} is {key!r}; by the name it is {sort_key(name)!r}"


def _of_merges() -> Iterator[CircleFault]:
    merged = Player.objects.filter(merged_into__isnull=False).select_related("merged_into").order_by("pk")
    for player in merged.iterator(BATCH):
        into = player.merged_into
        for what in _of_merged(player, into) if into else ():
            yield player.circle_id, what


def _of_merged(player: Player, into: Player) -> Iterator[str]:
    merge = f"player {player.pk} is merged into player {into.pk}"
    if into.circle_id != player.circle_id:
        yield f"{merge} of another circle"
    if into.merged_into_id is not None:
        yield f"{merge}, who is merged into player {into.merged_into_id}"
    if player.seats.exists() or player.members.exists():
        yield f"{merge}, but still has seats or phones"


# --- Rows that a query finds ---


def _of_strange_rows() -> Iterator[CircleFault]:
    for rows, columns, what in chain(_strange_people(), _strange_claims(), _strange_links()):
        for circle, *named in rows.order_by("pk").values_list(*columns):
            yield circle, what.format(*named)


def _strange_people() -> Iterator[Strange]:
    for model, former, what in ((Seat, "sat_as", "seat"), (Member, "held_as", "phone"), (Removal, "held_as", "phone")):
        strays = model.objects.filter(**{f"{former}__isnull": False})
        strays = strays.exclude(**{f"{former}__merged_into": F("player")})
        by_name = "{} belongs to player {} by the name of player {}, who is not merged into him"
        yield strays, (f"{former}__circle", "pk", "player", former), f"{what} {by_name}"
    for model, who in ((Member, "member"), (Removal, "removed member")):
        for name in ("player", "held_as"):
            elsewhere = model.objects.filter(**{f"{name}__isnull": False}).exclude(**{f"{name}__circle": F("circle")})
            yield elsewhere, ("circle", "pk", name), who + " {} is player {} of another circle"
    inactive = Member.objects.filter(user__is_active=False)
    yield inactive, ("circle", "pk", "user"), "member {} is user {}, who is not active"
    closed_early = Invite.objects.filter(revoked_at__lt=F("made_at"))
    yield closed_early, ("circle", "pk"), "invite {} was revoked before it was made"


def _strange_claims() -> Iterator[Strange]:
    claims = OwnershipClaim.objects.all()
    unclosed, elsewhere = claims.filter(closed_at=None), claims.exclude(Q(lost=None) | Q(lost__circle=F("circle")))
    # A member of another role closes his claim with his role.
    strange = unclosed.filter(~Q(member__role=Role.KEEPER), Q(lost=None) | Q(member__role=Role.OWNER))
    for rows, column, what in (
        (claims.exclude(member__circle=F("circle")), "member", "claim {} is of member {} of another circle"),
        (elsewhere, "lost", "claim {} is to be member {} of another circle"),
        (unclosed.filter(lost__role=Role.OWNER), "lost", "claim {} is open, but member {} runs the circle"),
        (unclosed.filter(lost__user__is_missed=False), "lost", "claim {} stays open when member {} comes back"),
        (strange, "member__role", "claim {} is open, but its member is {}"),
        (claims.filter(closed_at__lt=F("made_at")), "member", "claim {} was closed before it was made"),
    ):
        yield rows, ("circle", "pk", column), what


def _strange_links() -> Iterator[Strange]:
    """Yield what payments are for, where it may not be so."""
    links, columns = RepaymentEvening.objects.all(), ("repayment__circle", "repayment", "evening")
    strays = links.exclude(repayment__circle=F("evening__circle"))
    yield strays, columns, "payment {} is for session {} of another circle"
    yield links.filter(evening__last_number=0), columns, "payment {} is for session {}, which has no hand"
    openings = links.filter(repayment__kind=Repayment.Kind.OPENING)
    yield openings, columns, "opening balance {} is for a session"


# --- Payments ---


def _of_payments() -> Iterator[CircleFault]:
    """Yield the faults of payments, and of the books that they are in."""
    players = {pk: (circle, into) for pk, circle, into in Player.objects.values_list("pk", "circle", "merged_into")}
    for circle in Circle.objects.order_by("pk").values_list("pk", flat=True):
        played, there = played_for(circle), _there(circle)
        for row in readable(Repayment.objects.filter(circle=circle).order_by("pk")):
            sides = (_of_side(row, side, players, there.get(row.pk)) for side in ("payer", "payee"))
            for what in chain(_of_row(row), *sides, _of_currency(row, played, has_evening=row.pk in there)):
                yield circle, f"payment {row.pk} {what}"
        for what in as_far_as_read("the books of its payments", _of_books(circle)):
            yield circle, what


def played_for(circle: int) -> set[str]:
    """Return the currencies of the circle's evenings, now or before their stake was changed, and of its paper debts."""
    evenings = Evening.objects.filter(circle=circle).order_by()
    points = {f"{POINTS}{game_key}" for game_key in evenings.values_list("game_key", flat=True)}
    found = set(Repayment.objects.filter(circle=circle, kind=Repayment.Kind.OPENING).values_list("currency", flat=True))
    found.update(evenings.exclude(stake=None).values_list("currency", flat=True))
    if evenings.filter(stake=None).exists():
        found |= points
    for change in readable(EveningChange.objects.filter(evening__circle=circle, kind=EveningChange.Kind.STAKE)):
        for state in filter(_is_stake, (change.before, change.after)):
            found |= {state["currency"]} if state["stake"] else points
    return found


def _there(circle: int) -> dict[int, set[int]]:
    """Return who sat in the circle's evenings that a payment is for, by the key of each payment that is for one."""
    seated = defaultdict(set)
    for evening, player in Seat.objects.filter(evening__circle=circle).values_list("evening", "player"):
        seated[evening].add(player)
    found: dict[int, set[int]] = defaultdict(set)
    links = RepaymentEvening.objects.filter(evening__circle=circle, repayment__circle=circle)
    for row, evening in links.values_list("repayment", "evening"):
        found[row] |= seated[evening]
    return found


def _is_stake(state: object) -> bool:
    return isinstance(state, dict) and {"stake", "currency"}.issubset(state)


def _of_row(row: Repayment) -> Iterator[str]:
    if not 1 <= row.units <= MOST_UNITS:
        yield f"is of {row.units} units"
    if row.kind not in Repayment.Kind.values:
        yield f"is of the kind {row.kind!r}"
    if row.payer_id == row.payee_id and not row.is_undone:
        yield f"is of player {row.payer_id} to himself"
    if row.undone_at is None and row.undone_by_id is not None:
        yield f"was taken back by user {row.undone_by_id} at no time"
    if row.undone_at and row.made_at and row.undone_at < row.made_at:
        yield f"was taken back at {row.undone_at}, before it was booked at {row.made_at}"
    if row.made_at is not None and row.made_at > timezone.now() + CLOCKS_DIFFER:
        yield f"was booked at {row.made_at}, which is not yet"


def _of_side(
    row: Repayment, side: str, players: Mapping[int, tuple[int, int | None]], there: Collection[int] | None
) -> Iterator[str]:
    """Yield the faults of the payer or the payee.

    `players` are the circle and the merge of each player by key, `there` those who sat in the evenings that the payment
    is for; None if it is for none.
    """
    player, name = getattr(row, f"{side}_id"), getattr(row, f"{side}_as_id")
    circle, merged_into = players.get(player, (row.circle_id, None))
    if circle != row.circle_id:
        yield f"has player {player} of another circle as its {side}"
    elif merged_into is not None:
        yield f"has player {player} as its {side}, who is merged into player {merged_into}"
    elif there is not None and player not in there:
        yield f"has player {player} as its {side}, who sat in none of the sessions it is for"
    if name in players and players[name][1] != player:
        yield f"has player {player} as its {side} by the name of player {name}, who is not merged into him"


def _of_currency(row: Repayment, played: Collection[str], *, has_evening: bool) -> Iterator[str]:
    if not is_currency(row.currency):
        yield f"is in {row.currency!r}, which cannot be read"
    elif has_evening and row.currency not in played:  # else it may be that of a session that was removed
        yield f"is in {row.currency}, for which the circle never played"


def _of_books(circle_id: int) -> Iterator[str]:
    """Yield a fault for each currency whose balances do not sum to zero. Raise whatever damaged data may."""
    for currency, amounts in balances(circle_id).by_currency.items():
        if sum(amounts.values()):
            yield f"its balances in {currency} sum to {sum(amounts.values())}"
