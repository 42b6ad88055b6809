"""Agreed entries, which Preference has: their form, how every page names them, and what is refused or asked about."""

from itertools import product
from typing import Any

import pytest
from django.test import Client

from scorekeeper.games.preference import sheet_to_text
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandInPlay, Revision, User
from sessions_app.readers.evening.recount import sheet_of
from sessions_app.writers import evenings, ledger
from tests.factories import MemberFactory, evening_of
from tests.ledger.books import assert_verified
from tests.views.agreed_entries import (
    HTMX,
    NAMES,
    NEW,
    PENALTY,
    SHEET,
    codes,
    counted,
    form_of,
    opened,
    place,
    places,
    played,
    pulka,
)
from tests.views.page import ENGLISH, HTMX_COUNT, HUNGARIAN, Page, at, hand_card, hand_form, saved

#: One place as typed.
FIRST = place(0, "bank", 2, "-20", 0)
EDIT = "entries/1/edit/"
CARRIED = "= P0+3 D1-2 B2>0+20"


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
    assert (hand.deal, hand.deal_stays, hand.dealer, hand.declarer) == (CARRIED, True, 0, None)
    evening.refresh_from_db()
    assert (evening.last_number, evening.hand_count) == (1, 0)
    assert hand_card(keepers, evening)["data-entries"] == "P0+3 D1-2 B2>0+20"


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
    edit = at(evening, EDIT)
    played(evening, owner, CARRIED)
    posted = opened(owners, evening, EDIT)
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
    edit = at(evening, EDIT)
    played(evening, owner, "= D1+5")
    posted = opened(owners, evening, EDIT) | {"amount_0": "7"}
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


def shown(client: Client, evening: Evening, path: str = "") -> Page:
    return Page.of(client.get(at(evening, path)), 200)


def test_player_without_part_in_an_entry_does_not_sit_out(owners: Client, owner: User):
    """The dealer of four would sit out; here nobody played, and no others are named."""
    evening = pulka(owner, names=(*NAMES, "Dani"))
    played(evening, owner, "= B1>2+5")
    page = shown(owners, evening, "hands/1/")
    assert [item.text for item in page.of_class("amounts")[0].all("li")] == ["Béla +5", "Cili −5"]
    assert hand_card(owners, evening)["data-amounts"] == "· 5 -5 ·"
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
    assert "Anna: pool +3; Béla: dump −2; Cili: whists on Anna +20" in page.of_class("history")[0].text


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


REFUSED: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "nothing": ({}, {"account_0": "required"}),
    "nobody's": (places(place(0, "dump", "", 5)), {"seat_0": "required"}),
    "on nobody": (places(place(0, "bank", 1, 5)), {"against_0": "required"}),
    "nothing of it": (places(place(0, "pool", 1, "")), {"amount_0": "required"}),
    "no number": (places(place(0, "pool", 1, "3½")), {"amount_0": "no_number"}),
    "not an account": (places(place(0, "wallet", 1, 3)), {"account_0": "invalid_choice"}),
    "seat_unknown, other": (places(place(0, "bank", 1, 1, 3)), {"amount_0": "seat_unknown"}),
    "seat_unknown, pool": (places(place(0, "pool", 7, 1)), {"amount_0": "seat_unknown"}),
    "amount_range": (places(place(0, "dump", 1, 9999), place(1, "dump", 2, 10000)), {"amount_1": "amount_range"}),
    "place_twice": (
        places(place(0, "dump", 1, 1), place(1, "dump", 2, 1), place(2, "dump", 1, 4)),
        {"amount_2": "place_twice"},
    ),
    "several": (
        places(place(0, "pool", 0, 11), place(1, "pool", 1, -1), place(2, "bank", 1, 4, 0)),
        {"amount_0": "pool_above", "amount_1": "pool_below"},
    ),
    "by itself and by the evening": (
        places(place(0, "pool", 0, 11), place(1, "bank", 1, 4, 1), place(2, "dump", 1, "")),
        {"amount_0": "pool_above", "amount_1": "bank_self", "amount_2": "required"},
    ),
    "line": ({"line": "P0 3"}, {"line": "notation"}),
    "line, seat_unknown, pool": ({"line": "P3+3"}, {"line": "seat_unknown"}),
    "line, place_twice": (PENALTY | {"line": "D1+2"}, {"line": "place_twice"}),
    "line, pool_above": ({"line": "P0+11"}, {"line": "pool_above"}),
}


