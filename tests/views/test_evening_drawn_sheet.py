"""The sheet as its players draw it, on the evening's page."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.safestring import SafeString

from scorekeeper.games import preference
from sessions_app import cached_templates
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Role, User
from sessions_app.writers import evenings, ledger
from tests.factories import MemberFactory
from tests.pulka import EVENING
from tests.selection import first
from tests.views.page import HTMX_BODY, HUNGARIAN, Node, Page


@pytest.fixture
def pulka(owner: User) -> Evening:
    """Anna, Béla and Cili after seven hands of it."""
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 2, game_key=preference.GAME.key, rules="target=8")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    for dealer, declarer, deal in EVENING[:7]:
        play(evening, owner, dealer, declarer, deal)
    return evening


@pytest.fixture
def watchers(client_of: Callable[..., Client], pulka: Evening) -> Client:
    return client_of(MemberFactory(circle=pulka.circle, role=Role.VIEWER).user)


def play(evening: Evening, by: User, dealer: int, declarer: int | None, deal: str) -> None:
    evening.refresh_from_db()
    facts = Facts(dealer, declarer, deal)
    ledger.record(evening.pk, token=uuid4(), number=evening.last_number + 1, facts=facts, by=by)


def url(evening: Evening, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/{rest}"


def drawing(page: Node) -> Node:
    (found,) = page.of_class("drawing")
    return found


def figures(page: Node, seat: int) -> list[str]:
    """The text in a player's field, row by row from the outer edge, without the marks and names."""
    return [row.text for row in drawing(page).of_class("field")[seat].of_class("figures")]


def test_drawn_sheet_stands_above_the_hands_with_balances(owners: Client, pulka: Evening):
    page = Page.of(owners.get(url(pulka)))
    assert figures(page, 0) == ["18 38", "2", "2", "4"]
    assert figures(page, 1) == ["8 12", "4", "", "… 20 26 46"]
    assert figures(page, 2) == ["", "48 68", "4 6", "4 18"]
    state = page.one("div", id="state")
    parts = [node for node in state.nodes() if {"pulka", "sheet"} & set(node.attrs.get("class", "").split())]
    assert [node.tag for node in parts] == ["section", "table"]
    head = [field.one("h3").text for field in drawing(page).of_class("field")]
    balances = [seat.of_class("figure")[0].text for seat in page.of_class("seat")]
    assert head == [f"{name} {balance}" for name, balance in zip(("Anna", "Béla", "Cili"), balances, strict=True)]


@pytest.mark.parametrize("who", ["owners", "watchers"])
@pytest.mark.parametrize("headers", first(1, [{}, HTMX_BODY]), ids=["plain", "htmx"])
def test_live_part_has_the_drawn_sheet(
    request: pytest.FixtureRequest, pulka: Evening, owner: User, who: str, headers: dict[str, str]
):
    client: Client = request.getfixturevalue(who)
    pulka.refresh_from_db()
    known = pulka.version
    assert client.get(url(pulka, f"live/?v={known}"), headers=headers).status_code == 204
    play(pulka, owner, *EVENING[7])
    part = Page.of(client.get(url(pulka, f"live/?v={known}"), headers=headers))
    assert not part.is_whole
    assert figures(part, 1) == ["8 12 32", "4", "8", "… 20 26 46"]
    assert [link.text for link in drawing(part).of_class("new")] == ["32", "8", "8"]


def test_end_of_the_game_is_said_large_and_explained_once(owners: Client, pulka: Evening, owner: User):
    for hand in EVENING[7:]:
        play(pulka, owner, *hand)
    page = Page.of(owners.get(url(pulka)))
    assert page.of_class("pulka-head")[0].text == "The game is over Anna +262⅔ Cili +60⅔ Béla −323⅓"
    assert page.text.count("the game is over. Later hands do not count") == 1
    evenings.end(pulka.pk)
    ended = Page.of(owners.get(url(pulka)))
    assert ended.of_class("pulka-head")[0].text == page.of_class("pulka-head")[0].text


@pytest.fixture
def empty_cache() -> None:
    cached_templates._rendered.clear()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("empty_cache")
def test_drawn_sheet_is_rendered_once_for_a_language(
    owners: Client, watchers: Client, pulka: Evening, monkeypatch: pytest.MonkeyPatch
):
    drawn: list[str] = []
    draw = cached_templates.render

    def noted(name: str, shown: dict[str, Any]) -> SafeString:
        drawn.append(name)
        return draw(name, shown)

    monkeypatch.setattr(cached_templates, "render", noted)
    for client in (owners, watchers):
        client.get(url(pulka))
        client.get(url(pulka, "live/?v=0"))
    assert drawn.count("games/preference/face.html#drawn") == 1
    owners.get(url(pulka), headers=HUNGARIAN)
    assert drawn.count("games/preference/face.html#drawn") == 2
