"""What the templates of the open hand and the referee need to put it into words. {% load referee %}."""

from django import template

from scorekeeper.games.asszorti.auction import Call
from scorekeeper.games.asszorti.doubling import Item
from scorekeeper.games.asszorti.rules import Arrivazs, Kontra
from sessions_app import referee_wording, taking_back, wording

register = template.Library()

register.filter("why_turn", referee_wording.turn)
register.filter(referee_wording.auction_ended)
register.filter(referee_wording.tricks_ended)
register.filter(referee_wording.item_kontras)
register.filter(taking_back.latest_step)
register.filter(taking_back.latest_kontra)
register.filter(referee_wording.so_far)


@register.filter
def call(said: Call) -> wording.Words:
    return referee_wording.CALLS[said]


@register.filter
def item(doubled: Item) -> wording.Words:
    return referee_wording.ITEMS[doubled]


@register.filter
def kontra_word(level: Kontra) -> wording.Words:
    return wording.KONTRAS[level]


@register.filter
def outcome(arrivazs: Arrivazs) -> wording.Words:
    return wording.ARRIVAZS[arrivazs]
