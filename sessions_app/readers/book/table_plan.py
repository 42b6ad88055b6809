"""Plan of a table's import: the sessions that its lines become by the answers of the review, as a book has them.

A session of a paper book has one agreed entry, dated at the beginning of its day. Its id follows from what it says, so
that a table that comes into a circle twice is known by it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.games.base import Game, Place
from scorekeeper.games.errors import GameError
from scorekeeper.tables.columns import Column, DayOrder, Role
from scorekeeper.tables.reading import Row, Table
from scorekeeper.text.names import fold, name_key, visible
from sessions_app.models import NAME_LENGTH, NOTE_LENGTH, Action, Hand, Player
from sessions_app.readers.book.document import Value, in_utc, stake_text
from sessions_app.readers.evening.recount import in_fixed_order
from sessions_app.words.wording import stake_of

#: The letters by which a game is known: a cell may have a word of either language, or a short one.
_LETTERS: Final = 4
_FEWEST: Final = 3
MOST_STAKE: Final = Decimal(999_999)


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to the questions of the review, given or guessed. `in_money`: the figures are money, and not points.

    `players` are by the places of their columns: the key of a player here, 0 for a new one, or the `alias` of another
    column, which is of the same player. `gives` are, by the number of a line, the place of the player who gets the
    amount that is missing to a sum of zero. `out` are the numbers of the lines that are left out.
    """

    game: str
    order: DayOrder
    in_money: bool
    currency: str
    stake: Decimal | None
    players: Mapping[int, int]
    gives: Mapping[int, int]
    out: frozenset[int] = frozenset()


class Person(NamedTuple):
    """The player of a column: his name, and his key here, 0 if he is new."""

    name: str
    key: int


@dataclass(frozen=True, slots=True)
class Session:
    """A line that becomes a session, or is left out: `why` is '' or the reason."""

    row: Row
    day: Any
    game: str
    points: Mapping[int, int] = field(default_factory=dict)
    stake: Decimal | None = None
    currency: str = ""
    why: str = ""


class NotTaken(Exception):
    """The line cannot become a session: the message says why."""


def game_named(text: str) -> str:
    """Return the key of the game that a cell names, '' for none."""
    word = fold(text[:40])
    found = [key for key in GAMES if len(word) >= _FEWEST and key[:_LETTERS].startswith(word[:_LETTERS])]
    return found[0] if len(found) == 1 else ""


def guessed(table: Table, here: Sequence[Player], currency: str) -> Answers:
    """Return the answers that the table and the circle suggest."""
    units = [unit for unit in table.units if unit]
    named = [row.currency for row in table.sessions if row.currency]
    in_money = bool(units) or (table.has(Role.CURRENCY) and not table.has(Role.STAKE) and bool(named))
    return Answers(
        game=_likely_game(table),
        order=table.orders[0],
        in_money=in_money,
        currency=next(iter([*units, *named]), currency),
        stake=None,
        players={column.place: _likely_player(column, table.players, here) for column in table.players},
        gives={},
    )


def _likely_game(table: Table) -> str:
    """Return the first game that is played by as many as the lines name."""
    sizes = Counter(len(row.won) for row in table.sessions)
    return max(GAMES, key=lambda key: sum(sizes[seats] for seats in GAMES[key].seat_counts))


def _likely_player(column: Column, columns: Sequence[Column], here: Sequence[Player]) -> int:
    """Return the player of this name, or of one spelled alike; else the earlier column of one; else 0."""
    name = column.head[:NAME_LENGTH]
    for same in (name_key, fold):
        for player in here:
            if same(player.name) == same(name):
                return player.pk
    earlier = next((other for other in columns if fold(other.head) == fold(column.head)), column)
    return 0 if earlier is column else earlier.alias


