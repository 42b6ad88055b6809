"""The readers that pages use: plain dataclasses out, a fixed number of queries each, whatever the evening's length."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

from django.db.models import JSONField, Max, Prefetch, QuerySet, Subquery
from django.db.models.functions import JSONObject

from scorekeeper.games.base import Account, Amount, Entry, Game, Place, ScoreLine
from scorekeeper.games.paying import PAID
from scorekeeper.settlement import Transfer, fewest_payments
from sessions_app.models import GameSession, Hand, HandEntry, Player, Role, Seat, User, lineup_from_text
from sessions_app.money import stake_of
from sessions_app.prepared import Row, Slot, columns, loaded, prepared

LINES_PER_PAGE = 12
MOST_LINES = 36
LAST = 2**31 - 1
EVENINGS_PER_PAGE = 20


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat with its player's name and balance in points (and in money, where there is a stake).

    `sits` is whether he is at the table for the next deal, or has gone home.
    """

    position: int
    name: str
    balance: Amount
    money: Decimal | None = None
    sits: bool = True


@dataclass(frozen=True, slots=True)
class HandLine:
    """One line of the sheet. `amounts` has one entry a seat: what it won or lost, None where it sat out.

    `agreed` are the names of those who said OK to it, where that is asked for.
    """

    game_key: str
    number: int
    dealer: str
    declarer: str
    text: str
    deal: Any
    rules: Any
    amounts: tuple[Amount | None, ...]
    deal_stays: bool
    is_void: bool
    is_amended: bool
    agreed: tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """Whom its line names: who declared it, or dealt it when it was thrown in; '' where all played alike."""
        return self.dealer if self.deal is None else self.declarer

    @property
    def amounts_text(self) -> str:
        """The amounts in the order of seats, `·` for who sat out."""
        return " ".join("·" if amount is None else str(amount) for amount in self.amounts)


@dataclass(frozen=True, slots=True)
class CountView:
    """A hand counted: what it writes, the steps that explain it, and what each seat wins or loses (None: not there)."""

    entries: tuple[Entry, ...]
    lines: tuple[ScoreLine, ...]
    amounts: tuple[Amount | None, ...]

    @property
    def points(self) -> int:
        """What the steps come to."""
        return sum(line.amount for line in self.lines)


@dataclass(frozen=True, slots=True)
class Turn:
    """The next deal: its number, who deals, who speaks first, and who leads for each declarer."""

    number: int
    dealer: int
    speaks_first: int
    leaders: tuple[tuple[int, int], ...]

    @property
    def leader(self) -> int | None:
        """Who leads whoever declares; None where that depends on it."""
        always = {leader for _declarer, leader in self.leaders}
        return always.pop() if len(always) == 1 else None


@dataclass(frozen=True, slots=True)
class Sheet:
    """Some hands of an evening, the latest first; `earlier` is where the next page begins, None at the first hand."""

    lines: tuple[HandLine, ...]
    earlier: int | None


@dataclass(frozen=True, slots=True)
class EveningCard:
    """An evening as the lists show it."""

    id: int
    started_at: datetime
    has_ended: bool
    hand_count: int
    currency: str
    seats: tuple[SeatView, ...]
    is_demo: bool


@dataclass(frozen=True, slots=True)
class Known:
    """What a new session may offer: names, and the game and the house rules of the latest evening that is one's own."""

    names: list[str]
    game: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class TransferView:
    """A suggested payment, and why: the balances round it, or what the two have paid each other.

    Its money is rounded where the points come to no whole coins.
    """

    payer: SeatView
    payee: SeatView
    points: Amount
    money: Decimal | None
    paid: tuple[int, int] = (0, 0)
    received: tuple[int, int] = (0, 0)
    is_rounded: bool = False

    @property
    def is_of_hands(self) -> bool:
        """Whether it is what the two have paid each other, and not what they share of something else."""
        return self.points == self.paid[0] - self.received[0]


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who pays whom at the end, in two ways that come to the same."""

    seats: tuple[SeatView, ...]
    pairwise: tuple[TransferView, ...]
    fewest: tuple[TransferView, ...]
    currency: str
    per_point: Decimal | None


def seats_of(evening: GameSession, names: Sequence[str] | None = None) -> tuple[SeatView, ...]:
    """The seats with their balances: one query, none if the players' names are known, in the order of seats."""
    return _seat_views(evening, tuple(enumerate(names_of(evening) if names is None else names)))


