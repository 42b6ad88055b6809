from decimal import Decimal
from uuid import uuid4

import pytest
from django.utils import timezone

from scorekeeper.games.base import InvalidRules
from sessions_app.models import GameSession, Member, Player, Role, Table, User
from sessions_app.writers import evenings
from sessions_app.writers.evenings import Opening
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import nothing_written

TRIO = ("Anna", "Béla", "Cili")


def names_at(table: Table) -> list[str]:
    return sorted(table.players.values_list("name", flat=True))


def seats_at(evening: GameSession) -> list[tuple[int, str]]:
    return [(seat.position, seat.player.name) for seat in evening.seats.select_related("player")]


@pytest.mark.parametrize("names", [TRIO, (*TRIO, "Dóra")])
def test_a_start_lays_the_table_the_seats_and_the_books(owner: User, names: tuple[str, ...]) -> None:
    begin, token = timezone.now(), uuid4()
    evening = evenings.start(Opening(names, 2, Decimal("0.05"), "EUR"), token=token, by=owner)
    evening.refresh_from_db()
    assert seats_at(evening) == list(enumerate(names))
    assert (evening.token, evening.game_key, evening.first_dealer) == (token, "asszorti", 2)
    assert (evening.stake, evening.currency) == (Decimal("0.05"), "EUR")
    assert begin <= evening.started_at <= timezone.now()
    assert not evening.has_ended
    assert (evening.version, evening.last_number, evening.hand_count) == (1, 0, 0)
    assert (evening.sheet, evening.sitting) == ({}, tuple(range(len(names))))
    [member] = evening.table.members.all()
    assert (member.user, member.role) == (owner, Role.OWNER)


def test_an_evening_for_points_only_has_no_currency(owner: User) -> None:
    evening = evenings.start(Opening(TRIO, 0, None, "HUF"), token=uuid4(), by=owner)
    assert (evening.stake, evening.currency) == (None, "")


def test_the_same_players_in_whatever_order_and_case_stay_the_same(owner: User) -> None:
    first = evening_of(owner)
    second = evening_of(owner, ("CILI", "anna", "bÉLA"))
    assert second.table == first.table
    assert seats_at(second) == [(0, "Cili"), (1, "Anna"), (2, "Béla")]
    assert Player.objects.count() == 3


def test_letters_that_only_look_like_others_in_capitals_are_the_same_name(owner: User) -> None:
    first = evening_of(owner, ("Weiß", "Béla", "Cili"))
    assert evening_of(owner, ("WEISS", "Béla", "Cili")).table == first.table
    assert names_at(first.table) == ["Béla", "Cili", "Weiß"]


def test_two_familiar_names_are_the_same_circle_and_bring_the_third_in(owner: User) -> None:
    first = evening_of(owner)
    assert evening_of(owner, ("Anna", "Dóra", "Cili")).table == first.table
    assert names_at(first.table) == ["Anna", "Béla", "Cili", "Dóra"]


@pytest.mark.parametrize("names", [("Anna", "Emil", "Flóra"), ("Anna", "Emil", "Flóra", "Géza"), ("D", "E", "F")])
def test_one_familiar_name_or_none_begins_a_new_circle(owner: User, names: tuple[str, ...]) -> None:
    first = evening_of(owner)
    second = evening_of(owner, names)
    assert second.table != first.table
    assert names_at(first.table) == list(TRIO)
    assert names_at(second.table) == sorted(names)
    assert second.table.members.get().user == owner


def test_of_several_circles_it_is_the_one_that_knows_most_of_them(owner: User) -> None:
    knows_three = evening_of(owner).table
    knows_two = evening_of(owner, ("Anna", "Xénia", "Yvett"))
    evening_of(owner, ("Xénia", "Yvett", "Béla"))
    assert knows_two.table != knows_three
    assert evening_of(owner, TRIO).table == knows_three


def test_of_circles_that_know_as_many_it_is_the_newer(owner: User) -> None:
    tables = [evening_of(UserFactory()).table for _ in range(3)]
    for table in reversed(tables):
        MemberFactory(table=table, user=owner, role=Role.KEEPER)
    assert evening_of(owner).table == tables[-1]


