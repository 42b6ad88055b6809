"""The rows of a drawn sheet, whose figures are links to the hands that wrote them; a part of {% load preference %}.

They are no template: a long evening has some hundreds of figures, and a template takes ten times as long for them.
"""

from collections.abc import Sequence
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from sessions_app.faces.preference.pulka import Figure, Row
from sessions_app.faces.preference.words import ACCOUNTS
from sessions_app.wording import isolated, minus

_CUT: Final = '<span class="cut">…</span> '


class Saying:
    """What is said of all rows and figures of a sheet alike: looked up once."""

    def __init__(self) -> None:
        self._whists = _("whists on %(name)s")
        self._accounts = {(account, ""): escape(words) for account, words in ACCOUNTS.items()}
        self._struck = escape(_("%(figure)s, struck out"))

    def account(self, row: Row) -> SafeString:
        of = row.account, row.against
        if of not in self._accounts:
            self._accounts[of] = escape(self._whists % {"name": isolated(row.against)})
        return self._accounts[of]

    def figures(self, shown: Sequence[Figure], more: str, *, is_cut: bool) -> SafeString:
        """A link for each, with `more` attributes; there is nothing in it but whole numbers and words of ours."""
        links = " ".join(self._link(figure, more) for figure in shown)
        return SafeString(f'<span class="figures">{_CUT if is_cut else ""}{links}</span>')

    def _link(self, figure: Figure, more: str) -> str:
        amount, number, is_struck, is_newest = minus(figure.amount), figure.number, *figure[2:]
        said = f' class="struck" aria-label="{self._struck % {"figure": amount}}"' if is_struck else ""
        # As seen from the evening's page: with the whole address the figures would be half of what it sends.
        return f'<a href="hands/{number}/"{' class="new"' if is_newest else said}{more}>{amount}</a>'


def saying() -> Saying:
    return Saying()


def account(row: Row, saying: Saying) -> SafeString:
    """Which account a row is."""
    return saying.account(row)


def latest(row: Row, saying: Saying) -> SafeString:
    """The last figures, for the thumb: the keyboard finds them all in the table."""
    return saying.figures(row.latest, ' tabindex="-1"', is_cut=row.is_cut)


def table_row(row: Row, saying: Saying) -> SafeString:
    """A row of the table: all figures, after what it began from, and what they have come to."""
    figures = saying.figures(row.figures, "", is_cut=bool(row.began))
    return SafeString(
        f'<tr><th scope="row">{saying.account(row)}</th><td>{figures}</td><td class="amount">{minus(row.now)}</td></tr>'
    )
