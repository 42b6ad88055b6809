"""The referee of a hand of Preference: the moves offered, refused and taken back in each step."""

from collections.abc import Callable

import pytest
from django.test import Client

from scorekeeper.games.preference.auction import BIDS
from sessions_app.models import Evening, Hand, HandInPlay, User
from tests.selection import first
from tests.views.page import Page
from tests.views.refereeing import HTMX_REFEREE
from tests.views.refereeing_preference import RefereePhone, evening_of, refused

PLAIN: dict[str, str] = {}
BIDS_TEXT = [bid.value for bid in BIDS]
type Referee = Callable[..., RefereePhone]


@pytest.fixture
def referee(owners: Client, owner: User, evening: Evening) -> Referee:
    """A phone on the referee's page of an evening after these hands, at the cast's table."""

    def begin(rules: str = "", *hands: str, seats: int = 3) -> RefereePhone:
        return RefereePhone(owners, evening_of(owner, evening.circle, rules, hands, seats))

    return begin


# --- The auction ---


def test_all_26_bids_are_offered_and_then_what_is_higher(referee: Referee):
    phone = referee()
    assert phone.offered("call", "call") == [*BIDS_TEXT[:15], *BIDS_TEXT[16:], "M", "pass"]
    phone.say("7H")
    assert "Cili is to call. The bid is 7♥︎: bid higher, or pass." in phone.text
    assert phone.offered("call", "call") == ["7N", *BIDS_TEXT[10:15], *BIDS_TEXT[16:], "M", "pass"]
    phone.say("M")
    assert phone.offered("call", "call") == [*BIDS_TEXT[16:], "pass"]
    # Béla has bid tricks, and Cili mizer: one may only bid nine and more, the other is out.
    phone.say("pass", "9S")
    assert "Béla plays: 9♠︎ or higher." in phone.text


def test_here_is_offered_to_who_speaks_earlier_once_two_are_left(referee: Referee):
    phone = referee().say("6S", "6C")
    assert "here" not in phone.offered("call", "call")
    phone.say("pass")
    assert phone.offered("call", "call")[-2:] == ["here", "pass"]
    assert "take it over (here)" in phone.text
    phone.say("here", "pass")
    assert "Béla plays: 6♣︎ or higher." in phone.text


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


def test_it_is_all_taken_back_step_by_step(referee: Referee):
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


def test_of_four_the_tricks_of_three_are_asked_for(referee: Referee):
    phone = referee(seats=4).say("pass", "pass", "pass")
    assert phone.finish(taken_1="3", taken_2="5", taken_3="1").status_code == 302
    assert Hand.objects.get().deal == "R 3-5-1-1"


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


def test_the_contract_is_not_below_the_bid(referee: Referee):
    phone = referee().say("7H", "pass", "pass")
    offered = phone.offered("announce", "contract")
    assert offered == ["7H", "7N", *BIDS_TEXT[10:15], *BIDS_TEXT[16:]]
    assert refused(phone.post("announce", contract="7D"))[0] == "The contract is the final bid (7♥︎) or higher."
    response = phone.post("announce", contract="11S")
    assert Page.of(response).error("contract") == "Choose one of the options."


def test_who_bid_mizer_has_nothing_to_name_and_nobody_answers(referee: Referee):
    phone = referee().say("M", "pass", "pass")
    assert "Béla mizer A mizer is not whisted." in phone.text
    assert phone.finish(tricks="2").status_code == 302
    assert Hand.objects.get().deal == "M 2"


@pytest.mark.parametrize(
    ("steps", "offered"),
    [
        ("", "whist pass"), ("whist", "whist pass"), ("pass", "whist half pass"), ("pass half", "whist pass"),
    ],
)  # fmt: skip
def test_each_answers_in_turn_what_he_may(referee: Referee, steps: str, offered: str):
    phone = referee().say("7H", "pass", "pass", "7H", *steps.split())
    assert phone.offered("say", "word") == offered.split()
    name = "Anna" if len(steps.split()) == 1 else "Cili"
    assert f"{name} is to answer." in phone.text


@pytest.mark.parametrize(("rules", "contract"), [("", "8H"), ("half_whist=no", "6H")])
def test_no_half_where_there_is_none(referee: Referee, rules: str, contract: str):
    phone = referee(rules).say("@1", contract, "pass")
    assert phone.offered("say", "word") == ["whist", "pass"]
    assert refused(phone.post("say", seat="0", word="half"))[1] in ("half_level", "half_off")


@pytest.mark.parametrize(
    ("rules", "contract", "why"),
    [
        ("ten=checked", "10H", "By the house rules a ten is played open, and nobody answers."),
        ("stalingrad=yes", "6S", "Stalingrad: both must whist six of spades."),
    ],
)
def test_where_nobody_is_asked_the_tricks_come_next(referee: Referee, rules: str, contract: str, why: str):
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


def test_what_was_passed_out_is_not_given_up_any_more(referee: Referee):
    phone = referee("give_up=3").say("@1", "7H", "pass")
    assert phone.offers("concede")
    assert not phone.say("pass").offers("concede")
