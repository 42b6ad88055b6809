"""The bar of a hand form lists exactly the fields that are missing before the hand can be saved."""

from random import Random
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.translation import override

from sessions_app.faces import face_of
from sessions_app.models import User
from sessions_app.views.hand_form.form import count
from tests.factories import begun
from tests.selection import first_rows
from tests.tapping import Tapped
from tests.views.page import HTMX_COUNT, Page
from tests.views.test_fuzz import ASIDE, HOUSES, PLAYERS

pytestmark = pytest.mark.django_db

BOTH_TRICKS = "the tricks of Béla and the tricks of Cili."


@pytest.mark.parametrize(("game", "players", "rules"), first_rows(3, HOUSES))
def test_listed_fields_are_the_missing_ones(owners: Client, owner: User, game: str, players: int, rules: str):
    evening = begun(owner, game, rules, PLAYERS[:players])
    chance = Random(16)  # noqa: S311  cards, not keys
    page = Page.of(owners.get(f"/sessions/{evening.pk}/hands/new/")).one("form", id="hand-form")
    for _ in range(12):
        tapped = Tapped(page)
        for _ in range(chance.randint(0, 3)):
            tapped.tap(chance.choice([key for key in tapped.enabled if key.name not in (*ASIDE, "dealer")]))
        while tapped.asked and not any(key.is_clashing for key in tapped.keys):
            form = face_of(evening).form.at(evening, list(PLAYERS[:players]), tapped.posted)
            assert not form.is_valid()
            errors = form.errors.as_data()
            missing = [name for name in errors if any(error.code == "required" for error in errors[name])]
            assert set(missing) == set(tapped.asked), tapped.posted
            with override("en"):
                assert all(form.called(name) in count(evening, form)["missing"] for name in missing)
            answer(tapped, chance)
        if not tapped.asked:
            form = face_of(evening).form.at(evening, list(PLAYERS[:players]), tapped.posted)
            assert form.is_valid(), form.errors


def answer(tapped: Tapped, chance: Random) -> None:
    """Tap one of those rows."""
    name = chance.choice(tapped.asked)
    keys = [key for key in tapped.named[name] if not key.is_disabled]
    if keys[0].is_key:
        tapped.tap(chance.choice(keys))
    else:
        tapped.type(name, str(chance.randint(24, 46)))


@pytest.mark.parametrize(
    ("game", "rules", "fields", "listed"),
    [
        ("tarokk", "", {}, "declarer, contract, partner (segítő) and result."),
        ("tarokk", "", {"d_trull": "on", "points": "60"}, "declarer, contract, partner (segítő) and tuletroá."),
        (
            "tarokk",
            "tie_47=kontra_needs_48",
            {"declarer": "1", "contract": "2", "partner": "2", "result": "-", "game_kontra": "1"},
            "card points.",
        ),
        ("asszorti", "", {"tricks": "6"}, "declarer, contract, trumps and split."),
        ("preference", "", {"declarer": "1", "level": "8", "answers": "ww"}, BOTH_TRICKS),
        ("preference", "", {"declarer": ""}, BOTH_TRICKS),
    ],
)
def test_bar_lists_the_fields_still_to_tap(
    owners: Client, owner: User, game: str, rules: str, fields: dict[str, str], listed: str
):
    evening = begun(owner, game, rules, PLAYERS[: 4 if game == "tarokk" else 3])
    said = {"token": str(uuid4()), "number": "1", "dealer": "0", **fields}
    page = Page.of(owners.post(f"/sessions/{evening.pk}/hands/preview/", said, headers=HTMX_COUNT))
    assert f"Still to tap: {listed}" in page.text
