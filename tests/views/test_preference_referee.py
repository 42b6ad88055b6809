"""The referee of a hand of Preference: the moves offered, refused and taken back in each step."""

from collections.abc import Callable

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, User
from tests.views.page import HTMX_COUNT, Page, filled
from tests.views.refereeing import HTMX_REFEREE, RefereePhone, preference, refused

PLAIN: dict[str, str] = {}
type Referee = Callable[..., RefereePhone]


@pytest.fixture
def referee(owners: Client, owner: User, evening: Evening) -> Referee:
    """A phone on the referee's page of an evening after these hands, at the cast's table."""

    def begin(rules: str = "", *hands: str, seats: int = 3) -> RefereePhone:
        return RefereePhone(owners, preference(owner, evening.circle, rules, hands, seats))

    return begin


def test_when_all_pass_a_raspasovka_is_played_at_its_price(referee: Referee):
    for hands, price, first, second in (
        ((), "1 a trick", 1, 2),
        (("R 4-3-3", "R 4-3-3"), "third in a row: 3 a trick", 0, 1),
        (("R 4-3-3", "6 pp"), "1 a trick", 0, 1),
    ):
        phone = referee("", *hands).say("pass", "pass", "pass")
        assert f"raspasovka {price} " in phone.text
        assert phone.finish(**{f"taken_{first}": "5", f"taken_{second}": "0"}).status_code == 302
        assert Hand.objects.latest("pk").deal == "R 5-0-5"


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


def test_contract_that_nobody_answers_asks_for_tricks(referee: Referee):
    for rules, contract, why in (
        ("ten=checked", "10H", "By the house rules a ten is played open, and nobody answers."),
        ("stalingrad=yes", "6S", "Stalingrad: both must whist six of spades."),
    ):
        phone = referee(rules).say("@1", contract)
        assert why in phone.text
        assert not phone.offers("say")
        assert phone.finish(tricks="10").status_code == 302
        assert Hand.objects.latest("pk").deal.endswith("10-0-0")


def test_giving_up_is_offered_where_the_house_has_it(referee: Referee):
    assert not referee().say("@1", "8H").offers("concede")
    assert referee("give_up=3").say("@1", "8H", "whist", "g").finish().status_code == 302
    assert Hand.objects.get().deal == "8H g"


# --- The end of a refereed hand: its tricks, its entries, and the permission to save it ---
@pytest.mark.parametrize(
    ("answers", "tricks", "deal"),
    [
        ("pass pass", {}, "7H pp"),
        ("pass half whist", {"tricks": "7"}, "7H rh 7"),
        ("whist whist", {"tricks": "7", "first_tricks": "1"}, "7H ww 7-1-2"),
        ("whist whist", {"tricks": "10"}, "7H ww 10-0-0"),
    ],
)
def test_refereed_hand_is_saved_as_played(referee: Referee, answers: str, tricks: dict[str, str], deal: str):
    phone = referee().say("7H", "pass", "pass", "7H", *answers.split())
    assert phone.finish(HTMX_REFEREE, **tricks)["HX-Redirect"].endswith("?saved=1")
    hand = Hand.objects.get()
    assert (hand.dealer, hand.declarer, hand.deal) == (0, 1, deal)
    assert not HandInPlay.objects.exists()


def test_tricks_that_cannot_be_are_refused_and_what_was_tapped_stays(referee: Referee):
    phone = referee().say("7H", "pass", "pass", "7H", "whist", "whist")
    for headers, tricks, code in (
        (PLAIN, {"tricks": "11", "first_tricks": "0"}, "tricks_range"),
        (HTMX_REFEREE, {"tricks": "7"}, "split_unanswered"),
        (HTMX_REFEREE, {"tricks": "7", "first_tricks": "4"}, "tricks_sum"),
        (PLAIN, {"first_tricks": "4"}, "tricks_unanswered"),
    ):
        response = phone.finish(headers, **tricks)
        page = Page.of(response)
        assert (refused(response)[1], page.is_whole) == (code, not headers)
        kept = filled(page.one("form", id="ending"))
        stays = {name: value if int(value) < 11 else None for name, value in tricks.items()}
        assert {name: kept.get(name) for name in tricks} == stays
    assert not Hand.objects.exists()


def test_after_the_end_of_the_game_nothing_is_saved(referee: Referee):
    phone = referee("target=2", "6 pp", "6 pp", "6 pp")
    phone.say("6S", "pass", "pass", "6S", "pass", "pass")
    assert refused(phone.finish()) == ("The game is over: nothing more can be recorded.", "game_over")
    phone.open()
    phone.tap("unsay")
    phone.tap("say", word="whist")
    assert refused(phone.finish(tricks="6"))[1] == "game_over"


def test_entries_are_counted_while_tricks_are_tapped(referee: Referee):
    for steps, tricks, said in (
        ("7H pass pass 7H whist pass", {"tricks": "1"}, "7 hearts, Cili whists, 1 trick, down 6: Béla dump +24"),
        (
            "pass pass pass",
            {"taken_1": "5", "taken_2": "0"},
            "raspasovka (Béla 5, Cili 0, Anna 5): Béla dump +5 (5 × 1); Anna dump +5",
        ),
    ):
        phone = referee().say(*steps.split())
        count = phone.page.one(id="count").attrs["hx-post"]
        response = phone.client.post(count, filled(phone.page.one("form", id="ending")) | tricks, headers=HTMX_COUNT)
        assert said in Page.of(response).text
