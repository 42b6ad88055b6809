"""Posts a form that must be refused, in both languages: the status is 4xx, the input kept, nothing written."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening
from tests.factories import hand_fields
from tests.selection import first
from tests.views.page import ENGLISH, HTMX_HAND_FORM, HUNGARIAN, Page, hand_form

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
