"""Settling an evening for real: what is left to pay of it, alone, with the other games of the same evening, or of all.

Until something of it is paid its own settlement says who pays whom, and the payments of that are booked as they are.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from scorekeeper.db.cache import LRUCache
from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Stake
from sessions_app.models import Evening
from sessions_app.readers.money.lists import Line, coin_of
from sessions_app.readers.money.open_debts import EveningDebts, counts_as_debts
from sessions_app.readers.money.repayments import RepaymentRow, currency_of, points_last
from sessions_app.readers.money.settlements import Settlement, TransferView
from sessions_app.readers.money.who_owes import OpenCurrency, OpenPair, Suggested, WhoOwes
from sessions_app.words.money import stake_of

#: The longest time between two games of one evening.
BETWEEN_GAMES: Final = timedelta(hours=3)

#: Payments with the forms that book them, and what the two owe each other over all evenings.
type Rows = tuple[tuple[TransferView, Line | None, OpenPair | None], ...]


@dataclass(frozen=True, slots=True)
class SameEvening:
    """The rest of several games of one evening in one currency: `evenings` are those that count in it."""

    currency: str
    evenings: tuple[EveningDebts, ...]
    suggested: Suggested


@dataclass(frozen=True, slots=True)
class Settling:
    """The rest of an evening that is still to be paid.

    `left` are the payments that settle the rest of it; None while its own settlement does: then `fewest` and `pairwise`
    have the form of each payment that can be made as it is. `of_seats` are by seat the player and what is open to him
    over all evenings. `paid` are the payments for it, those taken back too, and
    `was_paid_otherwise` says that some are in another currency than that in which it counts now. `games` are the
    evenings that were played one after the other, and `same_evening` what is left of these. `all` is everything that is
    open in the currency, `written_since` the hands that were recorded or corrected after it was paid.
    """

    currency: str
    fewest: Rows
    pairwise: Rows
    left: Suggested | None
    of_seats: tuple[tuple[int, Amount], ...]
    paid: tuple[RepaymentRow, ...]
    was_paid_otherwise: bool
    games: tuple[EveningDebts, ...]
    same_evening: tuple[SameEvening, ...]
    all: OpenCurrency
    written_since: tuple[int, ...]
    is_latest: bool

    def __hash__(self) -> int:
        """Return a hash of little, as that of `all` is."""
        return hash((self.currency, self.left, self.of_seats, self.all))

    @property
    def others(self) -> str:
        """Return when what is open of other evenings is from: "before" of the circle's latest, else "others"."""
        return "before" if self.is_latest else "others"

    @property
    def shows_all(self) -> bool:
        """Return whether all that is open is something else than the evening's own payments."""
        return bool(self.all.pairs) and not self.of_seats


_settlings: LRUCache[Settling] = LRUCache()


def settling(who: WhoOwes, evening: Evening, settlement: Settlement) -> Settling:
    """Return what is left to pay of the evening. No query."""
    if who.stamp is None:
        return _settling(who, evening, settlement)
    cut = settlement.left_over.cut if settlement.left_over else ()
    key = (who.stamp, evening.pk, evening.version, cut)
    return _settlings.get_or_make(key, lambda: _settling(who, evening, settlement))


def _settling(who: WhoOwes, evening: Evening, settlement: Settlement) -> Settling:
    currency = currency_of(evening.game_key, evening.currency, evening.stake)
    found = who.debts.evenings.get(evening.pk)
    owed = found if found and counts_as_debts(found) else None
    left, everything = _left(who, owed, currency, settlement), who.open_in(currency, (evening.pk,))
    rows, stake = who.debts.paid_for(evening.pk), stake_of(evening.stake, evening.currency)
    is_alone = owed is not None and left is None and not everything.is_of_two_times
    fewest, pairwise = (
        _rows(who, owed if left is None else None, currency, stake, transfers, everything.pairs if is_alone else ())
        for transfers in (settlement.fewest, settlement.pairwise)
    )
    balances = who.debts.book(currency).balances
    games = _one_after_the_other(who, owed) if owed else ()
    return Settling(
        currency,
        fewest,
        pairwise,
        left,
        tuple((player, balances.get(player, 0)) for player in owed.players) if owed and is_alone else (),
        rows,
        any(row.currency != currency and not row.is_undone for row in rows),
        games,
        tuple(_same_evening(who, games)) if len(games) > 1 else (),
        everything,
        who.written_since.get(evening.pk, ()),
        evening.pk == next(reversed(who.debts.evenings), evening.pk),
    )


