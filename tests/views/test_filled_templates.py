"""Templates with blanks look as if rendered with the values at once: none asks or changes what is a blank to it."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from django.utils.safestring import SafeString, mark_safe

from sessions_app import cached_templates
from sessions_app.models import Evening, User
from sessions_app.templatetags import money
from sessions_app.writers import demo, players
from tests.toy.pages import played_evening
from tests.views.page import HUNGARIAN

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = ["<Anna>", "Béla & Co \"'", "דנה", "Dóra"]
PAGES = ("settle/", "settle/?cut=2,1")


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the templates that were filled in and compared."""
    found = set()
    fill_in = cached_templates.render_filled

    def compare(name: str, alike: Mapping[str, Any], values: Mapping[str, Any]) -> SafeString:
        rendered = fill_in(name, alike, values)
        assert rendered == cached_templates.render(name, {**alike, **values})
        found.add(name)
        return rendered

    monkeypatch.setattr(money, "render_filled", compare)
    return found


def ask_for_pages(client: Client, evening: Evening, owner: User) -> None:
    for player, name in zip(evening.circle.players.order_by("pk"), NAMES, strict=False):
        players.rename(evening.circle_id, player.pk, name, by=owner)
    for headers in ({}, HUNGARIAN):
        for page in PAGES:
            address = f"/sessions/{evening.pk}/{page}"
            assert client.get(address, headers=headers).status_code in (200, 409), address


def test_on_the_pages_of_all_games(owners: Client, owner: User, compared: set[str]) -> None:
    for evening in demo.lay(owner).evenings.all():
        ask_for_pages(owners, evening, owner)
    assert compared == {"settle/_transfer.html", "components/repay.html"}


@pytest.mark.usefixtures("toy")
def test_where_shares_of_a_point_are_rounded(owners: Client, owner: User, compared: set[str]) -> None:
    ask_for_pages(owners, played_evening(owner), owner)
    assert "settle/_transfer.html" in compared


def test_blanks_are_filled_escaped_and_only_those_of_the_template() -> None:
    blanks = cached_templates.blanks("name", "part")
    text = mark_safe("<b>{name}</b> {part} {name}".format(**blanks))  # noqa: S308  our own text
    typed = "<i> " + "name" * 3
    assert cached_templates.fill(text, {"name": typed, "part": mark_safe("<hr>")}) == (
        "<b>&lt;i&gt; namenamename</b> <hr> &lt;i&gt; namenamename"
    )
    with pytest.raises(KeyError, match="part"):
        cached_templates.fill(text, {"name": "Anna"})
    assert cached_templates.fill(text, {"name": blanks["part"], "part": ""}).count(blanks["part"]) == 2
