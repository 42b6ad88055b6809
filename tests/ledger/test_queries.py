from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from scorekeeper.games.asszorti import BOOK, deal_from_text
from sessions_app.models import GameSession, Role, User
from sessions_app.readers import hand_history, queries
from sessions_app.values import Facts
from sessions_app.writers import evenings, ledger
from tests.factories import MemberFactory, UserFactory, evening_of, record, repeat
from tests.ledger.books import assert_books_balance

NAMES = ["Anna", "Béla", "Cili"]


@pytest.fixture
def three_hands(evening: GameSession, owner: User) -> GameSession:
    """Béla wins 6 of each, Cili loses 12 to each, Anna wins 2 of each: Anna +10, Béla +22, Cili −32."""
    for declarer, deal in ((1, "2H 7"), (2, "1N 5"), (0, "3S 6-3-2")):
        record(evening, owner, deal, declarer=declarer)
    evening.refresh_from_db()
    return evening


def grow(evening: GameSession, by: User, hands: int) -> None:
    """Let an evening be as if that many hands had been played."""
    for _dealer in range(min(hands, 3)):
        record(evening, by)
    if hands > 3:
        repeat(evening, hands)
    evening.refresh_from_db()


def test_what_is_laid_at_once_is_what_the_ledger_would_write(evening: GameSession, owner: User) -> None:
    record(evening, owner, "2H 7 K")
    ledger.record(evening.pk, token=uuid4(), number=2, facts=Facts(1), by=owner)
    record(evening, owner, "hC 5")
    repeat(evening, 8)
    assert_books_balance(evening)
    assert (evening.version, evening.hand_count) == (9, 5)
    record(evening, owner, "1S 4")
    assert_books_balance(evening)


def as_it_is(evening: GameSession) -> GameSession:
    return GameSession.objects.get(pk=evening.pk)


READERS: list[tuple[str, int, Callable[[GameSession, User], object]]] = [
    ("seats_of", 1, lambda evening, user: queries.seats_of(evening)),
    ("turn", 1, lambda evening, user: queries.turn(evening)),
    ("sheet", 2, lambda evening, user: queries.sheet(evening, NAMES)),
    ("sheet before", 2, lambda evening, user: queries.sheet(evening, NAMES, 3)),
    ("lines_from", 2, lambda evening, user: queries.lines_from(evening, NAMES, 1)),
    ("settlement", 1, lambda evening, user: queries.settlement(evening)),
    ("running", 2, lambda evening, user: queries.running(user)),
    ("latest_evening", 2, lambda evening, user: queries.latest_evening(user)),
    ("known_names", 1, lambda evening, user: queries.known_names(user)),
]


@pytest.mark.parametrize("hands", [3, 300])
def test_each_reader_asks_as_often_whatever_the_length_of_the_evening(
    evening: GameSession, owner: User, django_assert_num_queries: DjangoAssertNumQueries, hands: int
) -> None:
    grow(evening, owner, hands)
    for name, count, read in READERS:
        read(evening, owner)  # what is found out about the database once and for all
        with django_assert_num_queries(count, info=name):
            read(evening, owner)
    evenings.end(evening.pk)
    with django_assert_num_queries(2):
        queries.past(owner)


@pytest.mark.parametrize("corrections", [3, 300])
def test_a_page_of_a_history_is_one_query_whatever_its_length(
    three_hands: GameSession, owner: User, django_assert_num_queries: DjangoAssertNumQueries, corrections: int
) -> None:
    for n in range(corrections):
        ledger.amend(three_hands.pk, 1, facts=Facts(0, n % 3, "2H 8"), by=owner)
    hand = three_hands.hands.get(number=1)
    with django_assert_num_queries(1):
        history = hand_history.of(three_hands, hand, NAMES, {}, owner)
    assert len(history.entries) == min(corrections + 1, hand_history.ENTRIES_PER_PAGE)


