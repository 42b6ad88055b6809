"""A phone on the referee's page: it taps the offered moves, with the state that its page had shown."""

from dataclasses import dataclass, field
from random import Random
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


@dataclass
class Story:
    """A hand that is played by chance through all that is offered, and counted beside the referee on its fingers.

    `typed` are the fields of the hand form for it.
    """

    phone: Phone
    chance: Random
    seats: int
    dealer: int
    typed: dict[str, str] = field(default_factory=dict)
    winners: list[int] = field(default_factory=list)

    def play(self) -> Any:
        """From the first call to the answer to 'Save hand'."""
        self.typed["dealer"] = str(self.dealer)
        self._auction()
        self._announcement()
        self._kontras()
        return self._tricks()

    def _auction(self) -> None:
        if self.chance.random() < 0.2:
            self.phone.tap("declarer", seat=self.chance.choice(self.phone.offered("declarer", "seat")))
        while self.phone.offers("call"):
            self.phone.tap("call", call=self.chance.choice(self.phone.offered("call", "call")))

    def _announcement(self) -> None:
        said = {name: self.chance.choice(self.phone.offered("announce", name)) for name in ("contract", "trump")}
        self.announced = self.chance.random() < 0.6
        self.phone.tap("announce", **said, announced="announced" if self.announced else "")
        self.typed |= said

    def _kontras(self) -> None:
        for item, kontra in (("game", "game_kontra"), ("arrivazs", "arrivazs_kontra")):
            level = self.chance.choice((0, 0, 1, 2, 3, 4, 5)) if item == "game" or self.announced else 0
            for _step in range(level):
                self.phone.tap("say", item=item, seat=self.chance.choice(self.phone.offered("say", "seat", item=item)))
            self.typed[kontra] = str(level)

    def _tricks(self) -> Any:
        playing = self.phone.offered("trick", "seat")
        # The left-hand opponent's kontra stands before the right one's; without one it is told by the seats.
        self.declarer = self._declarer(playing)
        self.left, self.right = self._next(self.declarer), self._next(self._next(self.declarer))
        self.typed["declarer"] = str(self.declarer)
        stop = self.chance.choice((11, 11, 11, *range(11)))
        for _trick in range(stop):
            self._win(self.chance.choice([int(seat) for seat in playing] + [self.declarer] * 3))
        if stop == 11:
            return self._count(self.winners.count(self.declarer))
        return self.chance.choice((self._stands, self._concedes, self._disputed))()

    def _declarer(self, playing: list[str]) -> int:
        """The one of the three whom the page names as declarer."""
        name = self.phone.page.of_class("open-headline")[0].of_class("name")[0].text
        names = [button.of_class("won")[0].parent.text for button in self.phone.page.of_class("tile")]
        return int(playing[[text.split()[-1] for text in names].index(name)])

    def _next(self, seat: int) -> int:
        following = (seat + 1) % self.seats
        return (following + 1) % self.seats if self.seats == 4 and following == self.dealer else following

    def _win(self, seat: int) -> None:
        self.phone.tap("trick", seat=str(seat))
        self.winners.append(seat)

    def _stands(self) -> Any:
        self.phone.tap("claim")
        self.phone.tap("stands")
        return self._count(11 - len([seat for seat in self.winners if seat != self.declarer]))

    def _concedes(self) -> Any:
        self.phone.tap("concede")
        return self._give_away(len(self.winners))

    def _disputed(self) -> Any:
        claimed = len(self.winners)
        self.phone.tap("claim")
        self.phone.tap("dispute")
        while len(self.winners) < 11:
            loses = self.chance.random() < 0.3
            if loses and self.chance.random() < 0.5:
                self.phone.tap("concede")
                return self._give_away(claimed)
            self._win(self.chance.choice((self.left, self.right)) if loses else self.declarer)
            if loses:
                return self._give_away(claimed)
        return self._count(self.winners.count(self.declarer))

    def _count(self, tricks: int) -> Any:
        """The played tricks stay their winners', and the others are the declarer's."""
        lost = any(seat != self.declarer for seat in self.winners[8:])
        return self._finish(tricks, str(self.winners.count(self.left)), "lost" if lost else "won")

    def _give_away(self, claimed: int) -> Any:
        """The first so many tricks count; the others are the opponents', of one who had one already if one had."""
        before = self.winners[:claimed]
        tricks, left, right = (before.count(seat) for seat in (self.declarer, self.left, self.right))
        rest = 11 - tricks - left - right
        split = str(left + rest) if left else str(left) if right else ""
        if not left and not right and tricks == 6:
            split = self.chance.choice("012345")
            return self._finish(tricks, split, "lost", split=split)
        return self._finish(tricks, split, "lost")

    def _finish(self, tricks: int, left: str, arrivazs: str, **answer: str) -> Any:
        self.typed |= {"tricks": str(tricks), "opponent_tricks": left, "arrivazs": "none"}
        if self.announced:
            self.typed["arrivazs"] = arrivazs
            if arrivazs == "won" and self.typed["trump"] != "none":
                idegen = self.chance.choice("01")
                answer["idegen"] = idegen
                self.typed["arrivazs"] = "idegen" if idegen == "1" else "won"
        return self.phone.tap("finish", **answer)
