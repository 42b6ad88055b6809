"""Record and correct a hand by the hand form: tables by which a phone counts, the live count, refused values."""

from itertools import product
from typing import Any
from uuid import UUID

from django.test import Client

from sessions_app.faces import FACES
from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evening_edit, evenings
from tests.factories import hand_fields, record, repeat
from tests.ledger.books import everything, nothing_written
from tests.views.page import HTMX_BODY, HTMX_COUNT, HTMX_HAND_FORM, Page, at, filled, hand_form, saved
from tests.views.refereeing import form_of

NEW, EDIT = "hands/new/", "hands/1/edit/"


def test_opened_form_has_all_that_needs_no_tap_and_five_taps_put_the_hand_on_the_sheet(
    keepers: Client, evening: Evening
):
    before = everything()
    page = Page.of(keepers.get(at(evening, NEW)))
    form = hand_form(page)
    assert UUID(form["token"])
    assert (form["number"], form["dealer"]) == ("1", "0")
    assert (form["game_kontra"], form["arrivazs"], form["arrivazs_kontra"]) == ("0", "none", "0")
    assert not form.keys() & {"declarer", "contract", "trump", "tricks", "opponent_tricks", "note_split"}
    assert "Save hand 1" in page.buttons
    assert page.one("form", id="hand-form").attrs["action"] == at(evening, NEW)
    assert form_of(keepers, evening)["token"] != form["token"]
    form |= {"declarer": "1", "contract": "2", "trump": "hearts"}
    asked = Page.of(keepers.post(at(evening, NEW), form | {"tricks": "6"}))
    assert "choose the split" in asked.error("opponent_tricks")
    row = asked.one("fieldset", id="field-opponent_tricks")
    assert "Cili : Anna" in row.text, "the first is left of the declarer"
    assert "5 : 0" in [label.text for label in row.all("label")][5]
    counted = Page.of(keepers.post(at(evening, NEW), form | {"tricks": "7", "game_kontra": "1", "count": "1"}))
    assert (counted.is_whole, counted.points, counted.errors) == (True, 12, [])
    assert (hand_form(counted)["token"], hand_form(counted)["tricks"]) == (form["token"], "7")
    assert everything() == before
    for headers in ({}, HTMX_HAND_FORM, {}):
        response = keepers.post(at(evening, NEW), form | {"tricks": "7"}, headers=headers)
        assert saved(response) == at(evening, "?saved=1"), "the same post is one hand"
    assert Page.of(keepers.get(response["Location"])).balances == {0: -6, 1: 12, 2: -6}
    hand = Hand.objects.get()
    assert (hand.dealer, hand.declarer, hand.deal) == (0, 1, "2H 7")
    assert hand.revisions.get().made_by_id == int(keepers.session["_auth_user_id"])


FOR_GOOD = "private, max-age=31536000, immutable"
NOT_AT_ALL = "private, no-store"


def named(client: Client, evening: Evening, path: str = "hands/new/", **headers: str) -> str | None:
    """Return the address that a form of the evening names."""
    page = Page.of(client.get(f"/sessions/{evening.pk}/{path}", headers=headers))
    return page.one("form", id="hand-form").attrs.get("data-tables")


def test_form_names_an_address_whose_answer_may_be_kept_for_good_until_the_tables_are_others(
    cast: dict[str, Client], owner: User, evening: Evening, evening_of_four: Evening
):
    address = named(cast["owner"], evening)
    assert address
    assert address.startswith(at(evening, "count-tables/?v="))
    response = cast["owner"].get(address)
    assert response["Content-Type"] == "application/json"
    assert response.json() == FACES["asszorti"].provisional_tables(evening, 3)
    for (who, client), ask in product(cast.items(), ("get", "head")):
        answer = getattr(client, ask)(address)
        is_given = who in ("owner", "keeper")
        assert answer["Cache-Control"] == (FOR_GOOD if is_given else NOT_AT_ALL)
        assert (b"amounts" in answer.content) == (is_given and ask == "get")
    record(evening, owner, "2H 7")
    assert named(cast["owner"], evening) == named(cast["keeper"], evening) == address
    assert named(cast["owner"], evening, **HTMX_HAND_FORM) == address, "a part of the page, too"
    assert (named(cast["owner"], evening_of_four) or "").partition("?v=")[2] != address.partition("?v=")[2]


