"""The list of past evenings, the newest first."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Evening, User
from sessions_app.words.formatting import day
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, record
from tests.views.page import Page


def end(evening: Evening, days_ago: int = 0) -> Evening:
    evenings.end(evening.pk)
    Evening.objects.filter(pk=evening.pk).update(started_at=timezone.now() - timedelta(days=days_ago))
    return evening


def cards(page: Page) -> list[str]:
    return [card.one("a").attrs["href"] for card in page.of_class("card")]


def test_past_session_shows_date_hands_and_results(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)
    record(evening, owner, "2H 7", declarer=1)
    ledger.void(evening.pk, 2, by=owner)
    end(evening)
    card = Page.of(owners.get("/sessions/")).of_class("card")[0]
    assert card.of_class("when")[0].text == f"Asszorti · {day(timezone.now())}"
    assert "1 hand" in card.text
    assert "1 hands" not in card.text
    assert [result.text for result in card.of_class("result-of")] == ["Anna +12", "Béla −6", "Cili −6"]


def test_sessions_of_one_game_and_day_carry_their_hour(owners: Client, owner: User):
    first, second, before = (end(evening_of(owner), days_ago) for days_ago in (0, 0, 3))
    at = {each.pk: timezone.localtime(each.started_at) for each in Evening.objects.all()}
    shown = [card.of_class("when")[0].text for card in Page.of(owners.get("/sessions/")).of_class("card")]
    assert sorted(shown) == sorted(
        [
            *(f"Asszorti · {day(at[each.pk])}, {at[each.pk]:%H:%M}" for each in (first, second)),
            f"Asszorti · {day(at[before.pk])}",
        ]
    )


@pytest.mark.parametrize(
    ("deals", "results", "winners"),
    [
        ((("2H 7", 2), ("3H 7", 0)), ["Cili +9", "Anna 0", "Béla −9"], ["Cili +9"]),
        ((("2H 5", 2),), ["Anna +4", "Béla +4", "Cili −8"], ["Anna +4", "Béla +4"]),
        ((), ["Anna 0", "Béla 0", "Cili 0"], []),
    ],
)
def test_the_best_result_comes_first_and_the_winners_are_marked(
    owners: Client,
    owner: User,
    evening: Evening,
    deals: tuple[tuple[str, int], ...],
    results: list[str],
    winners: list[str],
):
    for deal, declarer in deals:
        record(evening, owner, deal, declarer=declarer)
    end(evening)
    card = Page.of(owners.get("/sessions/")).of_class("card")[0]
    assert [result.text for result in card.of_class("result-of")] == results
    assert [result.text for result in card.of_class("won")] == winners


def test_a_running_session_is_not_among_them(owners: Client, evening: Evening):
    page = Page.of(owners.get("/sessions/"))
    assert cards(page) == []
    assert "Nothing here yet." in page.text


def test_twenty_are_on_a_page_and_the_rest_behind_it(owners: Client, owner: User):
    made = [end(evening_of(owner), days) for days in range(23)]
    first = Page.of(owners.get("/sessions/"))
    assert cards(first) == [f"/sessions/{each.pk}/" for each in made[:20]]
    assert not {"Later", "Latest"} & first.links.keys()
    second = Page.of(owners.get(first.links["Earlier"]))
    assert cards(second) == [f"/sessions/{each.pk}/" for each in made[20:]]
    assert "Earlier" not in second.links
    assert second.links["Latest"] == "/sessions/"
    assert cards(Page.of(owners.get(second.links["Later"]))) == cards(first)
    assert {page.one(id="found").attrs["data-found"] for page in (first, second)} == {"23"}


@pytest.mark.parametrize("page", ["0", "1", "2", "999999", "-1", "x", "", "9" * 40, "\x00"])
def test_an_address_with_a_page_s_number_leads_to_the_first(owners: Client, evening: Evening, page: str):
    end(evening)
    response = owners.get("/sessions/", {"page": page, "q": "anna"})
    assert (response.status_code, response.headers["Location"]) == (302, "/sessions/?q=anna")
    assert owners.get("/sessions/", {"page": page}).headers["Location"] == "/sessions/"


def test_past_the_end_is_said_in_words_with_the_way_back(owners: Client, evening: Evening):
    end(evening)
    page = Page.of(owners.get("/sessions/?after=1-1"))
    assert cards(page) == []
    assert "Nothing earlier." in page.text
    assert cards(Page.of(owners.get(page.links["Later"]))) == [f"/sessions/{evening.pk}/"]
    beyond = Page.of(owners.get("/sessions/?before=99999999999999999-1"))
    assert "Nothing later." in beyond.text
    assert cards(Page.of(owners.get(beyond.links["Earlier"]))) == [f"/sessions/{evening.pk}/"]
