"""The toy's evening as pages show it."""

from fractions import Fraction
from typing import Any

from django.test import Client

from sessions_app.models import Evening, User
from tests.toy.playing import record, toy_evening
from tests.views.page import Page, at

#: Marks, then one hand that counts twice and is lost, one that counts twice and is won, and one that counts once.
HANDS = (("4/1/0", None), ("-2", 1), ("+3", 0), ("+3", 2))
BALANCES = {0: Fraction(32, 3), 1: Fraction(-49, 3), 2: Fraction(17, 3)}


def played_evening(owner: User) -> Evening:
    """An evening in which those hands were played."""
    evening = toy_evening(owner)
    for deal, declarer in HANDS:
        record(evening, owner, deal, declarer)
    evening.refresh_from_db()
    return evening


def opened(client: Client, evening: Evening, path: str = "", **headers: Any) -> Page:
    answer = client.get(at(evening, path), headers=headers)
    assert answer.status_code == 200, path
    return Page.of(answer)


def sheet(page: Page) -> str:
    (there,) = (node for node in page.nodes() if "data-sheet" in node.attrs)
    return there.attrs["data-sheet"] or ""
