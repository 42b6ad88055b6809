"""A phone on the referee's page: it taps the offered moves, with the state that its page had shown."""

from typing import Any

from django.test import Client

from sessions_app.models import Evening
from tests.views.page import Page, filled, hand_form

HTMX_REFEREE = {"HX-Request": "true", "HX-Target": "div#referee"}
TWO_HEARTS = {"contract": "2", "trump": "hearts"}
#: Fields of the hand form that are still open when the hand is announced.
NOT_PLAYED = {"tricks": None, "opponent_tricks": None}


def of_evening(evening: Evening, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/{rest}"


def form_of(client: Client, evening: Evening) -> dict[str, str]:
    """The form of the next hand, as it opens."""
    return hand_form(Page.of(client.get(of_evening(evening, "hands/new/"))))


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
