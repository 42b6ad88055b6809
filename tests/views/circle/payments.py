"""The form of a payment, as a page has it and as a phone sends it."""

from typing import Any
from uuid import uuid4

from sessions_app.models import Evening
from tests.views.page import Page, filled

HTMX_FORM = {"HX-Request": "true", "HX-Target": "form#repayment-form"}
JSON = {"Accept": "application/json"}


def url(evening: Evening, rest: str = "") -> str:
    return f"/circles/{evening.circle_id}/repayments/{rest}"


def key(evening: Evening, seat: int) -> int:
    return evening.seats.get(position=seat).player_id


def said(at: Evening, **fields: Any) -> dict[str, Any]:
    """Béla has paid Anna 60 forints."""
    plain = {"token": uuid4(), "payer": key(at, 1), "payee": key(at, 0), "amount": "60", "currency": "HUF"}
    return plain | fields


def form_of(page: Page) -> dict[str, str]:
    return filled(page.one("form", id="repayment-form"))