def names_of(evening: GameSession) -> tuple[str, ...]:
    """The players by seat: one query."""
    return tuple(name for _position, name in _names_by_seat.ask(evening=evening.pk))


@prepared
def _names_by_seat(evening: Slot) -> QuerySet[Seat, Any]:
    """Each seat's position with its player's name, in order."""
    return Seat.objects.filter(game_session=evening).order_by("position").values_list("position", "player__name")


@prepared
def _last_standing(evening: Slot) -> QuerySet[Hand, Any]:
    return Hand.objects.filter(game_session=evening, is_void=False).order_by("-number").values_list(*columns(Hand))[:1]


def turn(evening: GameSession) -> Turn:
    """The next deal, from the last hand that stands: one query."""
    rows = _last_standing.ask(evening=evening.pk)
    last = loaded(Hand, columns(Hand), rows[0]) if rows else None
    return turn_of(evening.game, evening.sitting, _next_dealer(evening, last), evening.last_number + 1)


def _next_dealer(evening: GameSession, last: Hand | None) -> int:
    """Who deals next: of those who have gone home since, whoever would have dealt after them."""
    if last is None:
        return evening.first_dealer
    sat = lineup_from_text(last.lineup)
    dealer = last.dealer if last.deal_stays else evening.game.next_dealer(sat, last.dealer)
    for _seat in sat:
        if dealer in evening.sitting:
            return dealer
        dealer = evening.game.next_dealer(sat, dealer)
    return evening.sitting[0]  # not one of them is still there


def turn_of(game: Game[Any, Any, Any], sitting: tuple[int, ...], dealer: int, number: int) -> Turn:
    """What follows from who deals."""
    playing = game.playing_seats(sitting, dealer)
    return Turn(number, dealer, playing[0], tuple(game.leaders(sitting, dealer).items()))


def sheet(evening: GameSession, names: Sequence[str], before: int | None = None, down_to: int | None = None) -> Sheet:
    """The hands before number `before` (None: the latest), a page of them: two queries.

    More than a page, but not without end, for a phone that shows those from `down_to` on already.
    """
    most, last = lines_shown(evening, down_to), LAST if before is None else before - 1
    above = max(0, min(last, evening.last_number) - most)
    hands = [loaded(Hand, columns(Hand), row) for row in _hands.ask(evening=evening.pk, above=above, to=last)[:most]]
    if not hands:
        return Sheet((), None)
    written = _entries_of(evening, hands[-1].number - 1, hands[0].number)
    lines = tuple(line(evening, hand, written.get(hand.pk, {}), names, hand.is_void) for hand in hands)
    return Sheet(lines, lines[-1].number if lines[-1].number > 1 else None)


def lines_shown(evening: GameSession, down_to: int | None) -> int:
    """How many hands a page of the sheet has for a phone that shows those from `down_to` on already."""
    shown = 0 if down_to is None else evening.last_number + 1 - down_to
    return max(LINES_PER_PAGE, min(shown, MOST_LINES))


def _entries_of(evening: GameSession, above: int, to: int) -> dict[int, dict[Account, int]]:
    written: dict[int, list[Row]] = {}
    for hand, *entry in _entries.ask(evening=evening.pk, above=above, to=to):
        written.setdefault(hand, []).append(entry)
    return {hand: summed(cast(Any, rows)) for hand, rows in written.items()}


@prepared
def _hands(evening: Slot, above: Slot, to: Slot) -> QuerySet[Hand, Any]:
    hands = Hand.objects.filter(game_session=evening, number__gt=above, number__lte=to)
    return hands.order_by("-number").values_list(*columns(Hand))


@prepared
def _entries(evening: Slot, above: Slot, to: Slot) -> QuerySet[HandEntry, Any]:
    entries = HandEntry.objects.filter(hand__game_session=evening, hand__number__gt=above, hand__number__lte=to)
    return entries.order_by("pk").values_list("hand", "account", "seat", "against", "amount")


def lines_from(evening: GameSession, names: Sequence[str], number: int) -> tuple[HandLine, ...]:
    """The hands recorded since `number` was free, a page at most: two queries."""
    hands = evening.hands.filter(number__gte=number).order_by("number").prefetch_related("entries")
    return tuple(line_of(evening, hand, names) for hand in hands[:LINES_PER_PAGE])


