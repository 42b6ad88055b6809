"""The page of a circle's saved house rules."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from sessions_app.models import Evening, HouseProfile, Member, User
from sessions_app.writers import circles, evenings
from tests.factories import UserFactory, evening_of, started
from tests.views.page import Page

FRIDAY = "leningrad target=10 ten=checked"
SAID = "Leningrad, pool to 10, except: a ten is checked instead of whisted"
TAKEN = "Other saved rules have this name. Choose another name, or remove those first."
WHO = pytest.mark.parametrize("who", ["owner", "keeper"])


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def evening(owner: User) -> Evening:
    """One of Preference, of which nothing is kept yet."""
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, game_key="preference", rules=FRIDAY)
    begun = started(opening, by=owner)
    Member.objects.filter(circle=begun.circle_id).update(to_be_asked=False)
    return begun


@pytest.fixture
def kept(evening: Evening, owner: User) -> HouseProfile:
    return circles.save_profile(evening.circle_id, "preference", "Friday", FRIDAY, by=owner)


def at(evening: Evening, path: str = "") -> str:
    return f"/sessions/{evening.pk}/profiles/{path}"


def items(page: Page) -> list[str]:
    return [item.of_class("line-of")[0].text for item in page.of_class("member")]


@WHO
def test_the_evening_s_rules_are_kept_under_a_name(cast: dict[str, Client], evening: Evening, owner: User, who: str):
    page = Page.of(cast[who].get(at(evening)))
    assert page.of_class("keep-rules")[0].all("p")[0].text == SAID
    assert "No saved rules yet." in page.text
    response = cast[who].post(at(evening, "keep/"), {"name": "  Pe\u0301ntek  este "})
    assert response["Location"] == at(evening)
    row = HouseProfile.objects.get()
    assert (row.circle, row.game_key, row.name, row.rules) == (evening.circle, "preference", "Péntek este", FRIDAY)
    page = Page.of(cast[who].get(at(evening)))
    assert items(page) == [f"Péntek este Preference {SAID}"]
    assert "Saved as: Péntek este" in page.text
    assert not page.all("form", action=at(evening, "keep/")), "they have a name"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Enter a name."),
        ("x" * 41, "A name has at most 40 characters."),
        ("\u200d", "This name has no visible characters."),
        ("\u202eFriday", "This name contains characters that cannot be shown."),
        ("FRIDAY", TAKEN),
    ],
)
def test_a_name_that_cannot_be_comes_back_with_its_reason(
    owners: Client,
    evening: Evening,
    owner: User,
    written: Callable[[], dict[str, Any]],
    name: str,
    sentence: str,
):
    other = circles.save_profile(evening.circle_id, "preference", "Friday", "sochi", by=owner)
    before = written()
    response = owners.post(at(evening, "keep/"), {"name": name})
    page = Page.of(response)
    assert (response.status_code, page.is_whole) == (422, True)
    assert page.error("name") == sentence
    assert page.one("input", id="name").attrs["value"] == name
    third = circles.save_profile(evening.circle_id, "preference", "Home", "rostov", by=owner)
    response = owners.post(at(evening, f"{third.pk}/rename/"), {"name": name})
    page = Page.of(response)
    assert response.status_code == 422
    assert page.error(f"name-{third.pk}") == sentence
    assert page.one("input", id=f"name-{third.pk}").attrs["value"] == name
    assert [fold.attrs.get("open") is not None for fold in _folds(page)] == [False, True], "no reason is folded away"
    circles.remove_profile(evening.circle_id, third.pk)
    assert written() == before
    assert other.name == "Friday"


def _folds(page: Page) -> list[Any]:
    return [item.all("details")[0] for item in page.of_class("member")]


def test_there_are_not_more_than_one_finds_his_way_among(owners: Client, evening: Evening, owner: User):
    for number in range(circles.MOST_PROFILES):
        circles.save_profile(evening.circle_id, "preference", f"Own {number}", f"target={number + 1}", by=owner)
    response = owners.post(at(evening, "keep/"), {"name": "Friday"})
    assert response.status_code == 422
    assert Page.of(response).error("name") == "The circle already has 12 saved rules. Remove one first."


@WHO
def test_saved_profile_is_renamed_and_removed(cast: dict[str, Client], evening: Evening, kept: HouseProfile, who: str):
    assert cast[who].post(at(evening, f"{kept.pk}/rename/"), {"name": "Home"})["Location"] == at(evening)
    assert items(Page.of(cast[who].get(at(evening)))) == [f"Home Preference {SAID}"]
    for _twice in range(2):
        assert cast[who].post(at(evening, f"{kept.pk}/remove/"))["Location"] == at(evening)
    assert items(Page.of(cast[who].get(at(evening)))) == []
    evening.refresh_from_db()
    assert evening.rules == FRIDAY


@pytest.mark.parametrize("act", ["rename", "remove"])
def test_another_table_s_are_none_here(
    owners: Client, evening: Evening, written: Callable[[], dict[str, Any]], act: str
):
    stranger = UserFactory()
    theirs = circles.save_profile(evening_of(stranger).circle_id, "preference", "Friday", "sochi", by=stranger)
    before = written()
    status = owners.post(at(evening, f"{theirs.pk}/{act}/"), {"name": "Home"}).status_code
    assert status == {"rename": 404, "remove": 302}[act]
    assert owners.post(at(evening, f"{2**63}/{act}/"), {"name": "Home"}).status_code == 404
    assert written() == before


def test_unreadable_profile_says_so_and_can_be_removed(owners: Client, evening: Evening):
    HouseProfile.objects.create(circle=evening.circle, game_key="preference", name="Old", rules="moscow")
    HouseProfile.objects.create(circle=evening.circle, game_key="ulti", name="Gone")
    page = Page.of(owners.get(at(evening)))
    assert items(page) == [
        "Old Preference These can no longer be read, so they are not offered.",
        "Gone ulti These can no longer be read, so they are not offered.",
    ]
    assert page.buttons.count("Remove") == 2
