"""A demo is marked on every page, its players are suggested nowhere, and one tap deletes it."""

from collections.abc import Callable

import pytest
from django.test import Client

from sessions_app.models import Circle, Evening, Player, Role, User
from sessions_app.writers import demo, evenings
from tests.factories import MemberFactory, UserFactory, evening_of
from tests.ledger.books import nothing_written
from tests.views.page import HUNGARIAN, Page, filled

PAGES = ("", "edit/", "settle/", "table/")


def tags(page: Page) -> list[str]:
    return [tag.text for tag in page.of_class("tag") if tag.text in ("Demo", "Demó")]


@pytest.fixture
def shown(owner: User) -> Evening:
    """An evening of the owner's demo that runs."""
    evening = demo.lay(owner).evenings.latest("started_at")
    evenings.reopen(evening.pk)
    return evening


@pytest.mark.parametrize(("headers", "word"), [({}, "Demo"), (HUNGARIAN, "Demó")])
def test_it_is_marked_wherever_it_shows(owners: Client, shown: Evening, headers: dict[str, str], word: str):
    for path in PAGES:
        assert tags(Page.of(owners.get(f"/sessions/{shown.pk}/{path}", headers=headers))) == [word], path
    assert tags(Page.of(owners.get("/sessions/", headers=headers))) == [word] * 3
    assert tags(Page.of(owners.get("/", headers=headers))) == [word] * 4


def test_nothing_else_is(owners: Client, evening: Evening):
    for path in PAGES:
        assert tags(Page.of(owners.get(f"/sessions/{evening.pk}/{path}"))) == []
    assert tags(Page.of(owners.get("/"))) == []
    assert "Delete the demo" not in Page.of(owners.get("/")).buttons


def test_its_people_are_offered_for_no_evening(owners: Client, shown: Evening):
    assert Page.of(owners.get("/sessions/new/")).of_class("chip") == []
    assert "Same players as last time" not in Page.of(owners.get("/")).buttons


@pytest.mark.parametrize(("path", "back"), [("/", "/"), ("/sessions/", "/sessions/")])
def test_one_tap_clears_it_and_nothing_else(owners: Client, owner: User, shown: Evening, path: str, back: str):
    mine = evening_of(owner)
    demo.lay(owner)
    response = owners.post("/demo/clear/", filled(Page.of(owners.get(path)).form("/demo/clear/")))
    assert response["Location"] == back
    assert list(Circle.objects.all()) == [mine.circle]
    assert list(Evening.objects.all()) == [mine]
    assert Player.objects.count() == 3
    assert owners.get(f"/sessions/{shown.pk}/").status_code == 404
    assert "Delete the demo" not in Page.of(owners.get(path)).buttons


def test_one_that_others_own_too_and_others_own_stay(
    owners: Client, owner: User, shown: Evening, client_of: Callable[..., Client]
):
    other = UserFactory()
    demo.lay(other)
    MemberFactory(circle=shown.circle, user=other, role=Role.OWNER)
    MemberFactory(circle=Circle.objects.latest("pk"), user=owner, role=Role.KEEPER)
    assert "Delete the demo" not in Page.of(owners.get("/")).buttons
    with nothing_written():
        assert owners.post("/demo/clear/").status_code == 302
        assert client_of(None).post("/demo/clear/").status_code == 302
