"""The page of all components: it exists with DEBUG only, shows them all, and leaves nothing behind."""

from typing import Any

import pytest
from django.test import Client

from scorekeeper.games import GAMES
from sessions_app.models import Circle, User
from tests.views.page import Page


def test_it_does_not_exist_without_debug(strangers: Client, settings: Any) -> None:
    settings.DEBUG = False
    assert strangers.get("/design/").status_code == 404


@pytest.fixture
def components(strangers: Client, settings: Any) -> Page:
    settings.DEBUG = True
    return Page.of(strangers.get("/design/"))


def test_it_shows_the_balances_the_sheet_and_the_form_of_each_game(components: Page) -> None:
    assert len(components.of_class("seats")) == len(components.of_class("sheet")) == len(GAMES)
    assert len(components.of_class("hand-form")) == len(GAMES)
    assert all(form.all("input", type="radio") for form in components.of_class("hand-form"))


def test_every_colour_of_the_tokens_has_a_swatch(components: Page, settings: Any) -> None:
    styles = (settings.BASE_DIR / "static" / "css" / "design.css").read_text()
    named = [code.text for code in components.of_class("swatches")[0].all("code")]
    assert {"--ground", "--felt", "--card"} <= set(named)
    assert [name for name in named if f".of-{name[2:]} {{ background: var({name}); }}" not in styles] == []


def test_its_demo_is_not_kept(components: Page) -> None:
    assert not Circle.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()
