"""An evening as its pages read it: the sheet, seats and settlement, the next deal, and entries with their history."""

from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal

import pytest

from scorekeeper.games import preference
from scorekeeper.games.asszorti import BOOK, deal_from_text
from scorekeeper.games.base import Sheet
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.readers.evening import hand_history, recount, seating, sheets
from sessions_app.readers.evening.seating import sums_of
from sessions_app.readers.evening.sheets import MOST_WRITTEN, HandWritten, Written, written
from sessions_app.readers.money import settling
from sessions_app.writers import ledger
from tests.factories import begun, evening_of, record, record_all, strike_out
from tests.ledger.books import NAMES, as_it_is, grow


def test_a_line_of_the_sheet_says_all_of_its_hand(three_hands: Evening) -> None:
    line = sheets.sheet(three_hands, NAMES).rows[1]
    assert line == sheets.HandRow(
        game_key="asszorti",
        number=2,
        kind="played",
        dealer="Béla",
        declarer="Cili",
        text="1N 5",
        deal=deal_from_text("1N 5"),
        rules=BOOK,
        amounts=(12, 12, -24),
        deal_stays=False,
        is_void=False,
        is_amended=False,
        players=("Cili", "Anna", "Béla"),
        written=((("paid", 2, 0), 12), (("paid", 2, 1), 12)),
        totals=(6, 24, -30),
    )
    assert line.amounts_text == "12 12 -24"
    counted = recount.count_of(three_hands, three_hands.hands.get(number=2), 3)
    assert counted is not None
    assert (counted.points, counted.amounts) == (-12, line.amounts)


@pytest.mark.parametrize(("seconds", "is_undone"), [(120, True), (121, False), (-1, True), (-121, False)])
def test_a_hand_made_void_within_two_minutes_was_undone(
    three_hands: Evening, owner: User, seconds: int, is_undone: bool
) -> None:
    """A clock may have been set back in between."""
    recorded_at = three_hands.hands.get(number=2).recorded_at
    ledger.amend(three_hands.pk, 2, facts=Facts(1, 2, "1N 7"), by=owner)
    ledger.void(three_hands.pk, 2, by=owner, at=recorded_at + timedelta(seconds=seconds))
    assert [line.is_undone for line in sheets.sheet(three_hands, NAMES).rows] == [False, is_undone, False]
    ledger.restore(three_hands.pk, 2, by=owner)
    assert not any(line.is_undone for line in sheets.sheet(three_hands, NAMES).rows)
    later = timedelta(minutes=3)
    ledger.void(three_hands.pk, 2, by=owner, at=recorded_at + later)
    assert not any(line.is_undone for line in sheets.sheet(three_hands, NAMES).rows), "the last time counts"


def test_seat_that_sat_out_has_no_amount_and_one_that_won_nothing_has_nought(
    evening_of_four: Evening, owner: User
) -> None:
    record(evening_of_four, owner, "2H 7", dealer=0)
    record(evening_of_four, owner, "2H 6-5-0", dealer=1)
    lines = sheets.sheet(as_it_is(evening_of_four), [*NAMES, "Dóra"]).rows
    assert [line.amounts for line in lines] == [(0, None, 0, 0), (None, 12, -6, -6)]


def test_a_sheet_is_paged_from_the_latest_and_empty_before_the_first_hand(evening: Evening, owner: User) -> None:
    for hands, pages in (
        (0, [[]]),
        (12, [[*range(12, 0, -1)]]),
        (25, [[*range(25, 13, -1)], [*range(13, 1, -1)], [1]]),
    ):
        grow(evening, owner, hands)
        found, before = [], None
        while not found or before is not None:
            sheet = sheets.sheet(evening, NAMES, before)
            found.append([line.number for line in sheet.rows])
            before = sheet.earlier
        assert found == pages
    for before in (1, 0, -5):
        assert sheets.sheet(evening, NAMES, before) == sheets.Sheet((), None)


def test_running_totals_end_in_the_balances_and_leave_void_hands_out(three_hands: Evening, owner: User) -> None:
    ledger.void(three_hands.pk, 2, by=owner)
    three_hands.refresh_from_db()
    balances = tuple(seat.balance for seat in seating.seats_of(three_hands))
    third, second, first = sheets.sheet(three_hands, NAMES).rows
    assert third.totals == balances
    assert second.totals == first.totals == first.amounts
    assert third.totals == tuple(a + b for a, b in zip(first.amounts, third.amounts, strict=True))
    # The same on an earlier page, of which the later hands are not read.
    assert sheets.sheet(three_hands, NAMES, 3).rows == (second, first)


