"""Correct a hand by the hand form."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evenings
from tests.factories import record, repeat
from tests.selection import first
from tests.views.page import HTMX_BODY, HTMX_HAND_FORM, Page, filled, hand_form

PLAIN: dict[str, str] = {}


def url(evening: Evening, number: int = 1) -> str:
    return f"/sessions/{evening.pk}/hands/{number}/edit/"


def opened(client: Client, evening: Evening, number: int = 1) -> dict[str, str]:
    return hand_form(Page.of(client.get(url(evening, number))))


@pytest.mark.parametrize(
    ("deal", "fields"),
    [
        ("2H 7", {"contract": "2", "trump": "hearts", "tricks": "7", "arrivazs": "none"}),
        ("hN 3-5-3 M", {"contract": "hand", "trump": "none", "tricks": "3", "game_kontra": "5"}),
        ("1S 6-5-0 A+K", {"tricks": "6", "opponent_tricks": "5", "arrivazs": "won", "arrivazs_kontra": "1"}),
        ("1S 6-0-5", {"tricks": "6", "opponent_tricks": "0"}),
        ("3D 0 A-", {"tricks": "0", "arrivazs": "lost", "arrivazs_kontra": "0"}),
        ("3C 11 A*", {"tricks": "11", "arrivazs": "idegen"}),
    ],
)
def test_edit_form_sent_back_unchanged_corrects_nothing(
    owners: Client, owner: User, evening: Evening, deal: str, fields: dict[str, str]
):
    record(evening, owner, deal, declarer=2)
    form = opened(owners, evening)
    assert form["declarer"] == "2"
    assert {name: form[name] for name in fields} == fields
    response = owners.post(url(evening), form)
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{evening.pk}/#hand-1")
    hand = Hand.objects.get()
    assert (hand.deal, hand.revision_count) == (deal, 1)


def test_a_correction_moves_the_balances_and_stays_visible(keepers: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    record(evening, owner, "2H 7", declarer=0)
    response = keepers.post(url(evening), opened(keepers, evening) | {"tricks": "8", "declarer": "2"})
    assert response["Location"] == f"/sessions/{evening.pk}/?saved=1#hand-1"
    page = Page.of(keepers.get(f"/sessions/{evening.pk}/"))
    assert page.balances == {0: 12 - 8, 1: -6 - 8, 2: -6 + 16}
    assert "corrected" in page.line(1).text
    assert "corrected" not in page.line(2).text


def test_after_it_the_sheet_says_that_it_is_saved_beside_the_next_hand(owners: Client, owner: User, evening: Evening):
    """A correction of an earlier page is shown on that page, and offers no Undo, which would make the hand void."""
    record(evening, owner, "2H 7")
    repeat(evening, 20)
    evening.refresh_from_db()
    response = owners.post(url(evening), opened(owners, evening) | {"tricks": "9"})
    assert response["Location"] == f"/sessions/{evening.pk}/?before=9&saved=1#hand-1"
    page = Page.of(owners.get(response["Location"]))
    assert "corrected" in page.line(1).text
    receipt = page.one("form", class_="undo")
    assert receipt.one("p", role="status").text == "Hand 1 is saved."
    assert receipt.all("button") == []
    assert [link.text for link in page.all("a") if "data-next-hand" in link.attrs] == ["Enter hand 21"]


def test_htmx_is_sent_on_by_a_header(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    form = opened(owners, evening) | {"tricks": "9"}
    for _time in range(2):
        response = owners.post(url(evening), form, headers=HTMX_HAND_FORM)
        assert response["HX-Redirect"] == f"/sessions/{evening.pk}/?saved=1#hand-1", "also if its answer was lost"
    assert Hand.objects.get().deal == "2H 9"


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_HAND_FORM]))
def test_stale_correction_is_asked_about_and_kept(
    owners: Client, keepers: Client, owner: User, evening: Evening, headers: dict[str, str]
):
    record(evening, owner, "2H 7", declarer=1)
    mine, others = opened(owners, evening), opened(keepers, evening)
    keepers.post(url(evening), others | {"trump": "clubs"})
    response = owners.post(url(evening), mine | {"tricks": "9"}, headers=headers)
    page = Page.of(response)
    assert response.status_code == 409
    assert page.is_whole is not bool(headers)
    assert "Somebody corrected this hand meanwhile" in page.text
    assert "7 tricks ↔ 9 tricks" in page.text
    assert page.links["What is recorded is right: drop mine"] == f"/sessions/{evening.pk}/hands/1/"
    kept = hand_form(page)
    assert (kept["trump"], kept["tricks"]) == ("hearts", "9")
    assert owners.post(url(evening), kept, headers=headers).status_code == 409, "a second tap on Save"
    assert Hand.objects.get().deal == "2C 7"
    kept["correct"] = page.one("button", name="correct").attrs["value"]
    assert owners.post(url(evening), kept, headers=headers).status_code in (200, 302)
    assert Hand.objects.get().deal == "2H 9"


def test_without_scripts_it_is_counted_by_a_button_and_stays_the_same_hand_s_form(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7", declarer=1)
    response = owners.post(url(evening), opened(owners, evening) | {"tricks": "9", "count": "1"})
    page = Page.of(response)
    assert response.status_code == 200
    assert page.points == 10
    assert page.one("form", id="hand-form").attrs["action"] == url(evening)
    assert Hand.objects.get().deal == "2H 7"


def test_a_post_of_another_hand_s_number_field_corrects_the_hand_of_the_address(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    record(evening, owner, "2H 8")
    owners.post(url(evening, 2), opened(owners, evening, 2) | {"number": "1", "tricks": "9"})
    assert list(Hand.objects.order_by("number").values_list("deal", flat=True)) == ["2H 7", "2H 9"]


# --- Make a hand void, and restore it ---


def verb_url(evening: Evening, verb: str, number: int = 1) -> str:
    return f"/sessions/{evening.pk}/hands/{number}/{verb}/"


def test_a_void_takes_the_hand_out_of_the_balances_and_a_restore_puts_it_back(
    keepers: Client, owner: User, evening: Evening
):
    sheet = f"/sessions/{evening.pk}/"
    record(evening, owner, "2H 7", declarer=0)
    response = keepers.post(verb_url(evening, "void"))
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{evening.pk}/hands/1/")
    assert Page.of(keepers.get(sheet)).balances == {0: 0, 1: 0, 2: 0}
    keepers.post(verb_url(evening, "restore"))
    assert Page.of(keepers.get(sheet)).balances == {0: 12, 1: -6, 2: -6}
    assert Hand.objects.get().revisions.count() == 3


def test_undo_goes_back_to_the_sheet_with_the_hand_marked_and_a_way_to_restore(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    form = Page.of(owners.get(f"/sessions/{evening.pk}/?saved=1")).form(verb_url(evening, "void"))
    response = owners.post(verb_url(evening, "void"), filled(form))
    assert response["Location"] == f"/sessions/{evening.pk}/?saved=1"
    page = Page.of(owners.get(response["Location"]))
    assert "Hand 1 is void." in page.text
    restored = owners.post(verb_url(evening, "restore"), filled(page.form(verb_url(evening, "restore"))))
    assert restored["Location"] == f"/sessions/{evening.pk}/?saved=1"
    assert not Hand.objects.get().is_void


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_BODY]))
@pytest.mark.parametrize("verb", ["void", "restore"])
def test_an_ended_session_takes_neither_and_says_what_to_do(
    owners: Client,
    owner: User,
    evening: Evening,
    written: Callable[[], dict[str, Any]],
    verb: str,
    headers: dict[str, str],
):
    record(evening, owner, "2H 7")
    evenings.end(evening.pk)
    before = written()
    response = owners.post(verb_url(evening, verb), headers=headers)
    page = Page.of(response)
    assert response.status_code == 409
    assert "This session has ended" in page.text
    assert "Reopen" in page.buttons
    assert written() == before
