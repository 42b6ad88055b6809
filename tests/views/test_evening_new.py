"""Start an evening: players, seats, stake, chips, house rules, and the next game of the same players."""

from collections.abc import Callable
from decimal import Decimal
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, EveningChange, Role, User
from sessions_app.writers import evenings
from tests.factories import begun, evening_of, record
from tests.ledger.books import nothing_written
from tests.toy.playing import toy_evening
from tests.views.page import HTMX_SESSION_FORM, HUNGARIAN, Page, at, filled, session_form

URL = "/sessions/new/"


def fields(**changed: Any) -> dict[str, str]:
    seats = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "player_4": "", "first_dealer": "2"}
    posted = {"token": uuid4(), **seats, "stake": "10", "currency": "HUF"} | changed
    return {name: str(value) for name, value in posted.items() if value is not None}


def test_stranger_opens_a_form_of_four_empty_seats_and_becomes_the_guest_who_owns_the_table_he_made(strangers: Client):
    page = Page.of(strangers.get(URL))
    form = session_form(page)
    assert form["token"]
    assert [form[f"player_{seat}"] for seat in range(1, 5)] == [""] * 4
    assert (form["first_dealer"], form["currency"], form["stake"]) == ("1", "HUF", "")
    assert "Start" in page.buttons
    assert page.one("form", id="session-form").attrs["action"] == URL
    assert page.one("input", name="rules").attrs["maxlength"] == "600"
    response = strangers.post(URL, form | fields(player_4="Dóra", stake="0.5", currency="EUR", first_dealer="4"))
    evening, user = Evening.objects.get(), User.objects.get()
    assert response["Location"] == at(evening)
    assert [seat.player.name for seat in evening.seats.all()] == ["Anna", "Béla", "Cili", "Dóra"]
    assert (evening.stake, evening.currency, evening.first_dealer) == (Decimal("0.5"), "EUR", 3)
    assert (user.is_guest, user.has_usable_password()) == (True, False)
    assert [(member.user, member.role) for member in evening.circle.members.all()] == [(user, Role.OWNER)]
    assert int(response.cookies["sessionid"]["max-age"]) == 365 * 24 * 3600
    assert strangers.get(response["Location"]).status_code == 200


def test_the_same_form_twice_makes_one_session_and_its_token_lets_nobody_else_in(
    strangers: Client, outsiders: Client, client_of: Callable[..., Client]
):
    """A token is no key: knowing one gives no way into the session it made, and no 500 either."""
    posted = fields()
    first = strangers.post(URL, posted)
    before = Evening.objects.count()
    assert strangers.post(URL, posted)["Location"] == first["Location"]
    assert client_of(None).post(URL, posted).status_code in (302, 409, 422), "a tap before the first one's cookie came"
    assert Evening.objects.count() == before
    response = outsiders.post(URL, posted)
    assert response.status_code in (302, 409, 422)
    assert first["Location"] not in response.headers.get("Location", "")
    assert outsiders.get(first["Location"]).status_code == 404


def test_a_tapped_name_takes_the_first_empty_seat_and_a_player_moves_up_with_the_deal(owners: Client, evening: Evening):
    posted = fields(player_1="Zoé", player_2="", player_3="", arrange="pick:Béla", stake="7")
    for headers in ({}, HTMX_SESSION_FORM):
        page = Page.of(owners.post(URL, posted, headers=headers))
        form = session_form(page)
        assert page.is_whole is not bool(headers)
        assert (form["player_1"], form["player_2"], form["player_3"]) == ("Zoé", "Béla", "")
        assert (form["first_dealer"], form["stake"], form["token"]) == ("2", "7", posted["token"])
        assert [button.text for button in page.of_class("chip")] == ["Anna", "Cili"]
    for seat, order, deals in (
        ("2", "Béla Anna Cili Dóra", "1"),
        ("3", "Anna Cili Béla Dóra", "3"),
        ("4", "Anna Béla Dóra Cili", "2"),
    ):
        form = session_form(Page.of(owners.post(URL, fields(player_4="Dóra", arrange=f"up:{seat}"))))
        assert [form[f"player_{n}"] for n in range(1, 5)] == order.split()
        assert form["first_dealer"] == deals
    assert Evening.objects.count() == 1


