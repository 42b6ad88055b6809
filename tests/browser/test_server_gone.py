"""The server is killed in the middle of an evening and started again: nothing is lost, nothing is written twice."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import phones, server, thumb
from tests.browser.offline.no_network import BALANCES, THREE, enter_offline
from tests.browser.server import Server


def start(page: Page) -> str:
    """Begin an evening; returns its address."""
    page.goto("/sessions/new/")
    for label, name in zip(("First player", "Second player", "Third player"), ("Anna", "Béla", "Cili"), strict=True):
        page.get_by_role("textbox", name=label).fill(name)
    page.get_by_role("button", name="Start").tap()
    expect(page.get_by_role("link", name="Enter hand 1")).to_be_visible()
    return page.url


def on_the_sheet(page: Page) -> None:
    """Three hands, in order, and no fourth."""
    thumb.expect_balances(page, BALANCES)
    expect(phones.rows(page)).to_have_count(0)
    expect(page.locator(".line .said")).to_have_text([re.compile("Anna"), re.compile("Cili"), re.compile("Béla")])
    expect(page.get_by_role("link", name="Enter hand 4")).to_be_visible()


@pytest.mark.thorough
def test_hands_saved_while_the_server_is_dead_are_there_when_it_lives_again(
    browser: Browser, browser_context_args: dict[str, Any], tmp_path: Path
):
    with server.serving(tmp_path) as served:
        context = browser.new_context(**browser_context_args, base_url=served.url)
        try:
            an_evening_with_a_break(context.new_page, served)
        finally:
            context.close()


def an_evening_with_a_break(open_page: Callable[[], Page], served: Server) -> None:
    page = open_page()
    evening = start(page)
    phones.kept(page)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    served.kill()
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    enter_offline(page, 2, **THREE[1])
    page.close()
    page = open_page()
    page.goto(evening)
    phones.sign(page, "waiting (2)")
    page.get_by_role("link", name="Enter hand 3").tap()
    enter_offline(page, 3, **THREE[2])
    served.start()
    page.goto(evening)
    on_the_sheet(page)
    phones.sign(page, "saved")
    page.reload()
    on_the_sheet(page)
