"""The pictures for friends: the winner and the results of a session, or of a year, as the parts of an SVG.

In a chat on a phone the picture is a third of its size, so no letters are smaller than SMALL.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from scorekeeper.games.amounts import Amount
from sessions_app.drawing.charts import GAP, SHAPES, line_chart
from sessions_app.drawing.lettering import BOLD, MEDIUM, drawable, fitted, shortened, width
from sessions_app.drawing.svg_parts import HEIGHT, WIDTH, Emblem, Part, Path, Picture, Text, qr_code, rectangle

# --- The content, in words ---

type Tone = Literal["plus", "minus", "zero"]


class Result(NamedTuple):
    """A player's row: name, points with a sign, their tone, money, and the number of the line.

    `money` is '' where only points are shown; `number` is None for a player whose line is not drawn.
    """

    name: str
    points: str
    tone: Tone
    money: str
    number: int | None


class Paid(NamedTuple):
    """A payment: who pays whom, and how much."""

    payer: str
    payee: str
    amount: str


class Figure(NamedTuple):
    """A figure worth telling: its label, the words that say it, and what stands behind them, smaller."""

    label: str
    words: str
    behind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContent:
    """The words and figures of a picture, in one language. Characters that no font has are left out as it is drawn.

    `emblem` is the drawing of the game, 32 × 32. `under` stands below the name of the game, `where` above the results.
    `winners` are named under `won`, with their `points` and `money`; without any, `won` is the headline. `curves` are
    the balances of the results' players by the number of the line, from the start on, or () where nothing is drawn.
    """

    emblem: str
    game: str
    under: Sequence[str]
    where: str
    won: str
    winners: str
    points: str
    money: str
    results: Sequence[Result]
    curves: Sequence[Sequence[Amount]] = ()
    edges: tuple[str, str] = ("", "")
    payments: str = ""
    paid: Sequence[Paid] = ()
    nothing_to_pay: str = ""
    more_paid: str = ""
    more_results: str = ""
    figures: Sequence[Figure] = ()
    check: str = ""
    check_label: str = ""
    check_address: str = ""


# --- The colours: those of static/css/tokens.css ---


class Theme(NamedTuple):
    """The colours of a theme; `lines` are those of a chart's lines, which repeat."""

    ground: str
    felt: str
    rim: str
    ink: str
    soft: str
    line: str
    edge: str
    plus: str
    minus: str
    lines: tuple[str, ...]
    on_felt: str = "#fdf6e2"
    soft_on_felt: str = "#e3e5cd"
    gold: str = "#ecc25c"
    card: str = "#fffbf0"
    on_card: str = "#14291f"


THEMES: Final = MappingProxyType(
    {
        "light": Theme(
            ground="#f4eedd",
            felt="#1f5f43",
            rim="#7a4b27",
            ink="#14291f",
            soft="#4a5b50",
            line="#d6ceb8",
            edge="#68766a",
            plus="#17632f",
            minus="#a3231a",
            lines=("#17632f", "#b91c2b", "#0b5cad", "#a84a08"),
        ),
        "dark": Theme(
            ground="#0d2b20",
            felt="#1b5239",
            rim="#5b391f",
            ink="#f6eedb",
            soft="#bfcdb9",
            line="#2a5342",
            edge="#7fa08d",
            plus="#9fe3a4",
            minus="#ffb0a1",
            lines=("#9fe3a4", "#ff9c9c", "#9ecbff", "#ffb870"),
            card="#f5ead0",
        ),
    }
)


# Type scale
SMALL: Final = 24
BODY: Final = 28
LARGE: Final = 34
POINTS: Final = (84, 72, 60, 48, 36)
HEADLINES: Final = (76, 68, 60, 52, 46, 40, 34)

# The felt on the left, with the winner; the paper on the right, with everybody's results.
FELT: Final = 440
RIM: Final = 8
LEFT: Final = 44
PAPER: Final = 492
RIGHT: Final = WIDTH - 44
TOP: Final = 44
BOTTOM: Final = HEIGHT - 40

#: Rows of results, and lines of payments, that there is room for.
MOST_ROWS: Final = 8
MOST_PAID: Final = 4
#: The height of the lowest row of a result, and of the lowest course that tells anything.
LOWEST_ROW: Final = 40
LOWEST_COURSE: Final = 84


