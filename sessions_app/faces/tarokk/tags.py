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
from scorekeeper.games.tarokk.hand_in_play import HandState
from scorekeeper.games.tarokk.scoring import ItemWorth
from sessions_app.faces import kontra_words
from sessions_app.faces.base import word_filters
from sessions_app.faces.tarokk import count_words, referee_words, words
from sessions_app.faces.tarokk.fields import LETTERS, MORE
from sessions_app.faces.tarokk.hand_form import HandForm
from sessions_app.faces.tarokk.referee import Announceable, View, latest_step
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
register.filter(referee_words.cards_asked)
register.filter(referee_words.invitation_words)
register.filter(referee_words.inviters_duty)
register.filter(referee_words.item_words)
register.filter(referee_words.announced_words)
register.filter(referee_words.must_call)
register.filter(referee_words.partner_mark)
register.filter(referee_words.partner_words)
register.filter(referee_words.promise)
register.filter(referee_words.so_far)
register.filter(referee_words.tarokks_words)
register.filter(referee_words.why_turn)
register.filter(latest_step)
register.filter(kontra_words.kontra_words)
word_filters(
    register,
    bonus=words.BONUSES,
    side=words.SIDES,
    short_side=words.SHORT_SIDES,
    call=referee_words.CALLS,
    kontra_word=kontra_words.KONTRAS,
)


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
def made_by(of: Bonus) -> SafeString:
    """Return 'made by', with the bonus's name for screen readers only: it is visible in the row beside."""
    return format_html('<span class="visually-hidden">{}</span> {}', words.BONUSES[of], _("made by"))


@register.filter
def ladder_of(of: Side, bonus: wording.Words) -> str:
    """Return the label of a ladder: 'duplajáték, declarers'."""
    return f"{bonus}, {words.SIDES[of]}"


# --- The hand in play ---


@register.filter
def told_words(told: Announceable) -> str:
    return referee_words.step_words(told.item, told.kontra)


@register.filter
def open_mark(hand: HandState) -> str:
    """Return the contract of a hand in play as the sheet writes it."""
    return words.CONTRACT_MARKS[hand.contract] if hand.contract else ""


@register.filter
def open_words(hand: HandState) -> wording.Words:
    return words.CONTRACTS[hand.contract] if hand.contract else ""


@register.filter
def worth_items(view: View) -> tuple[ItemWorth, ...]:
    """Return the items of a hand in play, for a lone declarer once that is known."""
    if view.worth is None:
        return ()
    return view.worth.alone if view.is_alone else view.worth.items
