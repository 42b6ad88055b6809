"""An evening of Hungarian Tarokk by its pages: hands typed and tapped, refused, announced and refereed."""

from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.writers import evening_edit
from tests.views.page import HTMX_COUNT, HTMX_HAND_FORM, Page, at, filled, hand_card, hand_form, saved
from tests.views.refereeing import (
    ANNOUNCED,
    HTMX_REFEREE,
    KETTES,
    Phone,
    announce,
    bar,
    calls,
    form_of,
    take_back,
)
from tests.views.tarokk_hands import form, new, started

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("line", "amounts", "payments", "foot"),
    [
        # Béla is place 0; after him, counter-clockwise, Anna 1, Dani 2, Cili 3.
        ("2+2 61", "-2 2 -2 2", "0>1 2, 2>3 2", "For each of the declarers +2"),
        (
            *("s= 66 9@0", "-6 18 -6 -6", "0>1 6, 2>1 6, 3>1 6"),
            "From each of the three +4 Béla, alone: 3 × 4, tarokks apart +12",
        ),
        (
            *("2+2 58 UK u 8@0", "-23 25 -23 21", "0>1 23, 2>1 1, 2>3 22, 3>1 1"),
            "For each of the declarers, tarokks apart +22",
        ),
        ("1?", "3 -9 3 3", "1>0 3, 1>2 3, 1>3 3", "To each of the three −3 Béla: 3 × −3 −9"),
        ("3= 44 K", "2 -6 2 2", "1>0 2, 1>2 2, 1>3 2", "To each of the three −2 Béla, alone: 3 × −2 −6"),
    ],
)
def test_form_filled_from_a_notation_line_saves_that_hand(
    owners: Client, line: str, amounts: str, payments: str, foot: str
) -> None:
    evening = started(owners)
    assert saved(owners.post(new(evening), form(evening, line))).endswith("?saved=1")
    page = Page.of(owners.get(f"/sessions/{evening.pk}/hands/1/"))
    hand = page.of_class("hand-card")[0].attrs
    assert (hand["data-line"], hand["data-amounts"], hand["data-payments"]) == (line, amounts, payments)
    assert page.one("tfoot").text == foot


@pytest.mark.parametrize("headers", [{}, HTMX_HAND_FORM], ids=["plain", "htmx"])
def test_impossible_line_names_its_fields(owners: Client, headers: dict[str, str]) -> None:
    evening = started(owners)
    for line, fields in (
        ("2+2 95", "points"),
        ("2+2 60 t -u -x", "xxi pagat"),
        ("2+2 60 U U", "announced"),
        ("2+2 60 8@0 8@1 8@2", "tarokks"),
        ("s?", "contract"),
    ):
        page = Page.of(owners.post(new(evening), form(evening, line), headers=headers), 422)
        assert page.one(id="hand-form").attrs["data-fields"] == fields
        assert page.one(name="line").attrs["value"] == line
        assert page.one(id="error-line").text
        assert "open" in page.of_class("deal-head")[0].attrs
    page = Page.of(owners.post(new(evening), form(evening, "2+2 61; DROP TABLE"), headers=headers), 422)
    assert page.error("line") == "This cannot be read as a hand."
    assert not Hand.objects.exists()


@pytest.mark.parametrize(
    ("rules", "line", "sentence"),
    [
        ("", "2+2 47 K", "kettes, with Dani, 47 (lost): game kontra −4"),
        ("", "2+2 73 D V", "73 (dupla): duplajáték 8 − volát missed 12 = −4"),
        (
            "",
            "1+2 72 R DK T -UK t -b 8@1",
            "game rekontra 12 + duplajáték kontra 24 + tuletroá 2 + opp.: pagátultimó kontra missed 20 = 58",
        ),
        ("tarokks_paid_by=opponents", "2+2 61 8@0", "61 (made): game 2 + nyolc tarokk, Béla 1 = 3"),
        (
            "after_throw_in=double",
            "2+2 61 u *2",
            "61 (made): (game 2 + silent pagátultimó 5) × 2 (after a throw-in) = 14",
        ),
        ("", "2+2 61 8@0", "61 (made): 2 · nyolc tarokk, Béla: each of the other three pays 1"),
    ],
)
def test_the_live_sentence_says_how_it_comes_to_that(owners: Client, rules: str, line: str, sentence: str) -> None:
    evening = started(owners, rules=rules)
    address = f"/sessions/{evening.pk}/hands/preview/"
    answer = owners.post(address, form(evening, line), headers={"HX-Request": "true", "HX-Target": "count"})
    assert sentence in Page.of(answer).text


