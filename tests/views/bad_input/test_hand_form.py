"""A bad hand: 4xx, a sentence beside the field in the reader's language, the input kept, nothing written."""

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.factories import evening_of, hand_fields, record
from tests.selection import first_rows
from tests.views.bad_input.refused_forms import BOTH, Bad, beside
from tests.views.page import HTMX_HAND_FORM, Page, hand_form


@BOTH
@pytest.mark.parametrize("tricks", ["12", "-1", "x", "7.0", "07", " ", "1e1", "七", "99999999999999999999"])
def test_tricks_that_are_no_number_from_0_to_11(bad: Bad, evening: Evening, htmx: bool, tricks: str):
    pages = bad.hand(evening, htmx, lost=("tricks",), tricks=tricks)
    beside(*pages, "tricks", "There are eleven tricks: a number from 0 to 11.")


@BOTH
@pytest.mark.parametrize("tricks", ["", None])
def test_tricks_left_out(bad: Bad, evening: Evening, htmx: bool, tricks: str | None):
    pages = bad.hand(evening, htmx, tricks=tricks)
    beside(*pages, "tricks", "How many tricks did the declarer take?")


@BOTH
@pytest.mark.parametrize("missing", ["", None])
@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ("declarer", "Who plays?"),
        ("contract", "Which contract?"),
        ("trump", "Which trumps, or none?"),
        ("dealer", "Who deals?"),
    ],
)
def test_a_field_of_the_hand_left_out(
    bad: Bad, evening: Evening, htmx: bool, field: str, sentence: str, missing: str | None
):
    beside(*bad.hand(evening, htmx, **{field: missing}), field, sentence)


@BOTH
@pytest.mark.parametrize("field", ["token", "number"])
@pytest.mark.parametrize("value", [None, "", "x", "0", "-1", "9" * 30, "\x00"])
def test_a_form_that_was_not_opened_here(bad: Bad, evening: Evening, htmx: bool, field: str, value: str | None):
    english, hungarian = bad.hand(evening, htmx, lost=(field,), **{field: value})
    sentence = "This form is out of date."
    assert any(sentence in error for error in english.errors)
    assert hungarian.errors
    assert not any(sentence in error for error in hungarian.errors)


@BOTH
def test_a_kontra_of_an_arrivazs_that_was_not_announced(bad: Bad, evening: Evening, htmx: bool):
    pages = bad.hand(evening, htmx, arrivazs="none", arrivazs_kontra="1")
    beside(*pages, "arrivazs_kontra", "Only an arrivázs that was announced can be doubled.")


@BOTH
def test_idegen_at_no_trumps(bad: Bad, evening: Evening, htmx: bool):
    pages = bad.hand(evening, htmx, arrivazs="idegen", trump="none")
    beside(*pages, "arrivazs", "There is no idegen arrivázs at no trumps: choose 'won'.")


@BOTH
@pytest.mark.parametrize("arrivazs", ["won", "idegen"])
@pytest.mark.parametrize("tricks", ["0", "1", "2"])
def test_an_arrivazs_won_with_too_few_tricks(bad: Bad, evening: Evening, htmx: bool, arrivazs: str, tricks: str):
    pages = bad.hand(evening, htmx, arrivazs=arrivazs, tricks=tricks)
    beside(*pages, "arrivazs", f"the declarer has only {tricks}.")


@BOTH
def test_an_arrivazs_lost_with_all_tricks(bad: Bad, evening: Evening, htmx: bool):
    pages = bad.hand(evening, htmx, arrivazs="lost", tricks="11")
    beside(*pages, "arrivazs", "Taking all 11 tricks includes the last three: the arrivázs is won.")


@BOTH
def test_six_tricks_without_the_split(bad: Bad, evening: Evening, htmx: bool):
    pages = bad.hand(evening, htmx, tricks="6")
    beside(*pages, "opponent_tricks", "choose the split")


@BOTH
@pytest.mark.parametrize(("tricks", "split"), [("6", "6"), ("7", "5"), ("11", "1"), ("0", "12")])
def test_a_split_of_more_than_there_are(bad: Bad, evening: Evening, htmx: bool, tricks: str, split: str):
    english, hungarian = bad.hand(evening, htmx, lost=("opponent_tricks",), tricks=tricks, opponent_tricks=split)
    assert "11" in english.error("opponent_tricks") or "eleven" in english.error("opponent_tricks")
    assert english.error("opponent_tricks") != hungarian.error("opponent_tricks")


@BOTH
@pytest.mark.parametrize("split", ["-1", "x", "12"])
def test_a_split_that_is_no_number_of_tricks(bad: Bad, evening: Evening, htmx: bool, split: str):
    pages = bad.hand(evening, htmx, lost=("opponent_tricks",), opponent_tricks=split)
    beside(*pages, "opponent_tricks", "There are eleven tricks: a number from 0 to 11.")


@BOTH
@pytest.mark.parametrize("field", ["dealer", "declarer"])
@pytest.mark.parametrize("seat", ["3", "-1", "x", "9" * 30])
def test_a_seat_of_another_session(bad: Bad, owner: User, evening: Evening, htmx: bool, field: str, seat: str):
    """Seat 3 is taken in the owner's other session, which has four players."""
    evening_of(owner, names=("Anna", "Béla", "Cili", "Dóra"))
    pages = bad.hand(evening, htmx, lost=(field,), **{field: seat})
    beside(*pages, field, "Nobody sits there.")


@BOTH
@pytest.mark.parametrize("seat", ["0", "1", "2", "3"])
def test_at_a_table_of_four_who_deals_cannot_play(bad: Bad, evening_of_four: Evening, htmx: bool, seat: str):
    pages = bad.hand(evening_of_four, htmx, dealer=seat, declarer=seat)
    beside(*pages, "declarer", "With four players the dealer sits out and cannot be declarer.")


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
def test_a_choice_that_was_not_offered(bad: Bad, evening: Evening, htmx: bool, field: str, value: str):
    pages = bad.hand(evening, htmx, lost=(field,), **{field: value})
    beside(*pages, field, "Choose one of the options.")


@pytest.mark.parametrize("redeal", ["x", "2", "\x00", "stay"])
def test_a_redeal_of_no_known_kind_is_refused_with_a_sentence(bad: Bad, evening: Evening, redeal: str):
    english, hungarian = bad.hand(evening, False, lost=("redeal",), redeal=redeal)
    assert english.errors
    assert hungarian.errors
    assert english.errors != hungarian.errors


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
def test_a_hand_posted_to_an_ended_session(bad: Bad, evening: Evening, htmx: bool):
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
