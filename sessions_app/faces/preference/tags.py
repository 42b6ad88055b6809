"""Template filters and tags of Preference: deals and counts in words; {% load preference %}."""

from collections.abc import Sequence

from django import template

from scorekeeper.games.preference import Contract, Strain
from sessions_app.faces.preference import count_words, debts, open_hand_tags, pulka_tags, words

register = template.Library()

register.filter(words.deal_words)
register.filter(words.contract_words)
register.filter(words.short_words)
register.filter(count_words.step)
register.filter(count_words.place)
register.filter(count_words.written)
register.filter(count_words.besides)
register.filter(count_words.in_places)
register.filter(debts.terms)
register.filter(count_words.gain)
register.filter(count_words.rewritten)
register.simple_tag(pulka_tags.saying)
register.filter(pulka_tags.account)
register.filter(pulka_tags.latest)
register.filter(pulka_tags.table_row)
open_hand_tags.add_to(register)


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
