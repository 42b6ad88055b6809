"""The ways out of a circle: leaving, archiving, deleting, and taking that back."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from sessions_app.models import Circle, Evening, Role, User
from sessions_app.readers.people.members import token_of
from sessions_app.writers import circles, cleanup, evenings, members
from tests.factories import evening_of, hand_fields, record
from tests.ledger.books import everything
from tests.views.every_url import address, name_of, paths, row_of
from tests.views.page import Page
from tests.views.scene import scenes

NAME = "Anna, Béla, Cili"


def url(evening: Evening, rest: str = "") -> str:
    return f"/circles/{evening.circle_id}/{rest}"


def due(evening: Evening) -> None:
    """Let the circle have been deleted a day ago."""
    Circle.objects.filter(pk=evening.circle_id).update(deleted_from=timezone.now())


@pytest.fixture(params=["archived", "deleted"])
def closed(request: pytest.FixtureRequest, played: Evening) -> Evening:
    """A closed circle's ended session."""
    (circles.archive if request.param == "archived" else circles.delete)(played.circle_id)
    return played


def test_member_leaves_by_the_circles_address_and_its_pages_are_closed_to_it(
    keepers: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    page = Page.of(keepers.get(url(evening, "leave/")))
    assert page.one("form", action=url(evening, "leave/"))
    assert keepers.post(url(evening, "leave/")).headers["Location"] == "/"
    assert keepers.get(url(evening)).status_code == 404


def test_only_owner_of_a_shared_circle_is_led_to_its_members_and_an_owner_alone_to_deleting_it(
    owners: Client, keepers: Client, owner: User, evening: Evening
):
    response = owners.post(url(evening, "leave/"))
    assert response.status_code == 409
    assert Page.of(response).one("a", href=f"/sessions/{evening.pk}/members/")
    evening.circle.members.exclude(user=owner).delete()
    assert Page.of(owners.get(url(evening, "leave/"))).one("a", href=url(evening, "delete/"))


def test_closed_circle_refuses_every_write_but_the_ways_out(
    cast: dict[str, Client], owner: User, evening: Evening, written: Callable[[], dict[str, Any]]
):
    ways_out = ("circle-leave", "member-leave", "circle-archive", "circle-delete", "circle-undelete")
    of_circle = Circle.objects.filter(pk=evening.circle_id)
    for scene in scenes((path for path in paths("POST") if name_of(path) not in ways_out), evening, owner):
        body, before = scene.body(), written()
        for closing in ("archived_at", "deleted_from"):
            soon = timezone.now() + timedelta(hours=1)
            of_circle.update(**{"archived_at": None, "deleted_from": None, closing: soon})
            for who in ("owner", "keeper"):
                assert cast[who].post(scene.address, body).status_code == 403, (scene.path, who)
        of_circle.update(archived_at=None, deleted_from=None)
        assert written() == before, scene.path


def test_closed_circle_is_read_and_offers_an_owner_only_the_ways_out(
    cast: dict[str, Client], owner: User, evening: Evening
):
    ways = {f"{evening.circle_id}/{way}/" for way in ("archive", "delete", "leave")}
    pages = [path for path in paths("GET") if "/export." not in path and not path.endswith(".png")]
    for scene in scenes(pages, evening, owner):
        Circle.objects.filter(pk=evening.circle_id).update(archived_at=timezone.now())
        response = scene.ask(cast["owner"], "GET")
        needs = row_of(scene.path)["GET"]
        is_way_out = scene.name in ("circle-archive", "circle-delete", "circle-leave")
        assert response.status_code == (needs.owner if is_way_out else needs.viewer), scene.path
        posts = Page.of(response).all("form", method="post")
        actions = {form.attrs["action"].rpartition("/circles/")[2] for form in posts}
        assert {each for each in actions if "language" not in each and "members/leave" not in each} <= ways


def test_closed_circle_says_so_and_an_owner_opens_it_again(owners: Client, viewers: Client, closed: Evening):
    way = "archive/" if Circle.objects.get(pk=closed.circle_id).archived_at else "delete/undo/"
    assert Page.of(owners.get(url(closed))).one("form", action=url(closed, way))
    assert not Page.of(viewers.get(url(closed))).all("form", action=url(closed, way))
    assert Page.of(viewers.get(url(closed))).one("div", role="status")
    owners.post(url(closed, way), {"open": ""})
    circle = Circle.objects.get(pk=closed.circle_id)
    assert (circle.archived_at, circle.deleted_from) == (None, None)
    assert Page.of(owners.get(url(closed))).all("a", href=f"/sessions/new/?circle={circle.pk}")


def test_refused_write_to_a_closed_circle_says_why(owners: Client, closed: Evening):
    response = owners.post(f"/sessions/{closed.pk}/reopen/")
    assert (response.status_code, response["X-Circle-Closed"]) == (403, "1")
    assert Page.of(response).one("h1").text == "This circle is closed"


def test_closed_circle_stands_apart_on_home_and_in_lists(owners: Client, closed: Evening):
    home = Page.of(owners.get("/"))
    assert home.one("a", href=url(closed))
    assert not home.all("a", href=f"/sessions/{closed.pk}/")
    assert f"/sessions/{closed.pk}/" not in owners.get("/sessions/").content.decode()
    assert f"/sessions/{closed.pk}/" in owners.get(f"/sessions/?circle={closed.circle_id}").content.decode()
    assert Circle.objects.get(pk=closed.circle_id).name not in Page.of(owners.get("/sessions/new/")).text.split()


def test_new_session_is_not_started_in_a_closed_circle(owners: Client, owner: User, closed: Evening):
    fields = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1"}
    response = owners.post("/sessions/new/", fields | {"circle": str(closed.circle_id)})
    assert response.status_code == 403
    assert closed.circle.evenings.count() == 1


def test_circle_with_a_running_session_is_not_archived(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    response = owners.post(url(evening, "archive/"))
    assert response.status_code == 409
    assert Page.of(response).one("a", href=f"/sessions/{evening.pk}/")
    assert Circle.objects.get(pk=evening.circle_id).archived_at is None


@pytest.mark.parametrize(
    ("typed", "status"), [(f"  {NAME.upper()} ", 302), ("Anna, Béla", 422), ("", 422), ("x" * 3_000, 422)]
)
def test_deletion_asks_for_the_circles_name(owners: Client, played: Evening, typed: str, status: int):
    response = owners.post(url(played, "delete/"), {"name": typed})
    assert response.status_code == status
    assert (Circle.objects.get(pk=played.circle_id).deleted_from is not None) is (status == 302)
    if status == 422:
        assert Page.of(response).one("input", id="name").attrs["aria-invalid"] == "true"


def test_deletion_page_says_what_is_still_to_be_paid_and_offers_the_export(owners: Client, played: Evening):
    page = Page.of(owners.get(url(played, "delete/")))
    assert "60" in page.one("section", aria_labelledby="owed").text
    assert page.one("a", href=url(played, "export.json"))


def test_deleted_circle_is_hidden_and_its_deletion_final_once_it_is_due(
    cast: dict[str, Client], owner: User, played: Evening
):
    link = members.make_link(played.circle_id, Role.KEEPER, by=owner)
    circles.delete(played.circle_id)
    due(played)
    for path in paths("GET"):
        key = played.circle_id if "circle_id" in path else played.pk
        assert cast["owner"].get(address(path, key)).status_code == 404, path
    assert cast["owner"].post(url(played, "delete/undo/")).status_code == 404
    assert cast["outsider"].get(f"/join/{token_of(link)}/").status_code == 410
    assert not Page.of(cast["owner"].get("/")).all("a", href=url(played))
    with pytest.raises(Circle.DoesNotExist):
        circles.undelete(played.circle_id)


def test_hand_that_comes_from_an_outbox_after_the_deletion_is_refused_and_writes_nothing(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    fields = hand_fields(evening, tricks="8", dealer="2", declarer="1")
    circles.delete(evening.circle_id)
    due(evening)
    cleanup.delete_due()
    response = owners.post(f"/sessions/{evening.pk}/hands/new/", fields, headers={"Accept": "application/json"})
    assert response.status_code == 404


def test_deleted_circle_leaves_no_row_and_no_other_circle_changes(
    owners: Client, owner: User, played: Evening, written: Callable[[], dict[str, Any]]
):
    before = everything()
    other = evening_of(User.new_guest())
    record(other, owner, "2H 7")
    evenings.end(other.pk)
    alone = everything()
    circles.delete(played.circle_id)
    cleanup.delete_due()
    assert Circle.objects.filter(pk=played.circle_id).exists(), "it is not due yet"
    due(played)
    assert cleanup.delete_due() == 1
    left = everything()
    assert {table for table in before if any(row in left[table] for row in before[table])} == {"User"}
    for table, rows in left.items():
        assert all(row in alone[table] for row in rows), table
    call_command("verify")