def _left(who: WhoOwes, evening: EveningDebts | None, currency: str, settlement: Settlement) -> Suggested | None:
    """Return what is left of the evening; None if nothing of it was paid, and it is not rounded to coins."""
    if evening is None:
        return None
    paid = _paid(who, evening, currency)
    if not paid and coin_of(who.circle, currency) == 1:
        return None
    due: dict[int, Amount] = {evening.players[seat.position]: seat.due for seat in settlement.seats}
    for player, amount in paid.items():
        due[player] = due.get(player, 0) + amount
    if all(amount.denominator == 1 for amount in due.values()):
        return who.suggested(due, currency, (evening.id,))
    return who.of_evenings(currency, (evening.id,))


def _paid(who: WhoOwes, evening: EveningDebts, currency: str) -> dict[int, Amount]:
    """Return what each player has paid of the evening, below zero what was paid to him; {} if nothing was."""
    found: dict[int, Amount] = defaultdict(int)
    for (first, second), book in who.debts.book(currency).pairs.items():
        closed = [sources[evening.id] for sources in book.closed.values() if evening.id in sources]
        if closed:
            found[first] += sum(closed)
            found[second] -= sum(closed)
    return found


def _rows(
    who: WhoOwes,
    evening: EveningDebts | None,
    currency: str,
    stake: Stake | None,
    transfers: tuple[TransferView, ...],
    pairs: tuple[OpenPair, ...],
) -> Rows:
    """Return the transfers, each with the line that books it, and the one of `pairs` that it is about.

    Without a line for an evening of None, and where a transfer is not whole.
    """
    rows, by_players = [], {(pair.payer.id, pair.payee.id): pair for pair in pairs}
    for transfer in transfers:
        units = stake.coins(transfer.points) if stake else transfer.points
        line, pair = None, None
        if evening:
            payer, payee = (evening.players[seat.position] for seat in (transfer.payer, transfer.payee))
            pair = by_players.get((payer, payee))
            if units.denominator == 1:
                line = who.line(payer, payee, int(units), currency, (evening.id,))
        rows.append((transfer, line, pair))
    return tuple(rows)


def _one_after_the_other(who: WhoOwes, evening: EveningDebts) -> tuple[EveningDebts, ...]:
    """Return the evening with those that the same people played right before it, the oldest first."""
    games = [evening]
    for before in reversed(who.debts.evenings.values()):
        if (before.started_at, before.id) < (games[0].started_at, games[0].id) and _leads_on(before, games[0]):
            games.insert(0, before)
    return tuple(games)


def _leads_on(before: EveningDebts, after: EveningDebts) -> bool:
    """Return whether the one was played right before the other, by at least two of the same people."""
    if before.ended_at is None or not counts_as_debts(before):
        return False
    is_near = abs(after.started_at - before.ended_at) < BETWEEN_GAMES
    return is_near and len({*before.players} & {*after.players}) >= 2


def _same_evening(who: WhoOwes, games: tuple[EveningDebts, ...]) -> list[SameEvening]:
    by_currency: Mapping[str, list[EveningDebts]] = defaultdict(list)
    for game in games:
        by_currency[game.currency].append(game)
    return [
        SameEvening(currency, tuple(some), who.of_evenings(currency, tuple(each.id for each in some)))
        for currency, some in sorted(by_currency.items(), key=lambda item: points_last(item[0]))
    ]
