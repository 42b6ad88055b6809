"""Players who come late or go home: the lineup of the next hands, the sheet of all, the history."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from scorekeeper.games import GAMES
from sessions_app.errors import LineupRefused, SeatsSwapped, StaleHand
from sessions_app.hand_facts import Facts, FormState, Seen
from sessions_app.models import Evening, EveningChange, Hand, HandInPlay, Member, Player, Seat, User
from sessions_app.readers.evening import hand_history, seating, sheets
from sessions_app.readers.evening.edit import shape_of
from sessions_app.writers import evening_edit, evenings, ledger
from tests import moves
from tests.factories import record
from tests.ledger.books import as_it_is, assert_verified, nothing_written

pytestmark = pytest.mark.django_db
NAMES = ("Anna", "Béla", "Cili")
FOUR = (*NAMES, "Dóra")


def joins(evening: Evening, owner: User, name: str, after: int) -> Seat:
    evening.refresh_from_db()
    return evening_edit.join_lineup(evening.pk, name, after, seen=evening.seating, by=owner)


def leaves(evening: Evening, owner: User, seat: int) -> None:
    evening_edit.leave_lineup(evening.pk, seat, by=owner)


def names(evening: Evening) -> list[str]:
    """The names at the table, clockwise."""
    evening.refresh_from_db()
    by_seat = dict(evening.seats.values_list("position", "player__name"))
    return [by_seat[seat] for seat in evening.sitting]


def refusal(write: Callable[[], object]) -> str:
    with nothing_written(), pytest.raises(LineupRefused) as refused:
        write()
    return refused.value.code


def test_sheet_and_seats_of_players_who_come_late_or_go_home(
    owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(evening, owner)
    known = Player.objects.create(circle=evening.circle, name="Dóra")
    seat = joins(evening, owner, "DÓRA", 1)
    assert (seat.position, seat.player_id) == (3, known.pk)
    assert (names(evening), evening.lineup) == (["Anna", "Béla", "Dóra", "Cili"], "0-1-3-2")
    record(evening, owner, dealer=1, declarer=3)
    # Béla dealt and sat out.
    assert list(evening.hands.values_list("lineup", flat=True)) == ["0-1-2", "0-1-3-2"]
    assert refusal(lambda: joins(evening, owner, "Edit", 4)) == "not_sitting"
    leaves(evening, owner, 1)
    lines = sheets.sheet(as_it_is(evening), FOUR).rows
    assert [line.amounts for line in lines] == [(-6, None, -6, 12), (-6, 12, -6, None)]
    seats = seating.seats_of(as_it_is(evening))
    assert [(seat.balance, seat.sits) for seat in seats] == [(-12, True), (12, False), (-12, True), (12, True)]
    assert_verified()
    monkeypatch.setattr(GAMES["asszorti"], "seats_may_change", False)
    assert refusal(lambda: joins(evening, owner, "Edit", 2)) == "seats_fixed"


def test_an_older_hand_is_corrected_by_its_own_lineup(owner: User, evening_of_four: Evening) -> None:
    evening = evening_of_four
    record(evening, owner)
    leaves(evening, owner, 0)
    record(evening, owner, dealer=1, declarer=1)
    joins(evening, owner, "Edit", 3)
    hand = ledger.amend(evening.pk, 1, facts=Facts(2, 0, "2H 7"), by=owner)
    assert (hand.lineup, Hand.objects.get(number=2).lineup) == ("0-1-2-3", "1-2-3")
    evening.refresh_from_db()
    lines = sheets.sheet(evening, [*FOUR, "Edit"]).rows
    assert [line.amounts for line in lines] == [(None, 12, -6, -6, None), (12, -6, None, -6, None)]
    history = hand_history.history_of(evening, hand, [*FOUR, "Edit"], {}, owner)
    assert history.entries[1].after.amounts == (None, 12, -6, -6, None)
    ledger.void(evening.pk, 1, by=owner)
    ledger.restore(evening.pk, 1, by=owner)
    assert_verified()


def test_a_hand_that_is_sent_again_is_known_though_its_dealer_has_gone_home(
    owner: User, evening_of_four: Evening
) -> None:
    hand = record(evening_of_four, owner, dealer=3, declarer=0)
    leaves(evening_of_four, owner, 3)
    with nothing_written():
        facts, next_number = Facts(3, 0, hand.deal), hand.number + 1
        again = ledger.record(evening_of_four.pk, token=hand.token, number=next_number, facts=facts, by=owner)
    assert again == hand
    with nothing_written(), pytest.raises(ValueError, match="seat 3 cannot deal"):
        ledger.record(evening_of_four.pk, token=uuid4(), number=next_number, facts=facts, by=owner)


def test_until_there_is_a_hand_the_seats_are_numbered_clockwise_anew_and_a_hand_in_play_is_laid(
    owner: User, evening: Evening
) -> None:
    joins(evening, owner, "Dóra", 0)
    with pytest.raises(StaleHand):
        moves.let_deal(evening.pk, 0, seen=Seen(1, 0), by=owner)
    assert not HandInPlay.objects.get().has_begun
    assert (names(evening), evening.lineup) == (["Anna", "Dóra", "Béla", "Cili"], "0-1-2-3")
    leaves(evening, owner, 0)
    assert (names(evening), evening.lineup) == (["Dóra", "Béla", "Cili"], "0-1-2")
    assert seating.turn(as_it_is(evening)).dealer == 0  # Anna was to deal first
    assert evening.seats.count() == 3
    # There still is an Anna only where she is known by more than this.
    assert not Player.objects.filter(name="Anna").exists()
    assert shape_of(evening).names == ("Dóra", "Béla", "Cili")
    Member.objects.update(player=Player.objects.get(name="Béla"))
    joins(evening, owner, "Edit", 0)
    leaves(evening, owner, 2)
    assert Player.objects.filter(name="Béla").exists(), "with a phone"
    record(evening, owner)
    joins(evening, owner, "Feri", 0)
    assert not HandInPlay.objects.exists(), "once there was a hand"


def test_lineup_change_is_in_the_history_and_outdates_open_forms(owner: User, evening: Evening) -> None:
    record(evening, owner)
    moves.let_deal(evening.pk, 2, seen=Seen(2, 0), by=owner)
    evening.refresh_from_db()
    before = evening.version, evening.seating
    joins(evening, owner, "Dóra", 2)
    evening.refresh_from_db()
    assert (evening.version, evening.seating) == (before[0] + 1, before[1] + 1)
    change = EveningChange.objects.get()
    assert (change.kind, change.made_by) == ("lineup", owner)
    assert (change.before, change.after) == ({"names": list(NAMES)}, {"names": list(FOUR)})
    with pytest.raises(SeatsSwapped):
        ledger.record(
            evening.pk,
            token=HandInPlay().token,
            number=2,
            facts=Facts(1, 2, "2H 7"),
            by=owner,
            form_state=FormState(seating=before[1]),
        )
    with pytest.raises(StaleHand):
        moves.let_deal(evening.pk, 0, seen=Seen(2, before[0]), by=owner)
    laid = HandInPlay.objects.get()
    assert (laid.number, laid.dealer, laid.has_begun, laid.version) == (2, 1, False, evening.version)
    assert refusal(lambda: evening_edit.join_lineup(evening.pk, "Edit", 0, seen=before[1], by=owner)) == "stale"
    assert refusal(lambda: evening_edit.leave_lineup(evening.pk, 0, seen=before[1], by=owner)) == "stale"


def test_joining_or_leaving_during_a_hand_or_after_the_end_is_refused(owner: User, evening_of_four: Evening) -> None:
    evening = evening_of_four
    moves.let_play(evening.pk, 1, seen=Seen(1, 0), by=owner)
    assert refusal(lambda: leaves(evening, owner, 0)) == "being_played"
    evening.refresh_from_db()
    moves.take_back(evening.pk, seen=Seen(1, evening.version))
    evenings.end(evening.pk)
    assert refusal(lambda: leaves(evening, owner, 0)) == "ended"
    evenings.reopen(evening.pk)
    leaves(evening, owner, 0)


def test_a_sheet_has_only_so_many_columns(owner: User, evening: Evening) -> None:
    record(evening, owner)
    for newcomer in range(3, evening_edit.MOST_SEATS):
        joins(evening, owner, f"P{newcomer}", evening.sitting[-1])
        leaves(evening, owner, evening.sitting[0])
        evening.refresh_from_db()
    assert refusal(lambda: joins(evening, owner, "One more", evening.sitting[0])) == "sheet_full"
    joins(evening, owner, "Anna", evening.sitting[0])
    assert_verified()


def test_returning_player_gets_the_former_seat_and_nobody_else_does(owner: User, evening_of_four: Evening) -> None:
    evening = evening_of_four
    known = Player.objects.create(circle=evening.circle, name="Edit")
    record(evening, owner)
    leaves(evening, owner, 3)
    seat = joins(evening, owner, "EDIT", 2)
    assert (seat.position, seat.player_id) == (4, known.pk)
    leaves(evening, owner, 4)
    assert joins(evening, owner, "dóra", 0).position == 3
    assert names(evening) == ["Anna", "Dóra", "Béla", "Cili"]
    assert list(evening.seats.values_list("position", "player__name")) == [*enumerate([*FOUR, "Edit"])]


def test_when_all_who_sat_at_the_last_hand_have_gone_somebody_deals(owner: User, evening: Evening) -> None:
    record(evening, owner)
    for newcomer in ("Dóra", "Edit", "Feri"):
        joins(evening, owner, newcomer, evening.sitting[-1])
        leaves(evening, owner, as_it_is(evening).sitting[0])
        evening.refresh_from_db()
    assert names(evening) == ["Dóra", "Edit", "Feri"]
    assert seating.turn(as_it_is(evening)).dealer == 3
