"""A phone on the referee's page of Preference: it taps the offered moves, in the words of the table."""

from typing import Any
from uuid import uuid4

from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Member, User
from sessions_app.writers import ledger
from sessions_app.writers.evenings import Opening, start
from tests.views.page import Page, filled
from tests.views.refereeing import Phone

#: Anna deals first, Béla speaks first.
NAMES = ("Anna", "Béla", "Cili", "Dani")


def evening_of(owner: User, circle: Circle, rules: str, hands: tuple[str, ...], seats: int) -> Evening:
    """An evening after these hands, whose declarers are the dealers' left neighbours; three play at this table."""
    opening = Opening(NAMES[:seats], 0, game_key="preference", rules=rules)
    made = start(opening, token=uuid4(), by=owner, circle=circle if seats == 3 else None)
    Member.objects.filter(circle=made.circle).update(to_be_asked=False)
    for number, deal in enumerate(hands, 1):
        dealer = (number - 1) % seats
        declarer = None if deal.startswith("R") else (dealer + 1) % seats
        ledger.record(made.pk, token=uuid4(), number=number, facts=Facts(dealer, declarer, deal), by=owner)
    return made


class RefereePhone(Phone):
    """A phone on the referee's page of an evening of Preference."""

    def __init__(self, client: Client, evening: Evening) -> None:
        self.evening = evening
        super().__init__(client, evening)

    def say(self, *steps: str) -> "RefereePhone":
        """`6S` a call or a contract, `@1` who plays, `whist` an answer, `g` giving up: each as it is offered."""
        for step in steps:
            verb, name = self.asked(step)
            value = step.strip("@")
            assert verb == "concede" or value in self.offered(verb, name), step
            assert self.tap(verb, **({name: value} if name else {})).status_code == 200, step
        return self

    def asked(self, step: str = "") -> tuple[str, str]:
        """The verb by which this is said now, and its field."""
        if step in ("g",) or step.startswith("@"):
            return ("concede", "") if step == "g" else ("declarer", "seat")
        verbs = (("call", "call"), ("announce", "contract"), ("say", "word"))
        return next(pair for pair in verbs if self.offers(pair[0]))

    @property
    def rows(self) -> dict[str, str]:
        """The rows of tricks that are asked for, in order, with nothing tapped."""
        radios = self.page.one("form", id="ending").all("input", type="radio")
        return dict.fromkeys((node.attrs["name"] for node in radios), "")

    def finish(self, headers: dict[str, str] | None = None, **tricks: str) -> Any:
        """Save the hand with these tricks tapped."""
        form = self.page.one("form", id="ending")
        assert set(tricks) <= set(self.rows)
        return self.client.post(form.attrs["action"], filled(form) | tricks, headers=headers or {})


def refused(response: Any) -> tuple[str, str]:
    """The refusal as a sentence and as a code."""
    assert response.status_code == 422
    [notice] = [node for node in Page.of(response).of_class("notice") if node.attrs.get("role") == "alert"]
    return notice.text, notice.attrs["data-code"]
