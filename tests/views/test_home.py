"""The home page: continue, start, look back; and the demo that it offers."""

from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.core import signing
from django.test import Client
from django.utils import timezone

from sessions_app.models import Circle, Evening, Player, Role, User
from sessions_app.readers.people.new_circles import DEMO_SALT
from sessions_app.words.wording import day
from sessions_app.writers import demo, evening_edit, evenings
from tests.factories import MemberFactory, UserFactory, begun, evening_of, record
from tests.ledger.books import faults, nothing_written
from tests.views.page import HUNGARIAN, Page, filled


def test_first_visit_says_what_this_is_draws_an_evening_and_offers_the_demo(strangers: Client):
    page = Page.of(strangers.get("/"))
    assert "Strigula works out who owes whom" in page.text
    assert "See it at work" in page.buttons
    assert page.form("/demo/").attrs["method"] == "post"
    assert page.links["New session"] == "/sessions/new/"
    assert page.links["Past sessions"] == "/sessions/"
    assert "Same players as last time" not in page.buttons
    assert page.text.endswith(f"Strigula {settings.VERSION}")
    drawing = page.one("svg", role="img")
    assert " ".join(drawing.attrs["aria-label"].split()) == (
        "A card table. Kata +18, Miki +6, Zoli −24. Hand 8: Miki 2 hearts +1, kontra ×2. "
        "Miki +24 · Kata −12 · Zoli −12. Kata deals next."
    )


def test_running_sessions_stand_on_top_the_latest_with_its_balances(owners: Client, owner: User, evening: Evening):
    record(other := evening_of(owner), owner, "2H 7", declarer=0)
    page = Page.of(owners.get("/"))
    assert page.links["Continue"] == f"/sessions/{other.pk}/"
    assert page.balances == {0: 12, 1: -6, 2: -6}
    assert page.html.index("Continue") < page.html.index("New session")
    assert "See it at work" not in page.buttons
    assert len(page.of_class("running")) == 1, "the others are lines, by their hours"
    [line] = page.of_class("card")
    assert line.one("a").attrs["href"] == f"/sessions/{evening.pk}/"
    began = timezone.localtime(evening.started_at)
    assert line.of_class("when")[0].text == f"Asszorti · {day(began)}, {began:%H:%M} running"


def test_a_member_of_one_circle_sees_how_its_first_five_players_stand(
    owners: Client, outsiders: Client, owner: User, evening: Evening
):
    assert f"/circles/{evening.circle_id}/" not in outsiders.get("/").text
    record(evening, owner, "2H 7", declarer=1)
    page = Page.of(owners.get("/"))
    circle = page.one("section", aria_labelledby="circle")
    assert circle.one("h2", id="circle").one("a").attrs["href"] == f"/circles/{evening.circle_id}/"
    assert [node.text for node in circle.of_class("name")][:3] == ["Béla", "Anna", "Cili"]
    assert [node.attrs["data-value"] for node in circle.all("a", data_measure="points")] == ["12", "-6", "-6"]
    assert [node.attrs["data-value"] for node in circle.all("a", data_measure="money")] == ["120", "-60", "-60"]
    assert circle.one("a", href=f"/circles/{evening.circle_id}/statistics/").text == "Statistics"
    year = timezone.localdate(evening.started_at).year
    assert circle.one("a", href=f"/circles/{evening.circle_id}/years/{year}/").text == f"The year {year}"
    for names in (("Dóra", "Ede", "Feri"), ("Gabi", "Hugó", "Ida")):
        played = begun(owner, names=names, circle=evening.circle)
        record(played, owner, "2H 7", declarer=0)
    home = Page.of(owners.get("/")).one("section", aria_labelledby="circle")
    assert len(home.all("a", data_measure="points")) == 5


def test_each_of_several_circles_is_one_tap_away_and_namesakes_are_told_apart(
    owners: Client, owner: User, evening: Evening
):
    assert not Page.of(owners.get("/")).all("nav", aria_label="Circles"), "the only one is shown itself"
    others = [evenings.new_circle(owner) for _one in range(7)]
    for number, circle in enumerate(others):
        Circle.objects.filter(pk=circle.pk).update(name="Club" if number < 2 else f"Circle {number}")
        begun(owner, names=("Dóra", "Ede", f"F{number}"), circle=circle)
    Circle.objects.filter(pk=others[-1].pk).update(archived_at=timezone.now())
    page = Page.of(owners.get("/"))
    links = page.one("nav", aria_label="Circles").all("a")
    assert [link.attrs["href"] for link in links] == [
        f"/circles/{pk}/" for pk in sorted([evening.circle_id, *(circle.pk for circle in others[:-1])], reverse=True)
    ]
    assert [link.text for link in links[-3:]] == ["Club Dóra, Ede, F1", "Club Dóra, Ede, F0", "Anna, Béla, Cili"]
    assert page.html.index("Continue") < page.html.index(links[0].text) < page.html.index("New session")


