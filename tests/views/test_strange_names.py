"""Strange names are accepted as they are, escaped on every page, and leave the direction of the text around them."""

import unicodedata
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import hand_fields, record
from tests.selection import first
from tests.views.page import HTMX_COUNT, Node, Page, session_form

STRANGE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=1>',
    "{{ 7|add:7 }}{% now 'Y' %}",
    "&amp; &lt;b&gt;",
    "שלום",
    "\u200fعلي 12",
    "👩‍👩‍👧‍👦 🇭🇺",
    "Zö\u0301e\u0308",
    "😀" * 40,
]


def isolated(node: Node, text: str) -> bool:
    """Return whether a name cannot turn the direction of what stands round it."""
    alone = any(above.tag == "bdi" or above.attrs.get("dir") == "auto" for above in node.above)
    return alone or ("\u2068" in text and "\u2069" in text) or node.tag == "option"


@pytest.fixture
def shown(owners: Client, owner: User) -> Callable[[str], dict[str, Page]]:
    """Every page on which the name of a player can stand, as hungarian and english pages."""

    def pages(name: str) -> dict[str, Page]:
        fields = {"player_1": name, "player_2": "Béla", "player_3": "Cili", "player_4": "Dóra", "first_dealer": "2"}
        response = owners.post("/sessions/new/", fields | {"stake": "10", "currency": "HUF"})
        assert response.status_code == 302
        evening = Evening.objects.latest("pk")
        played(evening, owner)
        answers = {
            "known names": owners.get("/sessions/new/"),
            "form with a mistake": owners.post("/sessions/new/", fields | {"player_3": ""}),
            **while_it_runs(owners, evening),
        }
        evenings.end(evening.pk)
        answers |= after_its_end(owners, evening)
        return {where: Page.of(answer) for where, answer in answers.items()}

    return pages


def played(evening: Evening, owner: User) -> None:
    record(evening, owner, "2H 7", dealer=1, declarer=0)
    record(evening, owner, "2H 7", dealer=0, declarer=1)
    record(evening, owner, "2H 5", dealer=2, declarer=0)
    ledger.amend(evening.pk, 1, facts=Facts(1, 2, "2H 9"), by=owner)
    ledger.record(evening.pk, token=UUID(int=5), number=4, facts=Facts(0), by=owner)
    evening.refresh_from_db()


def while_it_runs(owners: Client, evening: Evening) -> dict[str, Any]:
    base, hand = f"/sessions/{evening.pk}/", hand_fields(evening, dealer="1", declarer="0")
    return {
        "home": owners.get("/"),
        "session": owners.get(base),
        "live": owners.get(base + "live/?v=0"),
        "hand": owners.get(base + "hands/1/"),
        "hand lost": owners.get(base + "hands/3/"),
        "thrown in": owners.get(base + "hands/4/"),
        "form": owners.get(base + "hands/new/"),
        "form filled": owners.post(base + "hands/new/", hand | {"count": "1"}),
        "conflict": owners.post(base + "hands/new/", hand | {"number": "1"}),
        "edit": owners.get(base + "hands/3/edit/"),
        "preview": owners.post(base + "hands/preview/", hand, headers=HTMX_COUNT),
        "preview of a loss": owners.post(base + "hands/preview/", hand | {"tricks": "4"}, headers=HTMX_COUNT),
        "referee": owners.get(base + "referee/"),
        "settle": owners.get(base + "settle/"),
    }


def after_its_end(owners: Client, evening: Evening) -> dict[str, Any]:
    circle = f"/circles/{evening.circle_id}/"
    player = f"{circle}players/{evening.seats.get(position=0).player_id}/"
    return {
        "home after": owners.get("/"),
        "past": owners.get("/sessions/"),
        "ended": owners.get(f"/sessions/{evening.pk}/"),
        "circle": owners.get(circle),
        "player": owners.get(player),
        "statistics of a player": owners.get(player + "statistics/"),
        "sessions of a figure": owners.get(player + "statistics/hands/?game=asszorti"),
        "year": owners.get(f"{circle}years/{evening.started_at.year}/"),
    }


@pytest.mark.parametrize("name", first(2, STRANGE))
def test_a_strange_name_is_taken_as_it_is_and_shown_escaped_everywhere(
    shown: Callable[[str], dict[str, Page]], name: str
):
    kept = " ".join(unicodedata.normalize("NFC", name).split()).removeprefix("\u200f")
    for where, page in shown(name).items():
        read = [text for _node, text in page.texts()] + [v for n in page.nodes() for v in n.attrs.values()]
        assert any(kept in text for text in read), where
        assert "<script>alert" not in page.html, where
        assert not page.all("img"), where
        assert "&amp;amp;amp;" not in page.html, where
        assert "&lt;script" not in page.text, where


@pytest.mark.parametrize("name", first(1, ["שלום", "مريم 12", "علي"]))
def test_a_name_from_right_to_left_turns_nothing_round_it(shown: Callable[[str], dict[str, Page]], name: str):
    loose = {
        where: sorted({text.strip() for node, text in page.texts() if name in text and not isolated(node, text)})
        for where, page in shown(name).items()
    }
    assert {where: texts for where, texts in loose.items() if texts} == {}


def test_a_strange_name_that_was_typed_comes_back_escaped_in_the_field(strangers: Client, db: None):
    for name in STRANGE:
        response = strangers.post("/sessions/new/", {"player_1": name})
        page = Page.of(response)
        assert response.status_code == 422
        assert session_form(page)["player_1"] == name
        assert "<script>alert" not in page.html
