"""Template filters and tags of Tarokk: deals and counts in words; {% load tarokk %}."""

from typing import cast

from django import template
from django.template.loader import get_template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper.db.cache import LRUCache
from scorekeeper.games.tarokk import Bonus, Deal, Side
from sessions_app.faces.tarokk import count_words, open_hand_tags, words
from sessions_app.faces.tarokk.fields import MORE
from sessions_app.faces.tarokk.form_codes import LETTERS
from sessions_app.faces.tarokk.hand_form import HandForm
from sessions_app.words import wording

register = template.Library()

register.simple_tag(words.open_marks)
register.filter(count_words.step)
register.filter(words.result_words)
register.filter(words.contract_words)
register.filter(words.said_words)
register.simple_tag(words.band_words)
register.simple_tag(count_words.sum_of)
register.simple_tag(count_words.shares)
register.simple_tag(count_words.declared_words)
open_hand_tags.add_to(register)


_folded: LRUCache[SafeString] = LRUCache()


@register.simple_tag
def folded_away(form: HandForm) -> SafeString:
    """Return the folded rows, cached while they are empty: then all forms of the same players share them."""
    said = form.data if form.is_bound else form.initial
    counted_by, times = (str(form[name].value() or "") for name in ("counted_by", "times"))
    # A posted value may be anything: only offered ones are cached. A row set to 'nobody' is not empty.
    if form.has_more or counted_by not in ("", *LETTERS.values()) or any(said.get(name) for name in MORE):
        return _drawn(form)
    key = (tuple(form.names), form.sitting, form.rules, counted_by, times, get_language())
    return _folded.get_or_make(key, lambda: _drawn(form))


def _drawn(form: HandForm) -> SafeString:
    return cast(SafeString, get_template("games/tarokk/folded_away.html").render({"form": form}))


@register.filter
def contract_mark(deal: Deal) -> str:
    return words.CONTRACT_MARKS[deal.contract]


@register.filter
def partner(deal: Deal, players: tuple[str, ...]) -> str:
    """Return the partner's name, '' if there is none."""
    return players[deal.partner] if deal.partner and players else ""


@register.filter
def bonus(of: Bonus) -> wording.Words:
    return words.BONUSES[of]


@register.filter
def made_by(of: Bonus) -> SafeString:
    """Return 'made by', with the bonus's name for screen readers only: it is visible in the row beside."""
    return format_html('<span class="visually-hidden">{}</span> {}', words.BONUSES[of], _("made by"))


@register.filter
def side(of: Side) -> wording.Words:
    return words.SIDES[of]


@register.filter
def short_side(of: Side) -> wording.Words:
    return words.SHORT_SIDES[of]


@register.filter
def ladder_of(of: Side, bonus: wording.Words) -> str:
    """Return the label of a ladder: 'duplajáték, declarers'."""
    return f"{bonus}, {words.SIDES[of]}"
