"""A seeded archive: a circle with evenings of every game, written past the ledger in bulk, and sound for `verify`.

The same seed makes the same evenings; only keys, tokens and the names of users differ. An archive of 1,000 evenings of
40 hands takes about half a minute.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import batched, chain
from random import Random
from typing import Any, Final, NamedTuple
from uuid import uuid4

from scorekeeper.games import GAMES
from sessions_app.hand_facts import Facts
from sessions_app.models import (
    Circle,
    Evening,
    EveningChange,
    EveningRollup,
    Hand,
    HandEntry,
    Member,
    Player,
    Revision,
    Role,
    Seat,
    Total,
    User,
    lineup_to_text,
    search_text,
)
from sessions_app.readers.evening.figures import EDITION, records_of, stored_figures
from sessions_app.readers.evening.recount import state_of
from sessions_app.writers import results
from tests.statistics.plays import MOST_SEATS, Play, PlayedHand, State, play

#: The start of an archive's last evening, and the time from one evening of a circle to the next.
LAST: Final = datetime(2026, 11, 20, 18, tzinfo=UTC)
APART: Final = timedelta(hours=36)
A_HAND: Final = timedelta(minutes=6)
NAMES: Final = (
    *("Anna", "Béla", "Cili", "Dóra", "Ede", "Ágnes", "Csaba", "Dzsenifer", "Ernő", "Éva", "Ferenc", "Gyula", "Gáspár"),
    *("Ildikó", "István", "József", "Katalin", "Lajos", "Lyubov", "Márta", "Nóra", "Nyina", "Ödön", "Ottó", "Örs"),
    *("Piroska", "Sándor", "Szilvia", "Tünde", "Zsófi"),
)
#: The house rules that evenings of a game are played by, one profile or switch each.
RULES: Final = {
    "asszorti": ("", "", "six_five_nil=no", "ladder=3"),
    "tarokk": ("", "", "pvsz", "tie_47=kontra_needs_48", "tie_47=last_kontra_loses after_throw_in=double"),
    "preference": (
        *("", "target=999", "sochi target=999", "leningrad target=999", "rostov target=999"),
        "give_up=3 ten=checked target=999",
    ),
}
STAKES: Final = ((None, ""), (Decimal(10), "HUF"), (Decimal("0.05"), "EUR"), (Decimal(1), "HUF"))
#: Most evenings have neither title nor note.
TITLES: Final = (*[""] * 8, "Szüreti parti", "Névnap", "Zűrös este", "Tavaszi kupa")
NOTES: Final = (*[""] * 8, "Esőben, a teraszon.", "Ági hozta a pogácsát", "Új pakli kártya", "Későn kezdtük el")
#: Evenings that are written at once.
BATCH: Final = 100


class Sat(NamedTuple):
    """An evening to be written: when and where it was played, by whom, and the play."""

    circle: Circle
    played: Play
    players: tuple[Player, ...]
    stake: Decimal | None
    currency: str
    title: str
    note: str
    started_at: datetime
    has_ended: bool


def generate(
    owner: User,
    *,
    sessions: int,
    hands: int,
    players: int = 30,
    seed: int = 0,
    games: Sequence[str] = tuple(GAMES),
    distinct: int | None = None,
    apart: timedelta = APART,
) -> Circle:
    """Write an archive and return its circle, run by `owner`.

    An evening has `hands` hands, or fewer if its game is over before. The games take turns. `distinct` is the number of
    evenings that are drawn: others repeat their hands with other players at another time, for a large archive in a
    short time. The last evening still runs.
    """
    chance = Random(seed)  # noqa: S311  cards, not keys
    circle, named = _circle(owner, players)
    drawn = (games[number % len(games)] for number in range(min(sessions, distinct or sessions)))
    plays = [play(GAMES[game], chance.choice(RULES[game]), hands, chance) for game in drawn]
    known: dict[int, list[Any]] = {}
    for several in batched(_sat(circle, named, plays, sessions, chance, apart), BATCH):
        written = _write(several, owner)
        _write_rollups([pair for pair in written if pair[1].has_ended], known)
    return circle


def _circle(owner: User, players: int) -> tuple[Circle, list[Player]]:
    circle = Circle.objects.create(name="Csütörtöki társaság")
    Member.objects.create(circle=circle, user=owner, role=Role.OWNER)
    names = (
        f"{NAMES[at % len(NAMES)]} {at // len(NAMES) + 1 if at >= len(NAMES) else ''}".strip() for at in range(players)
    )
    return circle, Player.objects.bulk_create(Player(circle=circle, name=name) for name in names)


def _sat(
    circle: Circle,
    players: Sequence[Player],
    plays: Sequence[Play],
    sessions: int,
    chance: Random,
    apart: timedelta,
) -> Iterator[Sat]:
    """Yield the evenings. A few players of the circle play most of them."""
    for number in range(sessions):
        played = plays[number % len(plays)]
        regulars = players[: max(MOST_SEATS, len(players) // 4)]
        sat = chance.sample(regulars if chance.randrange(4) else players, played.columns)
        started_at = LAST - apart * (sessions - 1 - number) + timedelta(minutes=chance.randrange(120))
        words = chance.choice(TITLES), chance.choice(NOTES)
        yield Sat(circle, played, tuple(sat), *chance.choice(STAKES), *words, started_at, number < sessions - 1)


# --- Rows ---


def _write(several: Sequence[Sat], by: User) -> list[tuple[Evening, Sat]]:
    """Write these evenings and all rows of theirs but the roll-ups."""
    pairs = list(zip(Evening.objects.bulk_create(map(_evening, several)), several, strict=True))
    Seat.objects.bulk_create(
        Seat(evening=evening, position=position, player=player)
        for evening, each in pairs
        for position, player in enumerate(each.players)
    )
    for evening, _each in pairs:
        if evening.has_ended:
            results.write_results(evening)
    Evening.objects.bulk_update([evening for evening, _each in pairs], ["result_currency"])
    EveningChange.objects.bulk_create(chain.from_iterable(_changes(evening, each, by) for evening, each in pairs))
    hands = [hand for evening, each in pairs for hand in _hands(evening, each)]
    Hand.objects.bulk_create([row for row, _played, _version in hands])
    HandEntry.objects.bulk_create(
        entry for row, played, _version in hands for entry in _entries(row, played.history[-1])
    )
    Revision.objects.bulk_create(
        revision for row, played, version in hands for revision in _revisions(row, played, version, by)
    )
    return pairs


def _write_rollups(ended: Iterable[tuple[Evening, Sat]], known: dict[int, list[Any]]) -> None:
    """Write the roll-ups, which are alike where the hands are; `known` has the figures of each play counted before."""
    by_play = [(evening, id(sat.played)) for evening, sat in ended]
    new = {each: evening for evening, each in by_play if each not in known}
    for each, record in zip(new, records_of(list(new.values())), strict=True):
        known[each] = stored_figures(record)
    EveningRollup.objects.bulk_create(
        EveningRollup(evening=evening, edition=EDITION, figures=known[each]) for evening, each in by_play
    )
    results.write_points({evening: known[each] for evening, each in by_play})


def _evening(sat: Sat) -> Evening:
    """The evening with its books. A version was raised by each change of players and each entry of a hand's history."""
    played = sat.played
    hands = played.hands
    stand = [hand for hand in hands if not hand.now.is_void]
    return Evening(
        circle=sat.circle,
        game_key=played.game.key,
        rules=played.rules,
        stake=sat.stake,
        currency=sat.currency,
        first_dealer=played.first_dealer if played.first_dealer in played.lineup else played.lineup[0],
        lineup=lineup_to_text(played.lineup),
        seating=len(played.changes),
        started_at=sat.started_at,
        ended_at=sat.started_at + A_HAND * (len(hands) + 1) if sat.has_ended else None,
        version=1 + len(played.changes) + sum(len(hand.history) for hand in hands) + sat.has_ended,
        last_number=len(hands),
        hand_count=sum(hand.kind == Hand.Kind.PLAYED for hand in stand),
        sheet=_sheet(stand),
        standing=hands[-1].standing if hands else "",
        title=sat.title,
        note=sat.note,
        search_text=search_text(sat.circle.name, sat.title, sat.note, [player.name for player in sat.players]),
    )


