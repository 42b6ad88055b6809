"""Template filters and tags of Preference: deals and counts in words; {% load preference %}."""

from collections.abc import Sequence
from typing import Final

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scorekeeper.games.preference import Contract, Strain
from scorekeeper.games.preference.announcing import Answer
from scorekeeper.games.preference.counting import Prospect
from scorekeeper.games.preference.deal import DUMP, POOL
from sessions_app.faces.base import word_filters
from sessions_app.faces.preference import count_words, pulka, referee_words, words
from sessions_app.faces.preference.count_words import AccountSum
from sessions_app.faces.preference.pulka import Figure, Row
from sessions_app.faces.preference.referee import View, ending, latest_step
from sessions_app.faces.preference.words import ACCOUNTS
from sessions_app.words.wording import isolated, minus

register = template.Library()

register.filter(words.deal_words)
register.filter(words.contract_words)
register.filter(words.short_words)
register.filter(count_words.step)
register.filter(count_words.place)
register.filter(count_words.written)
register.filter(count_words.besides)
register.filter(count_words.in_places)
register.filter(pulka.terms)
register.filter(count_words.gain)
register.filter(count_words.rewritten)
register.filter(ending)
register.filter(referee_words.announced_words)
register.filter(referee_words.below_words)
register.filter(referee_words.exit_words)
register.filter(referee_words.missing_words)
register.filter(referee_words.price_words)
register.filter(referee_words.so_far)
register.filter(referee_words.why_named)
register.filter(referee_words.why_turn)
register.filter(referee_words.why_unasked)
register.filter(latest_step)
word_filters(
    register,
    answer=referee_words.ANSWERS,
    call=referee_words.CALLS,
)


@register.filter
def suit(strain: Strain) -> str:
    """Return the value by which a strain's suit is drawn."""
    return Strain(strain).name.lower()


@register.filter
def said(deal: Contract, players: Sequence[str]) -> list[str]:
    """Return the phrases that follow the name of a contract."""
    answers = words.answers_words(deal, players) if players else ""
    return list(filter(None, [answers, words.result_words(deal), words.split_words(deal, players)]))


@register.filter
def result_mark(deal: Contract) -> str:
    """Return the tricks taken, or missing: '7', '−2'; '' if nothing was played."""
    if not deal.tricks:
        return ""
    return f"−{deal.level - deal.tricks[0]}" if deal.tricks[0] < deal.level else str(deal.tricks[0])


# --- The hand in play ---


@register.filter
def why_answered(view: View, names: Sequence[str]) -> str:
    """Return the consequence of each answer for the player who gives it."""
    may_half = Answer.HALF in view.answers
    return referee_words.why_answered(view.hand, names[view.places[2]], may_half=may_half)


@register.filter
def whisted(view: View, names: Sequence[str]) -> str:
    """Return a sentence that names the whisters, or says that there are none; '' until all answers are given."""
    contract, result = view.hand.contract, view.hand.result(view.evening.house)
    if contract is None or contract.level is None or result is None:
        return ""
    return words.answers_words(Contract(contract.level, result), [names[seat] for seat in view.places])


@register.filter
def certain(prospect: Prospect, names: Sequence[str]) -> tuple[AccountSum, ...]:
    """Return the entries that such an end writes in any case."""
    found = prospect.written.items()
    return tuple(AccountSum(words.short_place(*account, names), amount, "", account[0]) for account, amount in found)


@register.filter
def own(prospect: Prospect) -> tuple[AccountSum, ...]:
    """Return the first pool or dump amount of such an end, without a name."""
    found = prospect.written.items()
    return tuple(AccountSum(str(words.ACCOUNTS[name]), n, "", name) for (name, *_), n in found if name in (POOL, DUMP))[
        :1
    ]


# --- The drawn sheet ---


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
        """Return a link for each figure, with `more` attributes."""
        # One string, as a sheet has hundreds of figures: nothing in it is typed by anybody.
        links = " ".join(self._link(figure, more) for figure in shown)
        return mark_safe(f'<span class="figures">{_CUT if is_cut else ""}{links}</span>')  # noqa: S308  whole numbers and our own words

    def _link(self, figure: Figure, more: str) -> str:
        amount, number, is_struck, is_newest = minus(figure.amount), figure.number, *figure[2:]
        said = f' class="struck" aria-label="{self._struck % {"figure": amount}}"' if is_struck else ""
        # Relative to the evening's page: absolute addresses would make up half of its size.
        return f'<a href="hands/{number}/"{' class="new"' if is_newest else said}{more}>{amount}</a>'


@register.simple_tag
def saying() -> Saying:
    return Saying()


@register.filter
def account(row: Row, saying: Saying) -> SafeString:
    """Return the name of a row's account."""
    return saying.account(row)


@register.filter
def latest(row: Row, saying: Saying) -> SafeString:
    """Return the last figures, for touch; the keyboard reaches all of them in the table."""
    return saying.figures(row.latest, ' tabindex="-1"', is_cut=row.is_cut)


@register.filter
def table_row(row: Row, saying: Saying) -> SafeString:
    """Return a row of the table: the earlier total, all figures, and the total now."""
    figures = saying.figures(row.figures, "", is_cut=bool(row.began))
    cells = '<tr><th scope="row">{}</th><td>{}</td><td class="amount">{}</td></tr>'
    return format_html(cells, saying.account(row), figures, minus(row.now))
