"""Refused agreed entries: errors beside their fields, and conflicts with other phones."""

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, Role, User
from sessions_app.writers import evenings
from tests.factories import MemberFactory
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
from tests.views.page import Page, saved


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
def test_what_cannot_be_is_refused_beside_its_place_and_kept(
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


def test_who_sits_elsewhere_by_now_is_asked_again(owners: Client, evening: Evening):
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
