"""The demo: a circle with past evenings."""

from collections.abc import Callable

import pytest
from django.core import signing
from django.test import Client
from django.utils import timezone

from sessions_app.models import Circle, Evening, Player, Role, User
from sessions_app.readers.people.new_circles import DEMO_SALT
from sessions_app.writers import demo, evenings
from tests.factories import MemberFactory, UserFactory, evening_of
from tests.ledger.books import nothing_written
from tests.selection import first
from tests.views.page import HUNGARIAN, Page, filled


def test_a_stranger_gets_a_table_of_his_own_with_several_evenings(strangers: Client):
    response = strangers.post("/demo/", follow=True)
    page = Page.of(response)
    running = Evening.objects.get(ended_at=None)
    assert response.redirect_chain == [(f"/sessions/{running.pk}/", 302)]
    assert "Anna" in page.text
    assert len(Page.of(strangers.get("/sessions/")).of_class("card")) == 3
    for evening in Evening.objects.all():
        assert strangers.get(f"/sessions/{evening.pk}/").status_code == 200
        balances = Page.of(strangers.get(f"/sessions/{evening.pk}/settle/")).balances
        assert sum(balances.values()) == 0


def test_a_hand_of_the_session_in_play_is_corrected_and_the_next_entered_at_once(strangers: Client):
    page = Page.of(strangers.post("/demo/", follow=True))
    assert any(name.startswith("Enter hand ") for name in page.links)
    hand = page.line(page.numbers[2]).one("a").attrs["href"]
    assert "Correct" in Page.of(strangers.get(hand)).buttons
    assert strangers.get(f"{hand}edit/").status_code == 200
    assert page.of_class("amended"), "a hand that was corrected shows on its first page"


def test_a_demo_whose_last_session_was_ended_opens_on_the_list(strangers: Client):
    path = demo.load()
    Evening.objects.filter(ended_at=None).update(ended_at=timezone.now())
    response = strangers.post("/demo/", filled(Page.of(strangers.get(path)).form("/demo/")))
    assert response["Location"] == "/sessions/"


def test_the_key_opens_the_table_that_was_loaded(strangers: Client):
    path = demo.load()
    form = Page.of(strangers.get(path)).form("/demo/")
    strangers.post("/demo/", filled(form))
    assert Circle.objects.count() == 1
    assert len(Page.of(strangers.get("/sessions/")).of_class("card")) == 3


@pytest.mark.parametrize("key", first(2, ["", "x", "1:2:3", "\x00", "é" * 2000, '"><script>']))
def test_a_key_that_opens_nothing_gives_a_fresh_table(strangers: Client, key: str):
    path = demo.load()
    assert strangers.get("/demo/", {"key": key}).status_code == 200
    assert strangers.post("/demo/", {"key": key}).status_code == 302
    assert Circle.objects.count() == 2
    assert path


def test_key_of_a_number_that_is_another_circle_s_by_now_lets_nobody_into_it(strangers: Client, evening: Evening):
    key = signing.dumps(evening.circle_id, salt=DEMO_SALT)
    assert strangers.post("/demo/", {"key": key}).status_code == 302
    assert evening.circle.members.count() == 1
    assert not demo.join(key, UserFactory())


@pytest.mark.parametrize("who", first(2, ["owner", "keeper", "viewer", "outsider"]))
def test_signed_in_user_opens_the_demo_as_himself(cast: dict[str, Client], who: str):
    before = User.objects.count()
    assert cast[who].post("/demo/").status_code == 302
    assert User.objects.count() == before
    assert len(Page.of(cast[who].get("/sessions/")).of_class("card")) == 3


# --- A demo is marked on every page, its players are suggested nowhere, and one tap deletes it ---


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
def test_demo_is_marked_on_every_page(owners: Client, shown: Evening, headers: dict[str, str], word: str):
    for path in PAGES:
        assert tags(Page.of(owners.get(f"/sessions/{shown.pk}/{path}", headers=headers))) == [word], path
    assert tags(Page.of(owners.get("/sessions/", headers=headers))) == [word] * 3
    assert tags(Page.of(owners.get("/", headers=headers))) == [word] * 4


def test_real_session_has_no_demo_mark(owners: Client, evening: Evening):
    for path in PAGES:
        assert tags(Page.of(owners.get(f"/sessions/{evening.pk}/{path}"))) == []
    assert tags(Page.of(owners.get("/"))) == []
    assert "Delete the demo" not in Page.of(owners.get("/")).buttons


def test_players_of_a_demo_are_offered_for_no_session(owners: Client, shown: Evening):
    assert Page.of(owners.get("/sessions/new/")).of_class("chip") == []
    assert "Same players as last time" not in Page.of(owners.get("/")).buttons


@pytest.mark.parametrize(("path", "back"), [("/", "/"), ("/sessions/", "/sessions/")])
def test_deleting_the_demo_by_one_tap_leaves_other_circles(
    owners: Client, owner: User, shown: Evening, path: str, back: str
):
    mine = evening_of(owner)
    demo.lay(owner)
    response = owners.post("/demo/clear/", filled(Page.of(owners.get(path)).form("/demo/clear/")))
    assert response["Location"] == back
    assert list(Circle.objects.all()) == [mine.circle]
    assert list(Evening.objects.all()) == [mine]
    assert Player.objects.count() == 3
    assert owners.get(f"/sessions/{shown.pk}/").status_code == 404
    assert "Delete the demo" not in Page.of(owners.get(path)).buttons


def test_demo_of_several_owners_is_not_deleted(
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
