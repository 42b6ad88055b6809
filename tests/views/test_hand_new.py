"""Record a hand by the hand form."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from sessions_app.faces import FACES
from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evening_edit, evenings
from tests.factories import hand_fields, record, repeat
from tests.selection import first
from tests.views.page import HTMX_BODY, HTMX_HAND_FORM, Page, filled, hand_form, saved


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/hands/new/"


def opened(client: Client, evening: Evening, **headers: Any) -> Page:
    return Page.of(client.get(url(evening), headers=headers))


def test_the_open_form_has_all_that_needs_no_tap(owners: Client, evening: Evening):
    page = opened(owners, evening)
    form = hand_form(page)
    assert UUID(form["token"])
    assert form["number"] == "1"
    assert form["dealer"] == "0"
    assert (form["game_kontra"], form["arrivazs"], form["arrivazs_kontra"]) == ("0", "none", "0")
    assert [name for name in ("declarer", "contract", "trump", "tricks", "opponent_tricks") if name in form] == []
    assert "note_split" not in form
    assert "Save hand 1" in page.buttons
    assert page.one("form", id="hand-form").attrs["action"] == url(evening)


def test_opened_form_has_its_own_token_and_writes_nothing(
    owners: Client, evening: Evening, written: Callable[[], dict[str, Any]]
):
    before = written()
    first, second = (hand_form(opened(owners, evening))["token"] for _ in range(2))
    assert first != second
    assert written() == before


def test_five_taps_and_the_hand_is_on_the_sheet(keepers: Client, evening: Evening):
    form = hand_form(opened(keepers, evening)) | {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}
    response = keepers.post(url(evening), form)
    assert response.status_code == 302
    assert response["Location"] == f"/sessions/{evening.pk}/?saved=1"
    page = Page.of(keepers.get(response["Location"]))
    assert page.balances == {0: -6, 1: 12, 2: -6}
    hand = Hand.objects.get()
    assert (hand.dealer, hand.declarer, hand.deal) == (0, 1, "2H 7")
    assert hand.revisions.get().made_by_id == int(keepers.session["_auth_user_id"])


def test_without_scripts_it_is_counted_by_a_button_and_nothing_is_written(
    owners: Client, evening: Evening, written: Callable[[], dict[str, Any]]
):
    before = written()
    posted = hand_fields(evening, count="1", game_kontra="1")
    response = owners.post(url(evening), posted)
    page = Page.of(response)
    assert response.status_code == 200
    assert page.is_whole
    assert page.points == 12
    assert hand_form(page)["token"] == posted["token"]
    assert hand_form(page)["tricks"] == "7"
    assert page.errors == []
    assert written() == before


def test_at_six_tricks_the_split_is_asked_for_and_five_nil_is_named(owners: Client, evening: Evening):
    response = owners.post(url(evening), hand_fields(evening, tricks="6"))
    page = Page.of(response)
    assert response.status_code == 422
    assert "choose the split" in page.error("opponent_tricks")
    assert "Cili : Anna" in page.one("fieldset", id="field-opponent_tricks").text, "the first is left of the declarer"
    splits = [label.text for label in page.one("fieldset", id="field-opponent_tricks").all("label")]
    assert "5 : 0" in splits[5]
    assert not Hand.objects.exists()


# --- The tables by which a phone counts without network ---


FOR_GOOD = "private, max-age=31536000, immutable"
NOT_AT_ALL = "private, no-store"


def tables_url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/count-tables/"


def named(client: Client, evening: Evening, path: str = "hands/new/", **headers: str) -> str | None:
    """Return the address that a form of the evening names."""
    page = Page.of(client.get(f"/sessions/{evening.pk}/{path}", headers=headers))
    return page.one("form", id="hand-form").attrs.get("data-tables")


def test_the_form_names_an_address_whose_answer_may_be_kept_for_good(owners: Client, evening: Evening):
    address = named(owners, evening)
    assert address
    assert address.startswith(f"{tables_url(evening)}?v=")
    response = owners.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response["Cache-Control"] == FOR_GOOD
    assert response.json() == FACES["asszorti"].provisional_tables(evening, 3)
    assert named(owners, evening, **HTMX_HAND_FORM) == address, "a part of the page, too"


def test_the_address_is_the_same_until_the_tables_are_others(
    owners: Client, keepers: Client, owner: User, evening: Evening, evening_of_four: Evening
):
    def version(client: Client, of: Evening) -> str:
        return (named(client, of) or "").rpartition("?v=")[2]

    before = version(owners, evening)
    record(evening, owner, "2H 7")
    assert version(owners, evening) == version(keepers, evening) == before
    assert version(owners, evening_of_four) != before


@pytest.mark.parametrize("query", ["", "?v=", "?v=00000000", "?v=x&v=y", "?w={right}", "?v={right}0"])
def test_count_tables_of_another_version_are_the_present_ones_and_not_cached(
    owners: Client, evening: Evening, query: str
):
    right = named(owners, evening)
    assert right
    response = owners.get(tables_url(evening) + query.format(right=right.rpartition("=")[2]))
    assert response.status_code == 200
    assert response.content == owners.get(right).content
    assert response["Cache-Control"] == NOT_AT_ALL


@pytest.mark.parametrize(
    ("who", "status"), [("owner", 200), ("keeper", 200), ("viewer", 403), ("outsider", 404), ("stranger", 404)]
)
def test_count_tables_are_given_to_writers_only(cast: dict[str, Client], evening: Evening, who: str, status: int):
    address = named(cast["owner"], evening)
    assert address
    for ask in (cast[who].get, cast[who].head):
        response = ask(address)
        assert response.status_code == status
        assert response["Cache-Control"] == (FOR_GOOD if status == 200 else NOT_AT_ALL)
        assert b"amounts" not in response.content or (ask, status) == (cast[who].get, 200)


def test_there_are_none_where_seats_have_changed(owners: Client, owner: User, evening_of_four: Evening):
    address = named(owners, evening_of_four)
    assert address
    record(evening_of_four, owner, "2H 7")
    evening_edit.leave_lineup(evening_of_four.pk, 3, by=owner)
    assert named(owners, evening_of_four) is None
    for ask in (owners.get, owners.head):
        response = ask(address)
        assert (response.status_code, response["Cache-Control"]) == (404, NOT_AT_ALL)


# --- The same POST twice is one hand; two for one number are one hand and one page that says so; nothing is lost ---


BOTH = pytest.mark.parametrize("headers", first(1, [{}, HTMX_HAND_FORM]), ids=["plain", "htmx"])


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


# --- Correct a hand by the hand form ---


PLAIN: dict[str, str] = {}


def edit_url(evening: Evening, number: int = 1) -> str:
    return f"/sessions/{evening.pk}/hands/{number}/edit/"


def edit_opened(client: Client, evening: Evening, number: int = 1) -> dict[str, str]:
    return hand_form(Page.of(client.get(edit_url(evening, number))))


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
    form = edit_opened(owners, evening)
    assert form["declarer"] == "2"
    assert {name: form[name] for name in fields} == fields
    response = owners.post(edit_url(evening), form)
    assert (response.status_code, response["Location"]) == (302, f"/sessions/{evening.pk}/#hand-1")
    hand = Hand.objects.get()
    assert (hand.deal, hand.revision_count) == (deal, 1)


def test_a_correction_moves_the_balances_and_stays_visible(keepers: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    record(evening, owner, "2H 7", declarer=0)
    response = keepers.post(edit_url(evening), edit_opened(keepers, evening) | {"tricks": "8", "declarer": "2"})
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
    response = owners.post(edit_url(evening), edit_opened(owners, evening) | {"tricks": "9"})
    assert response["Location"] == f"/sessions/{evening.pk}/?before=9&saved=1#hand-1"
    page = Page.of(owners.get(response["Location"]))
    assert "corrected" in page.line(1).text
    receipt = page.one("form", class_="undo")
    assert receipt.one("p", role="status").text == "Hand 1 is saved."
    assert receipt.all("button") == []
    assert [link.text for link in page.all("a") if "data-next-hand" in link.attrs] == ["Enter hand 21"]


def test_htmx_is_sent_on_by_a_header(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    form = edit_opened(owners, evening) | {"tricks": "9"}
    for _time in range(2):
        response = owners.post(edit_url(evening), form, headers=HTMX_HAND_FORM)
        assert response["HX-Redirect"] == f"/sessions/{evening.pk}/?saved=1#hand-1", "also if its answer was lost"
    assert Hand.objects.get().deal == "2H 9"


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_HAND_FORM]))
def test_stale_correction_is_asked_about_and_kept(
    owners: Client, keepers: Client, owner: User, evening: Evening, headers: dict[str, str]
):
    record(evening, owner, "2H 7", declarer=1)
    mine, others = edit_opened(owners, evening), edit_opened(keepers, evening)
    keepers.post(edit_url(evening), others | {"trump": "clubs"})
    response = owners.post(edit_url(evening), mine | {"tricks": "9"}, headers=headers)
    page = Page.of(response)
    assert response.status_code == 409
    assert page.is_whole is not bool(headers)
    assert "Somebody corrected this hand meanwhile" in page.text
    assert "7 tricks ↔ 9 tricks" in page.text
    assert page.links["What is recorded is right: drop mine"] == f"/sessions/{evening.pk}/hands/1/"
    kept = hand_form(page)
    assert (kept["trump"], kept["tricks"]) == ("hearts", "9")
    assert owners.post(edit_url(evening), kept, headers=headers).status_code == 409, "a second tap on Save"
    assert Hand.objects.get().deal == "2C 7"
    kept["correct"] = page.one("button", name="correct").attrs["value"]
    assert owners.post(edit_url(evening), kept, headers=headers).status_code in (200, 302)
    assert Hand.objects.get().deal == "2H 9"


def test_without_scripts_it_is_counted_by_a_button_and_stays_the_same_hand_s_form(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7", declarer=1)
    response = owners.post(edit_url(evening), edit_opened(owners, evening) | {"tricks": "9", "count": "1"})
    page = Page.of(response)
    assert response.status_code == 200
    assert page.points == 10
    assert page.one("form", id="hand-form").attrs["action"] == edit_url(evening)
    assert Hand.objects.get().deal == "2H 7"


def test_a_post_of_another_hand_s_number_field_corrects_the_hand_of_the_address(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    record(evening, owner, "2H 8")
    owners.post(edit_url(evening, 2), edit_opened(owners, evening, 2) | {"number": "1", "tricks": "9"})
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
