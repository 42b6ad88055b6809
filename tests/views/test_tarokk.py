"""An evening of Hungarian Tarokk by its pages: hands typed and tapped, refused, corrected; four players and five."""

import pytest
from django.test import Client

from scorekeeper.games import tarokk
from sessions_app.models import Hand, User
from sessions_app.writers import lineup
from tests.ledger.books import assert_verified
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Page, saved
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
        lineup.leave(evening.pk, leaving, by=owner)
        evening.refresh_from_db()
        lineup.join(evening.pk, coming, 0, seen=evening.seating, by=owner)
        evening.refresh_from_db()
        assert owners.get(new(evening)).status_code == 200
        seated = form(evening, "3+1 61 8@0", declarer=leaving + 1, seating=evening.seating)
        assert owners.post(new(evening), seated).status_code == 302
