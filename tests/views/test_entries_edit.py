"""Correct agreed entries by their form."""

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, Revision, User
from sessions_app.writers import ledger
from tests.views.agreed_entries import BOTH, at, codes, form_of, opened, place, played, pulka
from tests.views.page import Page, saved


@pytest.fixture
def evening(owner: User) -> Evening:
    return pulka(owner)


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


def test_sent_back_as_it_came_it_corrects_nothing(owners: Client, owner: User, evening: Evening):
    played(evening, owner, "= P0+3 D1-2 B2>0+20")
    answer = owners.post(at(evening, "entries/1/edit/"), opened(owners, evening, "entries/1/edit/"))
    assert saved(answer) == at(evening, "#hand-1")
    assert Revision.objects.count() == 1


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


def test_each_is_corrected_by_its_own_form(owners: Client, owner: User, evening: Evening):
    played(evening, owner, "6S wp 6", 1)
    played(evening, owner, "= D1+5")
    assert owners.get(at(evening, "hands/2/edit/")).headers["Location"] == at(evening, "entries/2/edit/")
    assert owners.get(at(evening, "entries/1/edit/")).headers["Location"] == at(evening, "hands/1/edit/")
    assert owners.get(at(evening, "entries/3/edit/")).status_code == 404
