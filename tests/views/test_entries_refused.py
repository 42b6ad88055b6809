"""Refused agreed entries: errors beside their fields, and conflicts with other phones."""

from typing import Any

import pytest
from django.test import Client

from scorekeeper.games.preference import sheet_to_text
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandInPlay, Revision, Role, User
from sessions_app.readers.evening.hand_counts import sheet_of
from sessions_app.writers import evenings, ledger
from tests.factories import MemberFactory
from tests.ledger.books import assert_verified
from tests.selection import first
from tests.views.agreed_entries import (
    BOTH,
    NEW,
    PENALTY,
    SHEET,
    at,
    codes,
    form_of,
    opened,
    place,
    places,
    played,
    pulka,
)
from tests.views.page import ENGLISH, HTMX_COUNT, HUNGARIAN, Page, hand_form, saved


@pytest.fixture
def evening(owner: User) -> Evening:
    return pulka(owner)


# --- Errors ---


def over(evening: Evening, owner: User) -> None:
    played(evening, owner, "= P0+10 P1+10 P2+10")


REFUSED: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "nothing": ({}, {"account_0": "required"}),
    "no account": (places(place(0, "", 1, 5)), {"account_0": "required"}),
    "nobody's": (places(place(0, "dump", "", 5)), {"seat_0": "required"}),
    "on nobody": (places(place(0, "bank", 1, 5)), {"against_0": "required"}),
    "nothing of it": (places(place(0, "pool", 1, "")), {"amount_0": "required"}),
    "zero alone": (places(place(0, "pool", 1, 0)), {"account_0": "required"}),
    "no number": (places(place(0, "pool", 1, "3½")), {"amount_0": "no_number"}),
    "not an account": (places(place(0, "wallet", 1, 3)), {"account_0": "invalid_choice"}),
    "bank_self": (places(place(0, "dump", 1, 1), place(1, "bank", 1, 3, 1)), {"amount_1": "bank_self"}),
    "seat_unknown": (places(place(0, "dump", 7, 1)), {"amount_0": "seat_unknown"}),
    "seat_unknown, other": (places(place(0, "bank", 1, 1, 3)), {"amount_0": "seat_unknown"}),
    "amount_range": (places(place(0, "dump", 1, 9999), place(1, "dump", 2, 10000)), {"amount_1": "amount_range"}),
    "place_twice": (
        places(place(0, "dump", 1, 1), place(1, "dump", 2, 1), place(2, "dump", 1, 4)),
        {"amount_2": "place_twice"},
    ),
    "place_twice, first": (
        places(place(0, "dump", 1, 1), place(1, "dump", 1, 4), place(2, "dump", 2, 1)),
        {"amount_1": "place_twice"},
    ),
    "pool_below": (places(place(0, "dump", 1, -3), place(1, "pool", 1, -1)), {"amount_1": "pool_below"}),
    "pool_above": (places(place(0, "pool", 0, 10), place(1, "pool", 1, 11)), {"amount_1": "pool_above"}),
    "several": (
        places(place(0, "pool", 0, 11), place(1, "pool", 1, -1), place(2, "bank", 1, 4, 0)),
        {"amount_0": "pool_above", "amount_1": "pool_below"},
    ),
    "by itself and by the evening": (
        places(place(0, "pool", 0, 11), place(1, "bank", 1, 4, 1), place(2, "dump", 1, "")),
        {"amount_0": "pool_above", "amount_1": "bank_self", "amount_2": "required"},
    ),
    "line": ({"line": "P0 3"}, {"line": "notation"}),
    "line, bank_self": ({"line": "D0+1 B1>1+3"}, {"line": "bank_self"}),
    "line, seat_unknown": ({"line": "D9+1"}, {"line": "seat_unknown"}),
    "seat_unknown, pool": (places(place(0, "pool", 7, 1)), {"amount_0": "seat_unknown"}),
    "line, seat_unknown, pool": ({"line": "P3+3"}, {"line": "seat_unknown"}),
    "line, place_twice": (PENALTY | {"line": "D1+2"}, {"line": "place_twice"}),
    "line, pool_above": ({"line": "P0+11"}, {"line": "pool_above"}),
}