def test_count_tables_of_another_version_are_the_present_ones_and_there_are_none_where_seats_have_changed(
    owners: Client, owner: User, evening_of_four: Evening
):
    right = named(owners, evening_of_four)
    assert right
    for query in ("", "?v=", "?v=00000000", "?v=x&v=y", "?w={right}", "?v={right}0"):
        response = owners.get(right.partition("?")[0] + query.format(right=right.rpartition("=")[2]))
        assert response.status_code == 200
        assert response.content == owners.get(right).content
        assert response["Cache-Control"] == NOT_AT_ALL
    record(evening_of_four, owner, "2H 7")
    evening_edit.leave_lineup(evening_of_four.pk, 3, by=owner)
    assert named(owners, evening_of_four) is None
    for ask in (owners.get, owners.head):
        response = ask(right)
        assert (response.status_code, response["Cache-Control"]) == (404, NOT_AT_ALL)


def test_number_that_is_not_next_is_saved_as_the_next_one_by_an_explicit_answer_only(owners: Client, evening: Evening):
    posted = hand_fields(evening, number="99")
    for headers in ({}, HTMX_HAND_FORM):
        page = Page.of(owners.post(at(evening, NEW), posted, headers=headers), 409)
        assert "That is not the next hand" in page.text
        posted = hand_form(page)
    assert not Hand.objects.exists()
    answer = {"another": page.one("button", name="another").attrs["value"]}
    assert saved(owners.post(at(evening, NEW), posted | answer)).endswith("?saved=1")


def edit_opened(client: Client, evening: Evening) -> dict[str, str]:
    return hand_form(Page.of(client.get(at(evening, EDIT))))


def test_correction_moves_the_balances_and_stays_visible_on_the_page_of_its_hand(
    keepers: Client, owner: User, evening: Evening
):
    """It offers no Undo, which would make the hand void."""
    record(evening, owner, "2H 7", declarer=1)
    record(evening, owner, "2H 7", declarer=0)
    form = edit_opened(keepers, evening) | {"tricks": "8", "declarer": "2"}
    counted = Page.of(keepers.post(at(evening, EDIT), form | {"count": "1"}))
    assert (counted.points, counted.one("form", id="hand-form").attrs["action"]) == (8, at(evening, EDIT))
    assert {hand.deal for hand in Hand.objects.all()} == {"2H 7"}
    for headers in ({}, HTMX_HAND_FORM):
        response = keepers.post(at(evening, EDIT), form | {"number": "2"}, headers=headers)
        assert saved(response) == at(evening, "?saved=1#hand-1"), "also if its answer was lost"
    page = Page.of(keepers.get(at(evening)))
    assert page.balances == {0: 12 - 8, 1: -6 - 8, 2: -6 + 16}
    assert ["corrected" in page.line(number).text for number in (1, 2)] == [True, False]
    repeat(evening, 20)
    evening.refresh_from_db()
    response = keepers.post(at(evening, EDIT), edit_opened(keepers, evening) | {"tricks": "9"})
    assert response["Location"] == at(evening, "?before=9&saved=1#hand-1")
    page = Page.of(keepers.get(response["Location"]))
    receipt = page.one("form", class_="undo")
    assert receipt.one("p", role="status").text == "Hand 1 is saved."
    assert receipt.all("button") == []
    assert [link.text for link in page.all("a") if "data-next-hand" in link.attrs] == ["Enter hand 21"]


