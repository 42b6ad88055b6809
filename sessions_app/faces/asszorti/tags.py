"""Template filters and tags of Asszorti: deals, counts and the referee in words; {% load asszorti %}."""

from django import template

from scorekeeper.games.asszorti import Arrivazs, Contract, Kontra, Score, Trump, score
from scorekeeper.games.asszorti.announcing import Item
from scorekeeper.games.asszorti.auction import Call
from sessions_app.faces import kontra_words
from sessions_app.faces.asszorti import referee_words, words
from sessions_app.faces.asszorti.referee import latest_kontra, latest_step
from sessions_app.readers.evening.sheets import HandRow
from sessions_app.words import wording

register = template.Library()

register.filter(words.result)
register.filter(words.step)
register.filter(words.arrivazs_words)
register.filter(words.kontra_mark)
register.filter("six_five_nil", words.is_six_five_nil)
register.filter("kontra", kontra_words.kontra_words)
register.simple_tag(words.sum_of)
register.filter("why_turn", referee_words.turn)
register.filter(referee_words.auction_ended)
register.filter(referee_words.tricks_ended)
register.filter(referee_words.item_kontras)
register.filter(latest_step)
register.filter(latest_kontra)
register.filter(referee_words.so_far)


@register.filter("score")
def score_of(row: HandRow) -> Score:
    """Return the count of a hand by the house rules of its evening."""
    return score(row.deal, row.rules)


@register.filter
def contract(called: Contract) -> wording.Words:
    return words.CONTRACTS[called]


@register.filter
def trump(called: Trump) -> wording.Words:
    return words.TRUMPS[called]


@register.filter
def call(said: Call) -> wording.Words:
    return referee_words.CALLS[said]


@register.filter
def item(doubled: Item) -> wording.Words:
    return referee_words.ITEMS[doubled]


@register.filter
def kontra_word(level: Kontra) -> wording.Words:
    return kontra_words.KONTRAS[level]


@register.filter
def outcome(arrivazs: Arrivazs) -> wording.Words:
    return words.ARRIVAZS[arrivazs]
