"""Stateful test: statistics, roll-ups and lists against the recount, whatever is done to the evenings and the names.

Who sat where, and which name is whose, is remembered beside the database as people would.
"""

import unicodedata
from contextlib import nullcontext, suppress
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from scorekeeper.games import GAMES
from scorekeeper.games.errors import GameError
from sessions_app.errors import EveningEnded, LineupRefused, MergeRefused, PlayerNameTaken
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, EveningRollup, Player
from sessions_app.readers.book import lists
from sessions_app.readers.book.leaderboards import leaderboards
from sessions_app.readers.book.lists import Filter, State
from sessions_app.readers.book.statistics import statistics
from sessions_app.readers.evening.seating import turn
from sessions_app.readers.people.circles import circles_of
from sessions_app.words.periods import Period
from sessions_app.writers import evening_edit, evenings, ledger, players
from tests.factories import UserFactory
from tests.ledger.books import faults
from tests.selection import heavy
from tests.statistics.recount import ALL, Figure, Recount, facts, recount
from tests.statistics.test_statistics import assert_agree

NAMES = ("Anna", "Béla", "Cili", "Dóra", "Ede", "Anna K.", "Bela")
places, seeds = st.integers(0, 20), st.integers(0, 10_000)


def without_accents(name: str) -> str:
    letters = unicodedata.normalize("NFD", name.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


class StatisticsMachine(RuleBasedStateMachine):
    """Each rule does something at the circle's tables; evenings, hands and players are drawn as places, taken round.

    `sat` has by evening the rows of the names that sat down there, `names` what these are called now, `merged` whose
    other name one is.
    """

    @initialize()
    def sit_down(self) -> None:
        self.sat: dict[int, list[int]] = {}
        self.names: dict[int, str] = {}
        self.merged: dict[int, int] = {}
        self.user = UserFactory()
        self.circle = evenings.new_circle(self.user)
        self.start(0, 0)
        self.start(2, 3)

    @rule(game=places, first=places)
    def start(self, game: int, first: int) -> None:
        if Evening.objects.filter(circle=self.circle).count() == 6:
            return
        key = list(GAMES)[game % len(GAMES)]
        count = GAMES[key].seat_counts[first % len(GAMES[key].seat_counts)]
        names = [NAMES[(first + place) % len(NAMES)] for place in range(count)]
        known = {name: self.person(row) for row, name in self.names.items()}
        if len({known.get(name, name) for name in names}) < len(names):
            return
        opening = evenings.Opening(names, 0, None if first % 2 else 10, "" if first % 2 else "HUF", key)
        evening = evenings.start(opening, token=uuid4(), by=self.user, circle=self.circle)
        rows = {player.name: player.pk for player in self.circle.players.all()}
        self.names |= {rows[name]: name for name in names}
        self.sat[evening.pk] = [rows[name] for name in names]

    def person(self, row: int) -> int:
        return self.merged.get(row, row)

    def evening(self, place: int) -> Evening:
        found = list(Evening.objects.filter(circle=self.circle).order_by("pk"))
        return found[place % len(found)]

    def drawn(self, evening: Evening, dealer: int, seed: int) -> Facts:
        chance = Random(seed)  # noqa: S311  cards, not keys
        declarer, deal = evening.game.likely(chance, evening.sitting, dealer, evening.house)
        return Facts(dealer, declarer, evening.game.deal_to_text(deal), evening.game.is_agreed(deal))

    @rule(place=places, seed=seeds)
    def record(self, place: int, seed: int) -> None:
        evening = self.evening(place)
        dealer = turn(evening).dealer
        what = Facts(dealer) if seed % 11 == 0 else self.drawn(evening, dealer, seed)
        with suppress(EveningEnded, GameError):
            ledger.record(evening.pk, token=uuid4(), number=evening.last_number + 1, facts=what, by=self.user)

    @rule(place=places, hand=places, seed=seeds)
    def amend(self, place: int, hand: int, seed: int) -> None:
        evening = self.evening(place)
        if evening.last_number:
            number = hand % evening.last_number + 1
            dealer = evening.hands.get(number=number).dealer
            with suppress(EveningEnded, GameError):
                ledger.amend(evening.pk, number, facts=self.drawn(evening, dealer, seed), by=self.user)

    @rule(place=places, hand=places, is_void=st.booleans())
    def void_or_restore(self, place: int, hand: int, is_void: bool) -> None:
        evening = self.evening(place)
        if evening.last_number:
            with suppress(EveningEnded):
                (ledger.void if is_void else ledger.restore)(evening.pk, hand % evening.last_number + 1, by=self.user)

    @rule(place=places, name=st.sampled_from(NAMES), seat=places)
    def sit_down_late(self, place: int, name: str, seat: int) -> None:
        """Come or come back after the first hand: before it, there are no columns yet."""
        evening = self.evening(place)
        if evening.last_number:
            after = evening.sitting[seat % len(evening.sitting)]
            with suppress(LineupRefused):
                taken = evening_edit.join_lineup(evening.pk, name, after, seen=evening.seating, by=self.user)
                row, sat = taken.sat_as_id or taken.player_id, self.sat[evening.pk]
                self.names.setdefault(row, name)
                self.sat[evening.pk] = [*sat[: taken.position], row, *sat[taken.position + 1 :]]

    @rule(place=places, seat=places)
    def go_home(self, place: int, seat: int) -> None:
        evening = self.evening(place)
        if evening.last_number:
            with suppress(LineupRefused):
                evening_edit.leave_lineup(evening.pk, evening.sitting[seat % len(evening.sitting)], by=self.user)

    @rule(place=places)
    def end(self, place: int) -> None:
        evenings.end(self.evening(place).pk)

    @rule(place=places)
    def reopen(self, place: int) -> None:
        evenings.reopen(self.evening(place).pk)

    def player(self, place: int) -> Player:
        found = list(self.circle.players.order_by("pk"))
        return found[place % len(found)]

    @rule(one=places, other=places)
    def merge(self, one: int, other: int) -> None:
        into, name = self.player(one).pk, self.player(other).pk
        met = any({into, name} <= {self.person(row) for row in rows} for rows in self.sat.values())
        is_free = not {into, name} & self.merged.keys() and name not in self.merged.values()
        may = self.merged.get(name) == into or (into != name and not met and is_free)
        with nullcontext() if may else pytest.raises(MergeRefused):
            players.merge(self.circle.pk, into, name, by=self.user)
            self.merged[name] = into

    @rule(place=places)
    def unmerge(self, place: int) -> None:
        player = self.player(place).pk
        players.unmerge(self.circle.pk, player, by=self.user)
        self.merged.pop(player, None)

    @rule(place=places)
    def rename(self, place: int) -> None:
        player = self.player(place)
        other = player.name.removesuffix(" II") if player.name.endswith(" II") else f"{player.name} II"
        taken = other in self.names.values()
        with pytest.raises(PlayerNameTaken) if taken else nullcontext():
            players.rename(self.circle.pk, player.pk, other, by=self.user)
            self.names[player.pk] = other

    @invariant()
    def readers_agree(self) -> None:
        """Recount evenings by the names that sat down there, and by whose these are."""
        found = facts(circle=self.circle)
        for evening in found:
            evening["seats"] = dict(enumerate(self.sat[evening["id"]]))
        recounted = recount(found, same=self.merged)
        self.statistics_agree(recounted)
        self.leaderboards_agree(recounted)
        self.lists_agree({evening["id"]: recount([evening], same=self.merged) for evening in found})

    def statistics_agree(self, recounted: Recount) -> None:
        found = statistics(self.circle, Period())
        assert_agree(found, recounted)
        people = {row: name for row, name in self.names.items() if row not in self.merged}
        assert {person.pk: person.name for person in found.people.values()} == people
        ended = Evening.objects.exclude(ended_at=None).values_list("pk", flat=True)
        assert sorted(EveningRollup.objects.values_list("evening", flat=True)) == sorted(ended)

    def leaderboards_agree(self, recounted: Recount) -> None:
        boards = leaderboards(self.circle)
        points = {Figure(board.key, "points", row.player): row for board in boards.games for row in board.rows}
        money = {Figure(ALL, "money", row.player, board.key): row for board in boards.money for row in board.rows}
        assert {figure: (row.value, row.evenings) for figure, row in (points | money).items()} == {
            figure: counted
            for figure, counted in recounted.figures.items()
            if any(counted) and (figure.measure == "points" or (figure.game, figure.measure) == (ALL, "money"))
        }

    def lists_agree(self, alone: dict[int, Recount]) -> None:
        rows = list(Evening.objects.filter(circle=self.circle).order_by("-started_at", "-pk"))
        people = {evening: [self.person(row) for row in sat] for evening, sat in self.sat.items()}
        for state in State:
            wanted = [row.pk for row in rows if state == State.ALL or row.has_ended == (state == State.ENDED)]
            assert self.listed(Filter(state=state)) == wanted
        for row, name in self.names.items():
            assert self.listed(Filter(player=row, state=State.ALL)) == [
                evening.pk for evening in rows if row in people[evening.pk]
            ]
            # A word is found anywhere: 'anna' also in 'Anna K.'.
            word = without_accents(name).split()[0]
            assert self.listed(Filter((word,), state=State.ALL)) == [
                evening.pk
                for evening in rows
                if any(word in without_accents(self.names[person]) for person in people[evening.pk])
            ]
        for card in lists.find(circles_of(self.user), Filter(state=State.ALL)).cards:
            assert [(seat.name, seat.balance) for seat in card.seats] == [
                (self.names[person], alone[card.id][Figure(card.game_key, "points", person)].value)
                for person in people[card.id]
            ]

    def listed(self, wanted: Filter) -> list[int]:
        page = lists.find(circles_of(self.user), wanted)
        assert page.count == len(page.cards)
        return [card.id for card in page.cards]

    def teardown(self) -> Any:
        assert faults() == []


@pytest.mark.django_db
def test_statistics_and_recount_always_agree() -> None:
    run_state_machine_as_test(StatisticsMachine, settings=settings(heavy(), stateful_step_count=20))
