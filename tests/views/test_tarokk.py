"""An evening of Hungarian Tarokk by its pages: hands typed and tapped, refused, corrected; four players and five."""

from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.games import tarokk
from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.writers import evening_edit
from tests.ledger.books import assert_verified
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Page, filled, hand_form, saved
from tests.views.refereeing import of_evening
from tests.views.refereeing_tarokk import ANNOUNCED, announce, bar, finish_form
from tests.views.tarokk_hands import card, form, new, started

pytestmark = pytest.mark.django_db
HEADERS = pytest.mark.parametrize("headers", first(1, [{}, HTMX_HAND_FORM]), ids=["plain", "htmx"])


@HEADERS
@pytest.mark.parametrize(
    ("line", "amounts", "payments"),
    [
        # Béla is place 0; after him, counter-clockwise, Anna 1, Dani 2, Cili 3.
        ("2+2 61", "-2 2 -2 2", "0>1 2, 2>3 2"),
        ("2+3 86 D v", "-14 14 14 -14", "0>1 14, 3>2 14"),
        ("s= 66", "-4 12 -4 -4", "0>1 4, 2>1 4, 3>1 4"),
        ("2+2 58 UK u 8@0", "-23 25 -23 21", "0>1 23, 2>1 1, 2>3 22, 3>1 1"),
        ("1?", "3 -9 3 3", "1>0 3, 1>2 3, 1>3 3"),
        ("2+2 73 D V", "4 -4 4 -4", "1>0 4, 3>2 4"),
    ],
)
def test_a_line_is_the_hand(owners: Client, headers: dict[str, str], line: str, amounts: str, payments: str) -> None:
    evening = started(owners)
    assert saved(owners.post(new(evening), form(evening, line), headers=headers)).endswith("?saved=1")
    of_hand = card(owners, evening)
    assert (of_hand["data-line"], of_hand["data-amounts"], of_hand["data-payments"]) == (line, amounts, payments)


@HEADERS
@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("2+2 95", "points"),
        ("2+2 60 t -u -x", "xxi pagat"),
        ("2+2 86 v -x", "xxi"),
        ("2+2 60 U U", "announced"),
        ("2+2 60 8@0 8@1 8@2", "tarokks"),
        ("s?", "contract"),
        ("2+2 ++ -n", "points"),
    ],
)
def test_impossible_line_names_its_fields(owners: Client, headers: dict[str, str], line: str, fields: str) -> None:
    evening = started(owners)
    answer = owners.post(new(evening), form(evening, line), headers=headers)
    assert answer.status_code == 422
    page = Page.of(answer)
    assert page.one(id="hand-form").attrs["data-fields"] == fields
    assert page.one(name="line").attrs["value"] == line
    assert page.one(id="error-line").text
    assert not Hand.objects.exists()


