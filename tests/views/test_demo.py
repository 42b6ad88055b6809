"""The demo: a circle with past evenings."""

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Circle, Evening, User
from sessions_app.writers import demo
from tests.selection import first
from tests.views.page import Page, filled


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


@pytest.mark.parametrize("who", first(2, ["owner", "keeper", "viewer", "outsider"]))
def test_who_is_somebody_already_stays_who_he_is(cast: dict[str, Client], who: str):
    before = User.objects.count()
    assert cast[who].post("/demo/").status_code == 302
    assert User.objects.count() == before
    assert len(Page.of(cast[who].get("/sessions/")).of_class("card")) == 3
