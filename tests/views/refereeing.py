"""A phone on the referee's page: it taps the offered moves, with the state that its page had shown."""

from typing import Any
from uuid import uuid4

from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, User
from sessions_app.writers import ledger
from tests.factories import begun
from tests.views.page import Node, Page, at, filled, hand_form

HTMX_REFEREE = {"HX-Request": "true", "HX-Target": "div#referee"}
#: Anna deals.
NAMES = ("Anna", "Béla", "Cili", "Dóra")
TWO_HEARTS = {"contract": "2", "trump": "hearts"}
#: Fields of the hand form that are still open when the hand is announced.
NOT_PLAYED = {"tricks": None, "opponent_tricks": None}


def form_of(client: Client, evening: Evening) -> dict[str, str]:
    """The form of the next hand, as it opens."""
    return hand_form(Page.of(client.get(at(evening, "hands/new/"))))


class Phone:
    """One page of one phone; a tap leaves it with the server's answer."""

    def __init__(self, client: Client, evening: Evening) -> None:
        self.client = client
        self.url = f"/sessions/{evening.pk}/referee/"
        self.open()

    def open(self) -> Page:
        self.page = Page.of(self.client.get(self.url))
        return self.page

    def offers(self, verb: str) -> bool:
        return bool(self.page.all("form", action=f"{self.url}{verb}/"))

    def offered(self, verb: str, name: str, **fields: str) -> list[str]:
        """The values of the buttons or radios of this name, in the verb's forms with these fields."""
        return [
            node.attrs["value"]
            for form in self.page.all("form", action=f"{self.url}{verb}/")
            if filled(form).items() >= fields.items()
            for node in form.nodes()
            if node.tag in ("button", "input") and node.attrs.get("name") == name
        ]

    def tap(self, verb: str, **said: str) -> Any:
        """Tap a button that stands there: its form's fields as they are, and the choice in it."""
        action = f"{self.url}{verb}/"
        forms = [form for form in self.page.all("form", action=action) if "item" not in said or _is_of(form, said)]
        assert len(forms) == 1, f"{len(forms)} forms for {verb}"
        response = self.client.post(action, filled(forms[0]) | said, headers=HTMX_REFEREE)
        if "HX-Redirect" not in response:
            self.page = Page.of(response)
        return response

    def post(self, verb: str, headers: dict[str, str] | None = None, **said: str) -> Any:
        """Post a move that need not be offered, on the state that the page shows."""
        return self.client.post(f"{self.url}{verb}/", self.shown | said, headers=headers or {})

    @property
    def shown(self) -> dict[str, str]:
        """The hidden fields of every form of the page for the state it was made from."""
        fields = [filled(form) for form in self.page.all("form")]
        shown = next(posted for posted in fields if "seen" in posted)
        return {name: shown[name] for name in ("number", "seen")}

    @property
    def text(self) -> str:
        return self.page.text.replace("\u2068", "").replace("\u2069", "")


def _is_of(form: Any, said: dict[str, str]) -> bool:
    return filled(form).get("item") == said["item"]


def calls(phone: Phone, *said: str) -> None:
    for call in said:
        assert phone.tap("call", call=call).status_code == 200


def tricks(phone: Phone, winners: str) -> None:
    for seat in winners:
        assert phone.tap("trick", seat=seat).status_code == 200


def won(phone: Phone) -> list[str]:
    """The tricks of each, as the page shows them."""
    return [tile.text for tile in phone.page.of_class("tile")]


def finished(phone: Phone) -> Phone:
    """The left-hand opponent won one trick, and the declarer claimed the rest."""
    tricks(phone, "2")
    phone.tap("claim")
    phone.tap("stands")
    return phone


# --- A hand that is announced from the form ---


KETTES = {"declarer": "1", "contract": "2"}
ANNOUNCED = KETTES | {"d_kings": "on", "d_kings_kontra": "1", "o_trull": "on", "o_trull_kontra": "0", "tarokks_0": "8"}


def announce(client: Client, evening: Evening, headers: dict[str, str] | None = None, **fields: str | None) -> Any:
    """The form's 'Announce', with these taps; None leaves a field out."""
    posted = {**form_of(client, evening), **fields}
    said = {name: value for name, value in posted.items() if value is not None}
    return client.post(at(evening, "announce/"), said, headers=headers or {})


def take_back(client: Client, evening: Evening) -> None:
    back = at(evening, "announce/back/")
    client.post(back, filled(Page.of(client.get(back)).form(back)))


def bar(client: Client, evening: Evening) -> Node:
    return Page.of(client.get(at(evening))).one("section", id="open-hand")


# --- A hand of Preference, in the words of the table ---


def preference(owner: User, circle: Circle, rules: str, hands: tuple[str, ...], seats: int) -> Evening:
    """An evening after these hands, whose declarers are the dealers' left neighbours; three play at this table."""
    made = begun(owner, "preference", rules, NAMES[:seats], circle=circle if seats == 3 else None)
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
