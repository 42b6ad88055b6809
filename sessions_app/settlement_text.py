"""The result of an evening as plain text, for a chat: balances and payments."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scorekeeper.games.base import Amount
from sessions_app.faces import face_of, house_rules
from sessions_app.formatting import signed, unsigned
from sessions_app.models import Evening
from sessions_app.money import unit_words, written
from sessions_app.readers import chips
from sessions_app.readers.settlements import Settlement, TransferView
from sessions_app.wording import isolated


def is_one_way(settlement: Settlement) -> bool:
    """Return whether the fewest payments are the same as those pair by pair."""
    return _payments(settlement.fewest) == _payments(settlement.pairwise)


def as_text(evening: Evening, settlement: Settlement) -> str:
    """Return the evening in a few lines: title and date, players with their balances, and the fewest payments.

    One that was paid in chips has no payments.
    """
    names = [seat.name for seat in settlement.seats]
    parts = ["\n".join(_head(evening, names)), "\n".join(_standings(settlement))]
    if chips.is_paid(evening):
        parts.append(_("Paid hand by hand, in chips: nothing is left to pay."))
    elif settlement.pairwise:
        parts.append("\n".join(_paid(settlement)))
    return "\n\n".join(parts)


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
        return written(transfer.money, currency, get_language() or "hu")
    return f"{unsigned(transfer.points)}{_money(transfer.money, currency)}"


def _money(amount: Decimal | None, currency: str) -> str:
    return "" if amount is None else f" ({written(amount, currency, get_language() or 'hu')})"
