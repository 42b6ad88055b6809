"""Tags and filters of every template, without {% load %}: names, days, points, money, cached includes, signs."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, Protocol, cast
from urllib.parse import urlencode

from django import template
from django.forms import BoundField
from django.forms.utils import ErrorList
from django.template import Context
from django.template.base import Node, NodeList, Parser, TextNode, Token
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.html import conditional_escape, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import short_form
from scorekeeper.games.payment_game import PAID, AgreedPayments
from sessions_app.base_forms import Choices
from sessions_app.cached_templates import blanks, fill, render, render_by, render_filled, render_once
from sessions_app.drawing.svg_parts import tally
from sessions_app.faces import FACES, game_names
from sessions_app.faces.base import Face
from sessions_app.faces.hand_words import Marks, marks_beside
from sessions_app.models import Evening
from sessions_app.readers.evening.seating import SeatView, sums_of
from sessions_app.readers.evening.sheets import HandRow
from sessions_app.readers.money.lists import Line
from sessions_app.words import wording
from sessions_app.words.amounts import (
    amount_words,
    currency_words,
    payment_words,
    signed_figure,
    signed_words,
    typed,
)
from sessions_app.words.wording import (
    Words,
    day,
    exact_money,
    money_words,
    signed,
    stake_of,
    unsigned,
    width,
)

register = template.Library()

register.filter(day)
register.filter(signed)
register.filter(tally)
register.filter(unsigned)
register.filter(wording.minus)
register.filter(wording.isolated)
register.filter(wording.duration)
register.filter(exact_money)
register.filter("money", money_words)
register.filter(amount_words)
register.filter(currency_words)
register.filter(signed_figure)
register.filter(signed_words)
register.filter(typed)
register.simple_tag(wording.who_pays)
register.simple_tag(game_names)


class OfAGame(Protocol):
    """An object of one game: an evening, a hand, rules."""

    @property
    def game_key(self) -> str: ...


@register.filter
def face(of: OfAGame, part: str) -> str:
    """Return the template of this part for the game of an evening or a hand; faces/base.py lists the parts.

    Agreed payments look the same in all games.
    """
    if isinstance(of, HandRow) and isinstance(of.deal, AgreedPayments):
        return f"games/agreed.html#{part}"
    return f"games/{of.game_key}/face.html#{part}"


@register.filter
def deal_part(deal: Any, of: OfAGame) -> str:
    """Return the template that shows a deal of the game of an evening."""
    return "games/agreed.html#deal" if isinstance(deal, AgreedPayments) else face(of, "deal")


@register.filter
def undeclared(row: HandRow) -> wording.Words:
    """Return the name of a hand without a declarer, '' if its deal says it."""
    return FACES[row.game_key].form.UNDECLARED


@register.simple_tag
def sheet_marks(row: HandRow) -> Marks:
    """Return the marks of a hand in its row of the sheet; agreed payments have none."""
    if isinstance(row.deal, AgreedPayments):
        return marks_beside([])
    return FACES[row.game_key].form.marks_of(row.deal, row.players, row.before)


@register.filter
def letters_on_sheet(evening: Evening) -> Sequence[tuple[wording.Words, wording.Words]]:
    """Return the letters of the game's marks with their words, () if it has none."""
    return FACES[evening.game_key].form.LETTERS_ON_SHEET


@register.filter
def day_among(evening: Any, others: Iterable[Any]) -> str:
    """Return the day on which an evening began; with the hour if another one of the list was of the same game and day.

    `others` are evenings of any kind, or amounts that are of one (`evening`).
    """
    said = day(evening.started_at)
    listed = [getattr(other, "evening", other) for other in others]
    same = [one for one in listed if one and one.game_key == evening.game_key and day(one.started_at) == said]
    return f"{said}, {time_format(timezone.localtime(evening.started_at), 'H:i')}" if len(same) > 1 else said


@register.filter
def game_name(game_key: str) -> wording.Words:
    return FACES[game_key].name