@BOTH
@pytest.mark.parametrize(("fields", "said"), REFUSED.values(), ids=REFUSED)
def test_wrong_entry_is_refused_beside_its_place_and_kept(
    owners: Client, evening: Evening, headers: dict[str, str], fields: dict[str, str], said: dict[str, str]
):
    posted = opened(owners, evening) | fields
    answer = owners.post(at(evening, NEW), posted, headers=headers)
    page = Page.of(answer)
    assert answer.status_code == 422
    assert page.is_whole is not bool(headers)
    assert codes(page) == said
    assert all(page.error(name) for name in said)
    kept = {name: value for name, value in fields.items() if value and value not in ("7", "wallet")}
    assert form_of(page).items() >= kept.items() - {("against_0", "3")}
    assert Hand.objects.count() == 0


@BOTH
@pytest.mark.parametrize("fields", [places(place(0, "pool", 7, 1)), {"line": "P3+3"}], ids=["tapped", "typed"])
def test_nobody_s_pool_is_refused_after_a_hand_too(
    owners: Client, owner: User, evening: Evening, headers: dict[str, str], fields: dict[str, str]
):
    """A standing has as many pools as there are players."""
    played(evening, owner, "6S pp", 1)
    answer = owners.post(at(evening, NEW), opened(owners, evening) | fields, headers=headers)
    assert answer.status_code == 422
    assert list(codes(Page.of(answer)).values()) == ["seat_unknown"]
    counting = owners.post(f"{at(evening, NEW)}?count=1", opened(owners, evening) | fields, headers=headers)
    assert counting.status_code in (200, 422)


@BOTH
def test_after_the_end_a_pool_takes_nothing_and_all_else_does(
    owners: Client, owner: User, evening: Evening, headers: dict[str, str]
):
    over(evening, owner)
    posted = opened(owners, evening) | places(place(0, "dump", 1, 4), place(1, "pool", 0, -1))
    answer = owners.post(at(evening, NEW), posted, headers=headers)
    assert (answer.status_code, codes(Page.of(answer))) == (422, {"amount_1": "game_over"})
    answer = owners.post(at(evening, NEW), opened(owners, evening) | PENALTY, headers=headers)
    assert saved(answer) == at(evening, "?saved=2")


# --- Others write too ---


@BOTH
def test_entry_whose_number_a_hand_has_taken_is_the_next_by_an_explicit_answer_only(
    owners: Client, owner: User, evening: Evening, headers: dict[str, str]
):
    """It is no reading of that hand, and cannot correct it."""
    posted = opened(owners, evening) | SHEET
    played(evening, MemberFactory(circle=evening.circle, role=Role.KEEPER).user, "6S wp 6", 1)
    for _tap in range(2):
        answer = owners.post(at(evening, NEW), posted, headers=headers)
        page = Page.of(answer)
        assert answer.status_code == 409
        assert page.is_whole is not bool(headers)
        assert "Another phone has recorded hand 1:" in page.text
        assert not [label for label in page.buttons if label.startswith("Save entry") or "correct" in label]
        posted = form_of(page)
    assert posted.items() >= SHEET.items()
    posted["another"] = page.one("button", name="another").attrs["value"]
    for _tap in range(2):
        assert saved(owners.post(at(evening, NEW), posted, headers=headers)) == at(evening, "?saved=2")
    written = Hand.objects.get(number=2)
    assert (written.deal, written.dealer) == ("= P0+3 D1-2 B2>0+20", 1)


@pytest.mark.parametrize(
    ("deal", "answers"),
    [
        ("= D1+5", ["Mine is another entry: make it entry 2"]),
        ("= D1+6", ["Mine is right: correct entry 1", "Mine is another entry: make it entry 2"]),
    ],
    ids=["the same", "other figures"],
)
def test_entry_that_two_have_written_down_is_asked_about(
    owners: Client, evening: Evening, deal: str, answers: list[str]
):
    posted = opened(owners, evening) | PENALTY
    played(evening, MemberFactory(circle=evening.circle, role=Role.KEEPER).user, deal)
    page = Page.of(owners.post(at(evening, NEW), posted))
    assert "Another phone has recorded agreed entry 1:" in page.text
    assert [button.text for button in page.one(id="hand-question").all("button")] == answers
    assert owners.post(at(evening, NEW), form_of(page)).status_code == 409
    assert Hand.objects.count() == 1
    if len(answers) == 2:
        correct = form_of(page) | {"correct": page.one("button", name="correct").attrs["value"]}
        for _tap in range(2):
            assert saved(owners.post(at(evening, NEW), correct)) == at(evening, "?saved=1#hand-1")
        assert Hand.objects.get().deal == "= D1+5"


