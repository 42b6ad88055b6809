"""The referee's page: the moves offered in each step, refusals, taking back each tap, and two phones at one hand."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.views.hand_form.referee import signer_of
from sessions_app.writers import evenings
from tests.factories import begun, evening_of, record
from tests.selection import first
from tests.views.page import Node, Page, at, filled
from tests.views.refereeing import (
    HTMX_REFEREE,
    NAMES,
    TWO_HEARTS,
    Phone,
    RefereePhone,
    calls,
    finished,
    form_of,
    preference,
    tricks,
    won,
)
from tests.views.test_conflicts import DEAL, save


def test_page_shows_whose_turn_it_is_and_offers_only_legal_calls(phone: Phone):
    assert phone.page.is_whole
    assert "Hand 1 Anna deals" in phone.text
    assert "Béla is to call." in phone.text
    assert phone.offered("call", "call") == ["3", "pass"]
    calls(phone, "3")
    assert "Cili is to call." in phone.text
    assert phone.offered("call", "call") == ["2", "pass"]
    calls(phone, "2", "pass")
    assert "Béla speaks before Cili: hold the bid (2) or pass." in phone.text
    assert phone.offered("call", "call") == ["hold", "pass"]
    spoken = [[speaker.of_class("call")[0].text] for speaker in phone.page.of_class("speaker")]
    assert spoken == [["3"], ["2"], ["pass"]]


def test_another_dealer_can_be_named_before_the_first_call(phone: Phone):
    assert phone.offered("dealer", "seat") == ["1", "2"]
    phone.tap("dealer", seat="2")
    assert "Cili deals" in phone.text
    assert "Anna is to call." in phone.text
    calls(phone, "3")
    assert not phone.offers("dealer")
    assert phone.post("dealer", seat="1").status_code == 422
    phone.page = Page.of(phone.post("call", HTMX_REFEREE, call="2", seat="2"), 422)
    assert "It is Béla's turn to call, not Cili's." in phone.text


def test_missing_trumps_are_asked_for_beside_their_row(phone: Phone):
    phone.tap("declarer", seat="1")
    assert phone.tap("announce", contract="2").status_code == 422
    assert phone.page.error("trump").strip() == "Which trumps, or none?"
    assert [radio.attrs["value"] for radio in phone.page.all("input", name="contract", checked="")] == ["2"]
    assert not phone.page.is_whole


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
    for verb, what in (("claim", "the claim"), ("dispute", "the answer"), ("concede", "the giving up")):
        phone.tap(verb)
        assert undo(phone)[0] == what
    phone.tap("untrick")
    assert undo(phone)[0] == "the answer"


def test_whether_it_was_idegen_is_asked_only_when_it_can_be(announced: Phone):
    tricks(announced, "22111111111")
    assert "Did Béla play a trump in the last three tricks?" in announced.text
    assert announced.offered("finish", "idegen") == ["0", "1"]
    assert announced.tap("finish").status_code == 422
    assert "Did the declarer play a trump in the last three tricks?" in announced.text
    assert not Hand.objects.exists()
    announced.tap("finish", idegen="1")
    assert Hand.objects.get().deal == "2H 9-2-0 A*"


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


def test_the_count_is_explained_and_saving_leads_to_the_sheet(phone: Phone, evening: Evening):
    phone.tap("declarer", seat="1")
    phone.tap("announce", **TWO_HEARTS, announced="")
    finished(phone)
    assert "2, hearts +4 4 tricks above six, 2 each +8 Points +12 4 + 8 = 12." in phone.text
    assert "Save hand 1" in phone.page.buttons
    assert phone.tap("finish")["HX-Redirect"] == f"/sessions/{evening.pk}/?saved=1"
    hand = Hand.objects.get()
    assert (hand.number, hand.dealer, hand.declarer, hand.deal) == (1, 0, 1, "2H 10-1-0")
    assert not HandInPlay.objects.exists()
    assert "Hand 2 Béla deals" in phone.open().text


def test_tap_on_an_older_state_changes_nothing_and_shows_the_state_as_it_is(
    announced: Phone, keepers: Client, owner: User, evening: Evening
):
    other = Phone(keepers, evening)
    announced.tap("trick", seat="1")
    before = list(HandInPlay.objects.values())
    assert other.tap("trick", seat="2").status_code == 409
    assert "The hand has changed meanwhile. This is how it is now." in other.text
    assert won(other) == ["1 Béla", "0 Cili", "0 Anna"]
    assert list(HandInPlay.objects.values()) == before
    assert other.tap("trick", seat="2").status_code == 200, "and from there it goes on"
    record(evening, owner)
    assert announced.tap("trick", seat="1").status_code == 409
    assert "Hand 2 Béla deals" in announced.text
    assert not HandInPlay.objects.exists()
    evenings.end(evening.pk)
    assert announced.tap("declarer", seat="1").status_code == 409
    assert "This session has ended." in announced.text
    assert not HandInPlay.objects.exists()
    assert [form for form in announced.open().all("form") if announced.url in form.attrs["action"]] == []


def test_viewer_sees_every_step_and_no_button(viewers: Client, phone: Phone, evening: Evening):
    def watched() -> str:
        watching = Phone(viewers, evening)
        assert [form for form in watching.page.all("form") if "/referee/" in form.attrs["action"]] == []
        return watching.text

    assert "Béla is to call." in watched()
    calls(phone, "3", "pass", "pass")
    assert "Béla plays: 3 or higher." in watched()
    phone.tap("announce", **TWO_HEARTS)
    phone.tap("say", item="game", seat="2")
    assert "×2 Cili kontra" in watched()
    finished(phone)
    assert "Béla claimed the rest" in watched()


def test_tap_is_answered_with_the_part_that_changes_or_without_scripts_leads_back_to_the_page(
    phone: Phone, viewers: Client
):
    live = phone.url + "live/"
    assert viewers.get(f"{live}?v=1").status_code == 204
    assert phone.tap("call", call="3").status_code == 200
    assert not phone.page.is_whole
    assert phone.page.one("div", id="referee").attrs["data-version"] == "2"
    part = Page.of(viewers.get(f"{live}?v=1"))
    assert (part.is_whole, "Cili is to call." in part.text) == (False, True)
    assert [viewers.get(live + query).status_code for query in ("?v=2", "?v=x", "")] == [204, 200, 200]
    assert phone.post("call", call="2", seat="2")["Location"] == phone.url
    assert "Anna is to call." in phone.open().text


def test_malformed_tap_is_a_bad_request(phone: Phone):
    for verb, said in (
        ("call", {"call": "5", "seat": "1"}),
        ("call", {"call": "3"}),
        *(("call", {"call": "3", "seat": seat}) for seat in ("x", "-1", "9" * 5000)),
        *(("call", {"call": "3", "seat": "1"} | wrong) for wrong in ({"seen": ""}, {"seen": "x"}, {"number": "٣"})),
        ("say", {"item": "trick", "seat": "1"}),
        ("finish", {"token": "x"}),
        ("finish", {}),
        ("announce", {"number": "1e9"}),
    ):
        assert phone.post(verb, **said).status_code == 400, (verb, said)
    assert not HandInPlay.objects.exists()


# --- The referee of each game, tapped at random: whatever it offers is taken, and comes to a hand or to the form ---


#: Moves that take the hand back or correct it: one in eight, so that a hand comes to its end.
AGAIN = ("dealer", "uncall", "undeclarer", "unannounce", "unsay", "untrick", "unhonour", "partner", "take", "close")
GAMES = [
    ("asszorti", 3, ""),
    ("asszorti", 4, ""),
    ("tarokk", 4, ""),
    ("preference", 3, "leningrad give_up=3"),
    ("preference", 4, "sochi ten=checked"),
]


def offered(page: Page, chance: Random) -> list[Node]:
    """The forms of moves from which the next one is chosen."""
    verbs = [(form.attrs["action"].split("/")[-2], form) for form in page.all("form", method="post")]
    moves = [(verb in AGAIN, form) for verb, form in verbs if "/referee/" in form.attrs["action"] and verb != "finish"]
    again = [form for is_again, form in moves if is_again]
    return again if again and chance.randrange(8) == 0 else [form for is_again, form in moves if not is_again]


def chosen(form: Node, chance: Random) -> dict[str, str]:
    """The fields of the form with one of its buttons and one of each group of radios tapped."""
    choices: dict[str, list[str]] = {}
    for node in form.nodes():
        if "name" in node.attrs and (node.tag == "button" or node.attrs.get("type") == "radio"):
            choices.setdefault(node.attrs["name"], []).append(node.attrs["value"])
    return filled(form) | {name: chance.choice(values) for name, values in choices.items()}


def look_at_all_pages(client: Client, evening: Evening, language: str) -> None:
    for path in ("", "live/", "table/", "table/live/", "referee/", "referee/live/", "announce/back/", "hands/new/"):
        response = client.get(at(evening, path), headers={"Accept-Language": language}, follow=True)
        assert response.status_code == 200, path
        assert "None" not in Page.of(response).text, path


@pytest.mark.parametrize("seed", first(1, range(8)))
@pytest.mark.parametrize(("game", "seats", "rules"), GAMES)
def test_every_move_that_a_referee_offers_is_taken(
    owners: Client, owner: User, game: str, seats: int, rules: str, seed: int
):
    chance = Random(seed)  # noqa: S311  cards, not keys
    evening = begun(owner, game, rules, NAMES[:seats])
    phone = Phone(owners, evening)
    for move in range(120):
        if move % 6 == 0:
            look_at_all_pages(owners, evening, ("en", "hu")[move // 6 % 2])
        forms = offered(phone.page, chance)
        if not forms:
            break
        form = chance.choice(forms)
        response = owners.post(form.attrs["action"], chosen(form, chance), headers=HTMX_REFEREE)
        assert response.status_code == 200, (form.attrs["action"], Page.of(response).text)
        phone.page = Page.of(response)
    look_at_all_pages(owners, evening, "hu")
    finish = phone.page.all("form", action=f"{phone.url}finish/")
    if not finish:
        assert game == "tarokk", "which is finished in the form"
        return
    response = owners.post(finish[0].attrs["action"], chosen(finish[0], chance), headers=HTMX_REFEREE)
    assert response.status_code in (200, 422)
    assert Hand.objects.exists() is ("HX-Redirect" in response)


# --- Two phones that referee one hand, or of which one saves it by the form ---


class Played(NamedTuple):
    """A hand in play on two phones, and how each of them finishes it."""

    phones: tuple[Phone, Phone]
    finished: tuple[dict[str, str], dict[str, str]]
    deals: tuple[str, str]
    differs: str


def asszorti_split(owners: Client, keepers: Client, evening: Evening) -> Played:
    """Béla has won six tricks, and his opponents have not said who has won the others."""
    phone = Phone(owners, evening)
    phone.tap("declarer", seat="1")
    phone.tap("announce", **TWO_HEARTS, announced="")
    tricks(phone, "111111")
    phone.tap("concede")
    deals = ("2H 6-5-0", "2H 6-2-3")
    return Played((phone, Phone(keepers, evening)), ({"split": "5"}, {"split": "2"}), deals, "Split 5 : 0 ↔ 2 : 3")


def preference_tricks(owners: Client, keepers: Client, evening: Evening) -> Played:
    made = preference(evening.circle.members.get(role="owner").user, evening.circle, "", (), 3)
    phone = RefereePhone(owners, made).say("7H", "pass", "pass", "7H", "whist", "pass")
    return Played(
        (phone, Phone(keepers, made)), ({"tricks": "6"}, {"tricks": "7"}), ("7H wp 6", "7H wp 7"), "6 tricks ↔ 7 tricks"
    )


def tarokk_proba(owners: Client, keepers: Client, evening: Evening) -> Played:
    """The keeper's page is that of four passes, of which the owner has taken the last one back since."""
    owner = evening.circle.members.get(role="owner").user
    made = begun(owner, "tarokk", names=NAMES, circle=evening.circle)
    phone = Phone(owners, made)
    calls(phone, "pass", "pass", "pass", "pass")
    slower = Phone(keepers, made)
    phone.tap("uncall")
    phone.tap("call", call="2?")
    return Played((phone, slower), ({"proba": "1"}, {}), ("2?", ""), "Mine: thrown in")


