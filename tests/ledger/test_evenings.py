from decimal import Decimal
from uuid import uuid4

import pytest
from django.utils import timezone

from scorekeeper.games.errors import InvalidRules
from sessions_app.errors import EveningTokenTaken
from sessions_app.models import Circle, Evening, Player, Role, User
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


def test_known_names_are_the_circle_s_players_in_whatever_order_case_and_spelling(owner: User) -> None:
    circle = evening_of(owner, ("Weiß", "Béla", "Anna")).circle
    opening = Opening(("an\u200bna", "WEISS", "bÉLA"), 0, None, "HUF")
    begun = evenings.start(opening, token=uuid4(), by=owner, circle=circle)
    assert seats_at(begun) == [(0, "Anna"), (1, "Weiß"), (2, "Béla")]
    stored = Player.objects.create(circle=circle, name="An\u200bna")
    assert (begun.stake, begun.currency) == (None, ""), "for points only"
    exact = evenings.start(Opening(("An\u200bna", "Béla", "Weiß"), 0), token=uuid4(), by=owner, circle=circle)
    assert exact.seats.get(position=0).player == stored, "kept apart where it is typed so"
    assert circle.players.count() == 4


@pytest.mark.parametrize("names", [("Anna", "Emil", "Flóra"), ("D", "E", "F")])
def test_new_names_come_into_the_circle_that_is_named(owner: User, evening: Evening, names: tuple[str, ...]) -> None:
    begun = evenings.start(Opening(names, 0), token=uuid4(), by=owner, circle=evening.circle)
    assert begun.circle == evening.circle
    assert names_at(evening.circle) == sorted({*TRIO, *names})


@pytest.mark.parametrize("role", Role)
def test_evening_without_a_circle_begins_a_new_one_whatever_its_names(evening: Evening, role: Role) -> None:
    member = MemberFactory(circle=evening.circle, role=role)
    mine = evenings.start(Opening(TRIO, 0), token=uuid4(), by=member.user)
    assert mine.circle != evening.circle
    assert [(each.user, each.role) for each in mine.circle.members.all()] == [(member.user, Role.OWNER)]
    assert list(evening.circle.evenings.all()) == [evening]


def test_form_that_is_sent_again_is_one_evening_of_its_own_user(owner: User) -> None:
    token = uuid4()
    first = evenings.start(Opening(TRIO, 0, rules="ladder=2"), token=token, by=owner)
    evenings.end(first.pk)
    with nothing_written():
        assert evenings.start(Opening(TRIO, 0, rules="ladder=1"), token=token, by=owner) == first
        assert evenings.start(Opening(("X", "Y", "Z"), 1), token=token, by=owner) == first
    outsider = UserFactory()
    with nothing_written(), pytest.raises(EveningTokenTaken):
        evenings.start(Opening(TRIO, 0), token=token, by=outsider)


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


def test_ending_and_reopening_twice_changes_nothing_more_and_nothing_that_is_not_there(evening: Evening) -> None:
    with nothing_written():
        evenings.reopen(evening.pk)
    evenings.end(evening.pk)
    with nothing_written():
        evenings.end(evening.pk)
        for verb in (evenings.end, evenings.reopen):
            with pytest.raises(Evening.DoesNotExist):
                verb(0)


def test_house_rules_are_stamped_in_their_one_spelling_and_unreadable_ones_begin_nothing(owner: User) -> None:
    opening = Opening(TRIO, 0, rules=" book  ladder=2 six_five_nil=no hands=0 ")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    evening.refresh_from_db()
    assert (evening.game_key, evening.rules) == ("asszorti", "six_five_nil=no ladder=2")
    assert evenings.start(Opening(TRIO, 0), token=uuid4(), by=owner).rules == ""
    with nothing_written(), pytest.raises(InvalidRules):
        evenings.start(Opening(TRIO, 0, rules="ladder=6"), token=uuid4(), by=owner)
