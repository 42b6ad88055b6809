"""The screens for too many or too large requests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from playwright.sync_api import Page

from scorekeeper.http import request_rejections
from sessions_app import rate_limits
from tests.browser.gallery import Screen, submitted


def screens() -> list[Screen]:
    return [
        Screen("429, demo", None, "/demo/", _over("DEMOS", submitted)),
        Screen("429, new session", None, "/sessions/new/", _over("NEW_CIRCLES", _start)),
        Screen("429, link", None, "/join/1-nothing/", _over("WRONG_LINKS", Page.reload), status=404),
        Screen("413", None, "/", _refused),
    ]


def _refused(page: Page) -> None:
    """Answer as scorekeeper.http.asgi_bridge does, which does not stand before these tests."""
    answer = request_rejections.page(413, page.locator("html").get_attribute("lang") or "")
    page.route("**/refused/", lambda route: route.fulfill(status=413, headers=dict(answer.headers), body=answer.body))
    page.goto(f"{page.url}refused/")


def _over(name: str, act: Callable[[Page], object]) -> Callable[[Page], None]:
    """Do it when there may be none."""

    def show(page: Page) -> None:
        with _none(name):
            act(page)

    return show


@contextmanager
def _none(name: str) -> Iterator[None]:
    with patch.object(rate_limits, name, rate_limits.Limit(getattr(rate_limits, name).what, 0)):
        yield


def _start(page: Page) -> None:
    for seat, player in enumerate(("Anna", "Béla", "Cili"), start=1):
        page.locator(f"[name=player_{seat}]").fill(player)
    with page.expect_response(lambda response: response.status == 429):
        page.locator(".bar .button.primary").tap()
    page.locator(".notice:visible").wait_for()