def test_page_says_why_and_names_the_players_of_declared_tarokks(owners: Client) -> None:
    evening = started(owners)
    for line in ("2+3 86 D v", "2+2 61 8@1 9@3"):
        owners.post(new(evening), form(evening, line))
    text = Page.of(owners.get(f"/sessions/{evening.pk}/hands/1/")).text
    for said in (
        "game, declarers: won; the announced duplajáték counts instead",
        "duplajáték, declarers: announced, done (8)",
        "volát, declarers: silent (6)",
        "tuletroá, declarers: silent: not paid beside volát",
        "Anna pays Béla 14",
        "Dani pays Cili 14",
    ):
        assert said in text, said
    marks = Page.of(owners.get(f"/sessions/{evening.pk}/")).one(id="hand-2").of_class("mark")
    assert [mark.text for mark in marks] == ["8T Anna nyolc tarokk 1, Anna", "9T Cili kilenc tarokk 2, Cili"]


@pytest.mark.parametrize("said", [{"line": "3?"}, {"contract": "3", "proba": "on"}], ids=["typed", "tapped"])
def test_a_proba_is_for_the_fourth_to_speak(owners: Client, said: dict[str, str]) -> None:
    evening = started(owners)
    posted = form(evening, dealer=0, **{"declarer": 1, "line": "", **said})
    name = "line" if "line" in said else "proba"
    error = Page.of(owners.post(new(evening), posted), 422).one(id=f"error-{name}")
    assert error.text == "Only the fourth can bid a próba, after three passes."
    count = owners.post(f"/sessions/{evening.pk}/hands/preview/", posted, headers=HTMX_COUNT)
    assert "Only the fourth can bid a próba" in Page.of(count).text
    assert not Hand.objects.exists()
    assert owners.post(new(evening), posted | {"declarer": "0"}).status_code == 302
    assert Hand.objects.get().deal == "3?"


def test_a_seventh_person_may_sit_down(owners: Client, owner: User) -> None:
    evening = started(owners, 5)
    owners.post(new(evening), form(evening, "2+2 61"))
    for leaving, coming in ((4, "Feri"), (5, "Gabi"), (6, "Hédi")):
        evening_edit.leave_lineup(evening.pk, leaving, by=owner)
        evening.refresh_from_db()
        evening_edit.join_lineup(evening.pk, coming, 0, seen=evening.seating, by=owner)
        evening.refresh_from_db()
        assert owners.get(new(evening)).status_code == 200
        seated = form(evening, "3+1 61 8@0", declarer=leaving + 1, seating=evening.seating)
        assert owners.post(new(evening), seated).status_code == 302


def test_hand_is_announced_without_partner_and_result_and_followed_by_all(cast: dict[str, Client], tarokk: Evening):
    owners = cast["owner"]
    response = announce(owners, tarokk, HTMX_HAND_FORM, game_kontra="1", partner="3", **ANNOUNCED)
    assert response["HX-Redirect"] == at(tarokk)
    row = HandInPlay.objects.get()
    assert (row.dealer, row.state) == (0, {"declarer": 1, "contract": "2", "announcing": "1-0-3-2 K NK -T 8@1 /"})
    assert not Hand.objects.exists()
    for who in ("owner", "keeper", "viewer"):
        line = bar(cast[who], tarokk).one("summary")
        assert [word in line.text for word in ("Béla", "2+?", "Dóra")] == [True, True, False]
        assert [mark.text for mark in line.of_class("mark")] != []
    text = bar(owners, tarokk).text
    for said in ("game kontra ×2 +4 −4", "négy király kontra ×2 +4 −4", "opponents: tuletroá +2 −2"):
        assert said in text, text
    assert "alone −4 +4 +12 −12 −4 +4 −4 +4" in text or "alone +12 −12 −4 +4 −4 +4 −4 +4" in text, text
    told = Page.of(owners.get(at(tarokk, "hands/new/live/?number=1&seen=0"))).text
    for said in ("négy király (declarers): announced", "tuletroá (opponents): announced", "kontra ×2", "nyolc tarokk"):
        assert said in told


