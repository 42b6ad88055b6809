"""The referee of a hand of Preference: the moves offered, refused and taken back in each step."""

from collections.abc import Callable

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, User
from tests.selection import first
from tests.views.page import HTMX_COUNT, Page, filled
from tests.views.refereeing import HTMX_REFEREE, of_evening
from tests.views.refereeing_preference import RefereePhone, evening_of, refused

PLAIN: dict[str, str] = {}
type Referee = Callable[..., RefereePhone]


@pytest.fixture
def referee(owners: Client, owner: User, evening: Evening) -> Referee:
    """A phone on the referee's page of an evening after these hands, at the cast's table."""

    def begin(rules: str = "", *hands: str, seats: int = 3) -> RefereePhone:
        return RefereePhone(owners, evening_of(owner, evening.circle, rules, hands, seats))

    return begin


# --- The auction ---


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_REFEREE]))
@pytest.mark.parametrize(
    ("said", "call", "seat", "code"),
    [
        ("7H", "6S", "2", "not_higher"),
        ("7H", "7N", "0", "not_your_turn"),
        ("6S 6C pass 6D", "M", "2", "mizer_first"),
        ("", "here", "1", "nothing_to_take"),
    ],
)
def test_a_call_that_cannot_be_is_refused_and_changes_nothing(
    referee: Referee, headers: dict[str, str], said: str, call: str, seat: str, code: str
):
    phone = referee().say(*said.split())
    before = list(HandInPlay.objects.values())
    response = phone.post("call", headers, call=call, seat=seat)
    assert refused(response)[1] == code
    assert list(HandInPlay.objects.values()) == before
    assert phone.post("call", call="5S", seat=seat).status_code == 400


def test_every_step_is_taken_back(referee: Referee):
    phone = referee("give_up=3").say("6S", "7C", "pass", "pass", "7D", "pass", "half", "g")
    for verb in ("unsay", "unsay", "unsay", "unannounce", "uncall", "uncall", "uncall", "uncall"):
        assert phone.tap(verb).status_code == 200
    assert not HandInPlay.objects.get().state
    assert not phone.page.of_class("undo-tap")
    phone.say("@2")
    phone.tap("undeclarer")
    assert refused(phone.post("uncall"))[1] == "nothing_to_undo"


# --- All pass ---


@pytest.mark.parametrize(
    ("hands", "price"),
    [((), "1 a trick"), (("R 4-3-3",), "second in a row: 2 a trick"),
     (("R 4-3-3", "R 4-3-3"), "third in a row: 3 a trick"), (("R 4-3-3", "6 pp"), "1 a trick")],
)  # fmt: skip
def test_when_all_pass_a_raspasovka_is_played_at_its_price(referee: Referee, hands: tuple[str, ...], price: str):
    phone = referee("", *hands).say("pass", "pass", "pass")
    assert f"raspasovka {price} " in phone.text
    seats = [1, 2] if len(hands) == 0 else [2, 0] if len(hands) == 1 else [0, 1]
    first, second = (f"taken_{seat}" for seat in seats)
    assert phone.finish(**{first: "5", second: "0"}).status_code == 302
    assert Hand.objects.order_by("-number")[0].deal == "R 5-0-5"


# --- The exit ladder ---


def test_the_exit_ladder_warns_and_refuses_nothing(referee: Referee):
    phone = referee("leningrad", "R 4-3-3", "R 4-3-3")
    assert "After 2 raspasovkas in a row the lowest contract is 8. A lower one only gets a warning." in phone.text
    assert len(phone.page.of_class("low")) == 10
    phone.say("7S")
    assert "7♠︎ is below the exit ladder, which now starts at 8." in phone.text
    phone.say("pass", "pass", "7H")
    assert "7♥︎ is below the exit ladder" in phone.text
    phone.say("pass", "pass")
    assert phone.finish().status_code == 302
    assert "ladder" not in referee("leningrad").text
    assert "ladder" not in referee("leningrad", "R 4-3-3", "R 4-3-3").say("8S", "pass", "pass").text


# --- The contract and the answers ---


@pytest.mark.parametrize(
    ("rules", "contract", "why"),
    [
        ("ten=checked", "10H", "By the house rules a ten is played open, and nobody answers."),
        ("stalingrad=yes", "6S", "Stalingrad: both must whist six of spades."),
    ],
)
def test_contract_that_nobody_answers_asks_for_tricks(referee: Referee, rules: str, contract: str, why: str):
    phone = referee(rules).say("@1", contract)
    assert why in phone.text
    assert not phone.offers("say")
    assert phone.finish(tricks="10").status_code == 302
    assert Hand.objects.get().deal.endswith("10-0-0")


def test_giving_up_is_offered_where_the_house_has_it(referee: Referee):
    assert not referee().say("@1", "8H").offers("concede")
    phone = referee("give_up=3").say("@1", "8H", "whist", "g")
    assert "8 hearts, given up: Béla dump +18" in phone.text
    assert not phone.offers("say")
    assert phone.finish().status_code == 302
    assert Hand.objects.get().deal == "8H g"
    assert not referee("give_up=3").say("M", "pass", "pass").offers("concede")


# --- The end of a refereed hand of Preference: its tricks, its entries, and the permission to save it ---