def picture(shown: CardContent, theme: Theme) -> Picture:
    """Return the picture of a session or a year."""
    parts = (*_grounds(theme), *_felt(shown, theme), *_paper(shown, theme))
    title = " · ".join(filter(None, (shown.game, *shown.under, f"{shown.won} {shown.winners}".strip())))
    return Picture(title, parts)


def mark(emblem: str, game: str, theme: Theme) -> Picture:
    """Return the mark of a game with its name, as a chat shows it beside a link."""
    name = shortened(game, WIDTH - 2 * LEFT, 92)
    parts = (
        Path(rectangle(0, 0, WIDTH, HEIGHT), theme.felt),
        Path(rectangle(0, HEIGHT - RIM, WIDTH, RIM), theme.rim),
        Emblem(emblem, 280, 10, 640, theme.on_felt, 0.05),
        Emblem(emblem, WIDTH // 2 - 110, 96, 220, theme.gold),
        Text(WIDTH // 2, 446, name, 92, theme.on_felt, BOLD, "middle"),
        Text(WIDTH // 2, 524, "Strigula", 40, theme.soft_on_felt, MEDIUM, "middle"),
    )
    return Picture(game, parts)


def _name(name: str) -> str:
    """Return a name as far as the fonts have it."""
    return drawable(name) or "?"


def _grounds(theme: Theme) -> Iterator[Part]:
    yield Path(rectangle(0, 0, WIDTH, HEIGHT), theme.ground)
    yield Path(rectangle(0, 0, FELT, HEIGHT), theme.felt)
    yield Path(rectangle(FELT, 0, RIM, HEIGHT), theme.rim)


# --- The felt: the game, the winner ---


def _felt(shown: CardContent, theme: Theme) -> Iterator[Part]:
    room = FELT - 2 * LEFT
    if not shown.check:
        yield Emblem(shown.emblem, FELT - 250, HEIGHT - 196, 290, theme.on_felt, 0.07)
    yield Emblem(shown.emblem, LEFT - 4, TOP - 2, 56, theme.on_felt)
    yield Text(LEFT + 66, TOP + 40, shortened(shown.game, room - 66, 36), 36, theme.on_felt)
    for nth, line in enumerate(shown.under):
        short = shortened(line, room, SMALL, MEDIUM)
        yield Text(LEFT, TOP + 94 + nth * 34, short, SMALL, theme.soft_on_felt, MEDIUM)
    yield from _winner(shown, theme, room)
    if shown.check:
        yield from _check(shown, theme)


def _winner(shown: CardContent, theme: Theme, room: int) -> Iterator[Part]:
    lines, size = fitted(_name(shown.winners) if shown.winners else shown.won, room, HEADLINES)
    y = 304
    if shown.check:  # the code needs its room
        y, size = (222 if shown.money else 240, min(size, 46)) if len(lines) > 1 else (244, size)
    if shown.winners:
        yield Text(LEFT, y - 8, shortened(shown.won, room, BODY), BODY, theme.gold)
        y += 22
    for line in lines:
        y += round(size * 0.82) if line is lines[0] else round(size * 1.02)
        yield Text(LEFT, y, line, size, theme.on_felt)
    if shown.points:
        size = next((size for size in POINTS if width(shown.points, size) <= room), POINTS[-1])
        y += round(size * 0.72) + 26
        yield Text(LEFT - 3, y, shortened(shown.points, room, size), size, theme.gold)
    if shown.money:
        y += 46
        yield Text(LEFT, y, shortened(shown.money, room, LARGE), LARGE, theme.on_felt)


def _check(shown: CardContent, theme: Theme) -> Iterator[Part]:
    """Draw the QR code that leads to the book, on a card, with the check figure beside it."""
    side, code = 120, qr_code(shown.check_address)
    top = HEIGHT - 32 - side
    yield Path(rectangle(LEFT, top, side, side, 8), theme.card)
    yield Path(code.path, theme.on_card, x=LEFT, y=top, scale=round(side / code.size, 4))
    label = shortened(shown.check_label, FELT - 2 * LEFT - side, SMALL, MEDIUM)
    yield Text(LEFT + side + 18, HEIGHT - 76, label, SMALL, theme.soft_on_felt, MEDIUM)
    yield Text(LEFT + side + 18, HEIGHT - 42, shown.check, SMALL, theme.on_felt)


# --- The paper: results, course, payments, and a figure to remember ---


def _paper(shown: CardContent, theme: Theme) -> Iterator[Part]:
    where, top = drawable(shown.where), TOP
    if where:
        yield Text(PAPER, TOP + 30, shortened(where, RIGHT - PAPER, BODY), BODY, theme.soft)
        top += 58
    bottom = BOTTOM
    yield from _brand(theme)
    figures = list(_figures(shown, theme, bottom))
    bottom -= 62 if figures else 44
    yield from figures
    paid = list(_paid(shown, theme, bottom))
    if paid:
        bottom = min(part.y for part in paid if isinstance(part, Text)) - 34
    yield from paid
    rows = shown.results[:MOST_ROWS]
    count, high, least = len(rows) + bool(shown.more_results), bottom - top, 0
    has_course = bool(shown.curves) and high >= count * LOWEST_ROW + LOWEST_COURSE
    most = 72
    if has_course:
        least, most = max(LOWEST_COURSE, min(144, high - count * LOWEST_ROW)), 52 if paid else 62
    row = max(LOWEST_ROW, min(most, (high - least) // count))
    yield from _results(rows, shown, theme, top, row, has_marks=has_course)
    top += row * count + 14
    if has_course:
        yield from _course(shown, theme, top, bottom - top)


def _results(
    rows: Sequence[Result], shown: CardContent, theme: Theme, top: int, high: int, *, has_marks: bool
) -> Iterator[Part]:
    size = LARGE if high >= 48 else BODY
    money = max((round(width(row.money, size - 4, MEDIUM)) for row in rows if row.money), default=0)
    points = max((round(width(row.points, size)) for row in rows), default=0)
    points_end = RIGHT - (money + 32 if money else 0)
    name_begins = PAPER + (38 if has_marks else 0)
    tones = {"plus": theme.plus, "minus": theme.minus, "zero": theme.soft}
    for nth, row in enumerate(rows):
        y = top + nth * high
        base = y + high // 2 + size // 3
        if nth:
            yield Path(f"M{PAPER} {y}H{RIGHT}", stroke=theme.line, thick=2)
        if has_marks and row.number is not None:
            colour = theme.lines[row.number % len(theme.lines)]
            yield Path(SHAPES[row.number % len(SHAPES)], colour, x=PAPER + 12, y=y + high // 2, scale=1.25)
        name = shortened(_name(row.name), points_end - points - 28 - name_begins, size, MEDIUM)
        yield Text(name_begins, base, name, size, theme.ink, BOLD if nth == 0 and row.tone == "plus" else MEDIUM)
        yield Text(points_end, base, row.points, size, tones[row.tone], BOLD, "end")
        if row.money:
            yield Text(RIGHT, base, row.money, size - 4, theme.soft, MEDIUM, "end")
    if shown.more_results:
        base = top + len(rows) * high + high // 2 + SMALL // 3
        yield Text(name_begins, base, shown.more_results, SMALL, theme.soft, MEDIUM)


def _course(shown: CardContent, theme: Theme, top: int, high: int) -> Iterator[Part]:
    chart = line_chart([("", values) for values in shown.curves], RIGHT - PAPER + GAP, high)
    zero = f"M{PAPER} {top + chart.zero}H{PAPER + chart.right}"
    yield Path(zero, stroke=theme.edge, thick=2, dashes="2 8")
    for line in reversed(chart.lines):
        colour = theme.lines[line.number % len(theme.lines)]
        yield Path(line.path, stroke=colour, thick=5, dashes=line.dashes, x=PAPER, y=top)
        yield Path(line.marks, colour, theme.ground, 2, x=PAPER, y=top)
    highest, lowest = shown.edges
    if highest and chart.zero > 40:
        yield Text(PAPER, top + 22, highest, SMALL, theme.soft, MEDIUM, halo=theme.ground)
    if lowest and chart.height - chart.zero > 40:
        yield Text(PAPER, top + chart.height - 6, lowest, SMALL, theme.soft, MEDIUM, halo=theme.ground)


def _paid(shown: CardContent, theme: Theme, bottom: int) -> Iterator[Part]:
    """Draw the payments above `bottom`: one or two lines, or two columns of them."""
    lines = shown.paid[:MOST_PAID]
    if not (lines or shown.nothing_to_pay):
        return
    columns = 2 if len(lines) > 2 else 1
    of_column = -(-len(lines) // columns) or 1
    high, gap = 38, 40
    top = bottom - (of_column - 1) * high
    yield Text(PAPER, top - 36, shown.payments, SMALL, theme.soft)
    if shown.more_paid:
        yield Text(RIGHT, top - 36, shown.more_paid, SMALL, theme.soft, MEDIUM, "end")
    if not lines:
        yield Text(
            PAPER, top + 6, shortened(shown.nothing_to_pay, RIGHT - PAPER, BODY, MEDIUM), BODY, theme.ink, MEDIUM
        )
    wide = (RIGHT - PAPER - gap * (columns - 1)) // columns
    for nth, line in enumerate(lines):
        x, y = PAPER + nth // of_column * (wide + gap), top + nth % of_column * high
        yield from _payment(line, theme, x, y, wide, SMALL if columns == 2 else BODY)


def _payment(line: Paid, theme: Theme, x: int, y: int, wide: int, size: int) -> Iterator[Part]:
    arrow = round(size * 1.5)
    room = wide - round(width(line.amount, size)) - 14 - arrow
    payer, payee = _name(line.payer), _name(line.payee)
    # The shorter name leaves its room to the longer one.
    half, of_payer, of_payee = room // 2, width(payer, size, MEDIUM), width(payee, size, MEDIUM)
    payer = shortened(payer, max(half, room - of_payee), size, MEDIUM)
    payee = shortened(payee, max(half, room - of_payer), size, MEDIUM)
    at = x + round(width(payer, size, MEDIUM))
    yield Text(x, y, payer, size, theme.ink, MEDIUM)
    yield Text(at + arrow // 2, y, "→", size, theme.soft, MEDIUM, "middle")
    yield Text(at + arrow, y, payee, size, theme.ink, MEDIUM)
    yield Text(x + wide, y, line.amount, size, theme.ink, BOLD, "end")


def _figures(shown: CardContent, theme: Theme, bottom: int) -> Iterator[Part]:
    """Draw figures in a line, as many as there is room for."""
    x, end = PAPER, RIGHT - 160
    for figure in shown.figures:
        label, words = drawable(figure.label), drawable(figure.words)
        wide = width(label, SMALL, MEDIUM) + 12 + width(words, SMALL)
        if x + wide > end and x > PAPER:
            return
        words = shortened(words, end - x - wide + width(words, SMALL), SMALL)
        yield Text(x, bottom, label, SMALL, theme.soft, MEDIUM)
        x += round(width(label, SMALL, MEDIUM)) + 12
        yield Text(x, bottom, words, SMALL, theme.ink)
        x += round(width(words, SMALL)) + 12
        behind = shortened(drawable(figure.behind), end - x, SMALL, MEDIUM)
        if len(behind) > 1:
            yield Text(x, bottom, behind, SMALL, theme.soft, MEDIUM)
            x += round(width(behind, SMALL, MEDIUM))
        x += 24


#: The app's mark, as in static/icons/icon.svg.
MARK: Final = (
    "M7.5 7.5Q7 16 7.8 25M13 6.8q.5 9-.2 17.9M18.6 7.3q-.6 8.6.1 17.7M24.3 6.9q.3 9.2-.3 17.8M3.5 21.5Q15 17.5 28.5 9.5"
)


def _brand(theme: Theme) -> Iterator[Part]:
    name = "Strigula"
    begin = RIGHT - round(width(name, SMALL))
    yield Path(MARK, stroke=theme.soft, thick=2.6, x=begin - 36, y=BOTTOM - 23, scale=0.875)
    yield Text(RIGHT, BOTTOM, name, SMALL, theme.soft, BOLD, "end")
