"""The live count of a form: each player's amount is always seen whole; its explanation is unfolded by a tap."""

import json
from collections.abc import Callable, Iterator
from random import Random
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import Page

from scorekeeper.games import GAMES
from sessions_app.models import Evening, User
from sessions_app.writers.evenings import Opening, start
from tests.browser.conftest import LOCALES
from tests.browser.phones import url
from tests.views.page import HTMX_COUNT

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Konstantin", "Wilhelmina", "Bertalanka", "Gyöngyvéra", "Friderikus")
#: By the key of the game: hands with the longest counts, each with its declarer; and hands of an evening beside them.
LONGEST = {
    "asszorti": [("hN 6-5-0 M A+M", 1)],
    "tarokk": [("2+2 58 UK u 8@0", 1), ("2+1 60 8@0 9@2", 1), ("2+3 58 TR NK -UK t -n -b 9@1", 1)],
}
LIKELY = 12

#: The amounts that are cut off, folded or unfolded, and a save button that unfolding moves.
CUT = """(answers) => answers.flatMap((answer) => {
    const count = document.getElementById("count");
    const save = () => document.querySelector(".save-row").getBoundingClientRect().top;
    const before = save();
    count.innerHTML = answer;
    const details = count.querySelector("details.counted");
    if (!details) return [`not counted: ${count.textContent.trim()}`];
    const words = details.textContent.trim().replace(/\\s+/g, " ");
    const inside = (part, box) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        const { left, right, top, bottom } = box.getBoundingClientRect();
        return [...range.getClientRects()].every((one) => one.left > left - 0.5 && one.right < right + 0.5
            && one.top > top - 0.5 && one.bottom < bottom + 0.5);
    };
    const wrong = inside(details.querySelector(".gets"), count) ? [] : [`cut: ${words}`];
    details.open = true;
    if (!inside(details, details.querySelector("summary"))) wrong.push(`cut unfolded: ${words}`);
    if (save() !== before) wrong.push(`moves what saves: ${words}`);
    return wrong;
})"""


def answers(evening: Evening, owner: User, language: str) -> Iterator[str]:
    """Counts of hands, as the server sends them."""
    game, client = evening.game, Client()
    chance = Random(18)  # noqa: S311  cards, not keys
    client.force_login(owner)
    hands = list(LONGEST.get(evening.game_key, []))
    for _ in range(LIKELY):
        declarer, deal = game.likely(chance, evening.sitting, 0, evening.house)
        hands.append((game.deal_to_text(deal), "" if declarer is None else declarer))
    for line, declarer in hands:
        posted = {"token": uuid4(), "number": 1, "dealer": 0, "declarer": declarer, "line": line}
        said = client.post(url(evening, "hands/preview/"), posted, headers={**HTMX_COUNT, "Accept-Language": language})
        assert said.status_code == 200, line
        yield said.text


@pytest.mark.thorough
@pytest.mark.parametrize("language", LOCALES)
def test_live_count_shows_each_amount_whole_on_the_narrowest_phone(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, language: str
) -> None:
    page = new_phone(viewport={"width": 320, "height": 568}, locale=LOCALES[language])
    sign_in(page, owner)
    findings = []
    for key, game in GAMES.items():
        evening = start(Opening(NAMES[: max(game.seat_counts)], 0, game_key=key), token=uuid4(), by=owner)
        page.goto(url(evening, "hands/new/"))
        findings += page.evaluate(CUT, list(answers(evening, owner, language)))
    assert not findings, json.dumps(findings, indent=1, ensure_ascii=False)