def test_wrong_entry_is_refused_beside_its_place_and_kept(owners: Client, owner: User, evening: Evening):
    form = opened(owners, evening)
    for (name, (fields, said)), headers in product(REFUSED.items(), ({}, HTMX)):
        page = Page.of(owners.post(at(evening, NEW), form | fields, headers=headers), 422)
        assert page.is_whole is (not headers)
        assert codes(page) == said, name
        assert all(page.error(each) for each in said)
        kept = {each: value for each, value in fields.items() if value and value not in ("7", "wallet")}
        assert form_of(page).items() >= kept.items() - {("against_0", "3")}
    assert Hand.objects.count() == 0
    played(evening, owner, "6S pp", 1)
    form = opened(owners, evening)
    for name in ("seat_unknown, pool", "line, seat_unknown, pool"):
        posted = form | REFUSED[name][0]
        answer = owners.post(at(evening, NEW), posted)
        assert answer.status_code == 422
        assert list(codes(Page.of(answer)).values()) == ["seat_unknown"], "a standing has as many pools as players"
        assert owners.post(f"{at(evening, NEW)}?count=1", posted).status_code in (200, 422)


def test_after_the_end_a_pool_takes_nothing_and_all_else_does(owners: Client, owner: User, evening: Evening):
    played(evening, owner, "= P0+10 P1+10 P2+10")
    posted = opened(owners, evening) | places(place(0, "dump", 1, 4), place(1, "pool", 0, -1))
    answer = owners.post(at(evening, NEW), posted)
    assert (answer.status_code, codes(Page.of(answer))) == (422, {"amount_1": "game_over"})
    assert saved(owners.post(at(evening, NEW), opened(owners, evening) | PENALTY)) == at(evening, "?saved=2")


def test_entry_whose_number_a_hand_has_taken_is_the_next_by_an_explicit_answer_only(
    owners: Client, owner: User, evening: Evening
):
    """It is no reading of that hand, and cannot correct it."""
    posted = opened(owners, evening) | SHEET
    played(evening, MemberFactory(circle=evening.circle).user, "6S wp 6", 1)
    for headers in ({}, HTMX):
        page = Page.of(owners.post(at(evening, NEW), posted, headers=headers), 409)
        assert page.is_whole is (not headers)
        assert "Another phone has recorded hand 1:" in page.text
        assert not [label for label in page.buttons if label.startswith("Save entry") or "correct" in label]
        posted = form_of(page)
    assert posted.items() >= SHEET.items()
    posted["another"] = page.one("button", name="another").attrs["value"]
    for headers in ({}, HTMX):
        assert saved(owners.post(at(evening, NEW), posted, headers=headers)) == at(evening, "?saved=2")
    written = Hand.objects.get(number=2)
    assert (written.deal, written.dealer) == (CARRIED, 1)


def test_entry_that_two_have_written_down_is_asked_about(owners: Client, evening: Evening):
    posted, other = opened(owners, evening) | PENALTY, MemberFactory(circle=evening.circle).user
    played(evening, other, "= D1+5")
    for answers in (
        ["Mine is another entry: make it entry 2"],
        ["Mine is right: correct entry 1", "Mine is another entry: make it entry 2"],
    ):
        page = Page.of(owners.post(at(evening, NEW), posted), 409)
        assert "Another phone has recorded agreed entry 1:" in page.text
        assert [button.text for button in page.one(id="hand-question").all("button")] == answers
        assert owners.post(at(evening, NEW), form_of(page)).status_code == 409
        assert Hand.objects.count() == 1
        ledger.amend(evening.pk, 1, facts=Facts(0, None, "= D1+6", True), by=other)
    correct = form_of(page) | {"correct": page.one("button", name="correct").attrs["value"]}
    for _tap in range(2):
        assert saved(owners.post(at(evening, NEW), correct)) == at(evening, "?saved=1#hand-1")
    assert Hand.objects.get().deal == "= D1+5"


def test_other_amounts_under_a_spent_token_are_asked_about(owners: Client, evening: Evening):
    """The way back after saving, and something else in the form."""
    posted = opened(owners, evening)
    owners.post(at(evening, NEW), posted | PENALTY)
    again = form_of(Page.of(owners.post(at(evening, NEW), posted | SHEET)))
    assert again["token"] != posted["token"]
    again["another"] = Page.of(owners.post(at(evening, NEW), again), 409).one("button", name="another").attrs["value"]
    assert saved(owners.post(at(evening, NEW), again)) == at(evening, "?saved=2")


def test_entry_after_swapped_seats_is_asked_about_again(owners: Client, evening: Evening):
    posted = opened(owners, evening) | SHEET
    Evening.objects.filter(pk=evening.pk).update(seating=4)
    page = Page.of(owners.post(at(evening, NEW), posted), 409)
    again = form_of(page)
    assert "Choose again whose entries these are" in page.text
    assert [name for name in again if name.startswith(("seat_", "against_"))] == []
    assert (again["account_0"], again["amount_0"], again["seating"]) == ("bank", "20", "4")
    assert Hand.objects.count() == 0


