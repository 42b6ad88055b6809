"""Check of the circles: their owners, coins and saved house rules, their players' sort keys and merges."""

from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef, Q

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.text.hungarian_order import sort_key
from sessions_app.models import Circle, HouseProfile, Invite, Member, OwnershipClaim, Player, Removal, Role, Seat
from sessions_app.readers.verify.rows import BATCH, CircleFault, as_far_as_read, readable


def circle_faults() -> Iterator[CircleFault]:
    """Yield the faults of circles, of their players, and of the house rules that they have saved."""
    yield from _of_owners()
    for circle in readable(Circle.objects.order_by("pk")):
        for what in _of_coins(circle):
            yield circle.pk, what
    for profile in readable(HouseProfile.objects.order_by("pk")):
        for what in as_far_as_read(f"the saved house rules {profile.pk}", _of_profile(profile)):
            yield profile.circle_id, what
    yield from _of_sort_keys()
    yield from _of_merges()


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


def _of_coins(circle: Circle) -> Iterator[str]:
    coins = circle.cash_coins
    are_whole = isinstance(coins, dict) and all(type(coin) is int and coin > 0 for coin in coins.values())
    if not are_whole or not CURRENCIES.keys() >= coins.keys():
        yield f"its coins are {coins!r}, not whole numbers by currency"


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


def people_faults() -> Iterator[CircleFault]:
    """Yield the faults of phones and what they may do."""
    for model, who in ((Member, "member"), (Removal, "removed member")):
        for name in ("player", "held_as"):
            strange = model.objects.filter(**{f"{name}__isnull": False}).exclude(**{f"{name}__circle": F("circle")})
            for pk, circle, player in strange.order_by("pk").values_list("pk", "circle", name):
                yield circle, f"{who} {pk} is player {player} of another circle"
    inactive = Member.objects.filter(user__is_active=False).order_by("pk")
    for pk, circle, user in inactive.values_list("pk", "circle", "user"):
        yield circle, f"member {pk} is user {user}, who is not active"
    yield from _of_claims()
    closed_early = Invite.objects.filter(revoked_at__lt=F("made_at")).order_by("pk")
    for pk, circle in closed_early.values_list("pk", "circle"):
        yield circle, f"invite {pk} was revoked before it was made"


def _of_claims() -> Iterator[CircleFault]:
    claims = OwnershipClaim.objects.order_by("pk")
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
        for pk, circle, value in rows.values_list("pk", "circle", column):
            yield circle, what.format(pk, value)
