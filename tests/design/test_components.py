"""The page of all components shows them all, and leaves nothing behind."""

import pytest
from django.test import Client

from scorekeeper.games import GAMES
from sessions_app.models import Circle, User
from tests.design.urls import HERE
from tests.views.page import Page


@pytest.mark.django_db
@pytest.mark.urls("tests.design.urls")
def test_page_shows_the_components_of_each_game_and_all_colours_and_keeps_no_demo() -> None:
    page, styles = Page.of(Client().get("/design/")), (HERE / "design.css").read_text()
    forms = page.of_class("hand-form")
    assert len(page.of_class("seats")) == len(page.of_class("sheet")) == len(forms) == len(GAMES)
    assert all(form.all("input", type="radio") for form in forms)
    named = [code.text for code in page.of_class("swatches")[0].all("code")]
    assert {"--ground", "--felt", "--card"} <= set(named)
    assert [name for name in named if f".of-{name[2:]} {{ background: var({name}); }}" not in styles] == []
    assert not Circle.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()
