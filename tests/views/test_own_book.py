"""Deleting one's own book: what goes, what stays, and who must hand a circle over first."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from sessions_app.models import Circle, Evening, HandMark, Member, Phone, Role, User
from sessions_app.writers import cleanup, evenings
from tests.factories import evening_of, record
from tests.views.page import Page

URL = "/me/delete/"


@pytest.fixture
def keeper(keepers: Client, evening: Evening) -> User:
    return User.objects.get(memberships__circle=evening.circle_id, memberships__role=Role.KEEPER)


def test_deleted_book_leaves_what_it_entered_in_a_shared_circle_and_signs_the_phone_out(
    keepers: Client, keeper: User, owner: User, played: Evening
):
    before = Evening.objects.get(pk=played.pk).version
    response = keepers.post(URL, {"sure": "on"})
    assert response.headers["Location"] == "/"
    assert not User.objects.filter(pk=keeper.pk).exists()
    assert not Phone.objects.filter(user=keeper.pk).exists()
    assert played.hands.count() == 1
    assert keepers.get(f"/sessions/{played.pk}/").status_code == 404
    assert Evening.objects.get(pk=played.pk).version >= before
    call_command("verify")


def test_hands_entered_by_a_deleted_user_stay_on_the_sheet(
    keepers: Client, owners: Client, keeper: User, evening: Evening
):
    record(evening, keeper, "2H 7")
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.OK, by=keeper)
    keepers.post(URL, {"sure": "on"})
    assert owners.get(f"/sessions/{evening.pk}/").status_code == 200
    assert owners.get(f"/sessions/{evening.pk}/hands/1/").status_code == 200
    call_command("verify")


def test_only_owner_of_a_shared_circle_is_refused_and_nothing_is_deleted(
    owners: Client, keepers: Client, played: Evening, written: Callable[[], dict[str, Any]]
):
    before = written()
    response = owners.post(URL, {"sure": "on"})
    assert response.status_code == 409
    page = Page.of(response)
    assert page.one("a", href=f"/sessions/{played.pk}/members/")
    assert page.one("a", href=f"/circles/{played.circle_id}/delete/")
    assert not page.all("form", action=URL)
    assert written() == before


def test_circle_without_anybody_else_goes_with_the_book(owners: Client, owner: User, keeper: User, evening: Evening):
    mine = evening_of(User.new_guest())
    Member.objects.filter(circle=mine.circle_id).update(user=owner)
    record(mine, owner, "2H 7")
    keeper.memberships.update(role=Role.OWNER)
    assert "Nobody else" in Page.of(owners.get(URL)).text
    owners.post(URL, {"sure": "on"})
    call_command("verify")
    assert cleanup.delete_due() == 1
    assert set(Circle.objects.values_list("pk", flat=True)) == {evening.circle_id}
    call_command("verify")


def test_book_is_not_deleted_until_the_box_is_ticked(keepers: Client, keeper: User, evening: Evening):
    response = keepers.post(URL, {"sure": ""})
    assert response.status_code == 422
    assert Page.of(response).one("p", id="not-sure")
    assert User.objects.filter(pk=keeper.pk).exists()


def test_page_says_what_is_still_owed(keepers: Client, keeper: User, played: Evening):
    bela = played.seats.get(position=1).player
    Member.objects.filter(circle=played.circle_id, user=keeper).update(player=bela)
    assert "You owe" in Page.of(keepers.get(URL)).text