def test_a_wrong_form_comes_back_to_anybody_as_page_and_as_part(cast: dict[str, Client], evening: Evening):
    posted = fields(player_2="", stake="5")
    for (who, client), headers in product(cast.items(), ({}, HTMX_SESSION_FORM)):
        with nothing_written():
            page = Page.of(client.post(URL, posted, headers=headers), 422)
        assert page.is_whole is (not headers), who
        assert page.error("player_2") == "Enter a name."
        assert session_form(page).items() >= posted.items()


@pytest.mark.usefixtures("uncounted")
def test_starting_costs_the_same_at_a_table_of_many_evenings(
    owners: Client, owner: User, evening: Evening, django_assert_max_num_queries: Callable[..., object]
):
    for _ in range(5):
        evening_of(owner)
    with django_assert_max_num_queries(16):
        owners.post(URL, fields())


NAME = "Another game"


def players(form: dict[str, str]) -> list[str]:
    return [form[name] for name in sorted(form) if name.startswith("player_") and form[name]]


def test_two_taps_start_the_other_game_with_the_same_people_whether_the_session_has_ended_or_not(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    page = Page.of(owners.get(Page.of(owners.get(at(evening))).links[NAME]))
    form = session_form(page)
    assert page.links["The session"] == at(evening)
    assert (form["game"], players(form)) == ("preference", ["Anna", "Béla", "Cili"])
    assert (form["stake"], form["currency"]) == ("10", "HUF")
    owners.post(URL, form)
    another = Evening.objects.latest("pk")
    assert (another.game_key, another.circle, another.stake) == ("preference", evening.circle, Decimal(10))
    assert [seat.player.name for seat in another.seats.all()] == ["Anna", "Béla", "Cili"]
    assert another.first_dealer == 1, "who would have dealt next deals first"
    evening.refresh_from_db()
    assert not evening.has_ended, "evenings are independent"
    settle = at(evening, "settle/")
    assert NAME not in Page.of(owners.get(settle)).links
    evenings.end(evening.pk)
    for path in (settle, at(evening)):
        assert Page.of(owners.get(path)).links[NAME] == at(evening, "next/")


def test_next_game_of_five_is_the_same_again_and_paid_the_same_way(owners: Client, owner: User):
    names = ("Anna", "Béla", "Cili", "Dóra", "Emil")
    five = begun(owner, "tarokk", "ladder=4", names, 3)
    form = session_form(Page.of(owners.get(at(five, "next/"))))
    assert (form["game"], form["rules_ladder"], form["first_dealer"]) == ("tarokk", "4", "4")
    assert players(form) == [*names]
    four = evening_of(owner, names[:4])
    assert session_form(Page.of(owners.get(at(four, "next/"))))["in_chips"] == ""
    Evening.objects.update(in_chips=True)
    assert session_form(Page.of(owners.get(at(four, "next/"))))["in_chips"] == "yes"


@pytest.mark.usefixtures("toy")
def test_which_way_the_deal_goes_is_said_where_it_is_not_that_of_the_seats(owners: Client, owner: User):
    said = "tap who deals first · the deal goes right"
    form = session_form(Page.of(owners.get(URL))) | {"arrange": "game"}
    begun = evening_of(owner)
    for game, is_said in (("asszorti", False), ("toy", True)):
        assert (said in Page.of(owners.post(URL, form | {"game": game})).text) is is_said
        Evening.objects.filter(pk=begun.pk).update(game_key=game)
        assert (said in Page.of(owners.get(at(begun, "edit/"))).text) is is_said


@pytest.mark.usefixtures("toy")
def test_another_game_brings_its_seats_and_the_house_rules_of_its_last_evening(
    owners: Client, owner: User, evening_of_four: Evening
):
    toy_evening(owner, "plain most=8")
    opened = session_form(Page.of(owners.get(URL))) | {"player_1": "Zoé", "stake": "7"}
    assert (opened["game"], opened["shown_game"], opened["rules_most"]) == ("toy", "toy", "8")
    for headers in ({}, HTMX_SESSION_FORM):
        page = Page.of(owners.post(f"{URL}?arrange", opened | {"game": "asszorti"}, headers=headers))
        form = session_form(page)
        assert (form["shown_game"], form["player_1"], form["stake"]) == ("asszorti", "Zoé", "7")
        assert form["rules_ladder"] == "5"
        assert "player_4" in form
        back = session_form(Page.of(owners.post(f"{URL}?arrange", form | {"game": "toy"}, headers=headers)))
        assert (back["rules_most"], back["rules_doubled"], "player_4" in back) == ("8", "no", False)


def test_chips_are_offered_beside_the_stake_and_not_chosen_and_not_where_hands_write_no_payments(
    strangers: Client, owner: User
):
    page = Page.of(strangers.get(URL))
    ways = [(way.attrs["value"], "checked" in way.attrs) for way in page.all("input", name="in_chips")]
    assert ways == [("", True), ("yes", False)]
    assert "chip" not in page.one("details", id="house-rules").text, "it is no house rule"
    named = [node.attrs["name"] for node in page.one("form", id="session-form").nodes() if "name" in node.attrs]
    assert named[named.index("currency") + 1] == "in_chips"
    refused = Page.of(strangers.post(URL, fields(in_chips="beans")), 422)
    assert refused.one("p", id="error-in_chips").text == "Choose one of the two ways."
    assert "open" not in refused.one("details", id="house-rules").attrs
    strangers.post(URL, session_form(page) | fields())
    assert not Evening.objects.get().in_chips
    page = Page.of(strangers.post(f"{URL}?arrange", fields(game="preference", in_chips="yes", rules="")))
    assert not page.all("input", name="in_chips")
    assert "chip" not in page.text.casefold()
    strangers.post(URL, fields(game="preference", in_chips="yes", rules_pool="10"))
    assert not Evening.objects.get(game_key="preference").in_chips
    with pytest.raises(ValueError, match="not paid one by one"):
        begun(owner, "preference", in_chips=True)


def test_way_of_paying_is_changed_later_and_stands_in_the_history(owners: Client, keepers: Client, evening: Evening):
    edit = at(evening, "edit/")

    def shown(answer: Any) -> dict[str, str]:
        return filled(Page.of(answer).one("form", id="edit-form"))

    stale = shown(owners.get(edit))
    assert stale["in_chips"] == ""
    keepers.post(edit, stale | {"in_chips": "yes"})
    form = shown(owners.post(edit, stale | {"stake": "5"}))
    assert (form["in_chips"], form["stake"]) == ("yes", "5")
    [said] = [entry.text for entry in Page.of(owners.get(edit)).of_class("history")[0].all("li")]
    assert said.startswith("Way of paying changed")
    assert said.endswith("was: at the end now: in chips")
    owners.post(edit, shown(owners.get(edit)) | {"in_chips": ""})
    assert shown(owners.get(edit))["in_chips"] == ""
    assert [each.kind for each in EveningChange.objects.all()] == ["chips", "chips"]


def test_card_of_a_session_in_chips_says_so_in_every_list(owners: Client, owner: User, evening: Evening):
    record(evening, owner)
    evenings.end(evening.pk)
    player = evening.seats.all()[0].player_id
    lists = ("/", "/sessions/", f"/circles/{evening.circle_id}/", f"/circles/{evening.circle_id}/players/{player}/")

    def tagged() -> list[bool]:
        cards = [Page.of(owners.get(path)).one("li", id=f"session-{evening.pk}") for path in lists]
        return [any(tag.text == "in chips" for tag in card.of_class("tag")) for card in cards]

    assert tagged() == [False] * 4
    Evening.objects.update(in_chips=True)
    assert tagged() == [True] * 4


HTMX_SUMMARY = {"HX-Request": "true", "HX-Target": "span#house-summary"}
LINE = "six_five_nil=no ladder=2"
BOOK = "House rules: as in the book"
SAID = "House rules: no 6:5:0, kontra up to rekontra"


def fold(page: Page) -> Any:
    return page.one("details", id="house-rules")


def test_house_rules_are_folded_and_by_the_book_until_they_are_chosen(strangers: Client):
    page = Page.of(strangers.get(URL))
    assert "open" not in fold(page).attrs
    assert fold(page).one("summary").text == BOOK
    form = session_form(page)
    assert {name: value for name, value in form.items() if "rules" in name} == {
        **{"rules": "", "rules_six_five_nil": "yes", "rules_no_trump_arrivazs": "yes"},
        **{"rules_ladder": "5", "rules_hands": "", "rules_points": ""},
    }
    assert form["game"] == "asszorti"
    assert fold(page).all("legend"), "each says what it is"
    strangers.post(URL, fields(rules_six_five_nil="no", rules_ladder="2"))
    assert (Evening.objects.get().game_key, Evening.objects.get().rules) == ("asszorti", LINE)


def test_last_rules_are_offered_to_writers_only(cast: dict[str, Client], owner: User, evening: Evening):
    for rules in ("hands=7", LINE):
        begun(owner, rules=rules, circle=evening.circle)
    for who, client in cast.items():
        page = Page.of(client.get(URL))
        is_writer = who in ("owner", "keeper")
        assert fold(page).one("summary").text == (SAID if is_writer else BOOK)
        assert session_form(page)["rules"] == ""
        assert session_form(page)["rules_ladder"] == ("2" if is_writer else "5")


def test_pages_say_what_differs_from_the_book_and_the_edit_page_leaves_it(
    owners: Client, owner: User, evening: Evening
):
    other = begun(owner, rules=LINE)
    assert Page.of(owners.get(at(other))).of_class("house-rules")[0].text == SAID
    assert SAID in owners.get(at(other, "settle/")).text
    page = Page.of(owners.get(at(other, "edit/")))
    assert page.of_class("house-rules")[0].text == (
        f"{SAID}. They stay as they were when the session began. Save them under a name"
    )
    form = filled(page.one("form", id="edit-form"))
    assert not [name for name in form if "rules" in name]
    owners.post(at(other, "edit/"), form | {"rules": "ladder=1", "rules_ladder": "1", "stake": "7"})
    other.refresh_from_db()
    assert (other.rules, other.stake) == (LINE, 7)
    assert BOOK in Page.of(owners.get(at(evening, "edit/"))).text


def test_the_page_reminds_of_the_end_agreed_on_and_takes_hands_all_the_same(
    owners: Client, owner: User, post_hand: Callable[..., Any]
):
    evening = begun(owner, rules="hands=2")
    url = at(evening)

    def reminders(path: str = "", **headers: str) -> list[str]:
        return [node.text for node in Page.of(owners.get(url + path, headers=headers)).of_class("reminder")]

    record(evening, owner)
    assert reminders() == []
    record(evening, owner)
    assert reminders() == reminders("live/?v=1") == ["2 hands were agreed on: this was the last."]
    assert "primary" in Page.of(owners.get(url)).one("a", data_next_hand="3").attrs["class"]
    assert not Page.of(owners.get(url + "hands/new/")).one(id="hand-over").text
    assert post_hand(owners, evening).status_code == 302
    assert reminders() == ["2 hands were agreed on, 3 have been played."]
    assert reminders(**HUNGARIAN) == ["2 leosztást beszéltetek meg, eddig 3 volt."]
    evenings.end(evening.pk)
    assert reminders() == []