def _sheet(hands: Iterable[PlayedHand]) -> dict[Any, Total]:
    sheet: dict[Any, Total] = {}
    for entry in chain.from_iterable(hand.now.entries for hand in hands):
        amount, count = sheet.get(entry.of, (0, 0))
        sheet[entry.of] = Total(amount + entry.amount, count + 1)
    return sheet


def _changes(evening: Evening, sat: Sat, by: User) -> Iterator[EveningChange]:
    for pair in sat.played.changes:
        before, after = ({"names": [sat.players[seat].name for seat in seats]} for seats in pair)
        yield EveningChange(evening=evening, kind=EveningChange.Kind.LINEUP, made_by=by, before=before, after=after)


def _hands(evening: Evening, sat: Sat) -> Iterator[tuple[Hand, PlayedHand, int]]:
    """Yield the rows of the hands, each with the version before it was recorded."""
    # Versions may leave some out: all changes of players are taken to be before the first hand's.
    version = 1 + len(sat.played.changes)
    for number, played in enumerate(sat.played.hands, 1):
        row = Hand(
            evening=evening,
            number=number,
            token=uuid4(),
            kind=played.kind,
            lineup=lineup_to_text(played.seats),
            standing=played.standing,
            is_void=played.now.is_void,
            revision_count=len(played.history),
            recorded_at=sat.started_at + A_HAND * number,
            **asdict(_facts(played, played.now)),
        )
        yield row, played, version
        version += len(played.history)


def _facts(played: PlayedHand, state: State) -> Facts:
    return Facts(played.dealer, state.declarer, state.deal, played.deal_stays)


def _entries(row: Hand, state: State) -> list[HandEntry]:
    return [HandEntry(hand=row, **asdict(entry)) for entry in state.entries]


def _revisions(row: Hand, played: PlayedHand, version: int, by: User) -> Iterator[Revision]:
    before = None
    for number, state in enumerate(played.history, 1):
        was = Hand(is_void=state.is_void, **asdict(_facts(played, state)))
        after = state_of(was, _entries(row, state))
        yield Revision(
            hand=row,
            number=number,
            action=state.action,
            made_at=row.recorded_at,
            made_by=by,
            before=before,
            after=after,
            version=version + number,
        )
        before = after
