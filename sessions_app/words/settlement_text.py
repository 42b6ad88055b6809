"""The result of an evening, and a reminder of what is open in a circle, as plain text for a chat."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.games.amounts import Amount
from sessions_app.faces import face_of, house_rules
from sessions_app.models import Evening
from sessions_app.readers.money.lists import PaymentList
from sessions_app.readers.money.settling import Settlement, Settling
from sessions_app.words.amounts import amount_words, currency_words
from sessions_app.words.wording import isolated, money_words, signed

#: Names of payer and payee, units, currency.
type PaidLine = tuple[str, str, int, str]


def as_text(evening: Evening, settlement: Settlement, money: Settling | None, paid: Iterable[PaidLine]) -> str:
    """Return the evening in a few lines: title and date, players with their balances, what is to be paid now.

    Then what was `paid` for it, and what is to be paid in all if that is something else. Of an evening that runs
    nothing is to be paid yet, and nothing of one that is paid in chips, unless it is being corrected: it counts as it
    ended until then.
    """
    names = [seat.name for seat in settlement.seats]
    parts = [_head(evening, names), _standings(evening, settlement)]
    if money is not None:
        parts += [_to_pay(money), _was_paid(paid), _in_all(money)]
    elif evening.in_chips:
        parts.append(iter([_("Paid hand by hand, in chips: nothing is left to pay.")]))
    return "\n\n".join(filter(None, ("\n".join(part) for part in parts)))


def _to_pay(money: Settling) -> Iterator[str]:
    if money.shown.is_even:
        yield _("All square: nothing is to be paid.")
    elif money.is_paid_with_all:
        yield _("Together with everything else:")
    elif len(money.night.sessions) > 1 and not money.is_by_pairs:
        count = len(money.night.sessions)
        yield ngettext("%(count)s session together:", "%(count)s sessions together:", count) % {"count": count}
    yield from _lines(money.shown)


def _was_paid(paid: Iterable[PaidLine]) -> Iterator[str]:
    rows = [_line(*row) for row in paid]
    if rows:
        yield _("Paid so far:")
    yield from rows


def _in_all(money: Settling) -> Iterator[str]:
    if money.has_two_scopes and money.shown is not money.everything:
        lines = ", ".join(_lines(money.everything)) or _("all square")
        yield _("In all: %(payments)s") % {"payments": lines}


def _lines(shown: PaymentList) -> Iterator[str]:
    for line in shown.lines:
        yield _line(line.payer.name, line.payee.name, line.units, line.currency)


def reminder(circle: str, owed: Iterable[PaymentList]) -> str:
    """Return what is to be paid in a circle in a few lines, by currency; '' if nothing is."""
    parts = ["\n".join((currency_words(each.currency), *_lines(each))) for each in owed if each.lines]
    head = _("%(circle)s: still open") % {"circle": isolated(circle)}
    return "\n\n".join((head, *parts)) if parts else ""


def _line(payer: str, payee: str, amount: Amount, currency: str) -> str:
    return f"{isolated(payer)} → {isolated(payee)}: {amount_words(amount, currency)}"


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


def _standings(evening: Evening, settlement: Settlement) -> Iterator[str]:
    for seat in settlement.best_first:
        yield f"{isolated(seat.name)}: {signed(seat.balance)}{_money(seat.money, evening.currency)}"


def _money(amount: Decimal | None, currency: str) -> str:
    return "" if amount is None else f" ({money_words(amount, currency)})"
