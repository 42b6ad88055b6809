"""An evening of Preference, and the form of its agreed entries, tapped and typed."""

from typing import Any
from uuid import uuid4

from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.writers import ledger
from tests.factories import begun
from tests.views.page import HTMX_COUNT, Page, at, filled

HTMX = {"HX-Request": "true", "HX-Target": "form#entries-form"}
NAMES = ("Anna", "Béla", "Cili")
NEW = "entries/new/"


def pulka(owner: User, rules: str = "book target=10", names: tuple[str, ...] = NAMES) -> Evening:
    """Anna deals first."""
    return begun(owner, "preference", rules, names)


def played(evening: Evening, by: User, deal: str, declarer: int | None = None) -> Hand:
    """Record the next hand, or the entries agreed on before it, by the dealer whose turn it is if all stand."""
    evening.refresh_from_db()
    number, last = evening.last_number + 1, evening.hands.order_by("number").last()
    dealer = 0
    if last:
        dealer = last.dealer if last.deal_stays else evening.game.next_dealer(evening.sitting, last.dealer)
    facts = Facts(dealer, declarer, deal, deal.startswith("="))
    return ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=by)


def form_of(page: Page) -> dict[str, str]:
    """The fields that the form would post as it stands."""
    return filled(page.one("form", id="entries-form"))


def opened(client: Client, evening: Evening, path: str = NEW) -> dict[str, str]:
    return form_of(Page.of(client.get(at(evening, path)), 200))


def counted(client: Client, address: str, fields: dict[str, str]) -> Page:
    """The preview of the form while it is filled in."""
    return Page.of(client.post(f"{address}?count=1", fields, headers=HTMX_COUNT), 200)


def place(index: int, account: str, seat: int | str, amount: int | str, against: int | str = "") -> dict[str, str]:
    """One place as it is tapped and typed."""
    said: dict[str, Any] = {"account": account, "seat": seat, "against": against, "sign": "+", "amount": amount}
    return {f"{part}_{index}": str(value) for part, value in said.items() if value != ""}


def places(*said: dict[str, str]) -> dict[str, str]:
    """Several of them."""
    return {"rows": str(len(said)), **{name: value for each in said for name, value in each.items()}}


PENALTY = places(place(0, "dump", 1, 5))
SHEET = places(place(0, "bank", 2, 20, 0), place(1, "pool", 0, 3), place(2, "dump", 1, "-2"))


def codes(page: Page) -> dict[str, str]:
    """The codes of the errors, by the field beside which they are shown."""
    found = (node for node in page.nodes() if node.attrs.get("data-code"))
    return {node.attrs["id"].removeprefix("error-"): node.attrs["data-code"] for node in found}