def test_stale_correction_is_asked_about_and_kept(owners: Client, keepers: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    mine, others = edit_opened(owners, evening), edit_opened(keepers, evening)
    keepers.post(at(evening, EDIT), others | {"trump": "clubs"})
    kept = mine | {"tricks": "9"}
    for headers in ({}, HTMX_HAND_FORM):
        page = Page.of(owners.post(at(evening, EDIT), kept, headers=headers), 409)
        assert page.is_whole is (not headers)
        assert "Somebody corrected this hand meanwhile" in page.text
        assert "7 tricks ↔ 9 tricks" in page.text
        assert page.links["What is recorded is right: drop mine"] == at(evening, "hands/1/")
        kept = hand_form(page)
        assert (kept["trump"], kept["tricks"]) == ("hearts", "9")
    assert Hand.objects.get().deal == "2C 7"
    kept["correct"] = page.one("button", name="correct").attrs["value"]
    assert owners.post(at(evening, EDIT), kept).status_code == 302
    assert Hand.objects.get().deal == "2H 9"


def test_undo_goes_back_to_the_sheet_with_the_hand_marked_and_a_way_to_restore(
    keepers: Client, owner: User, evening: Evening
):
    sheet = at(evening)
    record(evening, owner, "2H 7", declarer=0)
    form = Page.of(keepers.get(f"{sheet}?saved=1")).form(at(evening, "hands/1/void/"))
    response = keepers.post(at(evening, "hands/1/void/"), filled(form))
    assert response["Location"] == f"{sheet}?saved=1"
    page = Page.of(keepers.get(response["Location"]))
    assert "Hand 1 is void." in page.text
    assert page.balances == {0: 0, 1: 0, 2: 0}
    restored = keepers.post(at(evening, "hands/1/restore/"), filled(page.form(at(evening, "hands/1/restore/"))))
    assert restored["Location"] == f"{sheet}?saved=1"
    assert Page.of(keepers.get(sheet)).balances == {0: 12, 1: -6, 2: -6}
    assert keepers.post(at(evening, "hands/1/void/"))["Location"] == f"{sheet}hands/1/"


def test_the_sentence_follows_the_hand_and_names_the_leader(owners: Client, evening: Evening):
    def preview(headers: dict[str, str], **fields: Any) -> Page:
        address = at(evening, "hands/preview/")
        return Page.of(owners.post(address, hand_fields(evening, **fields), headers=headers))

    for fields, points, said in (
        ({}, 6, "2 hearts, 7 tricks: 4 + 2 = 6"),
        ({"tricks": "1"}, -12, "1 trick:"),
        ({"tricks": "6", "opponent_tricks": "5"}, 0, "Nobody pays anybody."),
        ({"contract": "1", "trump": "none", "game_kontra": "3"}, 144, "(12 + 6) × 8 = 144"),
    ):
        page = preview(HTMX_COUNT, **fields)
        assert said in page.text
        assert page.points == points
    assert "Anna leads." in preview(HTMX_COUNT, contract=None, trump=None, tricks=None).text
    assert "leads" not in preview(HTMX_COUNT, declarer=None).text
    for headers in ({}, HTMX_BODY):
        page = preview(headers)
        assert (page.is_whole, page.points, hand_form(page)["tricks"]) == (True, 6, "7")
        assert page.one("form", id="hand-form").attrs["action"] == at(evening, NEW)


#: The fields of `hand_fields` that a refused form shows again.
KEPT = {"dealer": "0", "declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}


def test_form_not_opened_here_is_refused_and_kept(owners: Client, evening: Evening):
    for wrong, headers in product(({"token": None}, {"number": "x"}), ({}, HTMX_HAND_FORM)):
        with nothing_written():
            page = Page.of(owners.post(at(evening, NEW), hand_fields(evening, **wrong), headers=headers), 422)
        assert page.is_whole is (not headers)
        assert any("This form is out of date." in error for error in page.errors), wrong
        assert hand_form(page).items() >= KEPT.items()


def test_correction_of_a_revision_that_never_was_is_refused(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    evening.refresh_from_db()
    nonsense, unknown = ("x", "1.5", "\x00"), ("0", "-1", "9" * 18, "9" * 30)
    for revision in (*nonsense, *unknown):
        with nothing_written():
            answer = owners.post(at(evening, EDIT), hand_fields(evening, tricks="9", revision=revision))
        assert answer.status_code == (422 if revision in nonsense else 409), revision
        assert Page.of(answer).errors or revision in unknown


def test_hand_posted_to_an_ended_session_is_kept_and_saved_once_it_is_reopened(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "1S 9")
    evenings.end(evening.pk)
    evening.refresh_from_db()
    for verb in ("void", "restore"):
        with nothing_written():
            page = Page.of(owners.post(at(evening, f"hands/1/{verb}/")), 409)
        assert "This session has ended" in page.text
        assert "Reopen" in page.buttons
    posted = hand_fields(evening)
    for headers in ({}, HTMX_HAND_FORM):
        with nothing_written():
            page = Page.of(owners.post(at(evening, NEW), posted, headers=headers), 409)
        assert page.of_class("notice")
        assert "This session has ended. Reopen to add or correct hands." in page.text
        assert hand_form(page).items() >= (KEPT | {"token": posted["token"]}).items()
        assert "Settle up" in page.links
    evenings.reopen(evening.pk)
    assert owners.post(at(evening, NEW), hand_form(page)).status_code == 302
    assert evening.hands.get(number=2).deal == "2H 7"


def test_several_mistakes_are_all_said_at_once_and_none_is_hidden_in_a_fold(owners: Client, evening: Evening):
    with nothing_written():
        answer = owners.post(at(evening, NEW), hand_fields(evening, tricks="12", dealer="9", trump=None))
    page = Page.of(answer, 422)
    assert all(page.error(field) for field in ("tricks", "dealer", "trump"))
    assert "open" in page.one("details", class_="deal-head").attrs
    assert hand_form(page).items() >= {"declarer": "1", "contract": "2"}.items()
    answer = owners.post(at(evening, NEW), hand_fields(evening, tricks="12"), headers={"Accept": "application/json"})
    assert answer.json() == {"sentence": "There are eleven tricks: a number from 0 to 11."}
