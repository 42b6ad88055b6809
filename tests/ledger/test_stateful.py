"""Stateful test: the ledger against an independent model in memory."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from scorekeeper.games.asszorti import Deal, deal_to_text, score
from sessions_app.errors import EveningEnded, LineupRefused, NumberTaken, TokenSpent
from sessions_app.hand_facts import Facts
from sessions_app.models import Hand, Revision
from sessions_app.readers.evening import seating
from sessions_app.readers.evening.seating import seats_of
from sessions_app.writers import evening_edit, evenings, ledger
from tests.factories import UserFactory, evening_of
from tests.ledger.books import faults, pair_totals
from tests.selection import heavy
from tests.strategies import deals

NAMES = ("Anna", "Béla", "Cili", "Dóra", "Edit", "Feri")
places = st.integers(0, 11)


@dataclass(frozen=True)
class Dealt:
    """The facts of a hand as the model keeps them."""

    dealer: int
    declarer: int | None = None
    deal: Deal | None = None
    stays: bool = False

    @property
    def facts(self) -> Facts:
        return Facts(self.dealer, self.declarer, deal_to_text(self.deal) if self.deal else "", self.stays)


@dataclass
class Entry:
    """A hand as the model keeps it: its seats, its first facts, and all its later ones."""

    token: UUID
    sat: list[int]
    first: Dealt
    now: Dealt
    is_void: bool = False
    history: list[str] = field(default_factory=lambda: ["record"])


class Table:
    """The evening as three or four people would keep it with a pencil, and the players who come or go."""

    def __init__(self, seats: int, first_dealer: int) -> None:
        self.people = list(NAMES[:seats])
        self.sitting = list(range(seats))
        self.first_dealer = first_dealer
        self.hands: list[Entry] = []
        self.ended = False
        self.version = 1

    def dealt(self, sat: list[int], dealer: int, place: int, deal: Deal) -> Dealt:
        players = playing(sat, dealer)
        return Dealt(dealer, players[place % len(players)], deal)

    def paid(self) -> list[tuple[int, int, int]]:
        payments = []
        for entry in self.played():
            hand = entry.now
            points = score(hand.deal).points
            for other in set(playing(entry.sat, hand.dealer)) - {hand.declarer}:
                if points > 0:
                    payments.append((other, hand.declarer, points))
                if points < 0:
                    payments.append((hand.declarer, other, -points))
        return payments

    def played(self) -> list[Entry]:
        return [hand for hand in self.hands if not hand.is_void and hand.now.deal]

    def balances(self) -> list[int]:
        paid = self.paid()
        return [
            sum(points for _payer, payee, points in paid if payee == seat)
            - sum(points for payer, _payee, points in paid if payer == seat)
            for seat in range(len(self.people))
        ]

    def pairs(self) -> dict[tuple[int, int], tuple[int, int]]:
        points: Counter[tuple[int, int]] = Counter()
        hands: Counter[tuple[int, int]] = Counter()
        for payer, payee, amount in self.paid():
            points[payer, payee] += amount
            hands[payer, payee] += 1
        return {pair: (points[pair], hands[pair]) for pair in points}

    def next_dealer(self) -> int:
        standing = [hand for hand in self.hands if not hand.is_void]
        if not standing:
            return self.first_dealer
        last = standing[-1]
        turn = from_place(last.sat, last.sat.index(last.now.dealer) + (not last.now.stays))
        return next((seat for seat in turn if seat in self.sitting), self.sitting[0])

    def sits_down(self, name: str, place: int) -> None:
        if name not in self.people:
            self.people.append(name)
        self.sitting.insert(place + 1, self.people.index(name))
        self.changed()

    def goes_home(self, place: int) -> None:
        seat = self.sitting[place]
        if seat == self.first_dealer:
            self.first_dealer = from_place(self.sitting, place + 1)[0]
        self.sitting.remove(seat)
        self.changed()

    def changed(self) -> None:
        """Before the first hand there are no columns yet: the people are just who sits there."""
        self.version += 1
        if not self.hands:
            self.people, self.first_dealer, self.sitting = (
                [self.people[seat] for seat in self.sitting],
                self.sitting.index(self.first_dealer),
                list(range(len(self.sitting))),
            )


def from_place(sat: list[int], place: int) -> list[int]:
    """The seats of the hand, clockwise from a place on."""
    at = place % len(sat)
    return [*sat[at:], *sat[:at]]


def playing(sat: list[int], dealer: int) -> list[int]:
    return sorted(seat for seat in sat if len(sat) == 3 or seat != dealer)


def has_hands(machine: "LedgerMachine") -> bool:
    return bool(machine.model.hands)


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Refused for this reason; '' if for none."""
    if code:
        with pytest.raises(LineupRefused, match=f"^{code}$"):
            yield
    else:
        yield