@BOTH
def test_other_amounts_under_a_spent_token_are_asked_about(owners: Client, evening: Evening, headers: dict[str, str]):
    """The way back after saving, and something else in the form."""
    posted = opened(owners, evening)
    owners.post(at(evening, NEW), posted | PENALTY)
    page = Page.of(owners.post(at(evening, NEW), posted | SHEET, headers=headers))
    again = form_of(page)
    assert again["token"] != posted["token"]
    assert owners.post(at(evening, NEW), again, headers=headers).status_code == 409
    again["another"] = page.one("button", name="another").attrs["value"]
    assert saved(owners.post(at(evening, NEW), again, headers=headers)) == at(evening, "?saved=2")


def test_entry_after_swapped_seats_is_asked_about_again(owners: Client, evening: Evening):
    posted = opened(owners, evening) | SHEET
    Evening.objects.filter(pk=evening.pk).update(seating=4)
    answer = owners.post(at(evening, NEW), posted)
    again = form_of(Page.of(answer))
    assert answer.status_code == 409
    assert "Choose again whose entries these are" in Page.of(answer).text
    assert [name for name in again if name.startswith(("seat_", "against_"))] == []
    assert (again["account_0"], again["amount_0"], again["seating"]) == ("bank", "20", "4")
    assert Hand.objects.count() == 0


@pytest.mark.parametrize("path", ["entries/new/", "entries/1/edit/"])
def test_an_evening_that_has_ended_takes_nothing_and_says_so(owners: Client, owner: User, evening: Evening, path: str):
    played(evening, owner, "= D1+2")
    posted = opened(owners, evening, path) | PENALTY
    evenings.end(evening.pk)
    answer = owners.post(at(evening, path), posted)
    assert answer.status_code == 409
    assert "Reopen to add or correct entries." in Page.of(answer).text
    assert form_of(Page.of(answer)).items() >= PENALTY.items()
    assert Hand.objects.get().deal == "= D1+2"


def test_a_hand_in_play_goes_on_beside_it(owners: Client, evening: Evening):
    """A penalty in the midst of a hand: its announcement is of the next number then."""
    row = HandInPlay.objects.create(evening=evening, number=1, dealer=0, state={}, version=evening.version)
    owners.post(at(evening, NEW), opened(owners, evening) | PENALTY)
    evening.refresh_from_db()
    after = HandInPlay.objects.get()
    assert (after.number, after.token, after.version) == (2, row.token, evening.version)


# --- Agreed entries that a correction of an earlier hand makes impossible: they stay, and every page says so ---


ABOVE = "Agreed entry 2 would no longer be possible: Anna's pool would be at 14, past 10. It stays as it is."
BOTH_COUNTED = pytest.mark.parametrize("headers", first(1, [{}, HTMX_COUNT]), ids=["plain", "htmx"])


@pytest.fixture
def full_pool(owner: User) -> Evening:
    """Anna's pool, to 10, is full: two points by a hand, and eight agreed on."""
    full_pool = pulka(owner)
    played(full_pool, owner, "6 pp", 0)
    played(full_pool, owner, "= P0+8")
    return full_pool


def correct(full_pool: Evening, by: User, level: int) -> None:
    dealer = full_pool.hands.get(number=1).dealer
    ledger.amend(full_pool.pk, 1, facts=Facts(dealer, 0, f"{level} pp"), by=by)


def history(full_pool: Evening, number: int) -> list[str]:
    made = Revision.objects.filter(hand__evening=full_pool, hand__number=number)
    return list(made.order_by("number").values_list("action", flat=True))


