"""The reasons of a debt: whists, dumps and pools, an HTML line each; a part of {% load preference %}.

The lines are built without a template, which would take as long as all the rest of the payments.
"""

from fractions import Fraction
from itertools import combinations

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import pgettext

from scorekeeper.games.base import Sheet
from scorekeeper.games.preference import Rules, Term
from scorekeeper.games.preference import terms as terms_between
from sessions_app.faces.preference.words import ACCOUNTS
from sessions_app.readers.money.settlements import TransferView
from sessions_app.words.formatting import signed, unsigned
from sessions_app.words.wording import Words, minus


def debt_terms(sheet: Sheet, pair: tuple[int, int], seats: tuple[int, ...], rules: Rules) -> tuple[Term, ...]:
    """Return the debt of the first of a pair to the second, account by account.

    An account that is even among all seats is left out: the pool of a game that has ended.
    """
    payer, payee = pair
    of_all = (term for two in combinations(seats, 2) for term in terms_between(*two, sheet, len(seats), rules))
    uneven = {term.account for term in of_all if term.more != term.less}
    return tuple(term for term in terms_between(payee, payer, sheet, len(seats), rules) if term.account in uneven)


def terms(transfer: TransferView) -> SafeString:
    """Return the terms as HTML lines, with their sum. They hold only numbers and our own words."""
    lines = [
        _line("term", ACCOUNTS[term.account], f"{reckoned(term)} = {_amount(term.amount)}") for term in transfer.why
    ]
    if len(lines) > 1:
        lines.append(_line("term sum", pgettext("settlement", "together"), unsigned(transfer.points)))
    return mark_safe("\n".join(lines))  # noqa: S308  numbers and our own words


def reckoned(term: Term) -> str:
    """Return the calculation of a term: '46 − 38', '10 × (31 − 27) ÷ 3'."""
    less = f"({minus(term.less)})" if term.less < 0 else term.less
    difference = f"{minus(term.more)} − {less}"
    return difference if term.among == 1 else f"{term.price} × ({difference}) ÷ {term.among}"


def _amount(amount: Fraction) -> str:
    """Return the amount in the colour of a gain or a loss."""
    tone = "plus" if amount > 0 else "minus"
    return f'<b class="{tone}">{signed(amount)}</b>' if amount else "<b>0</b>"


def _line(kind: str, account: Words, comes_to: str) -> str:
    return f'<p class="{kind}"><span>{escape(account)}</span> <span>{comes_to}</span></p>'
