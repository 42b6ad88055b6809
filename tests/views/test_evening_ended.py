"""The page of an ended evening: its result, the next evening, and the way back."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evenings
from tests.factories import evening_of, hand_fields, record
from tests.views.page import HUNGARIAN, Page


def url(evening: Evening, path: str = "") -> str:
    return f"/sessions/{evening.pk}/{path}"


def ended(evening: Evening, days_ago: int = 0) -> Evening:
    evenings.end(evening.pk)
    Evening.objects.filter(pk=evening.pk).update(started_at=timezone.now() - timedelta(days=days_ago))
    return evening


def way_back(page: Page) -> str:
    (back,) = page.of_class("back")
    return back.attrs["href"]


@pytest.mark.parametrize("who", ["owner", "viewer"])
def test_ended_session_says_who_won_and_leads_to_settling(
    cast: dict[str, Client], owner: User, evening: Evening, who: str
):
    record(evening, owner, "2H 7", declarer=0)
    record(evening, owner, "2H 7", declarer=0)
    page = Page.of(cast[who].get(url(ended(evening))))
    (said,) = page.of_class("ended-as")
    assert said.text == "Anna won +24 · 2 hands"
    (bar,) = page.of_class("bar")
    (primary,) = bar.of_class("primary")
    assert (primary.text, primary.attrs["href"]) == ("Settle up", url(evening, "settle/"))
    assert "Reopen" not in bar.text
    assert ("Reopen" in page.buttons) is (who == "owner")


@pytest.mark.parametrize(
    ("open_for", "said"),
    [
        (timedelta(seconds=59), ""),
        (timedelta(minutes=45), " · 45 min"),
        (timedelta(hours=2), " · 2 h"),
        (timedelta(hours=2, minutes=10, seconds=59), " · 2 h 10"),
        (timedelta(hours=12), " · 12 h"),
        (timedelta(hours=12, seconds=1), ""),
        (timedelta(days=3), ""),
        (timedelta(minutes=-5), ""),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["", "settle/"])
def test_ended_session_says_how_long_it_was_played(
    owners: Client, owner: User, evening: Evening, open_for: timedelta, said: str, path: str
):
    record(evening, owner, "2H 7", declarer=0)
    Evening.objects.filter(pk=evening.pk).update(ended_at=evening.started_at + open_for)
    assert Page.of(owners.get(url(evening, path))).of_class("ended-as")[0].text == f"Anna won +12 · 1 hand{said}"


def test_ended_session_names_all_winners(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 5", declarer=2)
    assert Page.of(owners.get(url(ended(evening)))).of_class("ended-as")[0].text == "Anna and Béla won +4 · 1 hand"
    hungarian = Page.of(owners.get(url(evening), headers=HUNGARIAN))
    assert hungarian.of_class("ended-as")[0].text == "Anna és Béla nyert: +4 · 1 leosztás"


@pytest.mark.parametrize("path", ["", "settle/"])
def test_ended_session_leads_to_the_circle_s_next_one(viewers: Client, owner: User, evening: Evening, path: str):
    ended(evening, 30)
    later, latest = (evening_of(owner) for _ in range(2))
    elsewhere = evening_of(owner, names=("Xénia", "Yvette", "Zita"))
    Evening.objects.filter(pk=elsewhere.pk).update(started_at=timezone.now() - timedelta(days=29))
    Evening.objects.filter(pk=later.pk).update(started_at=timezone.now() - timedelta(days=9))
    (name,) = [name for name in Page.of(viewers.get(url(evening, path))).links if name.startswith("Next session")]
    assert name.startswith("Next session: Asszorti, ")
    assert Page.of(viewers.get(url(evening, path))).links[name] == url(later)
    ended(latest)
    assert "Next session" not in Page.of(viewers.get(url(latest, path))).text


def test_a_hand_is_corrected_after_reopening_it_from_its_own_page(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    ended(evening)
    page = Page.of(owners.get(url(evening, "hands/1/")))
    form = page.form(url(evening, "reopen/"))
    answer = owners.post(form.attrs["action"], {"hand": form.one("input", name="hand").attrs["value"]})
    assert answer["Location"] == url(evening, "hands/1/")
    assert "Correct" in Page.of(owners.get(answer["Location"])).buttons


@pytest.mark.parametrize("hand", ["x", "-1", "//elsewhere.example", "9" * 40, "1/../../.."])
def test_reopening_leads_nowhere_else(owners: Client, evening: Evening, hand: str):
    ended(evening)
    assert owners.post(url(evening, "reopen/"), {"hand": hand})["Location"] == url(evening)


def test_the_way_back_is_to_the_page_of_the_past_sessions_and_the_place_on_it(
    owners: Client, owner: User, play: Callable[..., Evening]
):
    first = ended(play(evening_of(owner), 30), 40)
    for days in range(20):
        ended(evening_of(owner), days)
    owners.get("/")
    assert way_back(Page.of(owners.get(url(first)))) == "/"
    second = Page.of(owners.get("/sessions/?q=anna")).links["Earlier"]
    page = Page.of(owners.get(second))
    assert page.one("li", id=f"session-{first.pk}").one("a").attrs["href"] == url(first)
    # By way of an early hand, and of the pages beside the sheet.
    for path in ("?before=13", "hands/3/", "settle/", "table/"):
        owners.get(url(first, path))
    there = f"{second}#session-{first.pk}"
    assert way_back(Page.of(owners.get(url(first)))) == there
    assert way_back(Page.of(owners.get(url(first, "?before=13")))) == there
    owners.get("/sessions/")
    assert way_back(Page.of(owners.get(url(first)))) == f"/sessions/#session-{first.pk}"
    owners.get("/")
    assert way_back(Page.of(owners.get(url(first)))) == "/"


#: Numbers of hands, and where they are on a sheet of thirty.
PLACES = ((30, "#hand-30"), (19, "#hand-19"), (18, "?before=19#hand-18"), (1, "?before=7#hand-1"))


@pytest.mark.parametrize(("number", "place"), PLACES)
def test_hand_leads_back_to_its_row_on_the_sheet(
    owners: Client, evening: Evening, play: Callable[..., Evening], number: int, place: str
):
    play(evening, 30)
    back = way_back(Page.of(owners.get(url(evening, f"hands/{number}/"))))
    assert back == url(evening, place)
    assert number in Page.of(owners.get(back)).numbers


# --- End an evening, and reopen it ---


def verb_url(evening: Evening, verb: str) -> str:
    return f"/sessions/{evening.pk}/{verb}/"


def test_an_ended_evening_moves_from_running_to_past_and_back(keepers: Client, evening: Evening):
    response = keepers.post(verb_url(evening, "end"))
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{evening.pk}/settle/")
    home = Page.of(keepers.get("/"))
    assert "Continue" not in home.links
    assert len(home.of_class("card")) == 1
    response = keepers.post(verb_url(evening, "reopen"))
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{evening.pk}/")
    assert Page.of(keepers.get("/")).links["Continue"] == f"/sessions/{evening.pk}/"


def test_a_hand_that_was_posted_before_the_end_is_answered_with_itself_after_it(owners: Client, evening: Evening):
    """The answer was lost on the way, the phone sends again: the hand is there, so it is no refusal."""
    posted = hand_fields(evening)
    owners.post(f"/sessions/{evening.pk}/hands/new/", posted)
    owners.post(verb_url(evening, "end"))
    response = owners.post(f"/sessions/{evening.pk}/hands/new/", posted)
    assert response.status_code == 302
    assert Hand.objects.count() == 1