@pytest.mark.parametrize("path", [NEW, EDIT])
def test_an_evening_that_has_ended_takes_nothing_and_says_so(owners: Client, owner: User, evening: Evening, path: str):
    played(evening, owner, "= D1+2")
    posted = opened(owners, evening, path) | PENALTY
    evenings.end(evening.pk)
    page = Page.of(owners.post(at(evening, path), posted), 409)
    assert "Reopen to add or correct entries." in page.text
    assert form_of(page).items() >= PENALTY.items()
    assert Hand.objects.get().deal == "= D1+2"


def test_hand_in_play_goes_on_beside_an_agreed_entry(owners: Client, evening: Evening):
    """A penalty in the midst of a hand: its announcement is of the next number then."""
    row = HandInPlay.objects.create(evening=evening, number=1, dealer=0, state={}, version=evening.version)
    owners.post(at(evening, NEW), opened(owners, evening) | PENALTY)
    evening.refresh_from_db()
    after = HandInPlay.objects.get()
    assert (after.number, after.token, after.version) == (2, row.token, evening.version)


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


def history(full_pool: Evening) -> list[str]:
    """The actions on the agreed entry."""
    made = Revision.objects.filter(hand__evening=full_pool, hand__number=2)
    return list(made.order_by("number").values_list("action", flat=True))


def preview(client: Client, full_pool: Evening, headers: dict[str, str], **fields: Any) -> Page:
    """The preview of a correction of the first hand before it is saved."""
    edited = {**hand_form(Page.of(client.get(at(full_pool, "hands/1/edit/")))), **fields}
    path = "hands/preview/?hand=1" if headers else "hands/1/edit/"
    return Page.of(client.post(at(full_pool, path), edited | ({} if headers else {"count": "1"}), headers=headers))


def test_a_correction_says_before_it_is_saved_what_it_makes_impossible(owners: Client, full_pool: Evening):
    for headers in ({}, HTMX_COUNT):
        page = preview(owners, full_pool, headers, level="8")
        said = "Agreed entry 2 would no longer be possible: Anna's pool would be at 14, past 10. It stays as it is."
        assert said in page.text
        assert [node.text for node in page.of_class("further")] == ["This would make an agreed entry impossible"]
        unmoved = preview(owners, full_pool, headers, answers="w1", tricks="6")
        assert "would no longer be possible" not in unmoved.text


def test_impossible_entry_stands_and_every_page_says_so_until_it_is_possible_again(
    owners: Client, owner: User, full_pool: Evening
):
    correct(full_pool, owner, 8)
    assert_verified()
    assert sheet_to_text(sheet_of(full_pool.hands.get(number=2).entries.all())) == "P0+8"
    for language, said, explained in (
        (ENGLISH, "cannot be", "As agreed, but no longer possible: the pool is at 14, past 10"),
        (HUNGARIAN, "nem lehetne", "Megegyezés szerint, de ma már nem lehetne: a pulya 14, több mint 10"),
    ):
        line = Page.of(owners.get(at(full_pool), headers=language)).line(2)
        assert line.of_class("amended")[0].all("span", aria_hidden="true")[0].text == said
        page = Page.of(owners.get(at(full_pool, "hands/2/"), headers=language))
        assert explained in page.of_class("hand-card")[0].text
    assert history(full_pool) == ["record", "recount"]
    assert "Hands counted again because of it: 2" in Page.of(owners.get(at(full_pool, "hands/1/"))).text
    told = Page.of(owners.get(at(full_pool, "hands/2/"))).of_class("history")[0].text
    assert "Counted again because hand 1 was corrected" in told
    for recounts, level in ((2, 7), (3, 6)):
        correct(full_pool, owner, level)
        assert history(full_pool) == ["record", *["recount"] * recounts]
    assert_verified()
    assert not Page.of(owners.get(at(full_pool))).line(2).all("span", data_objection="pool_above")
    ledger.amend(full_pool.pk, 1, facts=Facts(0, 0, "6 wp 6"), by=owner)
    assert history(full_pool) == ["record", *["recount"] * 3]


def test_a_pool_below_nothing_is_said_before_the_hand_is_struck_out_and_after(
    owners: Client, owner: User, full_pool: Evening
):
    played(full_pool, owner, "= P0-10")
    dealer = full_pool.hands.get(number=2).dealer
    ledger.amend(full_pool.pk, 2, facts=Facts(dealer, None, "= D0+1", True), by=owner)
    page = Page.of(owners.get(at(full_pool, "hands/1/")))
    said = "Agreed entry 3 would no longer be possible: Anna's pool would be at −10, below zero."
    assert said in page.one("div", id="forward").text
    ledger.void(full_pool.pk, 1, by=owner)
    assert Page.of(owners.get(at(full_pool))).line(3).all("span", data_objection="pool_below")
    # A void one is not checked; that it would be restored is.
    ledger.void(full_pool.pk, 3, by=owner)
    assert not Page.of(owners.get(at(full_pool))).line(3).all("span", data_objection="pool_below")
    assert said in Page.of(owners.get(at(full_pool, "hands/3/"))).one("div", id="forward").text
