"""An evening of Tarokk, and hands of any game that are posted as a line by the hand form."""

from typing import Any
from uuid import uuid4

from django.test import Client

from sessions_app.models import Evening

NAMES = ("Anna", "Béla", "Cili", "Dani", "Edit")


def started(client: Client, players: int = 4, rules: str = "") -> Evening:
    fields = {f"player_{n}": name for n, name in enumerate(NAMES[:players], 1)}
    said = {"token": uuid4(), "game": "tarokk", "rules": rules, "first_dealer": "1", "currency": "HUF"}
    answer = client.post("/sessions/new/", {**fields, **said})
    assert answer.status_code == 302
    return Evening.objects.get(pk=answer.url.split("/")[2])


def form(evening: Evening, line: str = "", **fields: Any) -> dict[str, str]:
    evening.refresh_from_db()
    # A próba is for the fourth to speak alone: of four that is the dealer.
    seats = {"dealer": 1 if "?" in line else 0, "declarer": 1}
    said = {"token": uuid4(), "number": evening.last_number + 1, **seats, "line": line, **fields}
    return {name: str(value) for name, value in said.items()}


def new(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/hands/new/"
