"""The house rules of an evening: chosen when it starts, and shown on its pages."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.factories import record, started
from tests.selection import first
from tests.views.page import HTMX_SESSION_FORM, HUNGARIAN, Page, filled, session_form
from tests.views.test_evening_new import URL, fields

HTMX_SUMMARY = {"HX-Request": "true", "HX-Target": "span#house-summary"}
LINE = "six_five_nil=no ladder=2"
BOOK = "House rules: as in the book"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def begun(owner: User, rules: str) -> Evening:
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, rules=rules)
    return started(opening, by=owner)


def fold(page: Page) -> Any:
    return page.one("details", id="house-rules")


# --- Choosing ---


def test_house_rules_are_folded_and_by_the_book(strangers: Client):
    page = Page.of(strangers.get(URL))
    assert "open" not in fold(page).attrs
    assert fold(page).one("summary").text == BOOK
    form = session_form(page)
    assert {name: value for name, value in form.items() if "rules" in name} == {
        "rules": "",
        "rules_six_five_nil": "yes",
        "rules_no_trump_arrivazs": "yes",
        "rules_ladder": "5",
        "rules_hands": "",
        "rules_points": "",
    }
    assert form["game"] == "asszorti"
    assert fold(page).all("legend"), "each says what it is"


@pytest.mark.parametrize("headers", first(1, [{}, HTMX_SESSION_FORM]))
@pytest.mark.parametrize(
    "chosen",
    [{"rules": LINE}, {"rules": "book ladder=2 six_five_nil=no"}, {"rules_six_five_nil": "no", "rules_ladder": "2"}],
)
def test_chosen_rules_are_stored_with_the_session(strangers: Client, headers: dict[str, str], chosen: dict[str, str]):
    strangers.post(URL, fields(**chosen), headers=headers)
    evening = Evening.objects.get()
    assert (evening.game_key, evening.rules) == ("asszorti", LINE)
    assert (evening.house.six_five_nil, evening.house.ladder) == (False, 2)


def test_fold_names_few_differing_rules_and_counts_many(strangers: Client):
    said = {"rules": "kings=4 xxi=60 ladder=4", "game": "tarokk", "arrange": ""}
    some = fold(Page.of(strangers.post(URL, fields(**said)))).one("summary").text
    assert some == "House rules: as in the book; but: kontra up to hirskontra, négy király 4, XXI-fogás 60"
    said["rules"] += " alone_counts=szolo"
    many = fold(Page.of(strangers.post(URL, fields(**said)))).one("summary").text
    assert many == "House rules: as in the book, with 4 changes"
    said["rules"] = "pvsz kings=4"
    near = fold(Page.of(strangers.post(URL, fields(**said)))).one("summary").text
    assert near == "House rules: Competition rules (PVSZ); but: négy király 4"


def test_fold_follows_the_chosen_rules(strangers: Client):
    posted = fields(rules_six_five_nil="no", rules_ladder="2", rules_hands="x")
    page = Page.of(strangers.post(f"{URL}?arrange", posted, headers=HTMX_SUMMARY))
    assert page.text == "House rules: no 6:5:0, kontra up to rekontra"
    assert not page.all("form")
    said = Page.of(strangers.post(f"{URL}?arrange", posted, headers=HTMX_SUMMARY | HUNGARIAN)).text
    assert said == "Házi szabályok: nincs 6:5:0, legfeljebb rekontra"
    assert not User.objects.exists()


# --- The latest choices ---


@pytest.mark.parametrize(
    ("who", "offered"), [("owner", True), ("keeper", True), ("viewer", False), ("outsider", False), ("stranger", False)]
)
def test_last_rules_are_offered_to_writers_only(
    cast: dict[str, Client], owner: User, evening: Evening, who: str, offered: bool
):
    begun(owner, "hands=7")
    begun(owner, LINE)
    page = Page.of(cast[who].get(URL))
    said = "House rules: no 6:5:0, kontra up to rekontra"
    assert fold(page).one("summary").text == (said if offered else BOOK)
    assert session_form(page)["rules"] == ""
    assert session_form(page)["rules_ladder"] == ("2" if offered else "5")


# --- Said ---


def test_the_evening_says_what_differs_from_the_book(viewers: Client, evening: Evening):
    Evening.objects.filter(pk=evening.pk).update(rules=LINE)
    assert Page.of(viewers.get(f"/sessions/{evening.pk}/")).of_class("house-rules")[0].text == (
        "House rules: no 6:5:0, kontra up to rekontra"
    )
    assert (
        "House rules: no 6:5:0, kontra up to rekontra"
        in viewers.get(f"/sessions/{evening.pk}/settle/").content.decode()
    )


def test_edit_page_shows_the_rules_and_leaves_them(owners: Client, owner: User, evening: Evening):
    other = begun(owner, LINE)
    page = Page.of(owners.get(f"/sessions/{other.pk}/edit/"))
    assert page.of_class("house-rules")[0].text == (
        "House rules: no 6:5:0, kontra up to rekontra. They stay as they were when the session began. "
        "Save them under a name"
    )
    form = filled(page.one("form", id="edit-form"))
    assert not [name for name in form if "rules" in name]
    owners.post(f"/sessions/{other.pk}/edit/", form | {"rules": "ladder=1", "rules_ladder": "1", "stake": "7"})
    other.refresh_from_db()
    assert (other.rules, other.stake) == (LINE, 7)
    assert BOOK in Page.of(owners.get(f"/sessions/{evening.pk}/edit/")).text


# --- The end that was agreed on ---


def reminders(page: Page) -> list[str]:
    return [node.text for node in page.of_class("reminder")]


def test_the_page_reminds_of_the_end_agreed_on_and_takes_hands_all_the_same(
    owners: Client, owner: User, post_hand: Callable[..., Any]
):
    evening = begun(owner, "hands=2")
    url = f"/sessions/{evening.pk}/"
    record(evening, owner)
    assert reminders(Page.of(owners.get(url))) == []
    record(evening, owner)
    assert reminders(Page.of(owners.get(url))) == ["2 hands were agreed on: this was the last."]
    assert reminders(Page.of(owners.get(url + "live/?v=1"))) == ["2 hands were agreed on: this was the last."]
    assert "primary" in Page.of(owners.get(url)).one("a", data_next_hand="3").attrs["class"]
    assert not Page.of(owners.get(url + "hands/new/")).one(id="hand-over").text
    assert post_hand(owners, evening).status_code == 302
    assert reminders(Page.of(owners.get(url))) == ["2 hands were agreed on, 3 have been played."]
    assert reminders(Page.of(owners.get(url, headers=HUNGARIAN))) == ["2 leosztást beszéltetek meg, eddig 3 volt."]
    evenings.end(evening.pk)
    assert reminders(Page.of(owners.get(url))) == []
