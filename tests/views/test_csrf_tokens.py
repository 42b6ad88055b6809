"""Every form that posts has a CSRF token, without which a phone without scripts is refused."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from tests.browser.rooms import ROOMS, screens_of
from tests.selection import first
from tests.views.every_url import Scene, paths, patterns, row_of, taken_back
from tests.views.page import Page

#: The targets that htmx may name, where the answer is a part of the page.
PARTS = ("body", "form#hand-form", "form#entries-form", "form#session-form", "form#edit-form", "div#referee")


def without_token(response: Any) -> Iterator[str]:
    """Yield the action of each form that posts to us and carries no token."""
    if not response.headers.get("Content-Type", "").startswith("text/html"):
        return
    for form in Page.of(response).all("form"):
        if form.attrs.get("method", "").lower() != "post":
            continue
        tokens = form.all("input", name="csrfmiddlewaretoken")
        if [bool(field.attrs.get("value")) for field in tokens] != [True]:
            yield form.attrs.get("action", "")


@pytest.mark.parametrize("room", first(2, ROOMS))
def test_every_form_of_every_screen_has_its_token(
    db: None, client_of: Callable[..., Client], room: str, pytestconfig: pytest.Config
):
    asked, missing = 0, []
    for screen in screens_of(room, all_states=pytestconfig.option.all):
        response = client_of(screen.user).get(screen.path)
        asked += Page.of(response).all("form", method="post") != []
        missing += [(screen.name, action) for action in without_token(response)]
    assert missing == []
    assert asked, "a check that is given nothing finds nothing"


@pytest.mark.thorough
@pytest.mark.parametrize("path", [pytest.param(path, id=path or "home") for path, _pattern in patterns()])
def test_every_form_that_a_url_answers_with_has_its_token(
    cast: dict[str, Client], owner: User, evening: Evening, path: str
):
    """Also where the answer is the form once more, refused or as a part of a page."""
    scene = Scene(path, evening, owner)
    asked: list[tuple[str, dict[str, str]]] = [(who, {}) for who in ("owner", "keeper", "viewer")]
    if path in (*paths(), "sessions/new/"):
        asked += [("owner", {"HX-Request": "true", "HX-Target": target}) for target in PARTS]
    for method in row_of(path):
        for who, headers in asked:
            assert list(without_token(scene.ask(cast[who], method, headers))) == [], (method, who, headers)
    if "POST" in row_of(path):
        for who, headers in asked[3:]:
            with taken_back(cast[who]):
                refused = cast[who].post(scene.address, {"seen": "x"}, headers=headers)
            assert list(without_token(refused)) == [], headers
