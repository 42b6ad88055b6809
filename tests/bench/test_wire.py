"""Bytes over the wire to a phone, step by step through an evening: ./run test -s tests/bench/test_wire.py

Chromium asks the server as ./run serves it; all answers are counted as they are sent, compressed, heads and bodies;
once without a service worker, as by plain http in the room, and once with one, which keeps pages and files for later.
`--language=hu` measures the other language, `--game=tarokk` another game; with `--goals`, a goal that is missed is a
failure.
"""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.bench.hands import NAMES, RULES, TABLES, answered, next_form, tapped
from tests.bench.wire import Answer, Wire, wired
from tests.browser.phones import NO_WORKER
from tests.browser.server import serving
from tests.soak.phones import Phone
from tests.views.page import hand_form

FIRST, GOAL, GOAL_OF_A_STEP = "first visit", 60_000, 8_000
HANDS = 40
#: Seconds in which nothing came but polls: then nothing more is to come.
STILL = 1.5
POLL = "live/?"
HOST = {"Host": "localhost"}
LOCALES = {"en": "en-GB", "hu": "hu-HU"}


def is_poll(answer: Answer) -> bool:
    return POLL in answer.path


class Steps:
    """The answers to each step of a browser that has never been here."""

    def __init__(self, wire: Wire, page: Page) -> None:
        self.wire, self.page = wire, page
        self.answers: dict[str, list[Answer]] = {}

    def step(self, name: str, go: Callable[[], object], of: Callable[[Answer], bool] = lambda _answer: True) -> None:
        self.wire.answers.clear()
        go()
        self._be_still()
        self.answers[name] = [answer for answer in self.wire.answers if not is_poll(answer) and of(answer)]

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


def weight(answers: list[Answer]) -> int:
    return sum(answer.bytes for answer in answers)


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


@pytest.fixture
def walks(
    tmp_path: Path, browser: Browser, browser_context_args: dict[str, object], request: pytest.FixtureRequest
) -> dict[str, dict[str, list[Answer]]]:
    found: dict[str, dict[str, list[Answer]]] = defaultdict(dict)
    game, language = (str(request.config.getoption(name)) for name in ("--game", "--language"))
    with serving(tmp_path) as server, wired(server.port) as wire:
        for way in ("without", "with"):
            settings = {"base_url": f"http://localhost:{wire.port}", "locale": LOCALES[language]}
            context = browser.new_context(**browser_context_args | settings)
            if way == "without":
                context.add_init_script(NO_WORKER)
            found[way] = walked(wire, server.port, context, game)
            context.close()
    return found


def test_what_goes_over_the_wire(walks: dict[str, dict[str, list[Answer]]], goals: bool) -> None:
    columns = (
        "step",
        "answers",
        "bytes",
        "bodies alone",
        "goal",
        "met",
        "pages for later",
        "all, with a service worker",
    )
    print("\n| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")  # noqa: T201
    missed = []
    for step, answers in walks["without"].items():
        now = [answer for answer in answers if not answer.is_for_later]
        size, goal = weight(now), GOAL if step == FIRST else GOAL_OF_A_STEP
        missed += [step] if size > goal else []
        bodies, later = sum(answer.body for answer in now), weight([each for each in answers if each.is_for_later])
        met = f"≤ {goal:,} | {'no' if step in missed else 'yes'}"
        more = walks["with"][step]
        print(f"| {step} | {len(now)} | {size:,} | {bodies:,} | {met} | {later:,} | {weight(more):,} in {len(more)} |")  # noqa: T201
    for step in {FIRST: 1} | dict.fromkeys(missed):
        print(f"\n{step}:")  # noqa: T201
        for answer in sorted(walks["without"][step], key=lambda answer: -answer.bytes):
            how = f"{answer.encoding or '-':4} {answer.status} {'for later' if answer.is_for_later else ''}"
            print(f"  {answer.bytes:6,} ({answer.head} head) {how} {answer.path}")  # noqa: T201
    assert not (goals and missed), missed
