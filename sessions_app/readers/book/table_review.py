"""The review of a table: which sessions its lines become, which are left out, and what is asked about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.tables import reading
from scorekeeper.tables.columns import Column, DayOrder
from scorekeeper.tables.grid import Grid, Line
from scorekeeper.tables.reading import Row, Table, Taken
from sessions_app.models import Import, ImportMade, Player
from sessions_app.readers.book.import_plan import AT_ONCE, circles_of_sessions, part
from sessions_app.readers.book.table_plan import MOST_STAKE, Answers, Session, TablePlan, game_named, guessed
from sessions_app.words.imports import odd_words
from sessions_app.words.wording import offered_currencies


@dataclass(frozen=True, slots=True)
class ReviewedColumn:
    """A player's column, the name and key of the player, and whether these are a guess to look at."""

    column: Column
    name: str
    choice: int
    others: tuple[Column, ...]
    is_likeness: bool


@dataclass(frozen=True, slots=True)
class ReviewedLine:
    """An odd line, its kind, and why it is odd. `asks` are the players who may get what its sum lacks."""

    row: Row
    taken: str
    why: tuple[str, ...]
    text: str
    asks: tuple[Column, ...] = ()
    missing: Decimal = Decimal()
    given: int | None = None


class TableReview:
    """Preview of a table's import by the answers that were given so far."""

    def __init__(self, row: Import) -> None:
        self.row = row
        self.table: Table = reading.read(grid_of(row), timezone.localdate())
        circle = row.circle
        found = circle.players.filter(merged_into=None).order_by("sort_key", "pk") if circle else Player.objects.none()
        self.here = list(found)
        self.guess = guessed(self.table, self.here, offered_currencies()[0])
        self.answers = _answers(row.answers, self.guess)
        is_own = circle is None or ImportMade.objects.filter(of=row.pk, what=ImportMade.What.CIRCLE).exists()
        base = str(row.token) if is_own or circle is None else f"circle {circle.pk}"
        self.plan = TablePlan(self.table, self.answers, self.here, base, str(row.token))

    def context(self, shown: int) -> dict[str, Any]:
        plan, begin_at = self.plan, AT_ONCE * (shown - 1)
        lines, known = list(self._lines()), circles_of_sessions(key for _session, key in plan.identified())
        able = [each for each in plan.sessions if not each.why]
        players = {at for session in plan.taken for at in session.points}
        return {
            "answers": self.answers,
            "games": list(GAMES),
            "asks_game": any(not game_named(each.game) for each in self.table.sessions),
            "orders": self._orders(),
            "currencies": list(dict.fromkeys((*offered_currencies(), self.answers.currency))),
            "columns": self._columns(),
            "here": self.here,
            "player_count": len({plan.people[at].name for at in players}),
            "session_count": len(plan.taken),
            "left_out": len(plan.sessions)
            - len(plan.taken)
            + sum(row.taken is Taken.UNREAD for row in self.table.rows),
            "known_count": len(known),
            "lines": lines[:AT_ONCE],
            "more_lines": max(0, len(lines) - AT_ONCE),
            "sessions": [self._shown(each) for each in able[begin_at : begin_at + AT_ONCE]],
            "earlier": shown - 1,
            "later": shown + 1 if begin_at + AT_ONCE < len(able) else 0,
            "refused": "" if plan.taken else _("No line of the table can become a session."),
        }

    def _orders(self) -> list[dict[str, Any]]:
        """Return the orders of day and month to choose from, each with a day of the table; none if it is certain."""
        if len(self.table.orders) < len(DayOrder):
            return []
        row = next(row for row in self.table.sessions if row.day and not row.day.is_certain)
        return [{"order": order.value, "day": row.on(order)} for order in self.table.orders]

    def _columns(self) -> list[ReviewedColumn]:
        people, players = self.plan.people, self.table.players
        return [
            ReviewedColumn(
                column,
                people[column.place].name,
                self.answers.players.get(column.place, 0),
                tuple(other for other in players if other.place < column.place),
                self.answers.players.get(column.place, 0) != 0 and people[column.place].name != column.head,
            )
            for column in players
        ]

    def _shown(self, each: Session) -> dict[str, Any]:
        figures = [(self.plan.people[at].name, points) for at, points in each.points.items()]
        shown = {"number": each.row.number, "day": each.day, "game": each.game, "figures": figures, "session": each}
        return shown | {"is_out": each.row.number in self.answers.out}

    def _lines(self) -> Any:
        """Yield the lines that become no session, and those that are odd though they do."""
        by_number = {each.row.number: each for each in self.plan.sessions}
        for row in self.table.rows:
            why = tuple(map(odd_words, row.odd))
            session = by_number.get(row.number)
            if session is None:
                yield ReviewedLine(row, row.taken.value, why, _text(row))
            elif session.why or row.number in self.answers.gives:
                asks = tuple(column for column in self.table.players if column.place in row.won)
                said = (session.why,) if session.why else ()
                taken = Taken.UNREAD if session.why else Taken.SESSION
                asked = asks if row.difference else ()
                given = self.answers.gives.get(row.number)
                yield ReviewedLine(row, taken.value, said, _text(row), asked, -row.difference, given)


def _text(row: Row) -> str:
    return " · ".join(filter(None, row.cells))[:120]


def grid_of(row: Import) -> Grid:
    return tuple(Line(number, tuple(cells)) for number, *cells in part(row, 0))


def _answers(kept: Mapping[str, Any], guess: Answers) -> Answers:
    """Return the answers that were kept, each that is missing or impossible as it was guessed."""
    orders = {order.value: order for order in DayOrder}
    of_players = {int(place): key for place, key in kept.get("players", {}).items()}
    return Answers(
        game=kept["game"] if kept.get("game") in GAMES else guess.game,
        order=orders.get(kept.get("order", ""), guess.order),
        in_money=kept["unit"] == "money" if kept.get("unit") in ("money", "points") else guess.in_money,
        currency=kept["currency"] if kept.get("currency") in CURRENCIES else guess.currency,
        stake=_stake(kept.get("stake", "")),
        players={**guess.players, **{at: key for at, key in of_players.items() if at in guess.players}},
        gives={int(number): place for number, place in kept.get("gives", {}).items() if place >= 0},
        out=frozenset(kept.get("out", ())),
    )


def _stake(text: str) -> Decimal | None:
    try:
        stake = Decimal(text.replace(",", ".").replace(" ", ""))
    except InvalidOperation:
        return None
    return stake if stake.is_finite() and 0 < stake <= MOST_STAKE else None