def test_seats_and_settlement_show_balances_money_and_payments_in_two_ways(three_hands: Evening, owner: User) -> None:
    settlement = settling.settlement(as_it_is(three_hands))
    assert settlement.seats == seating.seats_of(as_it_is(three_hands))
    assert [(seat.position, seat.name, seat.balance, seat.money) for seat in settlement.seats] == [
        (0, "Anna", 10, Decimal(100)),
        (1, "Béla", 22, Decimal(220)),
        (2, "Cili", -32, Decimal(-320)),
    ]
    assert (settlement.currency, settlement.per_point) == ("HUF", Decimal(10))
    pairs = [
        (view.payer.position, view.payee.position, view.points, view.coins, view.paid, view.received)
        for view in settlement.pairwise
    ]
    # The last two are (points, hands) that the two have paid each other.
    assert pairs == [(0, 1, 4, 40, (6, 1), (2, 1)), (2, 0, 14, 140, (14, 2), (0, 0)), (2, 1, 18, 180, (18, 2), (0, 0))]
    fewest = [(payer.position, payee.position, units) for payer, payee, units in settlement.fewest(1)]
    assert fewest == [(2, 0, 100), (2, 1, 220)]
    ledger.void(three_hands.pk, 2, by=owner)
    assert [seat.balance for seat in seating.seats_of(as_it_is(three_hands))] == [-2, 10, -8]


@pytest.mark.parametrize(
    ("seats", "dealer", "speaks_first", "leaders"),
    [
        (3, 2, 0, ((0, 2), (1, 0), (2, 1))),
        (4, 0, 1, ((1, 3), (2, 1), (3, 2))),
        (4, 2, 3, ((0, 3), (1, 0), (3, 1))),
    ],
)
def test_first_turn_is_as_opened_and_says_who_speaks_first_and_who_leads_to_whom(
    owner: User, seats: int, dealer: int, speaks_first: int, leaders: tuple[tuple[int, int], ...]
) -> None:
    evening = evening_of(owner, [*NAMES, "Dóra"][:seats], dealer)
    assert seating.turn(evening) == seating.Turn(1, dealer, speaks_first, leaders)


def test_void_hands_and_agreed_entries_never_move_the_deal(owner: User) -> None:
    """Anna dealt, a penalty was agreed on; then it was Béla who had dealt, and then nobody had."""
    evening = begun(owner, "preference")
    record_all(evening, owner, Facts(0, 1, "6S pp"), Facts(1, None, "= D1+5", deal_stays=True))
    assert seating.turn(as_it_is(evening)).dealer == 1
    ledger.amend(evening.pk, 1, facts=Facts(1, 2, "6S pp"), by=owner)
    assert seating.turn(as_it_is(evening)).dealer == 2
    ledger.void(evening.pk, 1, by=owner)
    assert seating.turn(as_it_is(evening)).dealer == 0


#: Two raspasovkas in a row, of which the second is dearer, and a game: each with its entries.
HANDS = (
    (Facts(2, None, "R 4-4-2"), "D0+4 D1+4 D2+2"),
    (Facts(0, None, "R 0-3-7"), "D0+14 D2+6"),
    (Facts(1, 2, "7D pw 8"), "P2+4 B1>2+8"),
)


@pytest.fixture
def pulka(owner: User) -> Evening:
    evening = begun(owner, "preference", first_dealer=2)
    record_all(evening, owner, *(facts for facts, _writes in HANDS))
    return evening


def of(text: str) -> Sheet:
    return preference.sheet_from_text(text)


def read(evening: Evening) -> Written:
    return written(as_it_is(evening))


def test_each_hand_says_what_it_writes_the_oldest_first(pulka: Evening) -> None:
    found = read(pulka)
    assert [hand.number for hand in found.hands] == [1, 2, 3]
    assert [hand.amounts for hand in found.hands] == [of(writes) for _facts, writes in HANDS]
    assert {(hand.is_void, hand.was, hand.changed) for hand in found.hands} == {(False, None, 0)}
    assert [hand.recorded for hand in found.hands] == [2, 3, 4]
    assert (found.before, found.standing) == ({}, "P0,0,4")


