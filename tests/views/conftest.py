"""Fixtures of the page tests besides the cast: an evening of many hands, and the phones beside it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client

from sessions_app.models import Evening, HandInPlay, Role, User
from sessions_app.readers.people.members import token_of
from sessions_app.views.health import WriteProbe
from sessions_app.writers import evenings, members
from tests.factories import begun, hand_fields, record, repeat
from tests.ledger.whole_books import book_of_another_server
from tests.views.page import Link, at
from tests.views.refereeing import NAMES, NOT_PLAYED, TWO_HEARTS, Phone

DEALS = ("2H 7", "3N 5", "1S 6-5-0 K", "hC 8 A+", "2D 4 A-", "3S 9 K A+K")
#: After so many hands a table of three or of four is where it began.
ROUND = 12


@pytest.fixture(scope="session", autouse=True)
def static_folder() -> None:
    """WhiteNoise warns, and a warning is an error, where ./run has not collected the static files yet."""
    Path(settings.STATIC_ROOT).mkdir(exist_ok=True)


@pytest.fixture(autouse=True)
def stop_write_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the background write probe, since a test may hold the database for itself."""
    monkeypatch.setattr("sessions_app.views.health.probe", WriteProbe(lambda: None))


@pytest.fixture
def cast(owners: Client, keepers: Client, viewers: Client, outsiders: Client, strangers: Client) -> dict[str, Client]:
    """A phone for each who might ask."""
    return {"owner": owners, "keeper": keepers, "viewer": viewers, "outsider": outsiders, "stranger": strangers}


@pytest.fixture
def played(evening: Evening, owner: User) -> Evening:
    """An ended session: Béla and Cili owe Anna 60 forints each."""
    record(evening, owner, "2H 7", declarer=0)
    evenings.end(evening.pk)
    return evening


@pytest.fixture
def book() -> bytes:
    """A book in JSON, of a circle on another server."""
    return book_of_another_server()


@pytest.fixture
def play(owner: User) -> Callable[[Evening, int], Evening]:
    """Play so many hands, of all kinds."""

    def hands(evening: Evening, count: int) -> Evening:
        with transaction.atomic():
            for number in range(min(count, ROUND)):
                record(evening, owner, DEALS[number % len(DEALS)])
            if count > ROUND:
                repeat(evening, count)
        evening.refresh_from_db()
        return evening

    return hands


@pytest.fixture
def phone(owners: Client, evening: Evening) -> Phone:
    """The owner's, on the referee's page: Anna deals, Béla speaks first."""
    return Phone(owners, evening)


@pytest.fixture
def tarokk(owner: User, evening: Evening) -> Evening:
    """An evening of Tarokk at the same table, so that the cast is the same."""
    return begun(owner, "tarokk", names=NAMES, circle=evening.circle)


@pytest.fixture
def link(evening: Evening, owner: User) -> Link:
    """The address of the circle's open link for a role."""

    def of(role: Role = Role.KEEPER) -> str:
        return f"/join/{token_of(members.make_link(evening.circle_id, role, by=owner))}/"

    return of


@pytest.fixture
def announced(phone: Phone) -> Phone:
    """Béla plays 2 hearts with an arrivázs; Cili is his left-hand opponent, Anna leads."""
    phone.tap("declarer", seat="1")
    phone.tap("announce", **TWO_HEARTS, announced="announced")
    return phone


@pytest.fixture
def announce(evening: Evening) -> Callable[..., Any]:
    """Post the fields that the form sends when its 'Announce' is tapped: 2 hearts by Béla, with other fields put in."""

    def post(client: Client, headers: dict[str, str] | None = None, **fields: Any) -> Any:
        evening.refresh_from_db()
        row = HandInPlay.objects.filter(evening=evening).first()
        said = {"seen": row.version if row else ""} | NOT_PLAYED | fields
        return client.post(at(evening, "announce/"), hand_fields(evening, **said), headers=headers or {})

    return post