def preview(client: Client, full_pool: Evening, headers: dict[str, str], **fields: Any) -> Page:
    """The preview of a correction of the first hand before it is saved."""
    edited = {**hand_form(Page.of(client.get(at(full_pool, "hands/1/edit/")))), **fields}
    path = "hands/preview/?hand=1" if headers else "hands/1/edit/"
    return Page.of(client.post(at(full_pool, path), edited | ({} if headers else {"count": "1"}), headers=headers))


@BOTH_COUNTED
def test_a_correction_says_before_it_is_saved_what_it_makes_impossible(
    owners: Client, full_pool: Evening, headers: dict[str, str]
):
    page = preview(owners, full_pool, headers, level="8")
    assert ABOVE in page.text
    assert [node.text for node in page.of_class("further")] == ["This would make an agreed entry impossible"]
    assert "would no longer be possible" not in preview(owners, full_pool, headers, answers="w1", tricks="6").text


@pytest.mark.parametrize(("language", "said"), [(ENGLISH, "cannot be"), (HUNGARIAN, "nem lehetne")])
def test_impossible_entry_stands_and_sheet_and_page_say_so(
    owners: Client, owner: User, full_pool: Evening, language: dict[str, str], said: str
):
    correct(full_pool, owner, 8)
    assert_verified()
    hand = full_pool.hands.get(number=2)
    assert sheet_to_text(sheet_of(hand.entries.all())) == "P0+8"
    line = Page.of(owners.get(at(full_pool), headers=language)).line(2)
    assert line.of_class("amended")[0].all("span", aria_hidden="true")[0].text == said
    page = Page.of(owners.get(at(full_pool, "hands/2/"), headers=language))
    explained = {
        "cannot be": "As agreed, but no longer possible: the pool is at 14, past 10",
        "nem lehetne": "Megegyezés szerint, de ma már nem lehetne: a pulya 14, több mint 10",
    }
    assert explained[said] in page.of_class("hand-card")[0].text


def test_the_correction_names_what_it_made_impossible_and_what_is_possible_again(
    owners: Client, owner: User, full_pool: Evening
):
    correct(full_pool, owner, 8)
    assert history(full_pool, 2) == ["record", "recount"]
    assert "Hands counted again because of it: 2" in Page.of(owners.get(at(full_pool, "hands/1/"))).text
    told = Page.of(owners.get(at(full_pool, "hands/2/"))).of_class("history")[0].text
    assert "Counted again because hand 1 was corrected" in told
    correct(full_pool, owner, 7)
    assert history(full_pool, 2) == ["record", "recount", "recount"]
    correct(full_pool, owner, 6)
    assert history(full_pool, 2) == ["record", *["recount"] * 3]
    assert_verified()
    assert not Page.of(owners.get(at(full_pool))).line(2).all("span", data_objection="pool_above")
    ledger.amend(full_pool.pk, 1, facts=Facts(0, 0, "6 wp 6"), by=owner)
    assert history(full_pool, 2) == ["record", *["recount"] * 3]


def test_a_pool_below_nothing_is_said_before_the_hand_is_struck_out_and_after(
    owners: Client, owner: User, full_pool: Evening
):
    played(full_pool, owner, "= P0-10")
    ledger.amend(
        full_pool.pk,
        2,
        facts=Facts(full_pool.hands.get(number=2).dealer, None, "= D0+1", True),
        by=owner,
    )
    page = Page.of(owners.get(at(full_pool, "hands/1/")))
    said = "Agreed entry 3 would no longer be possible: Anna's pool would be at −10, below zero."
    assert said in page.one("div", id="forward").text
    ledger.void(full_pool.pk, 1, by=owner)
    assert Page.of(owners.get(at(full_pool))).line(3).all("span", data_objection="pool_below")
    # A void one is not checked; that it would be restored is.
    ledger.void(full_pool.pk, 3, by=owner)
    assert not Page.of(owners.get(at(full_pool))).line(3).all("span", data_objection="pool_below")
    assert said in Page.of(owners.get(at(full_pool, "hands/3/"))).one("div", id="forward").text
