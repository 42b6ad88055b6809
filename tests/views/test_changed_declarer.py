"""Values tapped for one player stay that player's, or are dropped, when the dealer or declarer changes."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Page, hand_form

FOUR = ("Anna", "Béla", "Cili", "Dani")
AGAIN = "The players have changed: tap again what %s took."

#: Game, taps, the row by place and the taps there, the player it asks of, further taps, and the player it asks of then.
MOVES: list[tuple[str, dict[str, Any], tuple[str, str], str, dict[str, Any], str]] = [
    (
        "preference",
        {"dealer": 3, "declarer": 0, "level": 6, "answers": "ww", "tricks": 6},
        ("first_tricks", "3"),
        "Béla",
        {"dealer": 1},
        "Cili",
    ),
    (
        "preference",
        {"dealer": 3, "declarer": 0, "level": 6, "answers": "ww", "tricks": 6},
        ("first_tricks", "3"),
        "Béla",
        {"declarer": 1},
        "Cili",
    ),
    (
        "asszorti",
        {"dealer": 3, "declarer": 0, "contract": 2, "trump": "hearts", "tricks": 6},
        ("opponent_tricks", "5"),
        "Béla : Cili",
        {"dealer": 2},
        "Béla : Dani",
    ),
]


def four(owner: User, game: str) -> Evening:
    return evenings.start(evenings.Opening(list(FOUR), 3, None, "HUF", game), token=uuid4(), by=owner)


def chosen(page: Page, name: str) -> list[str]:
    return [radio.attrs["value"] for radio in page.all("input", name=name) if "checked" in radio.attrs]


def hint(page: Page, row: str) -> str:
    return page.one("fieldset", id=f"field-{row}").one("legend").one("small").text


@pytest.mark.parametrize("headers", first(1, [{}, HTMX_HAND_FORM]), ids=["plain", "htmx"])
@pytest.mark.parametrize(("game", "tapped", "row", "of", "then", "of_then"), MOVES)
def test_tricks_do_not_move_to_another_players_name(
    owners: Client,
    owner: User,
    headers: Mapping[str, str],
    game: str,
    tapped: dict[str, Any],
    row: tuple[str, str],
    of: str,
    then: dict[str, Any],
    of_then: str,
) -> None:
    url, (name, value) = f"/sessions/{four(owner, game).pk}/hands/new/", row
    opened = hand_form(Page.of(owners.get(url)))
    first = Page.of(owners.post(url, opened | {"count": "1"} | tapped | {name: value}, headers=headers))
    assert (hint(first, name), chosen(first, name)) == (of, [value])
    form = hand_form(first) | {each: str(said) for each, said in then.items()}
    counted = Page.of(owners.post(url, form | {"count": "1"}, headers=headers))
    assert AGAIN % of_then in counted.text
    refused = owners.post(url, form, headers=headers)
    page = Page.of(refused)
    assert refused.status_code == 422
    assert AGAIN % of_then in page.error(name)
    for again in (counted, page):
        assert (hint(again, name), chosen(again, name)) == (of_then, [])
    assert owners.post(url, hand_form(page) | {name: value}, headers=headers).status_code in (200, 302)


def test_what_is_not_asked_is_no_error(owners: Client, owner: User) -> None:
    """Only the tricks of the declarer and of a lone whister are asked for."""
    url = f"/sessions/{four(owner, 'preference').pk}/hands/new/"
    tapped = {"dealer": 3, "declarer": 0, "level": 6, "answers": "ww", "tricks": 6, "first_tricks": 3, "count": "1"}
    form = hand_form(Page.of(owners.post(url, hand_form(Page.of(owners.get(url))) | tapped)))
    assert owners.post(url, form | {"dealer": "1", "answers": "w2"}).status_code == 302


def test_a_partner_and_tarokks_stay_their_players(owners: Client, owner: User) -> None:
    """Of five, where another dealer lets another sit out."""
    names = [*FOUR, "Emil"]
    evening = evenings.start(evenings.Opening(names, 4, None, "HUF", "tarokk"), token=uuid4(), by=owner)
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
