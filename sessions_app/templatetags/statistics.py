"""Figures of the statistics as links, with the marks that tests read: {% load statistics %}."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django import template
from django.utils.formats import get_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scorekeeper.games.amounts import Amount
from sessions_app.faces import FACES
from sessions_app.faces.measure_words import (
    AGAINST,
    MERIT,
    MERIT_BEST,
    MONEY,
    POINTS,
    WON,
    FigureFormat,
    KeyTable,
    MeasureWords,
)
from sessions_app.faces.statistics import StatisticsChoice, sentences
from sessions_app.readers.book.statistics import FigureSpec, HandFigure, Person
from sessions_app.readers.book.statistics_sums import ALL, Figure
from sessions_app.readers.evening.result import RemarkableHand
from sessions_app.templatetags.builtin import tone
from sessions_app.words import wording
from sessions_app.words.wording import Words, exact_money, signed, unsigned

register = template.Library()

#: A rate over fewer hands or evenings is left out.
FEWEST_HANDS: Final = 10
FEWEST_EVENINGS: Final = 5


@register.simple_tag
def figure(choice: StatisticsChoice, words: MeasureWords, person: Person, key: str = "", game: str = "") -> SafeString:
    """Return a figure as a link to the evenings behind it, with its number of hands or evenings."""
    game = game or choice.game
    return _linked(choice, words, person, key, choice.statistics.figure(game, person.pk, words.name, key), game)


@register.simple_tag
def player_link(choice: StatisticsChoice, person: Person) -> SafeString:
    """Return a player's name as a link to his statistics, with the same choice."""
    return format_html('<a class="who" href="{}"><bdi>{}</bdi></a>', choice.to_player(person.pk), person.name)


@register.simple_tag
def compared(
    choice: StatisticsChoice, words: MeasureWords, people: Iterable[Person], key: str = "", game: str = ""
) -> SafeString:
    """Return the players that have the figure, with it, as the items of a list."""
    game, measure, rows = game or choice.game, (words.name, key), []
    for person in people:
        found = choice.statistics.figures(game, person.pk).get(measure)
        if found is not None:
            # A circle of thirty has hundreds of these.
            rows.append(f"<li><bdi>{escape(person.name)}</bdi>{_linked(choice, words, person, key, found, game)}</li>")
    return mark_safe("".join(rows))  # noqa: S308  rows of escaped parts


@register.simple_tag
def explained(choice: StatisticsChoice, words: MeasureWords) -> str:
    """Return the sentence that explains a measure, in the game that is shown."""
    return " ".join(map(str, sentences(choice.game, words)))


@register.simple_tag
def best_figure(choice: StatisticsChoice, person: Person, found: Figure) -> SafeString:
    """Return the mean of the best evenings of the merit ranking, as a link to these; '' if they are too few."""
    if not _has_rate(MERIT_BEST, found):
        return SafeString()
    name = MERIT_BEST.name
    address = escape(choice.to_evenings(choice.game, person.pk, name))
    marks = _marks(choice.game, person.pk, name, str(choice.best), None, found)
    shown = escape(_("best %(most)s: %(mean)s")) % {"most": found.of, "mean": _rate(MERIT_BEST, found)}
    return mark_safe(f'<a class="best" href="{address}"{marks}>{shown}</a>')  # noqa: S308  escaped parts


@register.simple_tag
def merit_figure(choice: StatisticsChoice, person: Person, found: Figure) -> SafeString:
    return _linked(choice, MERIT, person, "", found, choice.game)


@register.simple_tag
def against_figure(choice: StatisticsChoice, person: Person, other: Person, found: Figure) -> SafeString:
    return _linked(choice, AGAINST, person, "", found, choice.game, other)


