"""The rows of a drawn sheet, whose figures are links to the hands that wrote them; a part of {% load preference %}.

They are no template: a long evening has some hundreds of figures, and a template takes ten times as long for them.
"""

from collections.abc import Sequence
from typing import Final

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from sessions_app.faces.preference.pulka import Figure, Row
from sessions_app.faces.preference.words import ACCOUNTS
from sessions_app.wording import isolated, minus

_CUT: Final = '<span class="cut">…</span> '


class Saying:
    """What is said of all rows and figures of a sheet alike, and the address of its hands: looked up once."""

    def __init__(self, evening_id: int) -> None:
        self._whists = _("whists on %(name)s")
        self._accounts = {account: str(words) for account, words in ACCOUNTS.items()}
        self._address = reverse("hand", args=[evening_id, 0]).removesuffix("0/")
        self._holds = escape(_("%(figure)s, hand %(number)s"))
        self._struck = escape(_("%(figure)s struck out, hand %(number)s"))

    def account(self, row: Row) -> str:
        """Which account a row is, in the words of its table."""
        return self._whists % {"name": isolated(row.against)} if row.against else self._accounts[row.account]

    def figures(self, shown: Sequence[Figure], more: str, *, is_cut: bool) -> SafeString:
        """A link for each, with `more` attributes; there is nothing in it but whole numbers and words of ours."""
        links = " ".join(self._link(figure, more) for figure in shown)
        return SafeString(f'<span class="figures">{_CUT if is_cut else ""}{links}</span>')

    def _link(self, figure: Figure, more: str) -> str:
        amount = minus(figure.amount)
        said = (self._struck if figure.is_struck else self._holds) % {"figure": amount, "number": figure.number}
        mark = ' class="struck"' if figure.is_struck else ' class="new"' if figure.is_newest else ""
        return f'<a href="{self._address}{figure.number}/"{mark}{more} aria-label="{said}">{amount}</a>'


def saying_of(evening_id: int) -> Saying:
    return Saying(evening_id)


def account(row: Row, saying: Saying) -> str:
    return saying.account(row)


def latest(row: Row, saying: Saying) -> SafeString:
    """The last figures, for the thumb: the keyboard finds them all in the table."""
    return saying.figures(row.latest, ' tabindex="-1"', is_cut=row.is_cut)


def all_figures(row: Row, saying: Saying) -> SafeString:
    """All figures, after what the row began from."""
    return saying.figures(row.figures, "", is_cut=bool(row.began))