@pytest.mark.parametrize(
    ("played", "answered", "kept"),
    [(asszorti_split, "another", [0, 1]), (preference_tricks, "correct", [1]), (tarokk_proba, "correct", [1])],
)
def test_hand_that_two_referees_finish_differently_is_asked_about(
    owners: Client, keepers: Client, evening: Evening, played: Callable[..., Played], answered: str, kept: list[int]
):
    (first, second), (ends, ends_otherwise), written, differs = played(owners, keepers, evening)
    for _tap in range(2):
        assert first.tap("finish", **ends)["HX-Redirect"].endswith("?saved=1"), "nor when its answer was lost"
    assert second.tap("finish", **ends_otherwise).status_code == 409
    assert [hand.deal for hand in Hand.objects.all()] == [written[0]]
    page = second.page
    assert differs in page.text
    assert not page.is_whole
    assert "data-live" not in page.one(id="referee").attrs
    assert "drop mine" in " ".join(page.links)
    form = page.one("form")
    answer = filled(form) | {answered: page.one("button", name=answered).attrs["value"]}
    for _tap in range(2):
        assert second.client.post(form.attrs["action"], answer).status_code == 302
    assert [hand.deal for hand in Hand.objects.order_by("number")] == [written[each] for each in kept]


def test_finish_refuses_an_open_hand_that_is_signed_for_another_session(
    owners: Client, owner: User, keepers: Client, evening: Evening
):
    (phone, _second), (ends, _otherwise), _written, _differs = asszorti_split(owners, keepers, evening)
    signed = signer_of(evening_of(owner)).sign_object([0, {}])
    assert phone.tap("finish", **ends, shown=signed).status_code == 400
    assert not Hand.objects.exists()


def test_hand_in_play_that_a_form_with_another_token_has_recorded_is_asked_about(
    owners: Client, keepers: Client, evening: Evening
):
    opened_before = form_of(keepers, evening)
    (phone, _second), (ends, _otherwise), _written, _differs = asszorti_split(owners, keepers, evening)
    save(keepers, evening, opened_before | DEAL | {"tricks": "7", "seen": form_of(keepers, evening)["seen"]})
    assert phone.tap("finish", **ends).status_code == 409
    assert "7 tricks ↔ 6 tricks" in phone.page.text
