"""The page of all components shows them all, and leaves nothing behind."""

import pytest
from django.test import Client

from scorekeeper.games import GAMES
from sessions_app.models import Circle, User
from tests.design.urls import HERE
from tests.views.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.design.urls")]


@pytest.fixture
def components() -> Page:
    return Page.of(Client().get("/design/"))


def test_components_page_shows_the_balances_the_sheet_and_the_form_of_each_game(components: Page) -> None:
    assert len(components.of_class("seats")) == len(components.of_class("sheet")) == len(GAMES)
    assert len(components.of_class("hand-form")) == len(GAMES)
    assert all(form.all("input", type="radio") for form in components.of_class("hand-form"))


def test_every_colour_of_the_tokens_has_a_swatch(components: Page) -> None:
    styles = (HERE / "design.css").read_text()
    named = [code.text for code in components.of_class("swatches")[0].all("code")]
    assert {"--ground", "--felt", "--card"} <= set(named)
    assert [name for name in named if f".of-{name[2:]} {{ background: var({name}); }}" not in styles] == []


def test_demo_of_the_components_page_is_not_kept(components: Page) -> None:
    assert not Circle.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()
