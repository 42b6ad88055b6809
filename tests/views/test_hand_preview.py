"""The live count of the hand form."""

from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening
from tests.factories import hand_fields
from tests.selection import first
from tests.views.page import HTMX_BODY, HTMX_COUNT, Page, hand_form

PLAIN: dict[str, str] = {}


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/hands/preview/"


def preview(client: Client, evening: Evening, **fields: Any) -> Page:
    return Page.of(client.post(url(evening), hand_fields(evening, **fields), headers=HTMX_COUNT))


@pytest.mark.parametrize(
    ("fields", "points", "said"),
    [
        ({}, 6, "2 hearts, 7 tricks: 4 + 2 = 6"),
        ({"tricks": "5"}, -4, "Anna +4 · Cili +4 · Béla −8"),
        ({"tricks": "6", "opponent_tricks": "5", "game_kontra": "2"}, 12, "4 × 4 − 4 = 12 6:5:0"),
        ({"tricks": "6", "opponent_tricks": "5"}, 0, "Nobody pays anybody."),
        ({"tricks": "1"}, -12, "1 trick:"),
        ({"trump": "none"}, 12, "2 no trumps, 7 tricks: 8 + 4 = 12"),
        ({"arrivazs": "won"}, 14, "4 + 2 + 8 = 14"),
        ({"contract": "1", "trump": "none", "game_kontra": "3"}, 144, "(12 + 6) × 8 = 144"),
    ],
)
def test_the_sentence_follows_the_hand(
    owners: Client, evening: Evening, fields: dict[str, str], points: int, said: str
):
    page = preview(owners, evening, **fields)
    assert said in page.text
    assert page.points == points


def test_live_count_names_the_leader(owners: Client, evening: Evening):
    page = preview(owners, evening, contract=None, trump=None, tricks=None)
    assert "Anna leads." in page.text
    assert "leads" not in preview(owners, evening, declarer=None).text


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_BODY]))
def test_without_the_part_s_name_it_answers_with_the_page_and_the_form_as_tapped(
    owners: Client, evening: Evening, headers: dict[str, str]
):
    page = Page.of(owners.post(url(evening), hand_fields(evening), headers=headers))
    assert page.is_whole
    assert page.points == 6
    assert hand_form(page)["tricks"] == "7"
    assert page.one("form", id="hand-form").attrs["action"] == f"/sessions/{evening.pk}/hands/new/"
