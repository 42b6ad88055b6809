"""The referee's page: the moves offered in each step, refusals in words, and taking back each tap."""

from collections.abc import Callable
from typing import Any

import pytest

from sessions_app.models import Hand, HandInPlay
from tests.views.page import Page
from tests.views.refereeing import HTMX_REFEREE, TWO_HEARTS, Phone, calls, tricks, won

# --- the auction ---------------------------------------------------------------------------------------------


def test_before_anything_is_said_it_shows_whose_turn_it_is_and_what_he_may_call(phone: Phone):
    assert "Hand 1 Anna deals" in phone.text
    assert "Béla is to call." in phone.text
    assert phone.offered("call", "call") == ["3", "pass"]
    assert phone.page.is_whole


def test_a_call_passes_the_turn_on_and_only_legal_calls_are_offered(phone: Phone):
    calls(phone, "3")
    assert "Cili is to call." in phone.text
    assert phone.offered("call", "call") == ["2", "pass"]
    calls(phone, "2", "pass")
    assert "Béla speaks before Cili: hold the bid (2) or pass." in phone.text
    assert phone.offered("call", "call") == ["hold", "pass"]
    assert [list(speaker.of_class("call")[0].children) for speaker in phone.page.of_class("speaker")] == [
        ["3"],
        ["2"],
        ["pass"],
    ]


@pytest.mark.parametrize(
    ("said", "call", "seat", "sentence"),
    [
        ((), "2", "1", "No jumps: the next bid is 3."),
        ((), "hold", "1", "Nobody has bid yet: there is nothing to hold."),
        ((), "3", "2", "It is Béla's turn to call, not Cili's."),
        (("3", "2", "pass"), "1", "1", "A player who speaks before the bidder can only hold (2) or pass."),
        (("3",), "hold", "2", "A player who speaks after the bidder bids the next one up (2) or passes."),
        (("pass", "pass"), "3", "0", "The auction is over."),
    ],
)
def test_an_illegal_call_is_refused_in_words_and_changes_nothing(
    phone: Phone,
    written: Callable[[], dict[str, Any]],
    said: tuple[str, ...],
    call: str,
    seat: str,
    sentence: str,
):
    calls(phone, *said)
    before = list(HandInPlay.objects.values())
    response = phone.post("call", HTMX_REFEREE, call=call, seat=seat)
    assert response.status_code == 422
    assert sentence in Page.of(response).text.replace("\u2068", "").replace("\u2069", "")
    assert list(HandInPlay.objects.values()) == before


def test_the_auction_may_be_passed_over_and_that_taken_back(phone: Phone):
    assert phone.offered("declarer", "seat") == ["1", "2", "0"]
    phone.tap("declarer", seat="0")
    assert "Anna plays." in phone.text
    assert phone.offered("announce", "contract") == ["3", "2", "1", "hand"]
    phone.tap("undeclarer")
    assert "Béla is to call." in phone.text


def test_another_dealer_can_be_named_before_the_first_call(phone: Phone):
    assert phone.offered("dealer", "seat") == ["1", "2"]
    phone.tap("dealer", seat="2")
    assert "Cili deals" in phone.text
    assert "Anna is to call." in phone.text
    calls(phone, "3")
    assert not phone.offers("dealer")
    assert phone.post("dealer", seat="1").status_code == 422


# --- the announcement ----------------------------------------------------------------------------------------


def test_missing_trumps_are_asked_for_beside_their_row(phone: Phone):
    phone.tap("declarer", seat="1")
    response = phone.tap("announce", contract="2")
    assert response.status_code == 422
    assert phone.page.error("trump").strip() == "Which trumps, or none?"
    assert [radio.attrs["value"] for radio in phone.page.all("input", name="contract", checked="")] == ["2"]
    assert not phone.page.is_whole


# --- kontra --------------------------------------------------------------------------------------------------


# --- taking back ---------------------------------------------------------------------------------------------


def undo(phone: Phone) -> list[str]:
    """The steps that can be undone, in their order."""
    (place,) = phone.page.of_class("undo-place")
    return [what.text for what in place.of_class("what")]


def test_undo_button_names_the_step(phone: Phone):
    assert undo(phone) == []
    calls(phone, "3")
    assert undo(phone) == ["Béla: 3"]
    calls(phone, "pass", "pass")
    assert undo(phone) == ["Anna: pass"]
    phone.tap("announce", **TWO_HEARTS, announced="announced")
    assert undo(phone) == ["the announcement"]
    phone.tap("say", item="arrivazs", seat="2")
    assert undo(phone) == ["Cili: kontra (Arrivázs)"]
    tricks(phone, "1")
    assert undo(phone) == ["trick 1: Béla", "Cili: kontra (Arrivázs)"]
    for verb, what in (
        ("claim", "the claim"),
        ("dispute", "the answer"),
        ("concede", "the giving up"),
    ):
        phone.tap(verb)
        assert undo(phone)[0] == what
    phone.tap("untrick")
    assert undo(phone)[0] == "the answer"


# --- tricks and claims ---------------------------------------------------------------------------------------


def test_whether_it_was_idegen_is_asked_only_when_it_can_be(announced: Phone):
    tricks(announced, "22111111111")
    assert "Did Béla play a trump in the last three tricks?" in announced.text
    assert announced.offered("finish", "idegen") == ["0", "1"]
    response = announced.tap("finish")
    assert response.status_code == 422
    assert "Did the declarer play a trump in the last three tricks?" in announced.text
    assert not Hand.objects.exists()
    announced.tap("finish", idegen="1")
    assert Hand.objects.get().deal == "2H 9-2-0 A*"


def test_a_claim_waits_for_its_answer(announced: Phone):
    tricks(announced, "1")
    announced.tap("claim")
    assert "Béla claims all 10 tricks that remain." in announced.text
    assert not announced.offers("trick")
    response = announced.post("trick", seat="1")
    assert response.status_code == 422
    assert "Answer the claim first" in Page.of(response).text
    announced.tap("untrick")
    assert "Trick 2 of 11" in announced.text


def test_undecided_split_is_asked_of_the_table(phone: Phone):
    phone.tap("declarer", seat="1")
    phone.tap("announce", **TWO_HEARTS, announced="")
    tricks(phone, "111111")
    phone.tap("concede")
    assert "Neither opponent had one, and the rules do not say who gets them: agree among yourselves." in phone.text
    assert won(phone) == ["6 Béla", "? Cili", "? Anna"]
    assert phone.offered("finish", "split") == ["5", "4", "3", "2", "1", "0"]
    assert phone.tap("finish").status_code == 422
    assert "How do the opponents share the tricks?" in phone.text
    assert phone.post("finish", token=str(HandInPlay.objects.get().token), split="6").status_code == 422
    phone.tap("finish", split="5")
    assert Hand.objects.get().deal == "2H 6-5-0"
