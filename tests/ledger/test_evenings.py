from decimal import Decimal
from uuid import uuid4

import pytest
from django.utils import timezone

from scorekeeper.games.errors import InvalidRules
from sessions_app.errors import EveningTokenTaken
from sessions_app.models import Circle, Evening, Member, Player, Role, User
from sessions_app.writers import evenings
from sessions_app.writers.evenings import Opening
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import nothing_written

TRIO = ("Anna", "Béla", "Cili")


def names_at(circle: Circle) -> list[str]:
    return sorted(circle.players.values_list("name", flat=True))


def seats_at(evening: Evening) -> list[tuple[int, str]]:
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
    [member] = evening.circle.members.all()
    assert (member.user, member.role) == (owner, Role.OWNER)


def test_an_evening_for_points_only_has_no_currency(owner: User) -> None:
    evening = evenings.start(Opening(TRIO, 0, None, "HUF"), token=uuid4(), by=owner)
    assert (evening.stake, evening.currency) == (None, "")


def test_the_same_players_in_whatever_order_and_case_stay_the_same(owner: User) -> None:
    first = evening_of(owner)
    second = evening_of(owner, ("CILI", "anna", "bÉLA"))
    assert second.circle == first.circle
    assert seats_at(second) == [(0, "Cili"), (1, "Anna"), (2, "Béla")]
    assert Player.objects.count() == 3


def test_letters_that_only_look_like_others_in_capitals_are_the_same_name(owner: User) -> None:
    first = evening_of(owner, ("Weiß", "Béla", "Cili"))
    assert evening_of(owner, ("WEISS", "Béla", "Cili")).circle == first.circle
    assert names_at(first.circle) == ["Béla", "Cili", "Weiß"]


def test_two_familiar_names_are_the_same_circle_and_bring_the_third_in(owner: User) -> None:
    first = evening_of(owner)
    assert evening_of(owner, ("Anna", "Dóra", "Cili")).circle == first.circle
    assert names_at(first.circle) == ["Anna", "Béla", "Cili", "Dóra"]


@pytest.mark.parametrize("names", [("Anna", "Emil", "Flóra"), ("Anna", "Emil", "Flóra", "Géza"), ("D", "E", "F")])
def test_one_familiar_name_or_none_begins_a_new_circle(owner: User, names: tuple[str, ...]) -> None:
    first = evening_of(owner)
    second = evening_of(owner, names)
    assert second.circle != first.circle
    assert names_at(first.circle) == list(TRIO)
    assert names_at(second.circle) == sorted(names)
    assert second.circle.members.get().user == owner


def test_of_several_circles_it_is_the_one_that_knows_most_of_them(owner: User) -> None:
    knows_three = evening_of(owner).circle
    knows_two = evening_of(owner, ("Anna", "Xénia", "Yvett"))
    evening_of(owner, ("Xénia", "Yvett", "Béla"))
    assert knows_two.circle != knows_three
    assert evening_of(owner, TRIO).circle == knows_three


def test_of_circles_that_know_as_many_it_is_the_newer(owner: User) -> None:
    tables = [evening_of(UserFactory()).circle for _ in range(3)]
    for circle in reversed(tables):
        MemberFactory(circle=circle, user=owner, role=Role.KEEPER)
    assert evening_of(owner).circle == tables[-1]


@pytest.mark.parametrize("role", [Role.KEEPER, Role.OWNER])
def test_who_may_write_to_a_circle_plays_on_in_it(evening: Evening, role: Role) -> None:
    member = MemberFactory(circle=evening.circle, role=role)
    assert evening_of(member.user).circle == evening.circle
    assert evening.circle.members.count() == 2


def test_a_viewer_does_not_write_to_the_circle_he_watches(evening: Evening) -> None:
    viewer = MemberFactory(circle=evening.circle, role=Role.VIEWER).user
    mine = evening_of(viewer, (*TRIO, "Dóra"))
    assert mine.circle != evening.circle
    assert names_at(evening.circle) == list(TRIO)
    assert Member.objects.get(circle=mine.circle).role == Role.OWNER


def test_strangers_of_the_same_names_are_others(evening: Evening) -> None:
    assert evening_of(UserFactory()).circle != evening.circle


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


def test_somebody_elses_form_opens_nothing(evening: Evening) -> None:
    outsider = UserFactory()
    with nothing_written(), pytest.raises(EveningTokenTaken):
        evenings.start(Opening(TRIO, 0), token=evening.token, by=outsider)


def test_an_ended_evening_is_reopened_and_each_is_a_new_version(evening: Evening, owner: User) -> None:
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


def test_ending_and_reopening_twice_changes_nothing_more(evening: Evening) -> None:
    with nothing_written():
        evenings.reopen(evening.pk)
    evenings.end(evening.pk)
    with nothing_written():
        evenings.end(evening.pk)


@pytest.mark.parametrize("verb", [evenings.end, evenings.reopen])
def test_an_evening_that_is_not_there_is_neither_ended_nor_reopened(db: None, verb: object) -> None:
    with nothing_written(), pytest.raises(Evening.DoesNotExist):
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
    assert not Evening.objects.exists()


def test_the_same_form_once_more_changes_no_rules(owner: User) -> None:
    token = uuid4()
    first = evenings.start(Opening(TRIO, 0, rules="ladder=2"), token=token, by=owner)
    assert evenings.start(Opening(TRIO, 0, rules="ladder=1"), token=token, by=owner) == first
    first.refresh_from_db()
    assert first.rules == "ladder=2"
