from dataclasses import asdict
from datetime import UTC, datetime
from uuid import uuid4

from scorekeeper.games.asszorti import deal_from_text
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.readers.evening import hand_history
from sessions_app.writers import evenings, ledger
from tests.factories import UserFactory
from tests.ledger.reading import NAMES


def test_a_history_tells_the_latest_first_with_what_was_paid_before_and_after(
    three_hands: Evening, owner: User
) -> None:
    bela = UserFactory()
    when = datetime(2025, 1, 1, 21, tzinfo=UTC)
    ledger.amend(three_hands.pk, 1, facts=Facts(0, 1, "2H 5"), by=bela, at=when)
    ledger.void(three_hands.pk, 1, by=bela)
    hand = three_hands.hands.get(number=1)
    voided, amended, recorded = hand_history.of(three_hands, hand, NAMES, {}, bela).entries
    assert [entry.action for entry in (voided, amended, recorded)] == ["void", "amend", "record"]
    assert [entry.by_me for entry in (voided, amended, recorded)] == [True, True, False]
    assert amended.made_at == when
    assert recorded.before is None
    assert amended.before == recorded.after
    assert voided.before == amended.after
    assert recorded.after.amounts == (-6, 12, -6)
    assert amended.after.amounts == (4, -8, 4)
    assert (amended.after.is_void, voided.after.is_void) == (False, True)
    assert amended.after.deal == deal_from_text("2H 5")


def test_a_history_tells_of_a_hand_that_was_thrown_in(three_hands: Evening, owner: User) -> None:
    ledger.amend(three_hands.pk, 1, facts=Facts(2, deal_stays=True), by=owner)
    hand = three_hands.hands.get(number=1)
    amended, recorded = hand_history.of(three_hands, hand, NAMES, {}, owner).entries
    assert (amended.after.dealer, amended.after.deal, amended.after.deal_stays) == ("Cili", None, True)
    assert (recorded.after.kind, amended.after.kind) == (Hand.Kind.PLAYED, Hand.Kind.THROWN_IN)


def test_a_history_tells_of_an_agreed_entry_that_was_a_hand(owner: User) -> None:
    """The facts that are kept there do not name the kind."""
    evening = evenings.start(evenings.Opening(NAMES, 0, game_key="preference"), token=uuid4(), by=owner)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=Facts(0, None, "R 4-3-3"), by=owner)
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "= D1+5", deal_stays=True), by=owner)
    hand = evening.hands.get()
    amended, recorded = hand_history.of(evening, hand, NAMES, {}, owner).entries
    assert (recorded.after.kind, amended.before, amended.after.kind) == ("played", recorded.after, "agreed")
    assert (hand.kind, {*hand.revisions.get(number=2).after["facts"]}) == ("agreed", {*asdict(Facts(0))})