def _linked(
    choice: StatisticsChoice,
    words: MeasureWords,
    person: Person,
    key: str,
    found: Figure,
    game: str,
    other: Person | None = None,
) -> SafeString:
    wanted = words.name, key, other.pk if other else None
    # One string, where only the address and the texts of languages can need escaping: a page has hundreds of these.
    marks, shown = _marks(game, person.pk, *wanted, found), _figure_text(words, found, key)
    if not any(found):
        return mark_safe(f'<span class="stat"{marks}>{shown}</span>')  # noqa: S308  escaped parts
    address = escape(choice.to_evenings(game, person.pk, *wanted))
    return mark_safe(f'<a class="stat" href="{address}"{marks}>{shown}</a>')  # noqa: S308  escaped parts


def _marks(game: str, player: int, name: str, key: str, against: int | None, found: Figure) -> str:
    """Return the data attributes of a figure, as HTML."""
    marks = f' data-key="{escape(key)}"' if key else ""
    marks += f' data-against="{against}"' if against else ""
    return (
        f' data-measure="{name}" data-game="{game}" data-player="{player}"'
        f' data-value="{found.value}" data-of="{found.of}"{marks}'
    )


def _figure_text(words: MeasureWords, found: Figure, key: str) -> str:
    """Return a figure and, small, what it is counted over, as HTML."""
    colour = _colour(words, found.value)
    value = escape(value_text(words, found.value, key))
    return f"<b{colour and f' class="{colour}"'}>{value}</b> <small>{_over(words, found)}</small>"


def _colour(words: MeasureWords, value: Amount) -> str:
    """Return the CSS class of a figure that is won or lost; '' for a count."""
    return tone(value) if words.format in (FigureFormat.POINTS, FigureFormat.BALANCE) else ""


def value_text(words: MeasureWords, value: Amount, key: str = "") -> str:
    """Return the value of a figure: a number, points with their sign, money."""
    if words.name == MONEY.name:
        return exact_money(value, key)
    if words.format in (FigureFormat.POINTS, FigureFormat.BALANCE):
        return signed(value)
    return unsigned(value) if value else "0"


def _over(words: MeasureWords, found: Figure) -> str:
    """Return the share or the mean, if it has one, and over how many hands or evenings, as HTML: '58% · 12'."""
    if not found.of:
        return ""
    has_rate = words.format in (FigureFormat.SHARE, FigureFormat.POINTS, FigureFormat.SUM) and _has_rate(words, found)
    return f"{_rate(words, found)} · {found.of}" if has_rate else f"/ {found.of}"


def _has_rate(words: MeasureWords, found: Figure) -> bool:
    return found.of >= (FEWEST_EVENINGS if words.in_evenings else FEWEST_HANDS)


