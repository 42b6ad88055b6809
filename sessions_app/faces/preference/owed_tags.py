"""Of what it comes that one owes another, a line each; a part of {% load preference %}.

They are no template: it would take as long for them as for all the rest of the payments.
"""

from fractions import Fraction

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from scorekeeper.games.preference import Term
from sessions_app.faces.preference.words import ACCOUNTS
from sessions_app.formatting import signed, unsigned
from sessions_app.readers.settlements import TransferView
from sessions_app.wording import Words, minus


def terms(transfer: TransferView) -> SafeString:
    """What each account brings, and what they do together; there is nothing in it but numbers and words of ours."""
    lines = [
        _line("term", ACCOUNTS[term.account], f"{reckoned(term)} = {_amount(term.amount)}") for term in transfer.why
    ]
    if len(lines) > 1:
        lines.append(_line("term sum", pgettext("settlement", "together"), unsigned(transfer.points)))
    return SafeString("\n".join(lines))


def reckoned(term: Term) -> str:
    """'46 − 38', '10 × (31 − 27) ÷ 3'."""
    less = f"({minus(term.less)})" if term.less < 0 else term.less
    difference = f"{minus(term.more)} − {less}"
    return difference if term.among == 1 else f"{term.price} × ({difference}) ÷ {term.among}"


def _amount(amount: Fraction) -> str:
    """In the colour of what is won or lost."""
    tone = "plus" if amount > 0 else "minus"
    return f'<b class="{tone}">{signed(amount)}</b>' if amount else "<b>0</b>"


def _line(kind: str, account: Words, comes_to: str) -> str:
    return f'<p class="{kind}"><span>{escape(account)}</span> <span>{comes_to}</span></p>'
