"""The sheet in full: the pul'ka as Preference players draw it, figures of the table view, and the reasons of a debt.

Each player has a field with pool, dump, and whists against each of the others. A row shows the total of an account
after each hand that wrote in it: '2.6.10'. Totals that the latest correction has changed are struck out before the
valid ones; the total of a void hand is struck out, and the row goes on without it.

The lines of a debt are built without a template, which would take as long as all the rest of the payments.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account, Sheet
from scorekeeper.games.preference import Term, is_finished, lowest_level, next_price, standing_from_text
from scorekeeper.games.preference import terms as terms_between
from scorekeeper.games.preference.deal import BANK, DUMP, LEVELS, POOL
from scorekeeper.games.preference.house_rules import PoolEnd, Rules
from sessions_app.faces.preference.words import ACCOUNTS
from sessions_app.models import Evening
from sessions_app.readers.evening.seating import SeatView, sums_of
from sessions_app.readers.evening.sheets import HandWritten, Written
from sessions_app.readers.money.settling import PairView
from sessions_app.words.wording import Words, minus, signed, unsigned

#: The room of a row on a phone of 320 px, in units of 8 px; the drawing grows with the phone. A figure takes
#: three at least, as much as a thumb needs.
HALF: Final = {BANK: 12, POOL: 11, DUMP: 9}
WIDE: Final = {BANK: 28, POOL: 26, DUMP: 24}
READY: Final = 5
LEAST: Final = 3


class Figure(NamedTuple):
    """The total of an account after a hand."""

    amount: int
    number: int
    is_struck: bool
    is_newest: bool

    @property
    def width(self) -> int:
        """The width with the gap after it, without which '2.6' would read as a decimal."""
        return max(LEAST, len(str(self.amount)) + 1)


class Row(NamedTuple):
    """An account: its figures, and the last of them that fit into a drawing.

    `against` is the name of the other player, '' for pool and dump; `began` is the total of the hands before the first
    figure.
    """

    account: str
    against: str
    figures: tuple[Figure, ...]
    latest: tuple[Figure, ...]
    began: int
    now: int
    is_full: bool = False

    @property
    def is_cut(self) -> bool:
        return bool(self.began) or len(self.latest) < len(self.figures)


class Field(NamedTuple):
    """A player's part of the sheet, and the balance; the whists against the others go clockwise."""

    name: str
    balance: Amount
    pool: Row
    dump: Row
    whists: tuple[Row, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        return (self.pool, self.dump, *self.whists)


@dataclass(frozen=True, slots=True)
class Pulka:
    """The fields by seat; `target` is that of each pool or of all together, None if the game has no end.

    `row` is the number of raspasovkas in a row, `price` that of a trick in the next one, `lowest` the lowest contract,
    None if any may be named.
    """

    fields: tuple[Field, ...]
    target: int | None
    is_of_all: bool
    row: int
    price: int
    lowest: int | None
    is_over: bool

    @property
    def results(self) -> tuple[Field, ...]:
        """The fields by balance, the highest first."""
        return tuple(sorted(self.fields, key=lambda field: -field.balance))


def pulka(written: Written, seats: Sequence[SeatView], rules: Rules) -> Pulka:
    standing, figures = standing_from_text(written.standing), _figures(written)
    lowest = lowest_level(standing, rules)
    return Pulka(
        fields=tuple(_field(seat, seats, figures, written.before, rules) for seat in seats),
        target=_target(rules, len(seats)),
        is_of_all=rules.pool_end is PoolEnd.SUM,
        row=standing.row,
        price=next_price(standing, rules),
        lowest=lowest if lowest > LEVELS.start else None,
        is_over=is_finished(standing, rules),
    )


def _target(rules: Rules, seats: int) -> int | None:
    """Return the points that fill the pools ("Pool, aid, end", 3)."""
    match rules.pool_end:
        case PoolEnd.EACH:
            return rules.target
        case PoolEnd.SUM:
            return rules.target * seats
        case PoolEnd.NEVER:
            return None


def _field(
    seat: SeatView, seats: Sequence[SeatView], figures: Mapping[Account, Sequence[Figure]], before: Sheet, rules: Rules
) -> Field:
    # The third of three sits across the whole sheet.
    room = WIDE if len(seats) == 3 and seat is seats[-1] else HALF

    def row(account: str, against: SeatView | None = None) -> Row:
        of = (account, seat.position, against.position if against else None)
        name = against.name if against else ""
        return _row(account, name, tuple(figures.get(of, ())), before.get(of, 0), room[account], rules)

    others = (*seats[seat.position + 1 :], *seats[: seat.position])
    return Field(seat.name, seat.balance, row(POOL), row(DUMP), tuple(row(BANK, other) for other in others))


def _row(account: str, against: str, figures: tuple[Figure, ...], began: int, room: int, rules: Rules) -> Row:
    now = next((figure.amount for figure in reversed(figures) if not figure.is_struck), began)
    is_full = account == POOL and rules.pool_end is PoolEnd.EACH and now >= rules.target
    return Row(account, against, figures, _fitting(figures, room - (READY if is_full else 0)), began, now, is_full)


def _figures(written: Written) -> Mapping[Account, Sequence[Figure]]:
    """Return the figures of each account in order; those of the last hand that counts are the newest.

    A total that the latest correction of the account has changed is struck out before that hand's valid one.
    """
    so_far, figures = dict(written.before), defaultdict[Account, list[Figure]](list)
    newest = next((hand.number for hand in reversed(written.hands) if any(hand.counted.values())), 0)
    before = {account: _before(account, at, written) for account, at in _corrected(written.hands).items()}
    for hand in written.hands:
        for account in dict.fromkeys((*before, *hand.counted)):
            amount = hand.counted.get(account, 0)
            so_far[account] = so_far.get(account, 0) + amount
            stood = before.get(account, {}).get(hand.number)
            if stood is not None and (stood != so_far[account] or not amount):
                figures[account].append(Figure(stood, hand.number, True, False))
            if amount:
                figures[account].append(Figure(so_far[account], hand.number, False, hand.number == newest))
    return figures


def _corrected(hands: Iterable[HandWritten]) -> Mapping[Account, int]:
    """Return the evening's version at which each account was last corrected."""
    found: dict[Account, int] = {}
    for hand in hands:
        was = hand.counted if hand.was is None else hand.was
        for account in {*was, *hand.counted}:
            if was.get(account, 0) != hand.counted.get(account, 0):
                found[account] = max(found.get(account, 0), hand.changed)
    return found


def _before(account: Account, version: int, written: Written) -> Mapping[int, int]:
    """Return the totals of an account after each hand, as they were before that version."""
    so_far, found = written.before.get(account, 0), {}
    for hand in written.hands:
        was = hand.was if hand.was is not None and hand.changed == version else hand.counted
        amount = was.get(account, 0) if hand.recorded < version else 0
        so_far += amount
        if amount:
            found[hand.number] = so_far
    return found


def _fitting(figures: tuple[Figure, ...], room: int) -> tuple[Figure, ...]:
    """Return the last figures that fit, at least one."""
    first = len(figures)
    while first and (room >= figures[first - 1].width or first == len(figures)):
        room -= figures[first - 1].width
        first -= 1
    return figures[first:]


# --- Figures of the table view ---


class TableFigures(NamedTuple):
    """Pools and dumps by seat.

    `price` is that of a trick in the next raspasovka.
    """

    pools: tuple[int, ...]
    dumps: tuple[int, ...]
    price: int
    is_over: bool


def table_figures(evening: Evening, columns: int) -> TableFigures:
    """Return the figures from the evening's sheet and standing. No query."""
    sheet, standing, rules = sums_of(evening), standing_from_text(evening.standing), evening.house
    pools, dumps = (tuple(sheet.get((account, seat, None), 0) for seat in range(columns)) for account in (POOL, DUMP))
    return TableFigures(
        pools,
        dumps,
        next_price(standing, rules),
        is_finished(standing, rules),
    )


# --- Debts ---


def debt_terms(sheet: Sheet, pair: tuple[int, int], seats: tuple[int, ...], rules: Rules) -> tuple[Term, ...]:
    """Return the debt of the first of a pair to the second, account by account.

    An account that is even among all seats is left out: the pool of a game that has ended.
    """
    payer, payee = pair
    of_all = (term for two in combinations(seats, 2) for term in terms_between(*two, sheet, len(seats), rules))
    uneven = {term.account for term in of_all if term.more != term.less}
    return tuple(term for term in terms_between(payee, payer, sheet, len(seats), rules) if term.account in uneven)


def terms(transfer: PairView) -> SafeString:
    """Return the terms as HTML lines, with their sum. They hold only numbers and our own words."""
    lines = [
        _line("term", ACCOUNTS[term.account], format_html("{} = {}", reckoned(term), _amount(term.amount)))
        for term in transfer.why
    ]
    if len(lines) > 1:
        lines.append(_line("term sum", pgettext("settlement", "together"), unsigned(transfer.points)))
    return format_html_join("\n", "{}", ((line,) for line in lines))


def reckoned(term: Term) -> str:
    """Return the calculation of a term: '46 − 38', '10 × (31 − 27) ÷ 3'."""
    less = f"({minus(term.less)})" if term.less < 0 else term.less
    difference = f"{minus(term.more)} − {less}"
    return difference if term.among == 1 else f"{term.price} × ({difference}) ÷ {term.among}"


def _amount(amount: Fraction) -> SafeString:
    """Return the amount in the colour of a gain or a loss."""
    tone = "plus" if amount > 0 else "minus"
    return format_html('<b class="{}">{}</b>', tone, signed(amount)) if amount else format_html("<b>{}</b>", 0)


def _line(kind: str, account: Words, comes_to: str) -> SafeString:
    return format_html('<p class="{}"><span>{}</span> <span>{}</span></p>', kind, account, comes_to)