@pytest.mark.parametrize("role", [Role.KEEPER, Role.OWNER])
def test_who_may_write_to_a_circle_plays_on_in_it(evening: GameSession, role: Role) -> None:
    member = MemberFactory(table=evening.table, role=role)
    assert evening_of(member.user).table == evening.table
    assert evening.table.members.count() == 2


def test_a_viewer_does_not_write_to_the_circle_he_watches(evening: GameSession) -> None:
    viewer = MemberFactory(table=evening.table, role=Role.VIEWER).user
    mine = evening_of(viewer, (*TRIO, "Dóra"))
    assert mine.table != evening.table
    assert names_at(evening.table) == list(TRIO)
    assert Member.objects.get(table=mine.table).role == Role.OWNER


def test_strangers_of_the_same_names_are_others(evening: GameSession) -> None:
    assert evening_of(UserFactory()).table != evening.table


def test_the_same_form_twice_is_one_evening(owner: User) -> None:
    token = uuid4()
    first = evenings.start(Opening(TRIO, 0), token=token, by=owner)
    with nothing_written():
        assert evenings.start(Opening(TRIO, 0), token=token, by=owner) == first
        assert evenings.start(Opening(("X", "Y", "Z"), 1), token=token, by=owner) == first


def test_the_same_form_is_known_after_the_evening_has_ended(owner: User) -> None:
    token = uuid4()
    first = evenings.start(Opening(TRIO, 0), token=token, by=owner)
    evenings.end(first.pk)
    assert evenings.start(Opening(TRIO, 0), token=token, by=owner) == first


def test_somebody_elses_form_opens_nothing(evening: GameSession) -> None:
    outsider = UserFactory()
    with nothing_written(), pytest.raises(evenings.TokenTaken):
        evenings.start(Opening(TRIO, 0), token=evening.token, by=outsider)


def test_an_ended_evening_is_reopened_and_each_is_a_new_version(evening: GameSession, owner: User) -> None:
    record(evening, owner)
    begin = timezone.now()
    evenings.end(evening.pk)
    evening.refresh_from_db()
    assert evening.has_ended
    assert begin <= evening.ended_at <= timezone.now()
    assert evening.version == 3
    evenings.reopen(evening.pk)
    evening.refresh_from_db()
    assert not evening.has_ended
    assert (evening.version, evening.last_number, evening.hand_count) == (4, 1, 1)


def test_ending_and_reopening_twice_changes_nothing_more(evening: GameSession) -> None:
    with nothing_written():
        evenings.reopen(evening.pk)
    evenings.end(evening.pk)
    with nothing_written():
        evenings.end(evening.pk)


@pytest.mark.parametrize("verb", [evenings.end, evenings.reopen])
def test_an_evening_that_is_not_there_is_neither_ended_nor_reopened(db: None, verb: object) -> None:
    with nothing_written(), pytest.raises(GameSession.DoesNotExist):
        verb(1)


def test_house_rules_are_stamped_in_their_one_spelling(owner: User) -> None:
    opening = Opening(TRIO, 0, rules=" book  ladder=2 six_five_nil=no hands=0 ")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    evening.refresh_from_db()
    assert (evening.game_key, evening.rules) == ("asszorti", "six_five_nil=no ladder=2")
    assert evenings.start(Opening(TRIO, 0), token=uuid4(), by=owner).rules == ""


def test_rules_that_cannot_be_begin_nothing(owner: User) -> None:
    with pytest.raises(InvalidRules):
        evenings.start(Opening(TRIO, 0, rules="ladder=6"), token=uuid4(), by=owner)
    assert not GameSession.objects.exists()


def test_the_same_form_once_more_changes_no_rules(owner: User) -> None:
    token = uuid4()
    first = evenings.start(Opening(TRIO, 0, rules="ladder=2"), token=token, by=owner)
    assert evenings.start(Opening(TRIO, 0, rules="ladder=1"), token=token, by=owner) == first
    first.refresh_from_db()
    assert first.rules == "ladder=2"
