"""Announcing a hand while other phones change the evening."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, HandInPlay, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.writers import evening_edit, evenings, hand_in_play
from tests.views.page import Page, hand_form
from tests.views.refereeing import of_evening


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[[], object]], None]:
    """Let this happen after a view has looked at the evening, and before the writer that it calls begins."""

    def happen(writer: str, event: Callable[[], object]) -> None:
        write = getattr(hand_in_play, writer)

        def after_it(*args: Any, **kwargs: Any) -> Any:
            monkeypatch.setattr(hand_in_play, writer, write)
            event()
            return write(*args, **kwargs)

        monkeypatch.setattr(hand_in_play, writer, after_it)

    return happen


def test_who_is_refused_to_take_it_back_is_shown_the_hand_as_it_stands_now(
    owners: Client,
    keepers: Client,
    evening: Evening,
    announce: Callable[..., Any],
    meanwhile: Callable[..., None],
):
    announce(owners)
    back = of_evening(evening, "announce/back/")
    posted = {"number": "1", "seen": str(HandInPlay.objects.get().version)}
    assert "Béla" in Page.of(keepers.get(back)).text
    meanwhile("take_back", lambda: announce(owners, declarer="2", trump="clubs"))
    answer = keepers.post(back, posted)
    page = Page.of(answer)
    assert answer.status_code == 409
    assert page.one("input", name="seen").attrs["value"] == str(HandInPlay.objects.get().version)
    assert "Cili" in page.one("main").text
    assert keepers.post(back, hand_back(page)).status_code == 302


def hand_back(page: Page) -> dict[str, str]:
    return {name: page.one("input", name=name).attrs["value"] for name in ("number", "seen")}


def test_an_evening_that_ends_while_it_is_announced_says_so(
    owners: Client, evening: Evening, announce: Callable[..., Any], meanwhile: Callable[..., None]
):
    meanwhile("announce", lambda: evenings.end(evening.pk))
    response = announce(owners)
    assert (response.status_code, "This session has ended." in Page.of(response).text) == (409, True)


@pytest.mark.parametrize("is_late", [False, True])
def test_seats_that_were_swapped_meanwhile_let_nobody_play_unasked(
    owners: Client,
    evening: Evening,
    owner: User,
    announce: Callable[..., Any],
    meanwhile: Callable[..., None],
    is_late: bool,
):
    def swap() -> None:
        shape = shape_of(Evening.objects.get())
        first, second, third = shape.players
        wanted = replace(shape, players=(second, first, third), names=("Béla", "Anna", "Cili"))
        evening_edit.edit(evening.pk, wanted, seen=0, by=owner)

    opened = hand_form(Page.of(owners.get(of_evening(evening, "hands/new/"))))
    posted = opened | {"declarer": "0", "contract": "2", "trump": "hearts", "game_kontra": "1"}
    if is_late:
        meanwhile("announce", swap)
    else:
        swap()
    response = owners.post(of_evening(evening, "announce/"), posted)
    page = Page.of(response)
    assert response.status_code == 409
    assert "The seats were changed on another phone meanwhile" in page.text
    again = hand_form(page)
    assert (again.get("declarer"), again["contract"], again["game_kontra"]) == (None, "2", "1")
    assert not HandInPlay.objects.filter(state__has_key="declarer").exists()
    assert owners.post(of_evening(evening, "announce/"), again | {"declarer": "1"}).status_code == 302
    assert HandInPlay.objects.get().state["declarer"] == 1
