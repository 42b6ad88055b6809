"""The tags of its templates: {% load toy %}."""

from django import template

from scorekeeper.games.base import ScoreLine
from tests.toy.game import GAME, Deal

register = template.Library()


@register.filter
def notation(deal: Deal) -> str:
    return GAME.deal_to_text(deal)


@register.filter
def step(line: ScoreLine) -> str:
    return {"points": "Points", "marks": "Marks", "twice": "counted twice"}[line.code]
