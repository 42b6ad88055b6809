"""An evening of Tarokk whose hands are announced from the form."""

from typing import Any

from django.test import Client

from sessions_app.models import Evening
from tests.views.page import Node, Page, hand_form
from tests.views.refereeing import of_evening

#: Anna deals, Dóra speaks first.
NAMES = ("Anna", "Béla", "Cili", "Dóra")
ANNOUNCED = {"d_kings": "on", "d_kings_kontra": "1", "o_trull": "on", "o_trull_kontra": "0", "tarokks_0": "8"}


def announce(client: Client, evening: Evening, headers: dict[str, str] | None = None, **fields: str | None) -> Any:
    """The form's 'Announce', with Béla's kettes tapped, and other fields put in; None leaves one out."""
    opened = hand_form(Page.of(client.get(of_evening(evening, "hands/new/"))))
    posted = {**opened, "declarer": "1", "contract": "2", **fields}
    said = {name: value for name, value in posted.items() if value is not None}
    return client.post(of_evening(evening, "announce/"), said, headers=headers or {})


def finish_form(client: Client, evening: Evening) -> dict[str, str]:
    return hand_form(Page.of(client.get(of_evening(evening, "hands/new/"))))


def bar(client: Client, evening: Evening) -> Node:
    return Page.of(client.get(of_evening(evening))).one("section", id="open-hand")