class TablePlan:
    """Sessions and players that a table becomes by the answers of its review."""

    def __init__(self, table: Table, answers: Answers, here: Sequence[Player], base: str, own: str) -> None:
        """`base` makes the ids of sessions in the circle, and `own` those of players of the import."""
        self.table, self.answers, self._base, self._own = table, answers, base, own
        self._names = {player.pk: player.name for player in here}
        self.people = {column.place: self._person(column) for column in table.players}
        #: The first column of each player.
        self._first = {person: place for place, person in reversed(self.people.items())}
        self.sessions = [self._session(row) for row in table.sessions]
        self.taken = [each for each in self.sessions if not each.why and each.row.number not in answers.out]

    def _person(self, column: Column) -> Person:
        key = self.answers.players.get(column.place, 0)
        if key < 0:
            other = next((each for each in self.table.players if each.alias == key), column)
            key = self.answers.players.get(other.place, 0)
            column = other if key <= 0 else column
        name = self._names.get(key) or visible(" ".join(column.head[:NAME_LENGTH].split())) or column.letter
        return Person(name, key if key in self._names else 0)

    # --- A session ---

    def _session(self, row: Row) -> Session:
        day, game = row.on(self.answers.order), game_named(row.game) or self.answers.game
        try:
            return Session(row, day, game, *self._points(row, GAMES[game]))
        except NotTaken as why:
            return Session(row, day, game, why=str(why))

    def _points(self, row: Row, game: Game[Any, Any, Any]) -> tuple[dict[int, int], Decimal | None, str]:
        """Return the points by the player's first column, the stake and its currency."""
        if row.game and not game_named(row.game):
            raise NotTaken(_("“%s” is no game known here") % row.game)
        figures = self._figures(row)
        if len(figures) not in game.seat_counts:
            raise NotTaken(_not_so_many(len(figures), game.seat_counts))
        if sum(figures.values()):
            raise NotTaken(_("its figures do not add up to zero"))
        if not any(figures.values()):
            raise NotTaken(_("nobody won or lost anything"))
        stake, currency = self._stake(row, figures)
        points = figures if not self.answers.in_money else {at: each / (stake or 1) for at, each in figures.items()}
        if any(each != int(each) for each in points.values()):
            raise NotTaken(_("points are whole numbers"))
        whole = {place: int(each) for place, each in points.items()}
        _check(game, list(whole.values()))
        return whole, stake, currency

    def _figures(self, row: Row) -> dict[int, Decimal]:
        """Return the figures by the player's first column, with what the sum lacks given to whom it was given."""
        found: dict[int, Decimal] = {}
        for place, amount in row.won.items():
            at = self._first[self.people[place]]
            if at in found:
                raise NotTaken(_("%s has two figures") % self.people[place].name)
            found[at] = amount
        given = self.answers.gives.get(row.number)
        if given is not None and given in row.won:
            found[self._first[self.people[given]]] -= row.difference
        return found

    def _stake(self, row: Row, figures: Mapping[int, Decimal]) -> tuple[Decimal | None, str]:
        """Return the stake and its currency; of money without a stake, or no multiple of it, the smallest unit."""
        stake = row.stake.amount if row.stake else self.answers.stake
        if stake is None and not self.answers.in_money:
            return None, ""
        if stake is not None and stake > MOST_STAKE:
            raise NotTaken(_("its stake cannot be"))
        # Before anything is divided by it: a quotient of too many digits raises InvalidOperation.
        if stake is not None and stake != round(stake, 3):
            raise NotTaken(_("there is no coin as small as its stake"))
        currency = row.currency if row.currency in CURRENCIES else self.answers.currency
        unit = Decimal(1).scaleb(-CURRENCIES[currency])
        if stake is None or (self.answers.in_money and any(each % stake for each in figures.values())):
            stake = unit
        try:
            stake_of(stake, currency)
        except ValueError:
            raise NotTaken(_("there is no coin as small as its stake")) from None
        if self.answers.in_money and any(each % unit for each in figures.values()):
            raise NotTaken(_("there is no coin as small as its figures"))
        return stake.normalize(), currency

    # --- As a book has it ---

    @property
    def chosen(self) -> dict[str, int]:
        """The players here by the ids of the book's; 0 for new ones."""
        return {self._id(place): person.key for place, person in self._used().items()}

    def _used(self) -> dict[int, Person]:
        used = {place for session in self.taken for place in session.points}
        return {place: person for place, person in self.people.items() if place in used}

    def _id(self, place: int) -> str:
        return str(uuid5(NAMESPACE_URL, f"{self._own} {place}"))

    def head(self) -> Value:
        """Return the book without its sessions."""
        of_player: Value = {"mark": None, "plays_no_more": False, "merged_into": None, "changes": []}
        players = [{"id": self._id(at), "name": person.name} | of_player for at, person in self._used().items()]
        circle = {"name": "", "cash_coins": {}, "is_demo": False}
        return {"circle": circle, "house_profiles": [], "players": players, "sessions": [], "payments": []}

    def values(self) -> Iterator[Value]:
        """Yield the sessions as a book has them, in the order of the table; two of a day a minute apart."""
        on_day = Counter[Any]()
        for session, key in self.identified():
            on_day[session.day] += 1
            begins = datetime.combine(session.day, time()) + timedelta(minutes=on_day[session.day] - 1)
            at = min(timezone.make_aware(begins), timezone.now().replace(microsecond=0))
            yield self._value(session, key, in_utc(at))

    def identified(self) -> Iterator[tuple[Session, str]]:
        """Yield the sessions that are taken in, each with its id."""
        alike = Counter[str]()
        for session in self.taken:
            said = f"{session.day} {session.game} {session.stake} {session.currency} " + " ".join(
                f"{self.people[at].name}={points}" for at, points in sorted(session.points.items())
            )
            alike[said] += 1
            yield session, str(uuid5(NAMESPACE_URL, f"{self._base} {said} {alike[said]}"))

    def _value(self, session: Session, key: str, at: str) -> Value:
        game, places = GAMES[session.game], list(session.points)
        seats = list(range(len(places)))
        deal = game.agreed({seat: session.points[place] for seat, place in enumerate(places)})
        facts = {"dealer": 0, "declarer": None, "deal": game.deal_to_text(deal), "deal_stays": True}
        rules = game.rules_from_text("")
        count = game.count(deal, Place(tuple(seats), 0), game.start(rules), rules)
        rows = ([each.account, each.seat, each.against, each.amount, each.reason] for each in count.entries)
        after = {"facts": facts, "is_void": False, "entries": in_fixed_order(rows)}
        recorded = {"action": Action.RECORD.value, "at": at, "by": "", "before": None, "after": after}
        hand = {"id": key, "number": 1, "kind": Hand.Kind.AGREED.value, "lineup": seats, "at": at}
        return {
            "id": key,
            "game": session.game,
            "house_rules": "",
            "stake": None if session.stake is None else stake_text(session.stake),
            "currency": session.currency,
            "in_chips": False,
            "seats": [{"player": self._id(place), "sat_as": None} for place in places],
            "first_dealer": 0,
            "lineup": seats,
            "started_at": at,
            "ended_at": at,
            "title": "",
            "note": session.row.note[:NOTE_LENGTH],
            "result": None,
            "former_results": [],
            "changes": [],
            "hands": [hand | {"revisions": [recorded | {"cause": None, "version": 2}]}],
        }


def _check(game: Game[Any, Any, Any], points: Sequence[int]) -> None:
    rules, seats = game.rules_from_text(""), tuple(range(len(points)))
    try:
        game.count(game.agreed(dict(enumerate(points))), Place(seats, 0), game.start(rules), rules)
    except GameError:
        raise NotTaken(_("its points are too many for this game")) from None


def _not_so_many(count: int, seats: Sequence[int]) -> str:
    many = ngettext("%(count)s player has a figure", "%(count)s players have a figure", count) % {"count": count}
    fit = {"many": many, "fewest": min(seats), "most": max(seats)}
    said = _("%(many)s, and the game is for %(fewest)s to %(most)s; write 0 for one who neither won nor lost")
    return said % fit