@register.simple_tag
def of_game(name: str, game_key: str, **asked: Any) -> str:
    """Return the URL of a game's page, with the arguments that are not empty as its query."""
    query = urlencode({key: value for key, value in asked.items() if value})
    return f"{reverse(name, args=[game_key])}{'?' if query else ''}{query}"


@register.filter
def sheet_text(evening: Evening) -> str:
    """Return the sheet in short form: the sum of each account so far."""
    return short_form(sums_of(evening), evening.game.accounts)


@register.filter
def rules_address(evening: Evening) -> str:
    """Return the URL of the game's rules page under the evening's house rules; '' if the game has no such page."""
    key = evening.game_key
    return of_game("game-rules", key, evening=evening.pk, rules=evening.rules) if FACES[key].rules_page else ""


@register.filter
def entries_address(evening: Evening) -> str:
    """Return the URL of the form for agreed entries; '' if the game has none or the evening has ended."""
    has_form = FACES[evening.game_key].entries_form is not None and not evening.has_ended
    return reverse("entries-new", args=[evening.pk]) if has_form else ""


@register.simple_tag
def explained_games() -> list[Face]:
    """Return the games that have a rules page."""
    return [face for face in FACES.values() if face.rules_page]


@register.filter
def tone(points: Amount | None) -> str:
    """Return the CSS class of an amount: won, lost or neither."""
    return "" if not points else "plus" if points > 0 else "minus"


@register.filter
def widest(seats: Sequence[SeatView]) -> int:
    """Return the width of the longest balance, so that all get the font size that fits it."""
    return max(width(signed(seat.balance)) for seat in seats)


#: Digits that have room in all columns of the sheet together, on a phone 320 px wide; a column's first one stays empty.
ROOM_FOR_DIGITS = 39


@register.filter
def totals_beside(rows: Sequence[HandRow], names: Sequence[str]) -> bool:
    """Return whether the running totals have room beside the figures; else a switch shows them."""
    amounts = max((width(signed(each)) for row in rows for each in row.amounts if each is not None), default=0)
    totals = max((width(signed(each)) for row in rows for each in row.totals), default=0)
    return len(names) <= 4 and len(names) * (1 + amounts + totals) <= ROOM_FOR_DIGITS


@register.filter
def widest_money(seats: Sequence[SeatView], currency: str) -> int:
    """Return the length of the longest balance in money, 0 without a stake."""
    return max((len(money_words(seat.money, currency)) for seat in seats if seat.money is not None), default=0)


@register.filter
def at(values: Any, position: Any) -> object:
    """Return the value at an index, a seat for example, or under a key."""
    return values[position]


@register.filter
def listed(names: Sequence[str]) -> str:
    """Join names: 'Béla and Cili'."""
    return wording.listed(map(wording.isolated, names))


@register.filter
def differs(row: HandRow, other: HandRow | None) -> bool:
    """Return whether two states of a hand look different on the sheet."""
    return other is None or _reads(row) != _reads(other)


def _reads(row: HandRow) -> tuple[object, ...]:
    other_accounts = frozenset(entry for entry in row.written if entry[0][0] != PAID)
    return row.deal, row.declarer, row.dealer, row.amounts, other_accounts


