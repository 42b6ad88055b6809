"""Strange names are accepted as they are, escaped on every page, and leave the direction of the text around them."""

import unicodedata
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import hand_fields, record
from tests.selection import first
from tests.views.every_url import address, paths
from tests.views.page import HTMX_COUNT, Node, Page, session_form

STRANGE = [
    '<script>alert(1)</script>"><img src=x>',
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


def shown(owners: Client, owner: User, name: str) -> dict[str, Page]:
    """Every page of an evening and of its circle, and of a hand that is entered, with a player of this name."""
    fields = {"player_1": name, "player_2": "Béla", "player_3": "Cili", "player_4": "Dóra", "first_dealer": "2"}
    response = owners.post("/sessions/new/", fields | {"stake": "10", "currency": "HUF"})
    assert response.status_code == 302
    evening = Evening.objects.latest("pk")
    played(evening, owner)
    answers = {"form with a mistake": owners.post("/sessions/new/", fields | {"player_3": ""})}
    answers |= {where: owners.get(where) for where in addresses(evening, "evening_id")} | posted(owners, evening)
    evenings.end(evening.pk)
    answers |= {f"{where} ended": owners.get(where) for where in addresses(evening, "circle_id")}
    return {where: Page.of(answer) for where, answer in answers.items() if is_page(answer)}


def is_page(answer: Any) -> bool:
    return answer.status_code != 302 and answer["Content-Type"].startswith("text/html") and b"<" in answer.content


def addresses(evening: Evening, key: str) -> Iterator[str]:
    """The home page, and every page with this key in its address."""
    player = evening.seats.get(position=0).player_id
    yield from ("/", "/sessions/", "/sessions/new/", f"/sessions/{evening.pk}/", f"/sessions/{evening.pk}/settle/")
    for path in paths("GET"):
        if key in path:
            yield address(path, evening.pk, circle_id=evening.circle_id, player_id=player, year=evening.started_at.year)


def played(evening: Evening, owner: User) -> None:
    record(evening, owner, "2H 7", dealer=1, declarer=0)
    record(evening, owner, "2H 7", dealer=0, declarer=1)
    record(evening, owner, "2H 5", dealer=2, declarer=0)
    ledger.amend(evening.pk, 1, facts=Facts(1, 2, "2H 9"), by=owner)
    ledger.record(evening.pk, token=UUID(int=5), number=4, facts=Facts(0), by=owner)
    evening.refresh_from_db()


def posted(owners: Client, evening: Evening) -> dict[str, Any]:
    base, hand = f"/sessions/{evening.pk}/hands/", hand_fields(evening, dealer="1", declarer="0")
    return {
        "form filled": owners.post(base + "new/", hand | {"count": "1"}),
        "conflict": owners.post(base + "new/", hand | {"number": "1"}),
        "preview": owners.post(base + "preview/", hand, headers=HTMX_COUNT),
        "preview of a loss": owners.post(base + "preview/", hand | {"tricks": "4"}, headers=HTMX_COUNT),
    }


@pytest.mark.parametrize("name", first(1, STRANGE))
def test_a_strange_name_is_taken_as_it_is_and_shown_escaped_everywhere(owners: Client, owner: User, name: str):
    kept = " ".join(unicodedata.normalize("NFC", name).split()).removeprefix("\u200f")
    pages = shown(owners, owner, name)
    named = [where for where, page in pages.items() if kept in page.text or kept in str(page.all("input", value=kept))]
    assert len(named) > 25, set(pages) - set(named)
    for where, page in pages.items():
        assert "<script>alert" not in page.html, where
        assert not page.all("img"), where
        assert "&amp;amp;amp;" not in page.html, where
        assert "&lt;script" not in page.text, where


@pytest.mark.parametrize("name", first(1, ["שלום", "مريم 12", "علي"]))
def test_a_name_from_right_to_left_turns_nothing_round_it(owners: Client, owner: User, name: str):
    loose = {
        where: sorted({text.strip() for node, text in page.texts() if name in text and not isolated(node, text)})
        for where, page in shown(owners, owner, name).items()
    }
    assert {where: texts for where, texts in loose.items() if texts} == {}


def test_a_strange_name_that_was_typed_comes_back_escaped_in_the_field(strangers: Client, db: None):
    for name in STRANGE:
        page = Page.of(strangers.post("/sessions/new/", {"player_1": name}), 422)
        assert session_form(page)["player_1"] == name
        assert "<script>alert" not in page.html
