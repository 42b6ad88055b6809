"""Names merged, taken apart, played under and renamed in any order: sums, names and verify agree with a paper model."""

from collections import Counter
from contextlib import suppress
from uuid import uuid4

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sessions_app.errors import MergeRefused, PlayerNameTaken, SamePerson
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Player
from sessions_app.readers.book.statistics import statistics
from sessions_app.readers.evening.seating import names_of, seats_of
from sessions_app.words.periods import Period
from sessions_app.writers import evenings, ledger, players
from tests.factories import UserFactory, record
from tests.ledger.test_merged_players import faults, points
from tests.machines import run_in_transactions

pytestmark = pytest.mark.django_db

NAMES = ("Anna", "Béla", "Bela", "Cili", "Dóra", "B.")


class Circles(RuleBasedStateMachine):
    """A circle, and beside it who sat where as people would remember it: names are labels of rows, not of persons."""

    @initialize()
    def begin(self) -> None:
        self.owner = UserFactory()
        self.sat: dict[int, list[str]] = {}
        self.labels = {name: name for name in NAMES}
        self.merged: dict[str, str] = {}
        self.start(["Anna", "Béla", "Cili"])
        self.circle = Circle.objects.get()

    def start(self, names: list[str]) -> None:
        evening = evenings.start(
            evenings.Opening([self.labels[name] for name in names], 0),
            token=uuid4(),
            by=self.owner,
            circle=Circle.objects.first(),
        )
        self.sat[evening.pk] = names

    def person(self, name: str) -> str:
        return self.merged.get(name, name)

    def row(self, name: str) -> Player | None:
        return Player.objects.filter(name=self.labels[name]).first()

    @rule(names=st.permutations(NAMES))
    def start_another(self, names: list[str]) -> None:
        chosen = ["Anna", *[name for name in names if name != "Anna"][:2]]
        if "Cili" not in chosen and "Béla" not in chosen:
            chosen[1] = "Cili" if chosen[2] != "Cili" else "Béla"
        with suppress(SamePerson):
            self.start(chosen)

    @rule(data=st.data(), declarer=st.integers(0, 2), deal=st.sampled_from(["2H 7", "3N 5", "1S 9"]))
    def record(self, data: st.DataObject, declarer: int, deal: str) -> None:
        evening = Evening.objects.get(pk=data.draw(st.sampled_from(sorted(self.sat))))
        if not evening.has_ended:
            record(evening, self.owner, deal, declarer=declarer)

    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        evening = Evening.objects.get(pk=data.draw(st.sampled_from(sorted(self.sat))))
        if evening.last_number and not evening.has_ended:
            ledger.void(evening.pk, evening.last_number, by=self.owner)

    @rule(data=st.data())
    def restore_or_amend(self, data: st.DataObject) -> None:
        evening = Evening.objects.get(pk=data.draw(st.sampled_from(sorted(self.sat))))
        if not evening.last_number or evening.has_ended:
            return
        hand = evening.hands.get(number=evening.last_number)
        if hand.is_void:
            ledger.restore(evening.pk, hand.number, by=self.owner)
        else:
            facts = Facts(hand.dealer, hand.declarer, "hC 8")
            ledger.amend(evening.pk, hand.number, facts=facts, by=self.owner)

    @rule(data=st.data())
    def end_or_reopen(self, data: st.DataObject) -> None:
        evening = Evening.objects.get(pk=data.draw(st.sampled_from(sorted(self.sat))))
        (evenings.reopen if evening.has_ended else evenings.end)(evening.pk)

    @rule(one=st.sampled_from(NAMES), other=st.sampled_from(NAMES))
    def merge(self, one: str, other: str) -> None:
        into, row = self.row(one), self.row(other)
        if into is None or row is None:
            return
        tables = [{self.person(name) for name in names} for names in self.sat.values()]
        met = any({one, other} <= table for table in tables)
        may = one != other and not met and not {one, other} & self.merged.keys() and other not in self.merged.values()
        if self.merged.get(other) == one:
            may = True
        try:
            players.merge(self.circle.pk, into.pk, row.pk, by=self.owner)
        except MergeRefused:
            assert not may
        else:
            assert may
            self.merged[other] = one

    @rule(name=st.sampled_from(NAMES))
    def unmerge(self, name: str) -> None:
        row = self.row(name)
        if row:
            players.unmerge(self.circle.pk, row.pk, by=self.owner)
            self.merged.pop(name, None)

    @rule(name=st.sampled_from(NAMES), label=st.sampled_from(["Berci", "Zsolt", "Gizi", "Lajos"]))
    def rename(self, name: str, label: str) -> None:
        row = self.row(name)
        if row is None:
            return
        with suppress(PlayerNameTaken):
            players.rename(self.circle.pk, row.pk, label, by=self.owner)
            self.labels[name] = label

    @invariant()
    def sums_agree(self) -> None:
        if not hasattr(self, "circle"):
            return
        expected: Counter[str] = Counter()
        for evening in Evening.objects.all():
            balances = [seat.balance for seat in seats_of(evening)]
            assert list(names_of(evening)) == [self.labels[self.person(name)] for name in self.sat[evening.pk]]
            for name, balance in zip(self.sat[evening.pk], balances, strict=True):
                expected[self.labels[self.person(name)]] += balance
        found = {name: value for name, (value, _evenings) in points(self.circle).items()}
        told = statistics(self.circle, Period())
        assert found == {
            person.name: told.figure("asszorti", person.pk, "points").value
            for person in told.people.values()
            if any(told.figure("asszorti", person.pk, "points"))
        }
        assert {name: value for name, value in found.items() if value} == {
            name: value for name, value in expected.items() if value
        }

    def teardown(self) -> None:
        if hasattr(self, "circle"):
            assert faults() == []


@pytest.mark.django_db
def test_sums_agree_in_whatever_order_things_happen() -> None:
    run_in_transactions(Circles, steps=25)
