"""Agreed entries, which Preference has: their form, and how every page names them."""

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of
from tests.views.agreed_entries import (
    HTMX,
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

#: One place as typed.
FIRST = place(0, "bank", 2, "-20", 0)


@pytest.fixture
def evening(owner: User) -> Evening:
    return pulka(owner)


def test_agreed_entries_are_written_as_typed(keepers: Client, evening: Evening):
    posted = opened(keepers, evening)
    for headers in ({}, HTMX):
        page = Page.of(keepers.post(at(evening, NEW), posted | {"line": "P0+3", "more": "1"} | FIRST, headers=headers))
        assert page.is_whole is not bool(headers)
        assert (len(page.of_class("place")), page.errors) == (2, [])
        again = form_of(page)
        assert again.items() >= (FIRST | {"line": "P0+3", "rows": "2", "token": posted["token"]}).items()
    assert not Hand.objects.exists()
    assert saved(keepers.post(at(evening, NEW), posted | SHEET)) == at(evening, "?saved=1")
    hand = Hand.objects.get()
    assert (hand.deal, hand.deal_stays, hand.dealer, hand.declarer) == ("= P0+3 D1-2 B2>0+20", True, 0, None)
    evening.refresh_from_db()
    assert (evening.last_number, evening.hand_count) == (1, 0)
    page = Page.of(keepers.get(at(evening, "hands/1/")))
    assert page.of_class("hand-card")[0].attrs["data-entries"] == "P0+3 D1-2 B2>0+20"


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


def test_two_ways_lead_to_it_where_the_game_has_it(cast: dict[str, Client], owner: User, evening: Evening):
    other = evening_of(owner)
    for path in ("", "hands/new/"):
        assert Page.of(cast["owner"].get(at(evening, path))).links["Agreed entry"] == at(evening, NEW)
        assert "Agreed entry" not in Page.of(cast["owner"].get(at(other, path))).links
    assert "Agreed entry" not in Page.of(cast["viewer"].get(at(evening, ""))).links
    evenings.end(evening.pk)
    assert "Agreed entry" not in Page.of(cast["owner"].get(at(evening, ""))).links
    assert cast["owner"].get(at(other, NEW)).status_code == 404
    assert cast["owner"].post(at(other, NEW), PENALTY).status_code == 404


def test_entries_are_corrected_by_their_own_form(owners: Client, owner: User, evening: Evening):
    edit = at(evening, "entries/1/edit/")
    played(evening, owner, "= P0+3 D1-2 B2>0+20")
    posted = opened(owners, evening, "entries/1/edit/")
    assert posted.items() >= (place(0, "pool", 0, 3) | {"rows": "3", "sign_1": "-", "amount_1": "2"}).items()
    assert (posted["against_2"], posted["amount_2"]) == ("0", "20")
    assert codes(Page.of(owners.post(edit, posted | {"amount_1": "7", "amount_2": ""}))) == {"amount_2": "required"}
    for headers in ({}, HTMX):
        # The seats are those of that time, whatever a form says.
        answer = owners.post(edit, posted | {"amount_1": "7", "amount_2": "0", "seating": "9"}, headers=headers)
        assert saved(answer) == at(evening, "?saved=1#hand-1")
    assert Hand.objects.get().deal == "= P0+3 D1-7"
    played(evening, owner, "6S wp 6", 1)
    assert owners.get(at(evening, "hands/1/edit/")).headers["Location"] == edit
    assert owners.get(at(evening, "entries/2/edit/")).headers["Location"] == at(evening, "hands/2/edit/")
    assert owners.get(at(evening, "entries/3/edit/")).status_code == 404


def test_a_correction_of_what_was_corrected_meanwhile_overwrites_nothing(owners: Client, owner: User, evening: Evening):
    edit = at(evening, "entries/1/edit/")
    played(evening, owner, "= D1+5")
    posted = opened(owners, evening, "entries/1/edit/") | {"amount_0": "7"}
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "= D1+6", True), by=owner)
    for headers in ({}, HTMX):
        page = Page.of(owners.post(edit, posted, headers=headers), 409)
        assert page.is_whole is (not headers)
        asked = "Somebody corrected this entry meanwhile As corrected: Béla: dump +6 Mine: Béla: dump +7"
        assert asked in page.one(id="hand-question").text
        posted = form_of(page)
        assert posted["amount_0"] == "7"
    correct = page.one("button", name="correct").attrs["value"]
    assert saved(owners.post(edit, posted | {"correct": correct})) == at(evening, "?saved=1#hand-1")
    assert Hand.objects.get().deal == "= D1+7"


