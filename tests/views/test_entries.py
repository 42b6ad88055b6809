"""The form of agreed entries: a penalty, a sheet carried over. Preference has one."""

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of
from tests.views.agreed_entries import (
    BOTH,
    NAMES,
    NEW,
    PENALTY,
    SHEET,
    at,
    codes,
    counted,
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


# --- Recording ---


@BOTH
def test_agreed_entries_are_written_as_typed(keepers: Client, evening: Evening, headers: dict[str, str]):
    answer = keepers.post(at(evening, NEW), opened(keepers, evening) | SHEET, headers=headers)
    assert saved(answer) == at(evening, "?saved=1")
    hand = Hand.objects.get()
    assert (hand.deal, hand.deal_stays, hand.dealer, hand.declarer) == ("= P0+3 D1-2 B2>0+20", True, 0, None)
    evening.refresh_from_db()
    assert (evening.last_number, evening.hand_count) == (1, 0)
    page = Page.of(keepers.get(at(evening, "hands/1/")))
    assert page.of_class("hand-card")[0].attrs["data-entries"] == "P0+3 D1-2 B2>0+20"


# --- The form ---


@BOTH
def test_adding_a_place_keeps_what_was_typed(owners: Client, evening: Evening, headers: dict[str, str]):
    posted = opened(owners, evening) | place(0, "bank", 2, "-20", 0) | {"line": "P0+3", "more": "1"}
    answer = owners.post(at(evening, NEW), posted, headers=headers)
    page = Page.of(answer)
    assert answer.status_code == 200
    assert page.is_whole is not bool(headers)
    assert len(page.of_class("place")) == 2
    again = form_of(page)
    assert again.items() >= (place(0, "bank", 2, "-20", 0) | {"line": "P0+3", "rows": "2"}).items()
    assert again["token"] == posted["token"]
    assert Hand.objects.count() == 0
    assert page.errors == []


def test_the_whole_sheet_of_four_can_be_carried_over(owners: Client, owner: User):
    evening = pulka(owner, "book target=999", names=(*NAMES, "Dani"))
    four = range(4)
    said = [place(seat, "pool", seat, 999) for seat in four]
    said += [place(4 + seat, "dump", seat, -9999) for seat in four]
    pairs = [(one, other) for one in four for other in four if one != other]
    said += [place(8 + n, "bank", one, 9999, other) for n, (one, other) in enumerate(pairs)]
    answer = owners.post(at(evening, NEW), opened(owners, evening) | places(*said))
    assert saved(answer) == at(evening, "?saved=1")
    assert Hand.objects.get().entries.count() == 20


# --- The count beside it ---


def test_agreed_entries_are_counted_while_typed(owners: Client, owner: User, evening: Evening):
    played(evening, owner, "6S pp", 1)
    posted = opened(owners, evening)
    assert counted(owners, at(evening, NEW), posted).text == "Still to say: What did the players agree on?"
    begun = counted(owners, at(evening, NEW), posted | {"account_0": "bank", "seat_0": "1"})
    assert begun.text == "Still to say: Against whom? How much?"
    page = counted(owners, at(evening, NEW), posted | PENALTY)
    assert not page.is_whole
    assert "Béla dump +5" in page.text
    assert page.of_class("won-lost")[0].text == "Then: Anna +10 Béla −20 Cili +10"
    refused = counted(owners, at(evening, NEW), posted | places(place(0, "pool", 1, 9)))
    assert refused.of_class("error")[0].text == "A pool cannot go past 10."
    assert Hand.objects.count() == 1


# --- Permissions, and the links to the page ---


def test_a_game_without_such_entries_has_no_such_page(owner: User, owners: Client):
    evening = evening_of(owner)
    assert owners.get(at(evening, NEW)).status_code == 404
    assert owners.post(at(evening, NEW), PENALTY).status_code == 404
    for path in ("", "hands/new/"):
        assert "Agreed entry" not in Page.of(owners.get(at(evening, path))).links


def test_two_ways_lead_to_it(cast: dict[str, Client], evening: Evening):
    for path in ("", "hands/new/"):
        links = Page.of(cast["owner"].get(at(evening, path))).links
        assert links["Agreed entry"] == at(evening, NEW)
    assert "Agreed entry" not in Page.of(cast["viewer"].get(at(evening, ""))).links
    evenings.end(evening.pk)
    assert "Agreed entry" not in Page.of(cast["owner"].get(at(evening, ""))).links


# --- Correct agreed entries by their form ---


# --- Correcting ---


@BOTH
def test_entries_are_corrected_by_the_same_form(owners: Client, owner: User, evening: Evening, headers: dict[str, str]):
    played(evening, owner, "= P0+3 D1-2 B2>0+20")
    posted = opened(owners, evening, "entries/1/edit/")
    assert posted.items() >= (place(0, "pool", 0, 3) | {"rows": "3", "sign_1": "-", "amount_1": "2"}).items()
    assert (posted["against_2"], posted["amount_2"]) == ("0", "20")
    answer = owners.post(at(evening, "entries/1/edit/"), posted | {"amount_1": "7", "amount_2": ""}, headers=headers)
    assert codes(Page.of(answer)) == {"amount_2": "required"}
    left_out = posted | {"amount_1": "7", "amount_2": "0"}
    answer = owners.post(at(evening, "entries/1/edit/"), left_out, headers=headers)
    assert saved(answer) == at(evening, "?saved=1#hand-1")
    assert Hand.objects.get().deal == "= P0+3 D1-7"


@BOTH
def test_a_correction_of_what_was_corrected_meanwhile_overwrites_nothing(
    owners: Client, owner: User, evening: Evening, headers: dict[str, str]
):
    played(evening, owner, "= D1+5")
    posted = opened(owners, evening, "entries/1/edit/") | {"amount_0": "7"}
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "= D1+6", True), by=owner)
    answer = owners.post(at(evening, "entries/1/edit/"), posted, headers=headers)
    page = Page.of(answer)
    assert answer.status_code == 409
    asked = "Somebody corrected this entry meanwhile As corrected: Béla: dump +6 Mine: Béla: dump +7"
    assert asked in page.one(id="hand-question").text
    again = form_of(page)
    assert again["amount_0"] == "7"
    assert owners.post(at(evening, "entries/1/edit/"), again, headers=headers).status_code == 409
    again["correct"] = page.one("button", name="correct").attrs["value"]
    assert saved(owners.post(at(evening, "entries/1/edit/"), again, headers=headers)) == at(evening, "?saved=1#hand-1")
    assert Hand.objects.get().deal == "= D1+7"


def test_hands_and_entries_are_corrected_by_their_own_forms(owners: Client, owner: User, evening: Evening):
    played(evening, owner, "6S wp 6", 1)
    played(evening, owner, "= D1+5")
    assert owners.get(at(evening, "hands/2/edit/")).headers["Location"] == at(evening, "entries/2/edit/")
    assert owners.get(at(evening, "entries/1/edit/")).headers["Location"] == at(evening, "hands/1/edit/")
    assert owners.get(at(evening, "entries/3/edit/")).status_code == 404