class Joined(Node):
    """Nodes without the line breaks between them."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        return self.nodelist.render(context)


@register.tag
def joined(parser: Parser, token: Token) -> Joined:
    """Join the lines up to {% endjoined %}: drop line breaks and the indentation after them.

    Write {{ " " }} for a space between two lines.
    """
    nodelist = parser.parse(("endjoined",))
    parser.delete_first_token()
    for text in cast(list[TextNode], nodelist.get_nodes_by_type(TextNode)):
        text.s = re.sub(r"\s*\n\s*", "", text.s)
    return Joined(nodelist)


@register.simple_tag
def once(name: str, **shown: Any) -> SafeString:
    """Include a template with these arguments only; render it once per arguments and language.

    The arguments are the cache key: see `render_once`.
    """
    return render_once(name, shown)


@register.simple_tag
def once_by(key: tuple[Hashable, ...] | None, name: str, **shown: Any) -> SafeString:
    """Include a template with these arguments only; render it once per `key` and language, each time if that is None.

    The key must hold all that the template shows of the arguments.
    """
    return render_by(key, name, lambda: shown)


@register.simple_tag(takes_context=True)
def once_with_forms(context: Context, name: str, **shown: Any) -> SafeString:
    """Include as `once` does a template with forms that are posted: each has the CSRF token of this page."""
    return render_filled(name, shown, {"csrf_token": context["csrf_token"]})


@register.simple_tag(takes_context=True)
def once_by_with_forms(
    context: Context, key: tuple[Hashable, ...] | None, name: str, shown: Mapping[str, Any]
) -> SafeString:
    """Include as `once_by` does a template with forms that are posted: each has the CSRF token of this page.

    `shown` may be lazy: it is asked for only when the template is rendered.
    """
    rendered = render_by(key, name, lambda: {**shown, **blanks("csrf_token")})
    return fill(rendered, {"csrf_token": context["csrf_token"]})


@register.filter
def codes(errors: ErrorList) -> str:
    """Return the error codes of a field, each once."""
    return " ".join(dict.fromkeys(error.code or "" for error in errors.as_data()))


@register.simple_tag
def choices(bound: BoundField, **how: Any) -> SafeString:
    """Include components/choices.html, cached by the choices offered and the one chosen."""
    shown, offered = {"bound": bound, **how}, getattr(bound.field, "choices", None)
    field, errors = bound.field, (*bound.errors, codes(bound.errors))
    value = "" if bound.value() is None else str(bound.value())
    # A posted value may be anything, of any length: only offered ones are cached.
    if not isinstance(offered, Choices) or value not in ("", *(each for each, _offer in offered)):
        return render("components/choices.html", shown)
    key = (offered, bound.html_name, str(bound.label), value, field.required, errors, *sorted(how.items()))
    return render_by(key, "components/choices.html", lambda: shown)


#: A sign, with the variation selector that may follow it.
_SIGN: Final = re.compile("([♥♦♣♠]\ufe0e?)")


@register.filter
def with_signs(words: Words) -> SafeString:
    """Return words with their signs drawn; screen readers get the characters."""
    return format_html_join("", "{}", ((_drawn(part),) for part in _SIGN.split(str(words))))


@lru_cache(maxsize=256)
def _drawn(part: str) -> SafeString:
    if not _SIGN.fullmatch(part):
        return conditional_escape(part)
    return render_to_string("games/sign.html", {"sign": part, "shape": part[0]})


# --- Money ---


@register.filter
def named_among(positions: Iterable[int], seats: Sequence[SeatView]) -> str:
    """Join the names of the players at these seats: 'Béla and Cili'."""
    return listed([seats[position].name for position in positions])


@register.simple_tag(takes_context=True)
def once_for_payments(
    context: Context, name: str, line: Line, circle_id: int, settle: int | str = "", query: str = ""
) -> SafeString:
    """Include the forms of a suggested payment, which lead back to this page; render them once for all payments."""
    payer, payee, said = line.payer, line.payee, amount_words(line.units, line.currency)
    alike = {
        "circle_id": circle_id,
        "settle": settle,
        "query": query,
        "currency": line.currency,
        "evenings": line.evenings,
    }
    filled = {
        "csrf_token": context["csrf_token"],
        "token": line.token,
        "seen": line.seen,
        "amount": typed(line.units, line.currency),
        "payer": payer.id,
        "payee": payee.id,
        "payer_name": payer.name,
        "payee_name": payee.name,
        "said": said,
        "label": payment_words(payer.name, payee.name, line.units, line.currency),
    }
    return render_filled(name, alike, filled)


@register.filter
def stake_words(recorded: dict[str, str]) -> str:
    """Return a stake of the history in words: 'HUF 10 a point', or 'points only'."""
    stake = stake_of(Decimal(recorded["stake"]), recorded["currency"]) if recorded["stake"] else None
    if stake is None:
        return pgettext("stake", "points only")
    return _("%(money)s a point") % {"money": money_words(stake.money(1), stake.currency)}
