"""Taps a hand of Preference as the page's notation has it into the open form, and counts the taps."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from playwright.sync_api import Page, expect

from scorekeeper.games.preference import GAME, Contract, Mizer, Raspasovka, deal_from_text, places
from scorekeeper.games.preference import participants as taking_part
from scorekeeper.games.preference.deal import Answers
from tests.browser import phones, thumb
from tests.browser.conftest import HEIGHT, WIDTH
from tests.pulka import Hand

NAMES = ("Anna", "Béla", "Cili", "Dani")


@dataclass
class Thumb:
    """A thumb on the form of a table, playing by these rules."""

    page: Page
    seats: tuple[int, ...]
    rules: str
    taps: int = field(default=0, init=False)

    def enter(self, hand: Hand) -> None:
        """All of it but the button that saves it; a deal that is thrown in is saved by its own."""
        if hand.is_thrown_in:
            thumb.throw_in(self.page)
        elif hand.is_agreed:
            phones.type_line(self.page, hand.deal)
            self.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        else:
            for name, value in self.rows(hand):
                self.tap(name, value)

    def tap(self, name: str, value: str) -> None:
        self.taps += 1
        radio = self.page.locator(f"#hand-form [name={name}][value='{value}']")
        radio.tap()
        expect(radio).to_be_checked()

    def rows(self, hand: Hand) -> Iterator[tuple[str, str]]:
        """The taps, row by row."""
        deal = deal_from_text(hand.deal, GAME.rules_from_text(self.rules))
        if hand.declarer is not None:
            yield "declarer", str(hand.declarer)
        match deal:
            case Contract():
                yield "level", str(deal.level)
                yield from self._answered(hand, deal)
                yield from zip(("tricks", "first_tricks"), map(str, deal.tricks[:2]), strict=False)
                if deal.strain:
                    yield "strain", deal.strain.value
            case Mizer(tricks):
                yield "level", "M"
                yield "tricks", str(tricks)
            case Raspasovka(tricks):
                talon = GAME.rules_from_text(self.rules).raspasy_dealer
                part = taking_part(self.seats, hand.dealer, talon=talon)
                yield from ((f"taken_{seat}", str(taken)) for seat, taken in list(zip(part, tricks, strict=True))[:-1])

    def _answered(self, hand: Hand, deal: Contract) -> Iterator[tuple[str, str]]:
        if hand.declarer is None or deal.answers is Answers.CHECKED:
            return
        whister = deal.answers.lone if deal.answers is not Answers.RETRIEVED else None
        seats = places(self.seats, hand.dealer, hand.declarer)
        yield "answers", f"w{seats[whister]}" if whister else deal.answers.value