def test_the_form_is_finished_with_all_that_was_announced_in_it(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    form = form_of(owners, tarokk)
    assert {name: form.get(name) for name in ANNOUNCED} == ANNOUNCED
    assert (form["declarer"], form["contract"], form.get("partner")) == ("1", "2", None)
    url = at(tarokk, "hands/new/")
    assert owners.post(url, {**form, "partner": "3", "result": "+"}).status_code == 422
    response = owners.post(url, {**form, "partner": "3", "result": "+", "kings": "d", "trull": "none"})
    assert response.status_code == 302, Page.of(response).text
    hand = Hand.objects.get()
    assert (hand.deal, hand.declarer, hand.dealer) == ("2+2 + NK -T n 8@1", 1, 0)
    assert not HandInPlay.objects.exists()


def test_announcement_that_cannot_be_is_refused_in_words(owners: Client, tarokk: Evening):
    too_many = {"tarokks_0": "8", "tarokks_1": "8", "tarokks_2": "9"}
    page = Page.of(announce(owners, tarokk, **KETTES, **too_many), 422)
    assert "Of 22 tarokks at most two" in page.error("tarokks_0")
    assert "A próba that is lost at once is saved" in Page.of(announce(owners, tarokk, **KETTES, proba="on"), 422).text
    assert not HandInPlay.objects.exists()


def test_a_form_is_told_that_an_announcement_was_taken_back(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    take_back(owners, tarokk)
    told = Page.of(owners.get(at(tarokk, "hands/new/live/?number=1&seen=2")))
    assert "taken back" in told.text
    assert "négy király (declarers): not announced" in told.text
    # Its fields are emptied, the partner too, without a sentence on a partner that nobody knew.
    noted = {tag.attrs["data-field"]: tag.attrs for tag in told.all("span") if "data-field" in tag.attrs}
    assert noted["partner"]["data-value"] == ""
    assert "data-untold" in noted["partner"]
    assert "data-untold" not in noted["d_kings"]


def test_doubled_round_is_told_before_its_hands_and_marked_on_the_sheet(owners: Client) -> None:
    evening = started(owners, rules="after_throw_in=double")
    page = f"/sessions/{evening.pk}/"

    def told(path: str) -> str:
        answer = owners.get(f"{page}{path}")
        return " ".join(node.text for node in Page.of(answer).of_class("next-hand"))

    assert [told(path) for path in ("", "hands/new/", "referee/")] == ["", "", ""]
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    live = owners.get(f"{page}hands/new/live/?number=1&seen=0")
    assert "×2, four deals left" in Page.of(live).text
    opened = Page.of(owners.get(new(evening)))
    assert "as the round says" in opened.of_class("times")[0].text
    assert "—" not in opened.of_class("times")[0].text
    owners.post(f"{page}announce/", {**hand_form(opened), "declarer": "1", "contract": "2"})
    for path in ("", "table/"):
        (mark, *_more) = Page.of(owners.get(page + path)).of_class("mark")
        assert mark.text.startswith("↻×2"), path
    owners.post(new(evening), {**hand_form(Page.of(owners.get(new(evening)))), "line": "2+2 61"})
    three_left = "×2, three deals left"
    assert [told(path) for path in ("", "hands/new/", "referee/")] == [three_left, "×2", three_left]
    assert three_left in Page.of(owners.get(f"{page}table/")).text
    assert "×2, még három leosztás" in Page.of(owners.get(page, headers={"Accept-Language": "hu"})).text
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    assert told("") == "×4, three deals left, then ×2 for one"
    owners.post(new(evening), form(evening, "2+2 61 K"))
    sheet = Page.of(owners.get(page))
    marks = {n: [mark.text for mark in sheet.one(id=f"hand-{n}").of_class("mark")] for n in (2, 4)}
    assert [text.split()[0] for text in marks[2]] == ["↻×2"]
    assert [text.split()[0] for text in marks[4]] == ["↻×4", "×2"]
    for _hand in range(4):
        owners.post(new(evening), form(evening, "2+2 61"))
    assert told("") == ""


def test_sheet_marks_a_doubled_hand_whose_round_began_on_an_earlier_page(owners: Client) -> None:
    evening = started(owners, rules="after_throw_in=double")
    for _hand in range(10):
        owners.post(new(evening), form(evening, "2+2 61"))
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    for _hand in range(12):
        owners.post(new(evening), form(evening, "2+2 61"))
    sheet = Page.of(owners.get(f"/sessions/{evening.pk}/"))
    doubled = [n for n in range(12, 24) if sheet.one(id=f"hand-{n}").of_class("mark")]
    assert doubled == [12, 13, 14, 15]


def test_the_last_hand_of_a_doubled_round_stays_doubled(owners: Client) -> None:
    """Its standing is empty, but it came from one: on its page, corrected, voided and restored."""
    evening = started(owners, rules="after_throw_in=double")
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    for _hand in range(4):
        owners.post(new(evening), form(evening, "2+2 61"))
    path = f"/sessions/{evening.pk}/hands/5/"
    assert hand_card(owners, evening, 5)["data-payments"] == "0>1 4, 2>3 4"
    seen = {"token": uuid4(), "number": 5, "dealer": 0, "declarer": 1, "line": "2+2 61 K"}
    assert owners.post(f"{path}edit/", seen).status_code == 302
    assert hand_card(owners, evening, 5)["data-amounts"] == "-8 8 -8 8"
    owners.post(f"{path}void/")
    owners.post(new(evening), form(evening, "2+2 61"))
    assert hand_card(owners, evening, 6)["data-amounts"] == "-4 4 -4 4"
    owners.post(f"{path}restore/")
    assert hand_card(owners, evening, 5)["data-amounts"] == "-8 8 -8 8"
    assert hand_card(owners, evening, 6)["data-amounts"] == "-2 2 -2 2"


# --- The referee: auction, próba, announcements, honours, and the way to the form ---


@pytest.fixture
def phone(owners: Client, tarokk: Evening) -> Phone:
    return Phone(owners, tarokk)


def post(phone: Phone, verb: str, **said: str) -> None:
    """Post a move of a form that has several, and show the answer on the phone."""
    phone.page = Page.of(phone.post(verb, HTMX_REFEREE, **said), 200)


def say(phone: Phone, *said: str) -> None:
    """The words of the seats whose turn it is, as they are offered."""
    for word in said:
        form = phone.page.one("form", id="turn")
        assert word in [node.attrs["value"] for node in form.nodes() if node.tag == "button"]
        post(phone, "say", seat=filled(form)["seat"], word=word)


def test_hand_that_was_thrown_in_is_saved_once_unless_a_pass_was_taken_back_meanwhile(phone: Phone, tarokk: Evening):
    calls(phone, "pass", "pass", "pass", "pass")
    slower, again = Phone(phone.client, tarokk), Phone(phone.client, tarokk)
    phone.tap("uncall")
    assert slower.tap("finish").status_code == 409
    assert "The hand has changed meanwhile" in slower.text
    assert slower.offers("call")
    phone.open()
    assert phone.post("finish", token=str(uuid4())).status_code == 422, "nor does a post that the page does not offer"
    assert not Hand.objects.exists()
    calls(phone, "pass")
    again.open()
    assert phone.tap("finish").headers["HX-Redirect"] == at(tarokk, "?saved=1")
    hand = Hand.objects.get()
    assert (hand.deal, hand.dealer, hand.declarer, hand.deal_stays) == ("", 0, None, True)
    assert not HandInPlay.objects.exists()
    # The same tap once more makes no other hand, whether the answer was lost or another phone was slower.
    again.tap("finish")
    assert Hand.objects.count() == 1


def test_proba_is_asked_at_once_whether_the_talon_brought_an_honour(phone: Phone, tarokk: Evening):
    calls(phone, "pass", "pass", "pass", "3?")
    assert "Próba: did the talon bring Anna an honour?" in phone.text
    # Three may still be raised; nothing else is asked before the answer.
    assert phone.offered("call", "call") == ["2", "1"]
    assert [phone.offers(verb) for verb in ("honour", "finish", "say", "close")] == [True, True, False, False]
    phone.tap("honour")
    assert HandInPlay.objects.get().state["honour"] == 1
    assert [phone.offers(verb) for verb in ("honour", "finish", "say", "call")] == [False, False, True, False]
    assert phone.post("finish", proba="1", token=str(uuid4())).status_code == 422
    assert phone.post("call", seat="0", call="2").status_code == 422
    phone.tap("unhonour")
    phone.tap("call", call="2")
    phone.tap("honour")
    say(phone, "mehet", "mehet", "mehet", "mehet")
    form = form_of(phone.client, tarokk)
    assert (form["declarer"], form["contract"], form.get("proba")) == ("0", "2", None)


def test_the_referee_follows_announcements_honours_and_kings_to_the_form(phone: Phone, owners: Client, tarokk: Evening):
    calls(phone, "pass", "pass", "2", "pass")
    say(phone, "T", "mehet", "K", "mehet", "R")
    # Dóra has said rekontra to the declarers' game: she is the partner.
    assert "2 (Dóra)" in phone.text
    assert "kontra" in bar(owners, tarokk).text
    say(phone, "mehet", "mehet", "mehet", "mehet")
    assert phone.page.one("a", href=phone.url.replace("referee", "hands/new"))
    for what, value in (("xxi", "D!"), ("kings", "0"), ("last", "d_won")):
        post(phone, "take", what=what, value=value)
    form = form_of(owners, tarokk)
    assert (form["partner"], form["game_kontra"], form["d_trull"]) == ("3", "2", "on")
    assert [form.get(name) for name in ("trull", "kings", "xxi", "pagat")] == ["d", "o", "d", "d_won"]
    for wrong in ({"what": "king"}, {"what": "kings", "value": "5"}, {"what": "xxi", "value": "E"}):
        assert phone.post("take", **wrong).status_code == 400


def test_the_partner_is_known_to_all_once_it_is_tapped(phone: Phone, cast: dict[str, Client], tarokk: Evening):
    calls(phone, "pass", "pass", "2", "pass")
    post(phone, "partner", seat="2")
    assert "2 (Cili)" in bar(cast["viewer"], tarokk).text
    assert form_of(cast["keeper"], tarokk)["partner"] == "2"
    post(phone, "partner", partner="alone")
    assert "2 alone" in bar(cast["viewer"], tarokk).text
    post(phone, "partner", partner="unknown")
    assert "2+?" in bar(cast["viewer"], tarokk).text
    assert phone.post("partner", seat="1").status_code == 422
    assert phone.post("partner").status_code == 400


def test_kontras_are_said_by_anybody_to_what_a_form_has_noted(phone: Phone, owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    phone.open()
    post(phone, "say", seat="3", word="-TK")
    assert HandInPlay.objects.get().state["announcing"] == "1-0-3-2 NK -T 8@1 / 3:-TK"
    assert "2 (Dóra)" in phone.text
    phone.tap("close")
    assert "Finish hand 1" in phone.text
    phone.tap("unsay")
    assert "No more announcements" in phone.text
