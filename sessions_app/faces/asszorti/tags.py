"""Template filters and tags of Asszorti: deals, counts and the referee in words; {% load asszorti %}."""

from django import template

from scorekeeper.games.asszorti import Score, score
from sessions_app.faces import hand_words
from sessions_app.faces.asszorti import referee_words, words
from sessions_app.faces.asszorti.referee import latest_kontra, latest_step
from sessions_app.faces.base import word_filters
from sessions_app.readers.evening.sheets import HandRow

register = template.Library()

register.filter(words.result)
register.filter(words.step)
register.filter(words.arrivazs_words)
register.filter(words.kontra_mark)
register.filter("six_five_nil", words.is_six_five_nil)
register.filter("kontra", hand_words.kontra_words)
register.simple_tag(words.sum_of)
register.filter("why_turn", referee_words.turn)
register.filter(referee_words.auction_ended)
register.filter(referee_words.tricks_ended)
register.filter(referee_words.item_kontras)
register.filter(latest_step)
register.filter(latest_kontra)
register.filter(referee_words.so_far)
word_filters(
    register,
    contract=words.CONTRACTS,
    trump=words.TRUMPS,
    call=referee_words.CALLS,
    item=referee_words.ITEMS,
    kontra_word=hand_words.KONTRAS,
    outcome=words.ARRIVAZS,
)


@register.filter("score")
def score_of(row: HandRow) -> Score:
    """Return the count of a hand by the house rules of its evening."""
    return score(row.deal, row.rules)
