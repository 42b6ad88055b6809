"""What its templates load: {% load toy %}."""

from django import template

from scorekeeper.games.base import ScoreLine
from tests.toy import game

register = template.Library()
register.filter("notation", game.deal_to_text)


@register.filter
def step(line: ScoreLine) -> str:
    return {"points": "Points", "marks": "Marks", "twice": "counted twice"}[line.code]
