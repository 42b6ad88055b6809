"""The result of an evening, and a reminder of what is open in a circle, as plain text for a chat."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.games.amounts import Amount
from sessions_app.faces import face_of, house_rules
from sessions_app.models import Evening
from sessions_app.readers.money import chips
from sessions_app.readers.money.lists import PaymentList
from sessions_app.readers.money.settlements import Settlement, TransferView
from sessions_app.readers.money.settling import Settling
from sessions_app.readers.money.who_owes import Suggested
from sessions_app.readers.people.circles import CirclePlayer
from sessions_app.words.amounts import amount_words, currency_words
from sessions_app.words.formatting import signed, unsigned
from sessions_app.words.money import money_words, unit_words
from sessions_app.words.wording import isolated


def is_one_way(settlement: Settlement) -> bool:
    """Return whether the fewest payments are the same as those pair by pair."""
    return _payments(settlement.fewest) == _payments(settlement.pairwise)


def as_text(evening: Evening, settlement: Settlement, left: Settling, players: Mapping[int, CirclePlayer]) -> str:
    """Return the evening in a few lines: title and date, players with their balances, and the fewest payments.

    Then what was paid for it, what is left of it, and what is open from before, if anything is. One that was paid in
    chips has no payments.
    """
    names = [seat.name for seat in settlement.seats]
    parts = [_head(evening, names), _standings(settlement)]
    if chips.is_paid(evening):
        parts.append(iter([_("Paid hand by hand, in chips: nothing is left to pay.")]))
    elif settlement.pairwise:
        parts.append(_paid(settlement))
    parts += [_was_paid(left, players), _is_left(left), _of_before(left)]
    return "\n\n".join(filter(None, ("\n".join(part) for part in parts)))


def _was_paid(left: Settling, players: Mapping[int, CirclePlayer]) -> Iterator[str]:
    paid = [row for row in left.paid if not row.is_undone]
    if paid:
        yield _("Paid so far:")
    for row in paid:
        yield _line(players[row.payer].name, players[row.payee].name, row.units, row.currency)


def _is_left(left: Settling) -> Iterator[str]:
    if left.left is None:
        return
    yield _("Left of this session:") if left.left.lines else _("Everything of this session is paid.")
    yield from _lines(left.left, left.currency)


def _of_before(left: Settling) -> Iterator[str]:
    if not left.all.is_of_two_times:
        return
    yield _("Still open from before:") if left.is_latest else _("Still open from other sessions:")
    for pair in left.all.pairs:
        payer, payee = (pair.payer, pair.payee) if pair.before > 0 else (pair.payee, pair.payer)
        if pair.before:
            yield _line(payer.name, payee.name, abs(Fraction(pair.before)), left.currency)
    if left.all.suggested.lines:
        yield _("All that is open, in the fewest payments:")
        yield from _lines(left.all.suggested, left.currency)


def _lines(suggested: Suggested | PaymentList, currency: str) -> Iterator[str]:
    for line in suggested.lines:
        yield _line(line.payer.name, line.payee.name, line.units, currency)


def reminder(circle: str, owed: Iterable[PaymentList]) -> str:
    """Return what is to be paid in a circle in a few lines, by currency; '' if nothing is."""
    parts = ["\n".join((currency_words(each.currency), *_lines(each, each.currency))) for each in owed if each.lines]
    head = _("%(circle)s: still open") % {"circle": isolated(circle)}
    return "\n\n".join((head, *parts)) if parts else ""


def _line(payer: str, payee: str, amount: Amount, currency: str) -> str:
    return f"{isolated(payer)} → {isolated(payee)}: {amount_words(amount, currency)}"


def _payments(transfers: tuple[TransferView, ...]) -> set[tuple[int, int, Amount]]:
    return {(each.payer.position, each.payee.position, each.points) for each in transfers}


def _head(evening: Evening, names: Sequence[str]) -> Iterator[str]:
    if evening.title:
        yield isolated(evening.title)
    yield f"{face_of(evening).name}, {date_format(timezone.localtime(evening.started_at), 'DATE_FORMAT')}"
    count = evening.hand_count
    if count or not evening.is_written:
        yield ngettext("%(count)s hand", "%(count)s hands", count) % {"count": count}
    if settled := house_rules.settled(evening, names)[0]:
        yield settled
    if line := house_rules.describe(evening.game_key, evening.house).line:
        yield _("House rules: %(rules)s") % {"rules": line}


def _standings(settlement: Settlement) -> Iterator[str]:
    for seat in settlement.best_first:
        yield f"{isolated(seat.name)}: {signed(seat.balance)}{_money(seat.money, settlement.currency)}"


def _paid(settlement: Settlement) -> Iterator[str]:
    if settlement.is_rounded:
        yield _("Rounded down to %(unit)s.") % {"unit": unit_words(settlement.currency)}
    if not settlement.fewest:
        even = _("All balances are zero: nothing needs to be paid.")
        yield _("Nobody owes a whole unit, so there is nothing to pay.") if settlement.is_rounded else even
    for transfer in settlement.fewest:
        payer, payee = isolated(transfer.payer.name), isolated(transfer.payee.name)
        yield f"{payer} → {payee}: {_figure(transfer, settlement.currency)}"


def _figure(transfer: TransferView, currency: str) -> str:
    """Return a payment in points and money; in money only if that is rounded."""
    if transfer.is_rounded and transfer.money is not None:
        return money_words(transfer.money, currency)
    return f"{unsigned(transfer.points)}{_money(transfer.money, currency)}"


def _money(amount: Decimal | None, currency: str) -> str:
    return "" if amount is None else f" ({money_words(amount, currency)})"