type Referee = Callable[..., RefereePhone]


@pytest.mark.parametrize(
    ("answers", "tricks", "deal"),
    [
        ("pass pass", {}, "7H pp"),
        ("pass half pass", {}, "7H ph"),
        ("pass half whist", {"tricks": "7"}, "7H rh 7"),
        ("whist pass", {"tricks": "6"}, "7H wp 6"),
        ("pass whist", {"tricks": "0"}, "7H pw 0"),
        ("whist whist", {"tricks": "7", "first_tricks": "1"}, "7H ww 7-1-2"),
        ("whist whist", {"tricks": "10"}, "7H ww 10-0-0"),
    ],
)
@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_REFEREE]))
def test_refereed_hand_is_saved_as_played(
    referee: Referee, headers: dict[str, str], answers: str, tricks: dict[str, str], deal: str
):
    phone = referee().say("7H", "pass", "pass", "7H", *answers.split())
    response = phone.finish(headers, **tricks)
    assert (response.headers.get("Location") or response.headers["HX-Redirect"]).endswith("?saved=1")
    hand = Hand.objects.get()
    assert (hand.dealer, hand.declarer, hand.deal) == (0, 1, deal)
    assert not HandInPlay.objects.exists()


@pytest.mark.parametrize(
    ("answers", "tricks", "code"),
    [
        ("whist pass", {}, "tricks_unanswered"),
        ("whist pass", {"tricks": "11"}, "tricks_range"),
        ("whist whist", {"tricks": "7"}, "split_unanswered"),
        ("whist whist", {"tricks": "7", "first_tricks": "4"}, "tricks_sum"),
        ("whist whist", {"first_tricks": "4"}, "tricks_unanswered"),
    ],
)
@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_REFEREE]))
def test_tricks_that_cannot_be_are_refused_and_what_was_tapped_stays(
    referee: Referee, headers: dict[str, str], answers: str, tricks: dict[str, str], code: str
):
    phone = referee().say("7H", "pass", "pass", "7H", *answers.split())
    response = phone.finish(headers, **tricks)
    assert refused(response)[1] == code
    page = Page.of(response)
    assert page.is_whole == (not headers)
    kept = filled(page.one("form", id="ending"))
    assert {name: kept.get(name) for name in tricks} == {name: n if int(n) < 11 else None for name, n in tricks.items()}
    assert not Hand.objects.exists()


def test_after_the_end_of_the_game_nothing_is_saved(referee: Referee):
    phone = referee("target=2", "6 pp", "6 pp", "6 pp")
    phone.say("6S", "pass", "pass", "6S", "pass", "pass")
    assert refused(phone.finish()) == ("The game is over: nothing more can be recorded.", "game_over")
    phone.open()
    phone.tap("unsay")
    phone.tap("say", word="whist")
    assert refused(phone.finish(tricks="6"))[1] == "game_over"


@pytest.mark.parametrize(
    ("steps", "tricks", "said"),
    [
        ("7H pass pass 7H whist pass", {"tricks": "6"}, "7 hearts, Cili whists, 6 tricks, down 1: Béla dump +4"),
        ("7H pass pass 7H whist pass", {"tricks": "1"}, "7 hearts, Cili whists, 1 trick, down 6: Béla dump +24"),
        ("7H pass pass 7H whist whist", {"tricks": "7", "first_tricks": "3"}, "both whist, 7 tricks, Cili 3, Anna 0:"),
        (
            "pass pass pass",
            {"taken_1": "5", "taken_2": "0"},
            "raspasovka (Béla 5, Cili 0, Anna 5): Béla dump +5 (5 × 1); Anna dump +5",
        ),
        ("M pass pass", {"tricks": "1"}, "mizer, 1 trick: Béla dump +10"),
    ],
)
def test_entries_are_counted_while_tricks_are_tapped(referee: Referee, steps: str, tricks: dict[str, str], said: str):
    phone = referee().say(*steps.split())
    count = phone.page.one(id="count").attrs["hx-post"]
    response = phone.client.post(count, filled(phone.page.one("form", id="ending")) | tricks, headers=HTMX_COUNT)
    assert said in Page.of(response).text


# --- Permissions ---


STEPS = ("", "6S", "6S 7C pass pass", "@2", "@2 7H", "@2 7H pass half", "@2 7H pass pass", "@2 7H whist whist",
         "@2 8N whist pass", "@2 7H g", "@2 M", "pass pass pass")  # fmt: skip


@pytest.mark.parametrize("language", first(1, ["en", "hu"]))
@pytest.mark.parametrize("steps", first(4, STEPS))
@pytest.mark.parametrize("seats", first(1, [4, 3]))
def test_every_page_shows_the_hand_in_play_in_both_languages(referee: Referee, language: str, steps: str, seats: int):
    rules = "leningrad give_up=3"
    evening = (phone := referee(rules, "R 4-3-3" + "-0" * (seats - 3), seats=seats).say(*steps.split())).evening
    for path in ("", "live/", "table/", "table/live/", "referee/", "referee/live/", "announce/back/", "hands/new/"):
        response = phone.client.get(of_evening(evening, path), headers={"Accept-Language": language})
        assert response.status_code == (200 if steps or path != "announce/back/" else 302), path
        assert "None" not in Page.of(response).text, path