def test_amended_hand_says_what_it_had_written_before_its_latest_change(pulka: Evening, owner: User) -> None:
    record_all(pulka, owner, Facts(2, 0, "8H wp 7"))
    assert read(pulka).hands[-1].amounts == of("D0+6 B1>0+24 B2>0+6"), "Béla's tricks and consolation are two entries"
    record_all(pulka, owner, Facts(2, deal_stays=True))
    assert [hand.number for hand in read(pulka).hands] == [1, 2, 3, 4], "nothing is written for a deal thrown in"
    written_first = of("P2+4 B1>2+8")
    for deal, now, was in (
        ("7H pw 8", written_first, None),
        ("7D pw 9", of("P2+4 B2>1+4"), written_first),
        ("7D ph", of("P2+4 B1>2+4"), of("P2+4 B2>1+4")),
    ):
        ledger.amend(pulka.pk, 3, facts=Facts(1, 2, deal), by=owner)
        hand = read(pulka).hands[2]
        assert (hand.amounts, hand.was) == (now, was)
    ledger.amend(pulka.pk, 3, facts=Facts(1, deal_stays=True), by=owner)
    assert read(pulka).hands[2] == HandWritten(3, False, {}, of("P2+4 B1>2+4"), 4, 10)


def test_a_void_hand_keeps_its_entries_and_what_it_changes_says_what_that_had_written(
    pulka: Evening, owner: User
) -> None:
    strike_out(pulka, 1, owner)
    void, recounted, untouched = read(pulka).hands
    assert void == HandWritten(1, True, of("D0+4 D1+4 D2+2"), of("D0+4 D1+4 D2+2"), 2, 5)
    assert recounted == HandWritten(2, False, of("D0+7 D2+3"), of("D0+14 D2+6"), 3, 5)
    assert (untouched.changed, untouched.was) == (0, None)
    ledger.restore(pulka.pk, 1, by=owner)
    restored, again, _untouched = read(pulka).hands
    assert restored == HandWritten(1, False, of("D0+4 D1+4 D2+2"), None, 2, 6)
    assert again == HandWritten(2, False, of("D0+14 D2+6"), None, 3, 6), "it was a slip"


def test_a_hand_undone_is_not_among_them_until_it_is_restored(pulka: Evening, owner: User) -> None:
    ledger.void(pulka.pk, 3, by=owner)
    assert [hand.number for hand in read(pulka).hands] == [1, 2]
    ledger.amend(pulka.pk, 3, facts=Facts(1, 2, "7D ph"), by=owner)
    assert read(pulka).hands[-1].was is None, "a void hand that is corrected counts as little as before"
    ledger.restore(pulka.pk, 3, by=owner)
    assert [hand.number for hand in read(pulka).hands] == [1, 2, 3]


@pytest.mark.parametrize("hands", [MOST_WRITTEN, MOST_WRITTEN + 1])
def test_hands_before_the_newest_are_in_the_sheet_they_began_from(evening: Evening, owner: User, hands: int) -> None:
    grow(evening, owner, hands)
    strike_out(evening, hands - 5, owner)
    found = read(evening)
    assert [hand.number for hand in found.hands] == [*range(max(1, hands - MOST_WRITTEN + 1), hands + 1)]
    sums = dict(found.before)
    for hand in found.hands:
        for account, amount in hand.counted.items():
            sums[account] = sums.get(account, 0) + amount
    assert sums == sums_of(as_it_is(evening))
    assert bool(found.before) == (hands > MOST_WRITTEN)


def test_a_history_tells_of_an_agreed_entry_that_was_a_hand(owner: User) -> None:
    """The facts that are kept there do not name the kind."""
    evening = begun(owner, "preference")
    record_all(evening, owner, Facts(0, None, "R 4-3-3"))
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "= D1+5", deal_stays=True), by=owner)
    hand = evening.hands.get()
    amended, recorded = hand_history.history_of(evening, hand, NAMES, {}, owner).entries
    assert (recorded.after.kind, amended.before, amended.after.kind) == ("played", recorded.after, "agreed")
    assert (hand.kind, {*hand.revisions.get(number=2).after["facts"]}) == ("agreed", {*asdict(Facts(0))})
