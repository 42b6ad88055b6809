from datetime import timedelta

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from scorekeeper.games.asszorti import BOOK, deal_from_text
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.readers.book import lists
from sessions_app.readers.evening import hand_counts, hand_history, seating, sheets
from sessions_app.readers.people.circles import circles_of, evening_circles
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, record
from tests.ledger.reading import NAMES, as_it_is, grow


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
    counted = hand_counts.count_of(three_hands, three_hands.hands.get(number=2), 3)
    assert counted is not None
    assert (counted.points, counted.amounts) == (-12, line.amounts)


def test_a_line_shows_a_void_a_correction_and_a_deal_that_was_thrown_in(three_hands: Evening, owner: User) -> None:
    ledger.void(three_hands.pk, 1, by=owner)
    ledger.amend(three_hands.pk, 2, facts=Facts(0, deal_stays=True), by=owner)
    third, second, first = sheets.sheet(three_hands, NAMES).rows
    assert (first.is_void, first.is_amended, first.amounts) == (True, False, (-6, 12, -6))
    assert (second.declarer, second.deal, second.text, second.amounts) == ("", None, "", (0, 0, 0))
    assert (second.dealer, second.deal_stays, second.is_amended) == ("Anna", True, True)
    assert (third.is_void, third.is_amended) == (False, False)


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


@pytest.mark.parametrize("corrections", [3, 60])
def test_a_page_of_a_history_is_one_query_whatever_its_length(
    three_hands: Evening, owner: User, django_assert_num_queries: DjangoAssertNumQueries, corrections: int
) -> None:
    for n in range(corrections):
        ledger.amend(three_hands.pk, 1, facts=Facts(0, n % 3, "2H 8"), by=owner)
    hand = three_hands.hands.get(number=1)
    with django_assert_num_queries(1):
        history = hand_history.history_of(three_hands, hand, NAMES, {}, owner)
    assert len(history.entries) == min(corrections + 1, hand_history.ENTRIES_PER_PAGE)


@pytest.mark.parametrize("count", [1, 12])
def test_lists_ask_as_often_for_many_evenings(
    owner: User, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    for _ in range(count):
        evenings.end(evening_of(owner).pk)
        evening_of(owner)
    for read, number in (
        (lists.running, 2),
        (lambda owner: lists.latest(circles_of(owner), 20), 3),
        (lists.latest_evening, 1),
        (evening_circles, 1),
    ):
        with django_assert_num_queries(number):
            read(owner)