@pytest.mark.parametrize("count", [1, 12])
def test_lists_ask_as_often_for_many_evenings(
    owner: User, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    for _ in range(count):
        evenings.end(evening_of(owner).pk)
        evening_of(owner)
    for read, number in (
        (queries.running, 2),
        (queries.past, 2),
        (queries.latest_evening, 2),
        (queries.known_names, 1),
    ):
        with django_assert_num_queries(number):
            read(owner)


def test_seats_have_names_balances_and_money(three_hands: GameSession) -> None:
    seats = queries.seats_of(as_it_is(three_hands))
    assert [(seat.position, seat.name, seat.balance, seat.money) for seat in seats] == [
        (0, "Anna", 10, Decimal(100)),
        (1, "Béla", 22, Decimal(220)),
        (2, "Cili", -32, Decimal(-320)),
    ]


def test_a_void_hand_is_in_no_balance(three_hands: GameSession, owner: User) -> None:
    ledger.void(three_hands.pk, 2, by=owner)
    assert [seat.balance for seat in queries.seats_of(as_it_is(three_hands))] == [-2, 10, -8]


def test_without_a_stake_there_is_no_money(owner: User) -> None:
    evening = evening_of(owner, stake=None)
    record(evening, owner)
    assert [seat.money for seat in queries.seats_of(as_it_is(evening))] == [None] * 3
    settlement = queries.settlement(as_it_is(evening))
    assert settlement.per_point is None
    assert settlement.currency == ""
    assert {view.money for view in (*settlement.pairwise, *settlement.fewest)} == {None}


@pytest.mark.parametrize("first_dealer", range(4))
def test_the_first_turn_is_as_the_evening_was_opened(owner: User, first_dealer: int) -> None:
    evening = evening_of(owner, (*NAMES, "Dóra"), first_dealer)
    turn = queries.turn(evening)
    assert (turn.number, turn.dealer, turn.speaks_first) == (1, first_dealer, (first_dealer + 1) % 4)


@pytest.mark.parametrize(
    ("seats", "dealer", "speaks_first", "leaders"),
    [
        (3, 0, 1, ((0, 2), (1, 0), (2, 1))),
        (3, 2, 0, ((0, 2), (1, 0), (2, 1))),
        (4, 0, 1, ((1, 3), (2, 1), (3, 2))),
        (4, 2, 3, ((0, 3), (1, 0), (3, 1))),
    ],
)
def test_a_turn_says_who_speaks_first_and_who_leads_to_whom(
    evening: GameSession, seats: int, dealer: int, speaks_first: int, leaders: tuple[tuple[int, int], ...]
) -> None:
    sitting = tuple(range(seats))
    assert queries.turn_of(evening.game, sitting, dealer, 7) == queries.Turn(7, dealer, speaks_first, leaders)


def test_a_line_of_the_sheet_says_all_of_its_hand(three_hands: GameSession) -> None:
    line = queries.sheet(three_hands, NAMES).lines[1]
    assert line == queries.HandLine(
        game_key="asszorti",
        number=2,
        dealer="Béla",
        declarer="Cili",
        text="1N 5",
        deal=deal_from_text("1N 5"),
        rules=BOOK,
        amounts=(12, 12, -24),
        deal_stays=False,
        is_void=False,
        is_amended=False,
    )
    assert line.amounts_text == "12 12 -24"
    counted = queries.count_of(three_hands, three_hands.hands.get(number=2), 3)
    assert counted is not None
    assert (counted.points, counted.amounts) == (-12, line.amounts)


def test_a_line_shows_a_void_a_correction_and_a_deal_that_was_thrown_in(three_hands: GameSession, owner: User) -> None:
    ledger.void(three_hands.pk, 1, by=owner)
    ledger.amend(three_hands.pk, 2, facts=Facts(0, deal_stays=True), by=owner)
    third, second, first = queries.sheet(three_hands, NAMES).lines
    assert (first.is_void, first.is_amended, first.amounts) == (True, True, (-6, 12, -6))
    assert (second.declarer, second.deal, second.text, second.amounts) == ("", None, "", (0, 0, 0))
    assert (second.dealer, second.deal_stays, second.is_amended) == ("Anna", True, True)
    assert (third.is_void, third.is_amended) == (False, False)


def test_who_sat_out_has_no_amount_and_who_won_nothing_has_nought(evening_of_four: GameSession, owner: User) -> None:
    record(evening_of_four, owner, "2H 7", dealer=0)
    record(evening_of_four, owner, "2H 6-5-0", dealer=1)
    lines = queries.sheet(evening_of_four, [*NAMES, "Dóra"]).lines
    assert [line.amounts for line in lines] == [(0, None, 0, 0), (None, 12, -6, -6)]


@pytest.mark.parametrize(
    ("hands", "pages"),
    [
        (0, [[]]),
        (1, [[1]]),
        (12, [[*range(12, 0, -1)]]),
        (13, [[*range(13, 1, -1)], [1]]),
        (25, [[*range(25, 13, -1)], [*range(13, 1, -1)], [1]]),
    ],
)
def test_a_sheet_is_paged_from_the_latest(
    evening: GameSession, owner: User, hands: int, pages: list[list[int]]
) -> None:
    grow(evening, owner, hands)
    found, before = [], None
    while not found or before is not None:
        sheet = queries.sheet(evening, NAMES, before)
        found.append([line.number for line in sheet.lines])
        before = sheet.earlier
    assert found == pages


@pytest.mark.parametrize("before", [1, 0, -5])
def test_before_the_first_hand_there_is_none(three_hands: GameSession, before: int) -> None:
    assert queries.sheet(three_hands, NAMES, before) == queries.Sheet((), None)


def test_what_was_recorded_meanwhile_is_in_the_order_in_which_it_was_played(evening: GameSession, owner: User) -> None:
    grow(evening, owner, 20)
    assert [line.number for line in queries.lines_from(evening, NAMES, 18)] == [18, 19, 20]
    assert [line.number for line in queries.lines_from(evening, NAMES, 2)] == [*range(2, 14)]
    assert queries.lines_from(evening, NAMES, 21) == ()


def as_figures(views: tuple[queries.TransferView, ...]) -> list[tuple[int, int, int, Decimal | None]]:
    return [(view.payer.position, view.payee.position, view.points, view.money) for view in views]


def test_a_settlement_shows_who_pays_whom_in_two_ways(three_hands: GameSession) -> None:
    settlement = queries.settlement(as_it_is(three_hands))
    assert [seat.balance for seat in settlement.seats] == [10, 22, -32]
    assert (settlement.currency, settlement.per_point) == ("HUF", Decimal(10))
    assert as_figures(settlement.pairwise) == [
        (0, 1, 4, Decimal(40)),
        (2, 0, 14, Decimal(140)),
        (2, 1, 18, Decimal(180)),
    ]
    assert as_figures(settlement.fewest) == [(2, 0, 10, Decimal(100)), (2, 1, 22, Decimal(220))]


def test_a_payment_between_two_shows_what_they_have_paid_each_other(three_hands: GameSession) -> None:
    why = [(view.paid, view.received) for view in queries.settlement(as_it_is(three_hands)).pairwise]
    # (points, hands): Anna to Béla, Cili to Anna, Cili to Béla
    assert why == [((6, 1), (2, 1)), ((14, 2), (0, 0)), ((18, 2), (0, 0))]


def test_the_fewest_payments_show_the_balances_they_even_out(three_hands: GameSession) -> None:
    steps = queries.settlement(as_it_is(three_hands)).fewest
    assert [(view.payer.name, view.payer.balance, view.payee.name, view.payee.balance) for view in steps] == [
        ("Cili", -32, "Anna", 10),
        ("Cili", -22, "Béla", 22),
    ]


def test_a_settlement_in_coins_keeps_the_decimals_of_the_currency(owner: User) -> None:
    evening = evening_of(owner, stake=Decimal("0.05"), currency="EUR")
    record(evening, owner)
    settlement = queries.settlement(GameSession.objects.get(pk=evening.pk))
    assert str(settlement.per_point) == "0.05"
    assert [str(seat.money) for seat in settlement.seats] == ["-0.30", "0.60", "-0.30"]
    assert [str(view.money) for view in settlement.pairwise] == ["0.30", "0.30"]


def test_at_a_table_of_four_the_pairs_add_up_over_the_hands_both_played(
    evening_of_four: GameSession, owner: User
) -> None:
    record(evening_of_four, owner, "2H 7", declarer=1, dealer=0)
    record(evening_of_four, owner, "2H 5", declarer=2, dealer=1)
    settlement = queries.settlement(as_it_is(evening_of_four))
    assert [seat.balance for seat in settlement.seats] == [4, 12, -6 - 8, -6 + 4]
    assert [figures[:3] for figures in as_figures(settlement.pairwise)] == [
        (2, 0, 4),
        (2, 1, 6),
        (2, 3, 4),
        (3, 1, 6),
    ]
    assert [figures[:3] for figures in as_figures(settlement.fewest)] == [(2, 0, 2), (2, 1, 12), (3, 0, 2)]


def test_an_evening_that_is_even_needs_no_payment(evening: GameSession, owner: User) -> None:
    assert queries.settlement(as_it_is(evening)).pairwise == queries.settlement(as_it_is(evening)).fewest == ()
    for declarer in range(3):
        record(evening, owner, declarer=declarer)
    settlement = queries.settlement(as_it_is(evening))
    assert [seat.balance for seat in settlement.seats] == [0, 0, 0]
    assert settlement.pairwise == settlement.fewest == ()


def test_a_history_tells_the_latest_first_with_what_was_paid_before_and_after(
    three_hands: GameSession, owner: User
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


def test_a_history_tells_of_a_hand_that_was_thrown_in(three_hands: GameSession, owner: User) -> None:
    ledger.amend(three_hands.pk, 1, facts=Facts(2, deal_stays=True), by=owner)
    hand = three_hands.hands.get(number=1)
    amended, _recorded = hand_history.of(three_hands, hand, NAMES, {}, owner).entries
    assert (amended.after.dealer, amended.after.deal, amended.after.deal_stays) == ("Cili", None, True)


def dated(evening: GameSession, days: int, ended: bool = False) -> GameSession:
    began = datetime(2025, 1, 1, 19, tzinfo=UTC) + timedelta(days=days)
    GameSession.objects.filter(pk=evening.pk).update(started_at=began, ended_at=began if ended else None)
    return evening


def test_running_and_past_evenings_stand_in_their_own_lists_the_latest_first(owner: User) -> None:
    running = [dated(evening_of(owner), days) for days in (2, 5, 1)]
    past = [dated(evening_of(owner), days, ended=True) for days in (3, 6, 4)]
    assert [card.id for card in queries.running(owner)] == [running[1].pk, running[0].pk, running[2].pk]
    cards, more = queries.past(owner)
    assert [card.id for card in cards] == [past[1].pk, past[2].pk, past[0].pk]
    assert not more
    assert {card.has_ended for card in cards} == {True}


def test_a_card_shows_players_balances_money_and_hands(three_hands: GameSession, owner: User) -> None:
    record(three_hands, owner, "2C 6-5-0")
    ledger.void(three_hands.pk, 4, by=owner)
    [card] = queries.running(owner)
    assert card.id == three_hands.pk
    assert card.started_at == three_hands.started_at
    assert (card.has_ended, card.hand_count) == (False, 3)
    assert card.seats == queries.seats_of(as_it_is(three_hands))


@pytest.mark.parametrize(("count", "pages"), [(0, [0]), (1, [1]), (3, [3]), (4, [3, 1]), (6, [3, 3]), (7, [3, 3, 1])])
def test_past_evenings_are_paged(owner: User, count: int, pages: list[int]) -> None:
    for days in range(count):
        dated(evening_of(owner), days, ended=True)
    found = []
    more = True
    while more:
        cards, more = queries.past(owner, page=len(found) + 1, size=3)
        found.append(cards)
    assert [len(cards) for cards in found] == pages
    started = [card.started_at for cards in found for card in cards]
    assert started == sorted(started, reverse=True)
    assert len(set(started)) == count


def test_nobody_sees_the_evenings_of_others(three_hands: GameSession) -> None:
    outsider = UserFactory()
    assert queries.running(outsider) == ()
    assert queries.past(outsider) == ((), False)
    assert queries.latest_evening(outsider) is None
    assert queries.known_names(outsider) == []


@pytest.mark.parametrize("role", Role)
def test_every_member_sees_the_evenings_once(three_hands: GameSession, role: Role) -> None:
    member = MemberFactory(table=three_hands.table, role=role)
    assert [card.id for card in queries.running(member.user)] == [three_hands.pk]


@pytest.mark.parametrize(("role", "sees"), [(Role.OWNER, True), (Role.KEEPER, True), (Role.VIEWER, False)])
def test_the_latest_evening_is_one_that_may_be_written_to(evening: GameSession, role: Role, sees: bool) -> None:
    member = MemberFactory(table=evening.table, role=role)
    assert queries.latest_evening(member.user) == (evening if sees else None)


def test_the_latest_evening_is_the_one_that_began_last_ended_or_not(owner: User) -> None:
    evenings_of_owner = [dated(evening_of(owner), days, ended) for days, ended in ((2, False), (5, True), (1, False))]
    latest = queries.latest_evening(owner)
    assert latest == evenings_of_owner[1]
    assert [seat.player.name for seat in latest.seats.all()] == NAMES


def test_known_names_are_those_who_sat_last_first_in_the_order_of_their_seats(owner: User) -> None:
    evening_of(owner, ("Anna", "Béla", "Cili"))
    evening_of(owner, ("Xénia", "Yvett", "Zita"))
    evening_of(owner, ("Cili", "Dóra", "Anna"))
    assert queries.known_names(owner) == ["Cili", "Dóra", "Anna", "Xénia", "Yvett", "Zita", "Béla"]
    assert queries.known_names(owner, most=4) == ["Cili", "Dóra", "Anna", "Xénia"]


def test_a_name_known_at_two_circles_is_offered_once(owner: User) -> None:
    evening_of(owner, ("Anna", "Béla", "Cili"))
    evening_of(owner, ("Anna", "Xénia", "Yvett"))
    assert queries.known_names(owner) == ["Anna", "Xénia", "Yvett", "Béla", "Cili"]


def test_a_name_known_at_two_circles_in_other_case_is_offered_once(owner: User) -> None:
    """A session takes no two names that differ in case only, so it is no choice to have both."""
    evening_of(owner, ("Anna", "Béla", "Cili"))
    evening_of(owner, ("ANNA", "Xénia", "Yvett"))
    assert [name.casefold() for name in queries.known_names(owner)].count("anna") == 1
