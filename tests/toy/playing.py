"""An evening of the toy, and its hands as the form posts them."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, Member, User
from sessions_app.writers import ledger
from sessions_app.writers.evenings import Opening
from tests.factories import started
from tests.toy.game import GAME

NAMES = ("Anna", "Béla", "Cili")


def toy_evening(owner: User, rules: str = "") -> Evening:
    """Anna deals first, 10 forints a point."""
    opening = Opening(NAMES, 0, Decimal(10), "HUF", GAME.key, rules)
    evening = started(opening, by=owner)
    Member.objects.filter(circle=evening.circle_id, user=owner).update(to_be_asked=False)
    return evening


def record(evening: Evening, by: User, deal: str, declarer: int | None = None, **facts: Any) -> Hand:
    """Record the next hand; the deal goes round counter-clockwise."""
    evening.refresh_from_db()
    number = evening.last_number + 1
    dealt = Facts(facts.pop("dealer", -(number - 1) % 3), declarer, deal, **facts)
    return ledger.record(evening.pk, token=uuid4(), number=number, facts=dealt, by=by)


def toy_fields(evening: Evening, **said: Any) -> dict[str, str]:
    """The fields posted for a hand that Béla has won by three, with other fields put in; None leaves one out."""
    evening.refresh_from_db()
    plain = {"token": uuid4(), "number": evening.last_number + 1, "dealer": 0, "declarer": 1, "way": "won", "points": 3}
    return {name: str(value) for name, value in (plain | said).items() if value is not None}


def shared(*marks: int) -> dict[str, Any]:
    """The fields of a hand in which all play against all."""
    return {"declarer": "", "way": "all", "points": None, **{f"mark_{seat}": n for seat, n in enumerate(marks)}}
