"""Deleting one's own book: what goes, what stays, and who must hand a circle over first."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from sessions_app.models import Circle, Evening, HandMark, Member, Phone, Role, User
from sessions_app.writers import cleanup, reactions
from tests.factories import evening_of, record
from tests.views.page import Page

URL = "/me/delete/"


@pytest.fixture
def keeper(keepers: Client, evening: Evening) -> User:
    return User.objects.get(memberships__circle=evening.circle_id, memberships__role=Role.KEEPER)


def test_deleted_book_leaves_what_it_entered_in_a_shared_circle_and_signs_the_phone_out(
    keepers: Client, owners: Client, keeper: User, evening: Evening
):
    record(evening, keeper, "2H 7")
    reactions.mark(evening.pk, 1, HandMark.Kind.OK, by=keeper)
    before = Evening.objects.get(pk=evening.pk).version
    page = f"/sessions/{evening.pk}/"
    assert keepers.post(URL, {"sure": "on"})["Location"] == "/"
    assert not User.objects.filter(pk=keeper.pk).exists()
    assert not Phone.objects.filter(user=keeper.pk).exists()
    assert keepers.get(page).status_code == 404
    assert [owners.get(page + path).status_code for path in ("", "hands/1/")] == [200, 200]
    assert Evening.objects.get(pk=evening.pk).version >= before
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


def test_book_is_not_deleted_until_the_box_is_ticked_and_the_page_says_what_is_still_owed(
    keepers: Client, keeper: User, played: Evening
):
    bela = played.seats.get(position=1).player
    Member.objects.filter(circle=played.circle_id, user=keeper).update(player=bela)
    assert "You owe" in Page.of(keepers.get(URL)).text
    response = keepers.post(URL, {"sure": ""})
    assert (response.status_code, len(Page.of(response).all("p", id="not-sure"))) == (422, 1)
    assert User.objects.filter(pk=keeper.pk).exists()
