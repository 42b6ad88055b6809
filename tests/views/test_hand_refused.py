"""A bad hand: 4xx, a sentence beside the field in the reader's language, the input kept, nothing written."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.factories import evening_of, hand_fields, record
from tests.selection import first, first_rows
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


@pytest.fixture
def bad(owners: Client, written: Callable[[], dict[str, Any]]) -> Bad:
    return Bad(owners, written)


@BOTH
@pytest.mark.parametrize("field", ["token", "number"])
@pytest.mark.parametrize("value", [None, "", "x", "0", "-1", "9" * 30, "\x00"])
def test_form_not_opened_here_is_refused(bad: Bad, evening: Evening, htmx: bool, field: str, value: str | None):
    english, hungarian = bad.hand(evening, htmx, lost=(field,), **{field: value})
    sentence = "This form is out of date."
    assert any(sentence in error for error in english.errors)
    assert hungarian.errors
    assert not any(sentence in error for error in hungarian.errors)


@BOTH
@pytest.mark.parametrize("field", ["dealer", "declarer"])
@pytest.mark.parametrize("seat", ["3", "-1", "x", "9" * 30])
def test_seat_of_another_session_is_refused(bad: Bad, owner: User, evening: Evening, htmx: bool, field: str, seat: str):
    """Seat 3 is taken in the owner's other session, which has four players."""
    evening_of(owner, names=("Anna", "Béla", "Cili", "Dóra"))
    pages = bad.hand(evening, htmx, lost=(field,), **{field: seat})
    beside(*pages, field, "Nobody sits there.")


@BOTH
@pytest.mark.parametrize(
    ("field", "value"),
    first_rows(
        4,
        [
            ("contract", "4"),
            ("contract", "Hand"),
            ("trump", "♥"),
            ("trump", "HEARTS"),
            ("game_kontra", "6"),
            ("game_kontra", "-1"),
            ("game_kontra", "kontra"),
            ("arrivazs", "maybe"),
            ("arrivazs_kontra", "6"),
        ],
    ),
)
def test_choice_not_offered_is_refused(bad: Bad, evening: Evening, htmx: bool, field: str, value: str):
    pages = bad.hand(evening, htmx, lost=(field,), **{field: value})
    beside(*pages, field, "Choose one of the options.")


@BOTH
@pytest.mark.parametrize("revision", ["x", "1.5", "\x00"])
def test_a_correction_whose_revision_is_nonsense_is_refused_with_a_sentence(
    bad: Bad, owner: User, evening: Evening, htmx: bool, revision: str
):
    record(evening, owner, "2H 7")
    evening.refresh_from_db()
    posted = hand_fields(evening, tricks="9", revision=revision)
    headers = HTMX_HAND_FORM if htmx else {}
    english, hungarian = bad.post(f"/sessions/{evening.pk}/hands/1/edit/", posted, headers)
    assert english.errors
    assert english.errors != hungarian.errors


@BOTH
@pytest.mark.parametrize("revision", ["0", "-1", "9" * 18, "9" * 30])
def test_a_correction_of_a_revision_that_never_was_overwrites_nothing(
    bad: Bad, owner: User, evening: Evening, htmx: bool, revision: str
):
    record(evening, owner, "2H 7", declarer=1)
    posted = hand_fields(evening, tricks="9", revision=revision)
    headers = HTMX_HAND_FORM if htmx else {}
    bad.post(f"/sessions/{evening.pk}/hands/1/edit/", posted, headers, status=409)


@BOTH
def test_hand_posted_to_an_ended_session_is_refused_and_kept(bad: Bad, evening: Evening, htmx: bool):
    evenings.end(evening.pk)
    english, hungarian = bad.hand(evening, htmx, status=409)
    sentence = "This session has ended. Reopen to add or correct hands."
    assert sentence in english.text
    assert sentence not in hungarian.text
    assert hungarian.of_class("notice")
    assert "Settle up" in english.links


@BOTH
def test_a_hand_that_was_kept_by_an_ended_session_is_saved_once_it_is_reopened(
    owners: Client, evening: Evening, htmx: bool
):
    address = f"/sessions/{evening.pk}/hands/new/"
    headers = HTMX_HAND_FORM if htmx else {}
    evenings.end(evening.pk)
    page = Page.of(owners.post(address, hand_fields(evening), headers=headers))
    evenings.reopen(evening.pk)
    assert owners.post(address, hand_form(page), headers=headers).status_code in (200, 302)
    assert evening.hands.get().deal == "2H 7"


def test_several_mistakes_are_all_said_at_once(bad: Bad, evening: Evening):
    english, _hungarian = bad.hand(evening, False, lost=("tricks", "dealer"), tricks="12", dealer="9", trump=None)
    assert english.error("tricks")
    assert english.error("dealer")
    assert english.error("trump")


def test_a_field_that_is_wrong_is_seen_though_it_stands_in_a_fold(bad: Bad, evening: Evening):
    english, _hungarian = bad.hand(evening, False, lost=("dealer",), dealer="9")
    assert "open" in english.one("details", class_="deal-head").attrs