class LedgerMachine(RuleBasedStateMachine):
    """Each rule asks the ledger and writes the model. Dealers, players and hands are drawn as places, taken round."""

    @initialize(seats=st.sampled_from([3, 4]), place=places)
    def sit_down(self, seats: int, place: int) -> None:
        self.user = UserFactory()
        self.model = Table(seats, place % seats)
        self.evening = evening_of(self.user, NAMES[:seats], first_dealer=place % seats)

    def any_hand(self, place: int) -> tuple[int, Entry]:
        index = place % len(self.model.hands)
        return index + 1, self.model.hands[index]

    @contextmanager
    def refused_if_ended(self) -> Iterator[None]:
        if self.model.ended:
            with pytest.raises(EveningEnded):
                yield
        else:
            yield

    def write(self, dealt: Dealt) -> None:
        number, token = len(self.model.hands) + 1, uuid4()
        with self.refused_if_ended():
            hand = ledger.record(self.evening.pk, token=token, number=number, facts=dealt.facts, by=self.user)
            assert hand.number == number
            self.model.hands.append(Entry(token, list(self.model.sitting), dealt, dealt))
            self.model.version += 1

    def rewrite(self, number: int, entry: Entry, dealt: Dealt) -> None:
        with self.refused_if_ended():
            ledger.amend(self.evening.pk, number, facts=dealt.facts, by=self.user, seen=len(entry.history))
            if dealt != entry.now:
                entry.now = dealt
                entry.history.append("amend")
                self.model.version += 1

    @rule(place=places, deal=deals())
    def record(self, place: int, deal: Deal) -> None:
        self.write(self.model.dealt(self.model.sitting, self.model.next_dealer(), place, deal))

    @rule(dealer=places, place=places, deal=deals())
    def record_out_of_turn(self, dealer: int, place: int, deal: Deal) -> None:
        sitting = self.model.sitting
        self.write(self.model.dealt(sitting, sitting[dealer % len(sitting)], place, deal))

    @rule(stays=st.booleans())
    def throw_in(self, stays: bool) -> None:
        self.write(Dealt(self.model.next_dealer(), stays=stays))

    @precondition(has_hands)
    @rule(place=places, number=st.integers(0, 30))
    def send_again(self, place: int, number: int) -> None:
        found, entry = self.any_hand(place)
        again = ledger.record(self.evening.pk, token=entry.token, number=number, facts=entry.first.facts, by=self.user)
        assert (again.number, again.deal) == (found, entry.now.facts.deal)

    @precondition(has_hands)
    @rule(place=places, dealer=places, deal=deals())
    def send_other_facts(self, place: int, dealer: int, deal: Deal) -> None:
        number, entry = self.any_hand(place)
        dealt = self.model.dealt(entry.sat, entry.sat[dealer % len(entry.sat)], place, deal)
        if dealt != entry.first:
            with pytest.raises(TokenSpent) as refusal:
                ledger.record(self.evening.pk, token=entry.token, number=number, facts=dealt.facts, by=self.user)
            assert refusal.value.hand.number == number

    @rule(off=st.integers(-3, 3).filter(bool), deal=deals())
    def record_under_a_wrong_number(self, off: int, deal: Deal) -> None:
        next_number = len(self.model.hands) + 1
        facts = self.model.dealt(self.model.sitting, self.model.sitting[0], 0, deal).facts
        with pytest.raises(EveningEnded if self.model.ended else NumberTaken) as refusal:
            ledger.record(self.evening.pk, token=uuid4(), number=next_number + off, facts=facts, by=self.user)
        assert self.model.ended or refusal.value.next_number == next_number

    @precondition(has_hands)
    @rule(place=places, dealer=places, declarer=places, deal=deals())
    def amend(self, place: int, dealer: int, declarer: int, deal: Deal) -> None:
        number, entry = self.any_hand(place)
        dealt = self.model.dealt(entry.sat, entry.sat[dealer % len(entry.sat)], declarer, deal)
        self.rewrite(number, entry, dealt)

    @precondition(has_hands)
    @rule(place=places, dealer=places, stays=st.booleans())
    def amend_to_thrown_in(self, place: int, dealer: int, stays: bool) -> None:
        number, entry = self.any_hand(place)
        self.rewrite(number, entry, Dealt(entry.sat[dealer % len(entry.sat)], stays=stays))

    @precondition(has_hands)
    @rule(place=places)
    def amend_back_to_what_it_was_first(self, place: int) -> None:
        number, entry = self.any_hand(place)
        self.rewrite(number, entry, entry.first)

    @precondition(has_hands)
    @rule(place=places, is_void=st.booleans())
    def void_or_restore(self, place: int, is_void: bool) -> None:
        number, entry = self.any_hand(place)
        with self.refused_if_ended():
            (ledger.void if is_void else ledger.restore)(self.evening.pk, number, by=self.user)
            if entry.is_void != is_void:
                entry.is_void = is_void
                entry.history.append("void" if is_void else "restore")
                self.model.version += 1

    @rule(name=st.sampled_from(NAMES), place=places)
    def sit_down_late(self, name: str, place: int) -> None:
        model, at = self.model, place % len(self.model.sitting)
        code = "ended" if model.ended else "too_many" if len(model.sitting) == 4 else ""
        if not code and name in model.people and model.people.index(name) in model.sitting:
            code = "sits_already"
        with refused(code):
            evening_edit.join_lineup(self.evening.pk, name, model.sitting[at], seen=self.seating(), by=self.user)
            model.sits_down(name, at)

    @rule(place=places)
    def go_home(self, place: int) -> None:
        model, at = self.model, place % len(self.model.sitting)
        with refused("ended" if model.ended else "too_few" if len(model.sitting) == 3 else ""):
            evening_edit.leave_lineup(self.evening.pk, model.sitting[at], seen=self.seating(), by=self.user)
            model.goes_home(at)

    def seating(self) -> int:
        self.evening.refresh_from_db()
        return self.evening.seating

    @rule()
    def end(self) -> None:
        evenings.end(self.evening.pk)
        self.model.version += not self.model.ended
        self.model.ended = True

    @rule()
    def reopen(self) -> None:
        evenings.reopen(self.evening.pk)
        self.model.version += self.model.ended
        self.model.ended = False

    @invariant()
    def agree(self) -> None:
        model, evening = self.model, self.evening
        evening.refresh_from_db()
        balances = [seat.balance for seat in seats_of(evening)]
        assert balances == model.balances()
        assert sum(balances) == 0
        assert pair_totals(evening) == model.pairs()
        assert evening.hand_count == len(model.played())
        assert evening.last_number == len(model.hands)
        assert evening.version == model.version
        assert evening.has_ended == model.ended
        assert list(evening.sitting) == model.sitting
        assert [seat.name for seat in seats_of(evening)] == model.people
        turn = seating.turn(evening)
        assert (turn.number, turn.dealer) == (len(model.hands) + 1, model.next_dealer())
        kept = Hand.objects.filter(evening=evening).values_list("number", "is_void", "revision_count")
        assert list(kept) == [
            (number, entry.is_void, len(entry.history)) for number, entry in enumerate(model.hands, start=1)
        ]
        actions = Revision.objects.filter(hand__evening=evening).values_list("hand__number", "action")
        assert list(actions.order_by("hand__number", "number")) == [
            (number, action) for number, entry in enumerate(model.hands, start=1) for action in entry.history
        ]

    def teardown(self) -> None:
        assert faults() == []


@pytest.mark.django_db
def test_the_ledger_and_the_model_always_agree() -> None:
    twice = settings(heavy(), max_examples=2 * heavy().max_examples, stateful_step_count=25)
    run_state_machine_as_test(LedgerMachine, settings=twice)
