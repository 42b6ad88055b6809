"""An evening walked through in a browser, step by step, over a wire that weighs each answer."""

import re
import time
from collections.abc import Callable, Mapping
from random import Random

from playwright.sync_api import BrowserContext, Page, expect

from tests.bench.hands import NAMES, RULES, TABLES, answered, next_form, tapped
from tests.bench.wire import Answer, Wire
from tests.soak.phones import Phone
from tests.views.page import hand_form

FIRST = "first visit"
HANDS = 40
#: Seconds in which nothing came but polls: then nothing more is to come.
STILL = 1.5
POLL = "live/?"
HOST = {"Host": "localhost"}


def is_poll(answer: Answer) -> bool:
    return POLL in answer.path


class Steps:
    """The answers to each step of a browser that has never been here."""

    def __init__(self, wire: Wire, page: Page) -> None:
        self.wire, self.page = wire, page
        self.answers: dict[str, list[Answer]] = {}

    def step(self, name: str, go: Callable[[], object]) -> None:
        self.wire.answers.clear()
        go()
        self._be_still()
        self.answers[name] = [answer for answer in self.wire.answers if not is_poll(answer)]

    def poll(self) -> None:
        """The next one that comes by itself."""
        self.wire.answers.clear()
        self.page.wait_for_event("response", lambda response: POLL in response.url)
        self.answers["poll that finds nothing new"] = [next(filter(is_poll, self.wire.answers))]

    def _be_still(self) -> None:
        def come() -> int:
            return sum(not is_poll(answer) for answer in self.wire.answers)

        known, since = come(), time.monotonic()
        while time.monotonic() - since < STILL:
            self.page.wait_for_timeout(50)
            if come() != known:
                known, since = come(), time.monotonic()


def choose(page: Page, game: str) -> None:
    """Choose the game of the new session; the first one is chosen already."""
    page.locator(f"[name=game][value='{game}']").check(force=True)
    page.locator(f"[name=shown_game][value='{game}']").wait_for(state="attached")


def begin(page: Page, game: str) -> None:
    players, _onwards = TABLES[game]
    for number, name in enumerate(NAMES[:players], 1):
        page.locator(f"[name=player_{number}]").fill(name)
    page.locator("[name=first_dealer][value='1']").check(force=True)
    page.locator("[name=rules]").evaluate("(field, rules) => field.value = rules", RULES.get(game, ""))
    page.locator("#session-form button:not([hidden])").last.tap()
    page.wait_for_url(re.compile(r"/sessions/\d+/"))


def tap_in(page: Page, hand: Mapping[str, str]) -> None:
    """Tap or type a hand into the open form, by the names and values of its fields, from the top to the bottom."""
    names = page.locator("#hand-form [name]").evaluate_all("fields => [...new Set(fields.map(({ name }) => name))]")
    for name in filter(hand.get, names):
        field, value = page.locator(f"[name={name}]"), hand[name]
        if field.first.get_attribute("type") == "text":
            field.fill(value)
        else:
            # The row may be in a fold.
            page.locator(f"[name={name}][value='{value}']").evaluate("input => input.click()")


def play(context: BrowserContext, port: int, evening: str, game: str, hands: int) -> None:
    """Record so many hands, posted by the phone without its browser."""
    phone, chance = Phone(port), Random(8)  # noqa: S311
    phone._cookies = {cookie["name"]: cookie["value"] for cookie in context.cookies()}
    form = hand_form(answered(phone.get(f"{evening}hands/new/", HOST), 200).page)
    for _hand in range(hands):
        answered(phone.post(f"{evening}hands/new/", form | tapped(chance, game), HOST), 302)
        form = next_form(form, game)
    phone.close()


def walked(wire: Wire, server: int, context: BrowserContext, game: str) -> dict[str, list[Answer]]:
    page = context.new_page()
    steps = Steps(wire, page)
    steps.step(FIRST, lambda: page.goto("/"))
    steps.step("new session", lambda: page.goto("/sessions/new/"))
    steps.step("choose the game", lambda: choose(page, game))
    steps.step("begin it", lambda: begin(page, game))
    evening = page.url.partition("?")[0].partition(str(wire.port))[2]
    play(context, server, evening, game, HANDS - 1)
    steps.step("hand form, the first time", lambda: page.goto(f"{evening}hands/new/"))
    steps.step("hand form", lambda: page.goto(f"{evening}hands/new/"))
    steps.step("preview of a tap", lambda: tap_in(page, tapped(Random(8), game)))  # noqa: S311
    previews = [answer for answer in steps.answers["preview of a tap"] if "preview" in answer.path]
    steps.answers["preview of a tap"] = sorted(previews, key=lambda answer: answer.bytes)[-1:]

    def saved() -> None:
        page.locator("button.save").tap()
        expect(page.locator(f"#hand-{HANDS}")).to_be_visible()

    steps.step("save, and the page after it", saved)
    steps.step(f"evening's page with {HANDS} hands", lambda: page.goto(evening))
    steps.poll()
    steps.step("a hand's page", lambda: page.goto(f"{evening}hands/{HANDS}/"))
    steps.step("settle up", lambda: page.goto(f"{evening}settle/"))
    steps.step("table view", lambda: page.goto(f"{evening}table/"))
    steps.step("past sessions", lambda: page.goto("/sessions/"))
    steps.step("home", lambda: page.goto("/"))
    return steps.answers
