"""The doubled rounds after a hand of Tarokk thrown in: counted, announced, marked and corrected."""

from uuid import uuid4

import pytest
from django.test import Client

from tests.views.page import Page, hand_form
from tests.views.tarokk_hands import card, form, new, started

pytestmark = pytest.mark.django_db


def test_doubled_round_is_told_before_its_hands_and_marked_on_the_sheet(owners: Client) -> None:
    evening = started(owners, rules="after_throw_in=double")
    page = f"/sessions/{evening.pk}/"

    def told(path: str) -> str:
        answer = owners.get(f"{page}{path}")
        return " ".join(node.text for node in Page.of(answer).of_class("next-hand"))

    assert [told(path) for path in ("", "hands/new/", "referee/")] == ["", "", ""]
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    owners.post(new(evening), form(evening, "2+2 61"))
    assert told("") == "×2, three deals left"
    assert told("hands/new/") == "×2"
    assert told("referee/") == "×2, three deals left"
    assert "×2, three deals left" in Page.of(owners.get(f"{page}table/")).text
    assert "×2, még három leosztás" in Page.of(owners.get(page, headers={"Accept-Language": "hu"})).text
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    assert told("") == "×4, three deals left, then ×2 for one"
    owners.post(new(evening), form(evening, "2+2 61 K"))
    sheet = Page.of(owners.get(page))
    marks = {n: [mark.text for mark in sheet.one(id=f"hand-{n}").of_class("mark")] for n in (2, 4)}
    assert [text.split()[0] for text in marks[2]] == ["↻×2"]
    assert [text.split()[0] for text in marks[4]] == ["↻×4", "×2"]
    for _hand in range(4):
        owners.post(new(evening), form(evening, "2+2 61"))
    assert told("") == ""


def test_sheet_marks_a_doubled_hand_whose_round_began_on_an_earlier_page(owners: Client) -> None:
    evening = started(owners, rules="after_throw_in=double")
    for _hand in range(10):
        owners.post(new(evening), form(evening, "2+2 61"))
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    for _hand in range(12):
        owners.post(new(evening), form(evening, "2+2 61"))
    sheet = Page.of(owners.get(f"/sessions/{evening.pk}/"))
    doubled = [n for n in range(12, 24) if sheet.one(id=f"hand-{n}").of_class("mark")]
    assert doubled == [12, 13, 14, 15]


def test_form_that_is_open_meanwhile_is_told_what_the_next_hand_counts(owners: Client) -> None:
    evening = started(owners, rules="after_throw_in=double")
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    live = owners.get(f"/sessions/{evening.pk}/hands/new/live/?number=1&seen=0")
    assert "×2, four deals left" in Page.of(live).text


def test_hand_in_play_bears_the_mark_of_its_round(owners: Client) -> None:
    evening = started(owners, rules="after_throw_in=double")
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    opened = hand_form(Page.of(owners.get(new(evening))))
    counts = Page.of(owners.get(new(evening))).of_class("times")[0].text
    assert "as the round says" in counts
    assert "—" not in counts
    owners.post(f"/sessions/{evening.pk}/announce/", {**opened, "declarer": "1", "contract": "2"})
    for path in ("", "table/"):
        (mark, *_more) = Page.of(owners.get(f"/sessions/{evening.pk}/{path}")).of_class("mark")
        assert mark.text.startswith("↻×2"), path


def test_the_last_hand_of_a_doubled_round_stays_doubled(owners: Client) -> None:
    """Its standing is empty, but it came from one: on its page, corrected, voided and restored."""
    evening = started(owners, rules="after_throw_in=double")
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    for _hand in range(4):
        owners.post(new(evening), form(evening, "2+2 61"))
    path = f"/sessions/{evening.pk}/hands/5/"
    assert card(owners, evening, 5)["data-payments"] == "0>1 4, 2>3 4"
    seen = {"token": uuid4(), "number": 5, "dealer": 0, "declarer": 1, "line": "2+2 61 K"}
    assert owners.post(f"{path}edit/", seen).status_code == 302
    assert card(owners, evening, 5)["data-amounts"] == "-8 8 -8 8"
    owners.post(f"{path}void/")
    owners.post(new(evening), form(evening, "2+2 61"))
    assert card(owners, evening, 6)["data-amounts"] == "-4 4 -4 4"
    owners.post(f"{path}restore/")
    assert card(owners, evening, 5)["data-amounts"] == "-8 8 -8 8"
    assert card(owners, evening, 6)["data-amounts"] == "-2 2 -2 2"
