"""The live part of the evening's page, which phones poll every two seconds, and its queries."""

from collections.abc import Callable

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, HandMark, User
from sessions_app.writers import evenings, ledger, reactions
from tests import moves
from tests.factories import record
from tests.selection import first
from tests.views.page import Node, Page

LIVE = {"HX-Request": "true", "HX-Target": "div#state"}


def url(evening: Evening, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/{rest}"


def live(evening: Evening, version: int | str) -> str:
    return url(evening, f"live/?v={version}")


def test_live_has_nothing_to_say_to_who_knows_it_all(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    evening.refresh_from_db()
    response = owners.get(live(evening, evening.version), headers=LIVE)
    assert (response.status_code, response.content) == (204, b"")
    assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("headers", first(1, [{}, LIVE]))
@pytest.mark.parametrize("who", ["owner", "keeper", "viewer"])
def test_live_gives_the_changed_part_to_every_member(
    cast: dict[str, Client], owner: User, evening: Evening, who: str, headers: dict[str, str]
):
    record(evening, owner, "2H 7", declarer=0)
    response = cast[who].get(live(evening, 1), headers=headers)
    page = Page.of(response)
    assert response.status_code == 200
    assert not page.is_whole
    assert "<html" not in page.html
    part = page.one("div", id="state")
    assert part.attrs["data-version"] == "2"
    assert part.attrs["data-live"] == url(evening, "live/")
    assert page.balances == {0: 12, 1: -6, 2: -6}
    assert "Anna" in page.line(1).text
    assert "Hand 2" in page.text
    answers = [url(evening, "hands/1/mark/")] if who == "keeper" else []
    assert [form.attrs["action"] for form in page.all("form")] == answers, "what another phone wrote is to be agreed"


def test_live_and_page_show_the_same_part(viewers: Client, evening: Evening, play: Callable[..., Evening]):
    play(evening, 15)
    whole = Page.of(viewers.get(url(evening))).one("div", id="state")
    part = Page.of(viewers.get(live(evening, 0))).one("div", id="state")
    assert part.text == whole.text
    assert attributes(part) == attributes(whole)


def attributes(part: Node) -> list[dict[str, str]]:
    """The attributes of all its elements, but for values that differ in every answer."""
    return [node.attrs for node in part.nodes() if node.attrs.get("name") != "csrfmiddlewaretoken"]


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 40, "0"])
def test_live_answers_a_version_it_does_not_know_with_all_there_is(owners: Client, evening: Evening, version: str):
    response = owners.get(live(evening, version))
    assert response.status_code == 200
    assert Page.of(response).balances == {0: 0, 1: 0, 2: 0}


def test_every_write_gives_live_something_to_say(owners: Client, owner: User, evening: Evening):
    writes = [
        lambda: record(evening, owner, "2H 7"),
        lambda: ledger.amend(evening.pk, 1, facts=Facts(0, 1, "2H 8"), by=owner),
        lambda: ledger.void(evening.pk, 1, by=owner),
        lambda: ledger.restore(evening.pk, 1, by=owner),
        lambda: reactions.mark(evening.pk, 1, HandMark.Kind.HM, by=owner),
        lambda: reactions.settle(evening.pk, 1),
        lambda: moves.let_play(evening.pk, 2, seen=Seen(2, 0), by=owner),
        lambda: evenings.end(evening.pk),
        lambda: evenings.reopen(evening.pk),
    ]
    for write in writes:
        evening.refresh_from_db()
        known = evening.version
        assert owners.get(live(evening, known)).status_code == 204
        write()
        assert owners.get(live(evening, known)).status_code == 200
