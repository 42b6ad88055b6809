"""The rows of a drawn sheet, whose figures link to the hands that wrote them; a part of {% load preference %}.

They are built without a template, which would take ten times as long for the hundreds of figures of a long evening.
"""

from collections.abc import Sequence
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from sessions_app.faces.preference.pulka import Figure, Row
from sessions_app.faces.preference.words import ACCOUNTS
from sessions_app.words.wording import isolated, minus

_CUT: Final = '<span class="cut">…</span> '


class Saying:
    """The words that all rows and figures of a sheet share, translated once."""

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
        """Return a link for each figure, with `more` attributes. They hold only whole numbers and our own words."""
        links = " ".join(self._link(figure, more) for figure in shown)
        return mark_safe(f'<span class="figures">{_CUT if is_cut else ""}{links}</span>')  # noqa: S308  whole numbers and our own words

    def _link(self, figure: Figure, more: str) -> str:
        amount, number, is_struck, is_newest = minus(figure.amount), figure.number, *figure[2:]
        said = f' class="struck" aria-label="{self._struck % {"figure": amount}}"' if is_struck else ""
        # Relative to the evening's page: absolute addresses would make up half of its size.
        return f'<a href="hands/{number}/"{' class="new"' if is_newest else said}{more}>{amount}</a>'


def saying() -> Saying:
    return Saying()


def account(row: Row, saying: Saying) -> SafeString:
    """Return the name of a row's account."""
    return saying.account(row)


def latest(row: Row, saying: Saying) -> SafeString:
    """Return the last figures, for touch; the keyboard reaches all of them in the table."""
    return saying.figures(row.latest, ' tabindex="-1"', is_cut=row.is_cut)


def table_row(row: Row, saying: Saying) -> SafeString:
    """Return a row of the table: the earlier total, all figures, and the total now."""
    figures = saying.figures(row.figures, "", is_cut=bool(row.began))
    return mark_safe(  # noqa: S308  the account's words are escaped, all else is numbers
        f'<tr><th scope="row">{saying.account(row)}</th><td>{figures}</td><td class="amount">{minus(row.now)}</td></tr>'
    )
