"""What templates need to write names, points and money. Nothing here counts; a builtin library, so no {% load %}."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Protocol
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.translation import get_language

from scorekeeper.games.base import Amount
from scorekeeper.games.payment_game import PAID
from scorekeeper.games.sheet_text import short_form
from sessions_app import wording
from sessions_app.faces import FACES, game_names
from sessions_app.faces.base import Face
from sessions_app.formatting import signed, unsigned, width
from sessions_app.models import Evening
from sessions_app.money import unit_words, written
from sessions_app.readers.evening_lists import EveningCard
from sessions_app.readers.people import SeatView, sums_of
from sessions_app.readers.sheets import HandLine

register = template.Library()

register.filter(signed)
register.filter(unsigned)
register.filter(wording.minus)
register.filter(wording.isolated)
register.filter(unit_words)
register.simple_tag(wording.who_pays)
register.simple_tag(game_names)


class OfAGame(Protocol):
    """An evening, a hand, rules."""

    @property
    def game_key(self) -> str: ...


@register.filter
def face(of: OfAGame, part: str) -> str:
    """The template by which the game of an evening or a hand draws this part (faces/base.py lists them)."""
    return f"games/{of.game_key}/{part}.html"


@register.filter
def undeclared(line: HandLine) -> wording.Words:
    """What a hand that nobody declares is called before its deal, '' where the deal says it."""
    return FACES[line.game_key].form.UNDECLARED


@register.filter
def game_name(evening: Evening | EveningCard) -> wording.Words:
    return FACES[evening.game_key].name


@register.simple_tag
def of_game(name: str, game_key: str, **asked: Any) -> str:
    """The address of a game's page, with what is asked of it where that is anything."""
    query = urlencode({key: value for key, value in asked.items() if value})
    return f"{reverse(name, args=[game_key])}{'?' if query else ''}{query}"


@register.filter
def sheet_text(evening: Evening) -> str:
    """The sheet in short: what has been written into each account so far."""
    return short_form(sums_of(evening), evening.game.accounts)


@register.filter
def rules_address(evening: Evening) -> str:
    """Where the rules of its game stand as this evening plays it; '' where the game has no such page."""
    key = evening.game_key
    return of_game("game-rules", key, evening=evening.pk, rules=evening.rules) if FACES[key].rules_page else ""


@register.filter
def entries_address(evening: Evening) -> str:
    """Where something that the table agrees on is written; '' where its game has no form for it, or it has ended."""
    has_form = FACES[evening.game_key].entries_form is not None and not evening.has_ended
    return reverse("entries-new", args=[evening.pk]) if has_form else ""


@register.simple_tag
def explained_games() -> list[Face]:
    """The games that have a page of rules."""
    return [face for face in FACES.values() if face.rules_page]


@register.filter
def money(amount: Decimal, currency: str) -> str:
    """An amount with its currency, in the user's language."""
    return written(amount, currency, get_language() or "hu")


@register.filter
def tone(points: Amount | None) -> str:
    """The class of a figure: won, lost or neither."""
    return "" if not points else "plus" if points > 0 else "minus"


@register.filter
def widest(seats: Sequence[SeatView]) -> int:
    """How many characters the longest balance takes, so that all can be set in the size that fits it."""
    return max(width(signed(seat.balance)) for seat in seats)


@register.filter
def widest_money(seats: Sequence[SeatView], currency: str) -> int:
    """The same of what the balances come to in money, 0 where there is no stake."""
    return max((len(money(seat.money, currency)) for seat in seats if seat.money is not None), default=0)


@register.filter
def at(values: Any, position: Any) -> object:
    """The value at a position, a seat's for example, or under a key."""
    return values[position]


@register.filter
def names_of(seats: Sequence[SeatView]) -> str:
    """The players in a row: 'Béla and Cili'."""
    return wording.listed(wording.isolated(seat.name) for seat in seats)


@register.filter
def differs(line: HandLine, other: HandLine | None) -> bool:
    """Whether two states of a hand would read differently on the sheet."""
    return other is None or _reads(line) != _reads(other)


def _reads(line: HandLine) -> tuple[object, ...]:
    elsewhere = frozenset(entry for entry in line.written if entry[0][0] != PAID)
    return line.deal, line.declarer, line.dealer, line.amounts, elsewhere