def test_the_same_players_sit_down_again_in_one_tap(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    evenings.end(evening.pk)
    form = Page.of(owners.get("/")).form("/sessions/new/")
    assert form.one("button").text == "Same players as last time"
    assert form.one("p", id=form.one("button").attrs["aria-describedby"]).text == "Asszorti · Anna, Béla, Cili"
    response = owners.post("/sessions/new/", filled(form))
    again = Evening.objects.latest("pk")
    assert response["Location"] == f"/sessions/{again.pk}/"
    assert again.circle == evening.circle
    assert [seat.player.name for seat in again.seats.all()] == ["Anna", "Béla", "Cili"]
    assert (again.stake, again.currency) == (Decimal(10), "HUF")
    assert again.first_dealer == 1, "who would have dealt next deals first"


def test_only_those_who_still_sit_there_are_named_and_sit_down_again(
    owners: Client, owner: User, evening_of_four: Evening
):
    record(evening_of_four, owner, "2H 7")
    evening_edit.leave_lineup(evening_of_four.pk, 1, by=owner)
    Evening.objects.filter(pk=evening_of_four.pk).update(game_key="preference")
    form = Page.of(owners.get("/")).form("/sessions/new/")
    assert form.one("p").text == "Preference · Anna, Cili, Dóra"
    assert [filled(form)[f"player_{seat}"] for seat in (1, 2, 3)] == ["Anna", "Cili", "Dóra"]


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


def test_key_opens_the_demo_that_was_loaded_on_its_list_once_its_last_session_was_ended(strangers: Client):
    form = Page.of(strangers.get(demo.load())).form("/demo/")
    Evening.objects.filter(ended_at=None).update(ended_at=timezone.now())
    assert strangers.post("/demo/", filled(form))["Location"] == "/sessions/"
    assert Circle.objects.count() == 1
    assert len(Page.of(strangers.get("/sessions/")).of_class("card")) == 4


def test_key_of_a_number_that_is_another_circle_s_by_now_lets_nobody_into_it(strangers: Client, evening: Evening):
    key = signing.dumps(evening.circle_id, salt=DEMO_SALT)
    assert strangers.post("/demo/", {"key": key}).status_code == 302
    assert evening.circle.members.count() == 1
    assert not demo.join(key, UserFactory())


PAGES = ("", "edit/", "settle/", "table/")


def tags(page: Page) -> list[str]:
    return [tag.text for tag in page.of_class("tag") if tag.text in ("Demo", "Demó")]


def running_demo(owner: User) -> Evening:
    """An evening of the owner's demo that runs."""
    evening = demo.lay(owner).evenings.latest("started_at")
    evenings.reopen(evening.pk)
    return evening


def test_demo_is_marked_on_every_page_and_its_players_are_offered_for_no_session(owners: Client, owner: User):
    mine = evening_of(owner)
    for path in ("/", *(f"/sessions/{mine.pk}/{path}" for path in PAGES)):
        assert tags(Page.of(owners.get(path))) == [], path
    evenings.remove(mine.pk, by=owner)
    shown = running_demo(owner)
    for headers, word in (({}, "Demo"), (HUNGARIAN, "Demó")):
        for path in PAGES:
            assert tags(Page.of(owners.get(f"/sessions/{shown.pk}/{path}", headers=headers))) == [word], path
        assert tags(Page.of(owners.get("/sessions/", headers=headers))) == [word] * 3
        assert tags(Page.of(owners.get("/", headers=headers))) == [word] * 4
    assert Page.of(owners.get("/sessions/new/")).of_class("chip") == []
    assert "Same players as last time" not in Page.of(owners.get("/")).buttons


def test_demo_is_whole_if_another_phone_ends_its_sessions_while_they_are_recorded(
    owner: User, monkeypatch: pytest.MonkeyPatch
):
    def correct(evening: Evening, *rest: Any) -> None:
        corrected(evening, *rest)
        evenings.end(evening.pk)

    corrected = demo._correct
    monkeypatch.setattr(demo, "_correct", correct)
    running = demo.lay(owner).evenings.get(ended_at=None)
    assert faults() == []
    evenings.end(running.pk)


def test_deleting_the_demo_by_one_tap_leaves_other_circles(owners: Client, owner: User):
    shown, mine = running_demo(owner), evening_of(owner)
    for path in ("/", "/sessions/"):
        demo.lay(owner)
        assert owners.post("/demo/clear/", filled(Page.of(owners.get(path)).form("/demo/clear/")))["Location"] == path
        assert (list(Circle.objects.all()), list(Evening.objects.all())) == ([mine.circle], [mine])
        assert "Delete the demo" not in Page.of(owners.get(path)).buttons
    assert Player.objects.count() == 3
    assert owners.get(f"/sessions/{shown.pk}/").status_code == 404


def test_demo_of_several_owners_is_not_deleted(owners: Client, owner: User, strangers: Client):
    other = UserFactory()
    MemberFactory(circle=demo.lay(owner), user=other, role=Role.OWNER)
    MemberFactory(circle=demo.lay(other), user=owner)
    assert "Delete the demo" not in Page.of(owners.get("/")).buttons
    with nothing_written():
        for phone in (owners, strangers):
            assert phone.post("/demo/clear/").status_code == 302
