"""The same POST twice is one hand; two for one number are one hand and one page that says so; nothing is lost."""

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand
from tests.factories import hand_fields
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Page, hand_form, saved

BOTH = pytest.mark.parametrize("headers", first(1, [{}, HTMX_HAND_FORM]), ids=["plain", "htmx"])


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/hands/new/"


@BOTH
def test_the_same_post_twice_makes_one_hand(owners: Client, evening: Evening, headers: dict[str, str]):
    posted = hand_fields(evening)
    answers = [owners.post(url(evening), posted, headers=headers) for _ in range(3)]
    assert [saved(answer) for answer in answers] == [f"/sessions/{evening.pk}/?saved=1"] * 3
    assert Hand.objects.count() == 1
    assert Page.of(owners.get(f"/sessions/{evening.pk}/")).balances == {0: -6, 1: 12, 2: -6}


@BOTH
@pytest.mark.parametrize("number", ["99", "2", "1000000"])
def test_number_that_is_not_next_is_saved_as_the_next_one_by_an_explicit_answer_only(
    owners: Client, evening: Evening, headers: dict[str, str], number: str
):
    posted = hand_fields(evening, number=number)
    page = Page.of(owners.post(url(evening), posted, headers=headers))
    again = owners.post(url(evening), hand_form(page), headers=headers)
    assert again.status_code == 409
    page = Page.of(again)
    assert "That is not the next hand" in page.text
    assert not Hand.objects.exists()
    answer = {"another": page.one("button", name="another").attrs["value"]}
    assert saved(owners.post(url(evening), hand_form(page) | answer, headers=headers)).endswith("?saved=1")


# All at once

WRITERS, EACH = 8, 3