CARRIED = "= P0+3 D1-2 B2>0+20"
WORDS = "Anna: pool +3; Béla: dump −2; Cili: whists on Anna +20"


def shown(client: Client, evening: Evening, path: str = "") -> Page:
    return Page.of(client.get(at(evening, path)), 200)


def test_player_without_part_in_an_entry_does_not_sit_out(owners: Client, owner: User):
    """The dealer of four would sit out; here nobody played, and no others are named."""
    evening = pulka(owner, names=(*NAMES, "Dani"))
    played(evening, owner, "= B1>2+5")
    page = shown(owners, evening, "hands/1/")
    assert [item.text for item in page.of_class("amounts")[0].all("li")] == ["Béla +5", "Cili −5"]
    assert page.of_class("hand-card")[0].attrs["data-amounts"] == "· 5 -5 ·"
    row = shown(owners, evening).line(1)
    assert row.text == "1 Béla: whists on Cili +5 +5 −5"
    assert row.all(aria_label="sits out") == []


def test_page_of_an_agreed_entry_says_nothing_of_cards(owners: Client, owner: User, evening: Evening):
    played(evening, owner, CARRIED)
    played(evening, owner, "= D1+5")
    page = shown(owners, evening)
    assert page.line(1).of_class("said")[0].text == "agreed (3)"
    assert page.line(2).of_class("said")[0].text == "Béla: dump +5"
    page = shown(owners, evening, "hands/1/")
    assert (page.title, page.one("h1").text) == ("Agreed entry 1", "Agreed entry 1")
    card = page.of_class("hand-card")[0]
    assert "dealt" not in page.text
    assert [row.text for row in card.all("tr")] == ["Anna: pool +3", "Béla: dump −2", "Cili: whists on Anna +20"]
    assert WORDS in page.of_class("history")[0].text


def test_history_and_news_name_an_agreed_entry(owners: Client, keepers: Client, owner: User, evening: Evening):
    played(evening, owner, "= D1+5")
    assert "Agreed entry 1 is saved." in shown(owners, evening, "?saved=1").text
    assert "Another phone: Béla: dump +5" in shown(keepers, evening).text
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "= D1+6", True), by=owner)
    assert "corrected agreed entry 1: Béla: dump +6" in shown(keepers, evening).text
    history = shown(owners, evening, "hands/1/").of_class("history")[0].text
    assert "was: Béla: dump +5 now: Béla: dump +6" in history
    ledger.void(evening.pk, 1, by=owner)
    assert "struck out agreed entry 1" in shown(keepers, evening).text
    assert "Agreed entry 1 is void." in shown(owners, evening, "?saved=1").text
    assert "This entry is void" in shown(owners, evening, "hands/1/").text
    ledger.restore(evening.pk, 1, by=owner)
    assert "restored agreed entry 1" in shown(keepers, evening).text


def test_agreed_entry_is_no_hand_in_lists_and_the_result_s_text(owners: Client, owner: User, evening: Evening):
    agreed_only = ("= D1+5", "agreed entries only", None)
    for deal, card, text in ((None, "no hands yet", "0 hands"), agreed_only, ("R 4-4-2", "1 hand", "1 hand")):
        if deal:
            played(evening, owner, deal)
        said = shown(owners, evening, "settle/").one("textarea").text
        assert text in said if text else "hand" not in said
        evenings.end(evening.pk)
        assert Page.of(owners.get("/sessions/")).of_class("hands")[0].text == card
        if deal:
            assert "To correct an entry, reopen it first." in shown(owners, evening, "hands/1/").text
        evenings.reopen(evening.pk)
