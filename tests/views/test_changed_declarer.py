"""Values tapped for one player stay that player's, or are dropped, when the dealer or declarer changes."""

from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from sessions_app.writers import evening_edit
from tests.factories import begun, hand_fields, record
from tests.views.page import HTMX_HAND_FORM, Page, hand_form, saved

FOUR = ("Anna", "Béla", "Cili", "Dani")
AGAIN = "The players have changed: tap again what %s took."

TAPPED = {"dealer": 3, "declarer": 0, "level": 6, "answers": "ww", "tricks": 6}
HEARTS = {"dealer": 3, "declarer": 0, "contract": 2, "trump": "hearts", "tricks": 6}
#: Game, taps, the row by place and the taps there, the player it asks of, further taps, and the player it asks of then.
MOVES: list[tuple[str, dict[str, Any], tuple[str, str], str, dict[str, Any], str]] = [
    ("preference", TAPPED, ("first_tricks", "3"), "Béla", {"dealer": 1}, "Cili"),
    ("preference", TAPPED, ("first_tricks", "3"), "Béla", {"declarer": 1}, "Cili"),
    ("asszorti", HEARTS, ("opponent_tricks", "5"), "Béla : Cili", {"dealer": 2}, "Béla : Dani"),
]


def chosen(page: Page, name: str) -> list[str]:
    return [radio.attrs["value"] for radio in page.all("input", name=name) if "checked" in radio.attrs]


def hint(page: Page, row: str) -> str:
    return page.one("fieldset", id=f"field-{row}").one("legend").one("small").text


def test_tricks_do_not_move_to_another_players_name(owners: Client, owner: User) -> None:
    for game, tapped, (name, value), of, then, of_then in MOVES:
        url = f"/sessions/{begun(owner, game, names=FOUR, first_dealer=3).pk}/hands/new/"
        opened = hand_form(Page.of(owners.get(url)))
        for headers in ({}, HTMX_HAND_FORM):
            first = Page.of(owners.post(url, opened | {"count": "1"} | tapped | {name: value}, headers=headers))
            assert (hint(first, name), chosen(first, name)) == (of, [value])
            form = hand_form(first) | {each: str(said) for each, said in then.items()}
            counted = Page.of(owners.post(url, form | {"count": "1"}, headers=headers))
            assert AGAIN % of_then in counted.text
            page = Page.of(owners.post(url, form, headers=headers), 422)
            assert AGAIN % of_then in page.error(name)
            for again in (counted, page):
                assert (hint(again, name), chosen(again, name)) == (of_then, [])
        assert owners.post(url, hand_form(page) | {name: value}).status_code == 302


def test_tricks_that_are_no_longer_asked_for_are_no_error(owners: Client, owner: User) -> None:
    """Only the tricks of the declarer and of a lone whister are asked for."""
    url = f"/sessions/{begun(owner, 'preference', names=FOUR, first_dealer=3).pk}/hands/new/"
    tapped = TAPPED | {"first_tricks": 3, "count": "1"}
    form = hand_form(Page.of(owners.post(url, hand_form(Page.of(owners.get(url))) | tapped)))
    assert owners.post(url, form | {"dealer": "1", "answers": "w2"}).status_code == 302


def test_a_partner_and_tarokks_stay_their_players(owners: Client, owner: User) -> None:
    """Five sit at the table: another dealer lets another sit out."""
    evening = begun(owner, "tarokk", names=(*FOUR, "Emil"), first_dealer=4)
    url = f"/sessions/{evening.pk}/hands/new/"
    tapped = {"dealer": 4, "declarer": 0, "contract": 2, "partner": 2, "result": "+", "tarokks_1": 8, "tarokks_2": 9}
    form = hand_form(Page.of(owners.post(url, hand_form(Page.of(owners.get(url))) | tapped | {"count": "1"})))
    for moved, row, said in (
        ({"dealer": "2"}, "partner", "With five players the dealer sits out and cannot play."),
        ({"dealer": "1"}, "tarokks_1", "A player who sits out cannot declare tarokks."),
        ({"declarer": "2"}, "partner", "Nobody is their own partner."),
    ):
        page = Page.of(owners.post(url, form | moved))
        assert page.error(row) == said
        assert [chosen(page, name) for name in ("partner", "tarokks_1", "tarokks_2")] == [["2"], ["8"], ["9"]]


def come_and_go(evening: Evening, by: User) -> None:
    """Let Dóra sit down after Béla, and Anna go home."""
    evening.refresh_from_db()
    evening_edit.join_lineup(evening.pk, "Dóra", 1, seen=evening.seating, by=by)
    evening_edit.leave_lineup(evening.pk, 0, by=by)


def test_only_those_who_sit_are_offered_and_the_deal_goes_round_among_them(
    owners: Client, evening: Evening, owner: User
):
    record(evening, owner)
    come_and_go(evening, owner)
    evening.refresh_from_db()
    assert evening.sitting == (1, 3, 2)
    page = Page.of(owners.get(f"/sessions/{evening.pk}/hands/new/"))
    for name in ("declarer", "dealer"):
        assert [field.attrs["value"] for field in page.all("input", name=name)] == ["1", "2", "3"]
    assert chosen(page, "dealer") == ["1"], "Anna dealt, and Béla is the next"
    assert [field.attrs["data-next"] for field in page.all("input", name="dealer")] == ["3", "1", "2"]


OUTBOX = {"Accept": "application/json"}


@pytest.fixture
def sent(evening: Evening) -> dict[str, str]:
    """A hand that Anna, who deals, plays alone against the two others; she goes home after it."""
    return hand_fields(evening, seating=evening.seating, dealer="0", declarer="0")


def test_a_hand_whose_answer_was_lost_is_known_though_somebody_has_gone_home_since(
    owners: Client, evening: Evening, owner: User, sent: dict[str, str]
):
    new = f"/sessions/{evening.pk}/hands/new/"
    assert owners.post(new, sent).status_code == 302
    come_and_go(evening, owner)
    assert owners.post(new, sent, headers=OUTBOX).json() == {"number": 1}
    assert saved(owners.post(new, sent)) == f"/sessions/{evening.pk}/?saved=1"
    other = owners.post(new, sent | {"tricks": "8"}, headers=OUTBOX)
    assert (other.status_code, other.json()["next_number"]) == (409, 2)
    assert evening.hands.count() == 1


@pytest.mark.parametrize("declarer", ["0", "1"])
def test_a_hand_of_the_table_as_it_was_before_asks_who_played_and_says_what_to_do(
    owners: Client, evening: Evening, owner: User, sent: dict[str, str], declarer: str
):
    record(evening, owner)
    come_and_go(evening, owner)
    new = f"/sessions/{evening.pk}/hands/new/"
    sent |= {"number": "2", "declarer": declarer, "line": "1C 9 K"}
    assert owners.post(new, sent, headers=OUTBOX).json()["sentence"].startswith("Somebody came or left meanwhile")
    answer = owners.post(new, sent)
    assert answer.status_code == 409
    assert answer.context["refused"].endswith("save the hand, then change the seats again.")
    again = hand_form(Page.of(answer))
    kept = [again.get(name) for name in ("contract", "trump", "tricks", "game_kontra", "declarer", "line")]
    assert kept == ["1", "clubs", "9", "1", None, ""]
    assert owners.post(new, again | {"declarer": "3"}).status_code == 302
    assert evening.hands.get(number=2).deal == "1C 9 K"