@pytest.mark.parametrize(
    ("rules", "line", "sentence"),
    [
        ("", "2+2 47 K", "kettes, with Dani, 47 (lost): game kontra −4"),
        ("tie_47=kontra_needs_48", "2+2 47", "kettes, with Dani, 47 (lost): −2"),
        ("", "2+2 61", "kettes, with Dani, 61 (made): 2"),
        ("", "2+1 80 V", "80 (dupla): volát missed −12"),
        ("", "2+2 73 D V", "73 (dupla): duplajáték 8 − volát missed 12 = −4"),
        (
            "",
            "1+2 72 R DK T -UK t -b 8@1",
            "game rekontra 12 + duplajáték kontra 24 + tuletroá 2 + opp.: pagátultimó kontra missed 20 = 58",
        ),
        ("tarokks_paid_by=opponents", "2+2 61 8@0", "61 (made): game 2 + nyolc tarokk, Béla 1 = 3"),
        ("after_throw_in=double", "2+2 61 *2", "kettes, with Dani, 61 (made): game 2 × 2 (after a throw-in) = 4"),
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


def test_declared_tarokks_bear_the_player_s_name(owners: Client) -> None:
    evening = started(owners)
    owners.post(new(evening), form(evening, "2+2 61 8@1 9@3"))
    (eight, nine) = Page.of(owners.get(f"/sessions/{evening.pk}/")).one(id="hand-1").of_class("mark")
    assert (eight.text, nine.text) == ("8T Anna nyolc tarokk 1, Anna", "9T Cili kilenc tarokk 2, Cili")
    tags = Page.of(owners.get(f"/sessions/{evening.pk}/hands/1/")).of_class("headline")[0].of_class("tag")
    assert [tag.text for tag in tags] == ["nyolc tarokk 1, Anna", "kilenc tarokk 2, Cili"]


def test_the_page_says_why(owners: Client) -> None:
    evening = started(owners)
    owners.post(new(evening), form(evening, "2+3 86 D v"))
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


@pytest.mark.parametrize(
    ("line", "foot"),
    [
        ("2+2 61", "For each of the declarers +2"),
        ("2+2 61 8@0", "For each of the declarers, tarokks apart +2"),
        ("2= 53 XR x", "From each of the three +170 Béla, alone: 3 × 170 +510"),
        ("3= 44 K", "To each of the three −2 Béla, alone: 3 × −2 −6"),
        ("s= 66 9@0", "From each of the three +4 Béla, alone: 3 × 4, tarokks apart +12"),
        ("1?", "To each of the three −3 Béla: 3 × −3 −9"),
    ],
)
def test_foot_of_the_count_says_what_each_gets(owners: Client, line: str, foot: str) -> None:
    evening = started(owners)
    owners.post(new(evening), form(evening, line))
    page = Page.of(owners.get(f"/sessions/{evening.pk}/hands/1/"))
    assert page.one("tfoot").text == foot


@HEADERS
@pytest.mark.parametrize("said", [{"line": "3?"}, {"contract": "3", "proba": "on"}], ids=["typed", "tapped"])
def test_a_proba_is_for_the_fourth_to_speak(owners: Client, headers: dict[str, str], said: dict[str, str]) -> None:
    evening = started(owners)
    posted = form(evening, dealer=0, **{"declarer": 1, "line": "", **said})
    answer = owners.post(new(evening), posted, headers=headers)
    assert answer.status_code == 422
    name = "line" if "line" in said else "proba"
    assert Page.of(answer).one(id=f"error-{name}").text == "Only the fourth can bid a próba, after three passes."
    count = owners.post(f"/sessions/{evening.pk}/hands/preview/", posted, headers={"HX-Request": "true"} | headers)
    assert "Only the fourth can bid a próba" in Page.of(count).text
    assert not Hand.objects.exists()
    assert owners.post(new(evening), posted | {"declarer": "0"}, headers=headers).status_code < 400
    assert Hand.objects.get().deal == "3?"


def test_a_proba_recorded_before_that_was_asked_counts_as_it_did(
    owners: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = started(owners)
    with monkeypatch.context() as before:
        before.setattr(tarokk.GAME, "check_place", lambda *_what: None)
        owners.post(new(evening), form(evening, "3?", dealer=0))
    owners.post(new(evening), form(evening, "2+2 61"))
    for way in ("void", "restore"):
        owners.post(f"/sessions/{evening.pk}/hands/1/{way}/")
    assert card(owners, evening)["data-amounts"] == "1 -3 1 1"
    assert_verified()
    # A correction has to name it.
    edit = f"/sessions/{evening.pk}/hands/1/edit/"
    said = {"token": str(Hand.objects.get(number=1).token), "number": "1", "line": "2?", "dealer": "0"}
    assert owners.post(edit, {**said, "declarer": "1"}).status_code == 422
    assert owners.post(edit, {**said, "declarer": "0"}).status_code == 302


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


# --- A hand of Tarokk announced from the form, and finished in it ---


PLAIN: dict[str, str] = {}


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_HAND_FORM]))
def test_hand_is_announced_without_partner_and_result(owners: Client, tarokk: Evening, headers: dict[str, str]):
    response = announce(owners, tarokk, headers, **ANNOUNCED)
    assert (response.headers.get("Location") or response.headers.get("HX-Redirect")) == of_evening(tarokk)
    row = HandInPlay.objects.get()
    assert (row.dealer, row.state) == (0, {"declarer": 1, "contract": "2", "announcing": "1-0-3-2 NK -T 8@1 /"})
    assert not Hand.objects.exists()