def line_read(evening: GameSession, hand: Hand, names: Sequence[str]) -> HandLine:
    """One hand as a line of the sheet: one query."""
    written = _entries_of(evening, hand.number - 1, hand.number).get(hand.pk, {})
    return line(evening, hand, written, names, hand.is_void)


def line_of(evening: GameSession, hand: Hand, names: Sequence[str]) -> HandLine:
    """One hand as a line of the sheet."""
    rows = ((entry.account, entry.seat, entry.against, entry.amount) for entry in hand.entries.all())
    return line(evening, hand, summed(rows), names, hand.is_void)


def summed(rows: Iterable[tuple[str, int, int | None, int]]) -> dict[Account, int]:
    """Entries as the sheet they would be by themselves; an account may have several, for different reasons."""
    sums: dict[Account, int] = {}
    for *account, amount in rows:
        of = cast(Account, tuple(account))
        sums[of] = sums.get(of, 0) + amount
    return sums


def settlement(evening: GameSession) -> Settlement:
    """Who pays whom: one query."""
    seats = seats_of(evening)
    gross = {(payer, payee): total for (account, payer, payee), total in evening.sheet.items() if account == PAID}
    stake = stake_of(evening.stake, evening.currency)
    balances = {seat.position: seat.balance for seat in seats}

    def view(transfer: Transfer) -> TransferView:
        payer, payee = seats[transfer.payer], seats[transfer.payee]
        money = stake.money(transfer.points) if stake else None
        return TransferView(
            SeatView(payer.position, payer.name, balances[payer.position]),
            SeatView(payee.position, payee.name, balances[payee.position]),
            transfer.points,
            money,
            gross.get((transfer.payer, transfer.payee), (0, 0)),
            gross.get((transfer.payee, transfer.payer), (0, 0)),
            bool(stake and money != Fraction(stake.per_point) * transfer.points),
        )

    def one_after_the_other(transfers: Iterable[Transfer]) -> Iterable[TransferView]:
        for transfer in transfers:
            yield view(transfer)
            balances[transfer.payer] += transfer.points
            balances[transfer.payee] -= transfer.points

    owed = evening.game.pairwise(_amounts(evening), _positions(seats), evening.house)
    each_with_each = tuple(view(Transfer(*pair, points)) for pair, points in owed.items())
    fewest = tuple(one_after_the_other(fewest_payments([seat.balance for seat in seats])))
    per_point = stake.money(1) if stake else None
    return Settlement(seats, each_with_each, fewest, evening.currency, per_point)


def running(user: User) -> tuple[EveningCard, ...]:
    """The evenings of `user`'s tables that have not ended, the latest first: three queries."""
    return _cards(_evenings(user).filter(ended_at=None)[:EVENINGS_PER_PAGE])


def past(user: User, page: int = 1, size: int = EVENINGS_PER_PAGE) -> tuple[tuple[EveningCard, ...], bool]:
    """A page of the evenings that have ended, the latest first, and whether there are more: three queries."""
    first = (page - 1) * size
    cards = _cards(_evenings(user).exclude(ended_at=None)[first : first + size + 1])
    return cards[:size], len(cards) > size


def latest_evening(user: User) -> GameSession | None:
    """The evening `user` may write to that was started last, the demo's left out, with its seats: two queries."""
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    return _latest_evenings(user).prefetch_related(seats).first()


def known_names(user: User, most: int = 12) -> list[str]:
    """The names that `user`'s earlier evenings knew, but for the demo's; those who sat last first: one query."""
    return known(user, most).names


def known(user: User, most: int = 12) -> Known:
    """What `user`'s earlier evenings knew, but for the demo's: one query."""
    players = Player.objects.filter(table__members__user=user, table__is_demo=False).annotate(
        evening=Max("seats__game_session"), seat=Max("seats__id")
    )
    latest = _latest_evenings(user).values(chosen=JSONObject(game="game_key", rules="rules"))[:1]
    rows = players.order_by("-evening", "seat").values_list("name", Subquery(latest, output_field=JSONField()))
    found = list(rows[: 2 * most])
    once: dict[str, str] = {}
    for name, _chosen in found:
        once.setdefault(name.casefold(), name)
    chosen = found[0][1] if found else None
    return Known(list(once.values())[:most], **(chosen or {}))


