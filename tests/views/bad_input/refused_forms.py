"""Posts a form that must be refused, in both languages: the status is 4xx, the input kept, nothing written."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening
from tests.factories import hand_fields
from tests.selection import first
from tests.views.page import ENGLISH, HTMX_HAND_FORM, HTMX_SESSION_FORM, HUNGARIAN, Page, hand_form, session_form

BOTH = pytest.mark.parametrize("htmx", first(1, [False, True]), ids=["plain", "htmx"])


def beside(english: Page, hungarian: Page, field: str, sentence: str) -> None:
    """The sentence stands beside the field, and in Hungarian it is another one."""
    assert sentence in english.error(field)
    assert hungarian.error(field)
    assert sentence not in hungarian.error(field)


class Bad:
    """Posts a form that must be refused, in both languages, plain and with htmx."""

    def __init__(self, client: Client, written: Callable[[], dict[str, Any]]) -> None:
        self.client, self.written = client, written

    def post(self, address: str, fields: dict[str, str], htmx: dict[str, str], status: int = 422) -> tuple[Page, Page]:
        before = self.written()
        pages = []
        for language in (ENGLISH, HUNGARIAN):
            response = self.client.post(address, fields, headers=language | htmx)
            assert response.status_code == status
            page = Page.of(response)
            assert page.is_whole is not bool(htmx)
            pages.append(page)
        assert self.written() == before
        return pages[0], pages[1]

    def hand(
        self, evening: Evening, htmx: bool, lost: tuple[str, ...] = (), status: int = 422, **fields: Any
    ) -> tuple[Page, Page]:
        """`lost` are the fields whose value no choice of the form can show."""
        posted = hand_fields(evening, **fields)
        address = f"/sessions/{evening.pk}/hands/new/"
        pages = self.post(address, posted, HTMX_HAND_FORM if htmx else {}, status)
        for page in pages:
            kept = hand_form(page)
            wanted = {name: value for name, value in posted.items() if name not in lost and value}
            assert {name: kept.get(name) for name in wanted} == wanted
        return pages

    def session(self, htmx: bool, **fields: Any) -> tuple[Page, Page]:
        posted = {
            "token": "6f2b3ad2-9f0d-4d8e-8f6e-0f6b1a3c9e11",
            "player_1": "Anna",
            "player_2": "Béla",
            "player_3": "Cili",
            "player_4": "",
            "first_dealer": "2",
            "stake": "10",
            "currency": "HUF",
        } | fields
        posted = {name: value for name, value in posted.items() if value is not None}
        pages = self.post("/sessions/new/", posted, HTMX_SESSION_FORM if htmx else {})
        for page in pages:
            kept = session_form(page)
            offered = [option.attrs["value"] for option in page.one("select").all("option")]
            for name, value in posted.items():
                unseen = (name == "currency" and value not in offered) or (
                    name == "first_dealer" and value not in ("1", "2", "3", "4")
                )
                assert unseen or kept.get(name) == value, name
        return pages