def test_every_phone_sees_what_is_played_and_not_with_whom(cast: dict[str, Client], tarokk: Evening):
    announce(cast["owner"], tarokk, partner="3", **ANNOUNCED)
    for who in ("owner", "keeper", "viewer"):
        shown = bar(cast[who], tarokk)
        line = shown.one("summary").text
        assert "Béla" in line
        assert "2+?" in line
        assert "Dóra" not in line
        assert [mark.text for mark in shown.one("summary").of_class("mark")] != []
    assert cast["outsider"].get(of_evening(tarokk)).status_code == 404


def test_the_bar_says_what_each_item_is_worth_and_what_each_seat_would_get(owners: Client, tarokk: Evening):
    announce(owners, tarokk, game_kontra="1", **ANNOUNCED)
    text = bar(owners, tarokk).text
    for said in ("game kontra ×2 +4 −4", "négy király kontra ×2 +4 −4", "opponents: tuletroá +2 −2"):
        assert said in text, text
    assert "alone −4 +4 +12 −12 −4 +4 −4 +4" in text or "alone +12 −12 −4 +4 −4 +4 −4 +4" in text, text


def test_the_form_is_finished_with_all_that_was_announced_in_it(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    form = finish_form(owners, tarokk)
    assert {name: form.get(name) for name in ANNOUNCED} == ANNOUNCED
    assert (form["declarer"], form["contract"], form.get("partner")) == ("1", "2", None)
    url = of_evening(tarokk, "hands/new/")
    assert owners.post(url, {**form, "partner": "3", "result": "+"}).status_code == 422
    response = owners.post(url, {**form, "partner": "3", "result": "+", "kings": "d", "trull": "none"})
    assert response.status_code == 302, Page.of(response).text
    hand = Hand.objects.get()
    assert (hand.deal, hand.declarer, hand.dealer) == ("2+2 + NK -T n 8@1", 1, 0)
    assert not HandInPlay.objects.exists()


@pytest.mark.parametrize(
    ("fields", "name", "sentence"),
    [
        ({"contract": None}, "contract", "Which contract?"),
        ({"declarer": None}, "declarer", "Who plays?"),
        ({"proba": "on"}, "", "A próba that is lost at once is saved, not announced."),
        ({"tarokks_0": "8", "tarokks_1": "8", "tarokks_2": "9"}, "tarokks_0", "Of 22 tarokks at most two"),
    ],
)
def test_wrong_announcement_is_refused_in_words(
    owners: Client, tarokk: Evening, fields: dict[str, str | None], name: str, sentence: str
):
    response = announce(owners, tarokk, **fields)
    assert response.status_code == 422
    page = Page.of(response)
    assert sentence in (page.error(name) if name else page.text)
    assert not HandInPlay.objects.exists()


def test_announcing_again_corrects_it_and_says_so(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    again = announce(owners, tarokk, d_kings=None, d_kings_kontra=None, o_trull=None, game_kontra="2")
    assert again.status_code == 302
    assert HandInPlay.objects.get().state["announcing"] == "1-0-3-2 R 8@1 /"
    page = Page.of(owners.get(of_evening(tarokk)))
    replaced = page.one("form", action=of_evening(tarokk, "announce/put-back/"))
    said = "Béla, kettes, négy király kontra ×2, opponents: tuletroá, nyolc tarokk"
    assert replaced.text.startswith(f"This replaced: {said}")


def test_a_form_that_was_open_meanwhile_is_told_of_every_announcement(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    live = owners.get(of_evening(tarokk, "hands/new/live/?number=1&seen=0"))
    told = Page.of(live).text
    for said in ("négy király (declarers): announced", "tuletroá (opponents): announced", "kontra ×2"):
        assert said in told
    assert "nyolc tarokk" in told


def test_a_form_is_told_that_an_announcement_was_taken_back(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    page = Page.of(owners.get(of_evening(tarokk, "announce/back/")))
    action = of_evening(tarokk, "announce/back/")
    owners.post(action, filled(page.one("form", action=action)))
    told = Page.of(owners.get(of_evening(tarokk, "hands/new/live/?number=1&seen=2")))
    assert "taken back" in told.text
    assert "négy király (declarers): not announced" in told.text
    # Its fields are emptied, the partner too, without a sentence on a partner that nobody knew.
    noted = {tag.attrs["data-field"]: tag.attrs for tag in told.all("span") if "data-field" in tag.attrs}
    assert noted["partner"]["data-value"] == ""
    assert "data-untold" in noted["partner"]
    assert "data-untold" not in noted["d_kings"]


# --- The doubled rounds after a hand of Tarokk thrown in: counted, announced, marked and corrected ---


def test_doubled_round_is_told_before_its_hands_and_marked_on_the_sheet(owners: Client) -> None:
    evening = started(owners, rules="after_throw_in=double")
    page = f"/sessions/{evening.pk}/"

    def told(path: str) -> str:
        answer = owners.get(f"{page}{path}")
        return " ".join(node.text for node in Page.of(answer).of_class("next-hand"))

    assert [told(path) for path in ("", "hands/new/", "referee/")] == ["", "", ""]
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    owners.post(new(evening), form(evening, "2+2 61"))
    assert told("") == "×2, three deals left"
    assert told("hands/new/") == "×2"
    assert told("referee/") == "×2, three deals left"
    assert "×2, three deals left" in Page.of(owners.get(f"{page}table/")).text
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


def test_form_that_is_open_meanwhile_is_told_what_the_next_hand_counts(owners: Client) -> None:
    evening = started(owners, rules="after_throw_in=double")
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    live = owners.get(f"/sessions/{evening.pk}/hands/new/live/?number=1&seen=0")
    assert "×2, four deals left" in Page.of(live).text


def test_hand_in_play_bears_the_mark_of_its_round(owners: Client) -> None:
    evening = started(owners, rules="after_throw_in=double")
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    opened = hand_form(Page.of(owners.get(new(evening))))
    counts = Page.of(owners.get(new(evening))).of_class("times")[0].text
    assert "as the round says" in counts
    assert "—" not in counts
    owners.post(f"/sessions/{evening.pk}/announce/", {**opened, "declarer": "1", "contract": "2"})
    for path in ("", "table/"):
        (mark, *_more) = Page.of(owners.get(f"/sessions/{evening.pk}/{path}")).of_class("mark")
        assert mark.text.startswith("↻×2"), path


def test_the_last_hand_of_a_doubled_round_stays_doubled(owners: Client) -> None:
    """Its standing is empty, but it came from one: on its page, corrected, voided and restored."""
    evening = started(owners, rules="after_throw_in=double")
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    for _hand in range(4):
        owners.post(new(evening), form(evening, "2+2 61"))
    path = f"/sessions/{evening.pk}/hands/5/"
    assert card(owners, evening, 5)["data-payments"] == "0>1 4, 2>3 4"
    seen = {"token": uuid4(), "number": 5, "dealer": 0, "declarer": 1, "line": "2+2 61 K"}
    assert owners.post(f"{path}edit/", seen).status_code == 302
    assert card(owners, evening, 5)["data-amounts"] == "-8 8 -8 8"
    owners.post(f"{path}void/")
    owners.post(new(evening), form(evening, "2+2 61"))
    assert card(owners, evening, 6)["data-amounts"] == "-4 4 -4 4"
    owners.post(f"{path}restore/")
    assert card(owners, evening, 5)["data-amounts"] == "-8 8 -8 8"
    assert card(owners, evening, 6)["data-amounts"] == "-2 2 -2 2"