def _latest_evenings(user: User) -> QuerySet[GameSession]:
    mine = {"table__members__user": user, "table__members__role__in": [Role.OWNER, Role.KEEPER]}
    return GameSession.objects.filter(**mine, table__is_demo=False).order_by("-started_at", "-id")


def _evenings(user: User) -> QuerySet[GameSession]:
    return (
        GameSession.objects.filter(table__members__user=user)
        .select_related("table")
        .order_by("-started_at", "-id")
        .prefetch_related(Prefetch("seats", Seat.objects.select_related("player")))
    )


def _cards(evenings: Iterable[GameSession]) -> tuple[EveningCard, ...]:
    return tuple(
        EveningCard(
            evening.pk,
            evening.started_at,
            evening.has_ended,
            evening.hand_count,
            evening.currency,
            _seat_views(evening, [(seat.position, seat.player.name) for seat in evening.seats.all()]),
            evening.table.is_demo,
        )
        for evening in evenings
    )


def _seat_views(evening: GameSession, seats: Sequence[Row]) -> tuple[SeatView, ...]:
    balances = evening.game.balances(_amounts(evening), tuple(position for position, _name in seats), evening.house)
    stake = stake_of(evening.stake, evening.currency)
    return tuple(
        SeatView(
            position,
            name,
            balances[position],
            stake.money(balances[position]) if stake else None,
            position in evening.sitting,
        )
        for position, name in seats
    )


def _amounts(evening: GameSession) -> dict[Account, int]:
    return {account: total.amount for account, total in evening.sheet.items()}


def _positions(seats: Iterable[SeatView]) -> tuple[int, ...]:
    return tuple(seat.position for seat in seats)


def count(evening: GameSession, deal: Any, place: Place, columns: int, instead_of: Hand | None = None) -> CountView:
    """What a deal would come to as the next hand, or instead of a recorded one: one query at most."""
    before = _standing_before(evening, instead_of) if instead_of else evening.standing
    return _counted(evening, deal, place, before, columns)


def count_of(evening: GameSession, hand: Hand, columns: int) -> CountView | None:
    """How a hand that was played is counted, None for one that was thrown in: one query at most."""
    if hand.thrown_in:
        return None
    deal = evening.game.deal_from_text(hand.deal, evening.house)
    place = Place(hand.sitting, hand.dealer, hand.declarer)
    return _counted(evening, deal, place, _standing_before(evening, hand), columns)


def _standing_before(evening: GameSession, hand: Hand) -> str:
    if hand.number == 1 or not hand.standing:
        return ""
    return evening.hands.values_list("standing", flat=True).get(number=hand.number - 1)


def _counted(evening: GameSession, deal: Any, place: Place, standing: str, columns: int) -> CountView:
    game, rules = evening.game, evening.house
    before = game.standing_from_text(standing) if standing else game.start(rules)
    counted = game.count(deal, place, before, rules)
    rows = ((entry.account, entry.seat, entry.against, entry.amount) for entry in counted.entries)
    return CountView(counted.entries, counted.lines, _won(evening, summed(rows), place.seats, place.dealer, columns))


def _won(
    evening: GameSession, written: Mapping[Account, int], sat: tuple[int, ...], dealer: int, columns: int
) -> tuple[Amount | None, ...]:
    """What each seat wins or loses by what is written; None for who neither plays the hand nor has a part in that."""
    there = {*evening.game.playing_seats(sat, dealer), *(seat for _account, seat, _against in written)}
    won = evening.game.balances(written, tuple(range(columns)), evening.house)
    return tuple(won[seat] if seat in there or won[seat] else None for seat in range(columns))


def line(
    evening: GameSession, hand: Hand, written: Mapping[Account, int], names: Sequence[str], is_void: bool
) -> HandLine:
    """A hand as a line of the sheet, by what it writes on it, now or once."""
    deal = evening.game.deal_from_text(hand.deal, evening.house) if hand.deal else None
    return HandLine(
        game_key=evening.game_key,
        number=hand.number,
        dealer=names[hand.dealer],
        declarer="" if hand.declarer is None else names[hand.declarer],
        text=hand.deal,
        deal=deal,
        rules=evening.house,
        amounts=_won(evening, written, lineup_from_text(hand.lineup), hand.dealer, len(names)),
        deal_stays=hand.deal_stays,
        is_void=is_void,
        is_amended=hand.revision_count > 1,
    )