def _rate(words: MeasureWords, found: Figure) -> str:
    """Return the share or the mean of a figure, as HTML."""
    if words.format is FigureFormat.SHARE:
        return escape(_("%(share)s%%") % {"share": (200 * found.value + found.of) // (2 * found.of)})
    return f"⌀ {mean_text(found.value, found.of, has_sign=words.format is FigureFormat.POINTS)}"


@register.simple_tag
def has_rates(choice: StatisticsChoice, people: Iterable[Person]) -> bool:
    """Return whether a rate of these players is shown: no other is over more hands or evenings than these are."""
    stats, game = choice.statistics, choice.game
    return any(
        _has_rate(words, found)
        for person in people
        for words, found in (
            (WON, stats.figure(game, person.pk, WON.name)),
            (POINTS, stats.figure(game, person.pk, POINTS.name)),
            *((AGAINST, against) for against in stats.against(game, person.pk).values()),
        )
    )


def mean_text(value: Amount, of: int, has_sign: bool = True) -> str:
    """Return the mean of a sum with one decimal, half to even, as the language writes it: +11.3."""
    # By whole numbers: fractions are slow, and a page has hundreds of means.
    size, parts = 10 * abs(value.numerator), value.denominator * of
    tenths, rest = divmod(size, parts)
    tenths += 2 * rest > parts or (2 * rest == parts and tenths % 2)
    sign = ("−" if value < 0 else "+") if tenths and has_sign else ""
    return f"{sign}{tenths // 10}{get_format('DECIMAL_SEPARATOR')}{tenths % 10}"


class KeyRow(NamedTuple):
    key: str
    words: Words


@register.simple_tag
def key_rows(choice: StatisticsChoice, table: KeyTable, person: Person) -> list[KeyRow]:
    """Return the keys of a table for which the player has anything but 0."""
    figures = choice.statistics.figures(choice.game, person.pk)
    return [
        KeyRow(key, words)
        for key, words in table.keys.items()
        if any(figures[column.name, key].value for column in table.columns if (column.name, key) in figures)
    ]


@register.simple_tag
def currencies(choice: StatisticsChoice, people: Iterable[Person], game: str = ALL) -> list[str]:
    """Return the currencies of the players' money, in alphabetical order."""
    figures = (choice.statistics.figures(game, person.pk) for person in people)
    return sorted({key for of_player in figures for name, key in of_player if name == MONEY.name})


@register.simple_tag
def head_to_head(choice: StatisticsChoice, person: Person) -> list[tuple[Person, Figure]]:
    """Return the other players with their figures against this one, the most points won first."""
    found = choice.statistics.against(choice.game, person.pk).items()
    return sorted(
        ((choice.statistics.people[other], figure) for other, figure in found), key=lambda each: -each[1].value
    )


@register.simple_tag
def with_query(address: str, query: dict[str, str], **changed: Any) -> str:
    """Return an address with a query in which some values are changed, and the empty ones left out."""
    kept = {name: value for name, value in (query | changed).items() if value}
    return f"{address}?{urlencode(kept)}" if kept else address


@register.simple_tag
def has_played(choice: StatisticsChoice, person: Person, game: str = "") -> bool:
    """Return whether the player has an evening of a game, or of the one that is shown."""
    return bool(choice.statistics.results(game or choice.game, person.pk))


# --- The evenings behind a figure ---


@register.simple_tag
def sum_figure(words: MeasureWords, spec: FigureSpec, found: Figure) -> SafeString:
    """Return the sum of the evenings behind a figure, with the marks of the figure itself."""
    against = spec.against.pk if spec.against else None
    marks = _marks(spec.game, spec.person.pk, spec.name, spec.key, against, found)
    shown = _figure_text(words, found, spec.key)
    return mark_safe(f'<span class="stat"{marks}>{shown}</span>')  # noqa: S308  escaped parts


@register.simple_tag
def part_figure(words: MeasureWords, found: Figure, key: str = "") -> SafeString:
    """Return an evening's part of a figure: its points, or so many of so many hands."""
    value = value_text(words, found.value, key)
    is_share = words.format in (FigureFormat.SHARE, FigureFormat.SUM) and not words.in_evenings
    shown = f"{value} / {found.of}" if is_share else value
    return format_html('<span class="part {}">{}</span>', _colour(words, found.value), shown)


@register.simple_tag
def hand_figure(words: MeasureWords, hand: HandFigure) -> str:
    """Return a hand's number, and its amount where that says more than that it counts."""
    number = f"#{hand.number}"
    return number if words.format is FigureFormat.SHARE else f"{number} {value_text(words, hand.value)}"


@register.simple_tag
def why_remarkable(hand: RemarkableHand, names: Sequence[str], game_key: str) -> str:
    """Return the reasons to show the hand: 'the biggest: Anna +96 · Anna: a feat, another'."""
    return " · ".join(_reasons(hand, names, game_key))


def _reasons(hand: RemarkableHand, names: Sequence[str], game_key: str) -> Iterator[str]:
    if hand.seat is not None:
        said = {"name": wording.isolated(names[hand.seat]), "amount": signed(hand.amount)}
        yield _("the biggest: %(name)s %(amount)s") % said
    for seats, feats in groupby(hand.feats, key=attrgetter("seats")):
        words = ", ".join(FACES[game_key].feat_words(feat) for feat in feats)
        yield f"{wording.listed(wording.isolated(names[seat]) for seat in seats)}: {words}"
