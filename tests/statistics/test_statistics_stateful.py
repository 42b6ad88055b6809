"""Stateful test: statistics and roll-ups against the recount, whatever is done to the evenings and the names."""

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
from sessions_app.errors import EveningEnded, MergeRefused, PlayerNameTaken
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, EveningRollup, Player
from sessions_app.periods import Period
from sessions_app.readers.next_deal import turn
from sessions_app.readers.statistics import statistics
from sessions_app.writers import evenings, ledger, players
from tests.factories import UserFactory
from tests.ledger.books import assert_verified
from tests.selection import heavy
from tests.statistics.reading import facts
from tests.statistics.recount import recount
from tests.statistics.test_statistics import assert_agree, with_hands_of_all

NAMES = ("Anna", "Béla", "Cili", "Dóra", "Ede", "Anna K.", "Bela")
places, seeds = st.integers(0, 20), st.integers(0, 10_000)


class StatisticsMachine(RuleBasedStateMachine):
    """Each rule does something at the circle's tables; evenings, hands and players are drawn as places, taken round."""

    @initialize()
    def sit_down(self) -> None:
        self.user = UserFactory()
        self.circle = evenings.new_circle(self.user)
        self.start(0, 0)
        self.start(2, 3)

    @rule(game=places, first=places)
    def start(self, game: int, first: int) -> None:
        if Evening.objects.filter(circle=self.circle).count() == 6:
            return
        key = list(GAMES)[game % len(GAMES)]
        count = min(GAMES[key].seat_counts)
        names = [NAMES[(first + place) % len(NAMES)] for place in range(count)]
        sat = {player.name: player.merged_into_id or player.pk for player in self.circle.players.all()}
        if len({sat.get(name, name) for name in names}) < len(names):
            return
        opening = evenings.Opening(names, 0, None if first % 2 else 10, "" if first % 2 else "HUF", key)
        evenings.start(opening, token=uuid4(), by=self.user, circle=self.circle)

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
        with suppress(MergeRefused):
            players.merge(self.circle.pk, self.player(one).pk, self.player(other).pk, by=self.user)

    @rule(place=places)
    def unmerge(self, place: int) -> None:
        players.unmerge(self.circle.pk, self.player(place).pk, by=self.user)

    @rule(place=places)
    def rename(self, place: int) -> None:
        player = self.player(place)
        other = player.name.removesuffix(" II") if player.name.endswith(" II") else f"{player.name} II"
        taken = self.circle.players.filter(name=other).exists()
        with pytest.raises(PlayerNameTaken) if taken else nullcontext():
            players.rename(self.circle.pk, player.pk, other, by=self.user)

    @invariant()
    def agree(self) -> None:
        found = statistics(self.circle, Period())
        assert_agree(found, with_hands_of_all(recount(facts(circle=self.circle))))
        names = dict(Player.objects.filter(circle=self.circle, merged_into=None).values_list("pk", "name"))
        assert {person.pk: person.name for person in found.people.values()} == names
        ended = Evening.objects.exclude(ended_at=None).values_list("pk", flat=True)
        assert sorted(EveningRollup.objects.values_list("evening", flat=True)) == sorted(ended)

    def teardown(self) -> Any:
        assert_verified()


@pytest.mark.django_db
def test_statistics_and_recount_always_agree() -> None:
    run_state_machine_as_test(StatisticsMachine, settings=settings(heavy(), stateful_step_count=25))
