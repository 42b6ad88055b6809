"""Several phones look at one evening: writes of one show on the others, and disturb nobody."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import Page, Request, expect

from scorekeeper.games import GAMES
from sessions_app.models import Evening, Member, Role, User
from sessions_app.writers.evenings import Opening, start
from tests.browser import phones
from tests.browser.conftest import LOCALES
from tests.browser.phones import url
from tests.factories import MemberFactory, record
from tests.views.page import HTMX_COUNT

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def keeper(evening: Evening) -> User:
    return MemberFactory(circle=evening.circle, role=Role.KEEPER).user


@pytest.fixture
def viewer(evening: Evening) -> User:
    return MemberFactory(circle=evening.circle, role=Role.VIEWER).user


@pytest.fixture
def phone_of(new_phone: Callable[..., Page], sign_in: Callable[..., None]) -> Callable[..., Page]:
    """A phone of this user, with a page open on it; without a service worker, so that each request can be seen."""

    def phone(user: User, path: str, **context_args: Any) -> Page:
        page = new_phone(**context_args)
        page.add_init_script(phones.NO_WORKER)
        sign_in(page, user)
        page.goto(path)
        return page

    return phone


def asked(page: Page) -> list[Request]:
    """All that the page will ask for live parts from here on."""
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request) if "/live/" in request.url else None)
    return requests


def test_a_hand_comes_to_the_other_phones_without_a_reload(
    phone_of: Callable[..., Page], evening: Evening, owner: User, keeper: User, viewer: User
):
    writer, *others = [phone_of(user, url(evening)) for user in (owner, keeper, viewer)]
    for page in others:
        page.evaluate("window.untouched = true")
    writer.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(writer, "Béla")
    phones.save(writer, 1)
    expect(writer.locator("#hand-1")).to_be_visible()
    for page in others:
        expect(page.locator("[data-seat='1']")).to_have_attribute("data-balance", "12")
        expect(page.locator("#hand-1")).to_contain_text("Béla")
        assert page.evaluate("window.untouched")
    expect(others[0].get_by_role("link", name="Enter hand 2")).to_be_visible()
    expect(others[1].get_by_role("link", name="Enter hand 2")).to_have_count(0)


@pytest.mark.thorough
def test_focus_and_scroll_stay_when_a_hand_comes(
    phone_of: Callable[..., Page], evening: Evening, owner: User, viewer: User
):
    for _ in range(12):
        record(evening, owner, "2H 7", declarer=1)
    page = phone_of(viewer, url(evening), viewport={"width": 390, "height": 500})
    page.locator("#hand-6 a").focus()
    page.evaluate("scrollTo(0, 300)")
    place = page.evaluate("scrollY")
    assert place > 0
    record(evening, owner, "1S 8", declarer=2)
    expect(page.locator("#hand-13")).to_be_attached()
    expect(page.locator("#hand-6 a")).to_be_focused()
    row = page.locator("#hand-13").bounding_box()
    assert row is not None
    assert page.evaluate("scrollY") in (place, place + round(row["height"])), "at most moved on by the new row"


@pytest.mark.thorough
def test_unfolded_turn_stays_unfolded_when_a_hand_comes(
    phone_of: Callable[..., Page], evening: Evening, owner: User, keeper: User
):
    page = phone_of(keeper, url(evening))
    record(evening, owner, "2H 7")
    expect(page.locator("#hand-1")).to_be_attached()
    page.locator("#turn summary").tap()
    expect(page.locator("#turn details")).to_have_attribute("open", "")
    record(evening, owner, "2H 7")
    expect(page.locator("#hand-2")).to_be_attached()
    expect(page.locator("#turn details")).to_have_attribute("open", "")
    expect(page.get_by_text("if Cili plays, Béla leads")).to_be_visible()


@pytest.fixture
def stopped(phone_of: Callable[..., Page], owner: User) -> Callable[..., Page]:
    """A page whose clock stands still from when it is open, but for the time that a test lets pass."""

    def page_at(path: str) -> Page:
        page = phone_of(owner, "/offline/")
        page.clock.install()
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
        return page

    return page_at


def until_it_asks(page: Page, most: int = 15_000) -> int:
    """Let time pass until the page has polled and been answered; returns the milliseconds."""
    requests = asked(page)
    for passed in range(500, most + 1, 500):
        page.clock.run_for(500)
        # The page's requests are known here before this is answered.
        page.evaluate("fetch('/healthz').then((response) => response.text())")
        if requests:
            page.wait_for_load_state("networkidle")
            return passed
    raise AssertionError(f"it has not asked for {most} ms")


def test_a_hand_is_on_the_other_phones_within_three_seconds_of_their_clocks(
    stopped: Callable[..., Page], evening: Evening, owner: User
):
    page = stopped(url(evening))
    until_it_asks(page)
    record(evening, owner, "2H 7", declarer=1)
    assert until_it_asks(page) <= 2_500
    page.clock.run_for(500)
    expect(page.locator("#hand-1")).to_contain_text("Béla")


@pytest.mark.thorough
def test_page_without_news_polls_for_an_empty_answer_every_two_seconds(stopped: Callable[..., Page], evening: Evening):
    page = stopped(url(evening))
    until_it_asks(page)
    for _ in range(3):
        with page.expect_response("**/live/**") as answer:
            assert until_it_asks(page) <= 2_500
        assert answer.value.status == 204
        assert answer.value.url.endswith(f"/live/?v={evening.version}")


@pytest.mark.thorough
def test_page_asks_for_the_whole_state_every_half_minute(stopped: Callable[..., Page], evening: Evening):
    """The followers and the news change by themselves."""
    page = stopped(url(evening))
    requests = asked(page)
    page.clock.fast_forward(31_000)
    # One may have been under way when the clock jumped.
    until_it_asks(page)
    until_it_asks(page)
    whole = [request.response() for request in requests if request.url.endswith("/live/")]
    assert [answer and answer.status for answer in whole] == [200]


@pytest.mark.thorough
def test_page_polls_more_seldom_after_ten_minutes_without_news(
    stopped: Callable[..., Page], evening: Evening, owner: User
):
    page = stopped(url(evening))
    page.clock.fast_forward("10:30")
    until_it_asks(page)
    assert until_it_asks(page) >= 9_500
    record(evening, owner, "2H 7", declarer=1)
    until_it_asks(page)
    expect(page.locator("#hand-1")).to_be_visible()
    assert until_it_asks(page) <= 2_500


HIDDEN = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true })"


@pytest.mark.thorough
def test_a_page_out_of_sight_asks_nothing_and_asks_at_once_when_it_is_seen(
    stopped: Callable[..., Page], evening: Evening, owner: User
):
    page = stopped(url(evening))
    page.evaluate(HIDDEN % "true")
    with pytest.raises(AssertionError, match="has not asked"):
        until_it_asks(page)
    record(evening, owner, "2H 7", declarer=1)
    page.evaluate(HIDDEN % "false")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#hand-1")).to_be_visible()


@pytest.mark.thorough
def test_an_earlier_page_of_the_sheet_stands_still(stopped: Callable[..., Page], evening: Evening, owner: User):
    for _ in range(3):
        record(evening, owner, "2H 7", declarer=1)
    page = stopped(url(evening, "?before=3"))
    with pytest.raises(AssertionError, match="has not asked"):
        until_it_asks(page)


@pytest.mark.thorough
def test_removed_member_s_page_becomes_the_404_page(
    phone_of: Callable[..., Page], evening: Evening, viewer: User, expected: set[str]
):
    expected.add("404")
    page = phone_of(viewer, url(evening))
    Member.objects.filter(user=viewer).delete()
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()


def test_the_sign_says_when_the_server_is_out_of_reach_and_when_it_is_back(
    phone_of: Callable[..., Page], evening: Evening, viewer: User, expected: set[str]
):
    expected.add(phones.NO_NETWORK)
    page = phone_of(viewer, url(evening))
    phones.sign(page, "saved")
    page.context.set_offline(True)
    phones.sign(page, "offline")
    page.context.set_offline(False)
    phones.sign(page, "saved")


@pytest.mark.thorough
def test_without_scripts_there_is_no_sign_and_the_page_is_as_it_was(
    phone_of: Callable[..., Page], evening: Evening, owner: User
):
    page = phone_of(owner, url(evening), java_script_enabled=False)
    for hidden in ("#sign", "#waiting", "#plain-http"):
        expect(page.locator(hidden)).to_be_hidden()
    phones.enter(page, 1, "Béla")
    expect(page.get_by_text("Hand 1 is saved.")).to_be_visible()


# --- The live count of a form: each player's amount is always seen whole; its explanation is unfolded by a tap ---


NAMES = ("Konstantin", "Wilhelmina", "Bertalanka", "Gyöngyvéra", "Friderikus")
#: By the key of the game: hands with the longest counts, each with its declarer; and hands of an evening beside them.
LONGEST = {
    "asszorti": [("hN 6-5-0 M A+M", 1)],
    "tarokk": [("2+2 58 UK u 8@0", 1), ("2+1 60 8@0 9@2", 1), ("2+3 58 TR NK -UK t -n -b 9@1", 1)],
}
LIKELY = 12

#: The amounts that are cut off, folded or unfolded, and a save button that unfolding moves.
CUT = """(answers) => answers.flatMap((answer) => {
    const count = document.getElementById("count");
    const save = () => document.querySelector(".save-row").getBoundingClientRect().top;
    const before = save();
    count.innerHTML = answer;
    const details = count.querySelector("details.counted");
    if (!details) return [`not counted: ${count.textContent.trim()}`];
    const words = details.textContent.trim().replace(/\\s+/g, " ");
    const inside = (part, box) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        const { left, right, top, bottom } = box.getBoundingClientRect();
        return [...range.getClientRects()].every((one) => one.left > left - 0.5 && one.right < right + 0.5
            && one.top > top - 0.5 && one.bottom < bottom + 0.5);
    };
    const wrong = inside(details.querySelector(".gets"), count) ? [] : [`cut: ${words}`];
    details.open = true;
    if (!inside(details, details.querySelector("summary"))) wrong.push(`cut unfolded: ${words}`);
    if (save() !== before) wrong.push(`moves what saves: ${words}`);
    return wrong;
})"""


def answers(evening: Evening, owner: User, language: str) -> Iterator[str]:
    """Counts of hands, as the server sends them."""
    game, client = evening.game, Client()
    chance = Random(18)  # noqa: S311  cards, not keys
    client.force_login(owner)
    hands = list(LONGEST.get(evening.game_key, []))
    for _ in range(LIKELY):
        declarer, deal = game.likely(chance, evening.sitting, 0, evening.house)
        hands.append((game.deal_to_text(deal), "" if declarer is None else declarer))
    for line, declarer in hands:
        posted = {"token": uuid4(), "number": 1, "dealer": 0, "declarer": declarer, "line": line}
        said = client.post(url(evening, "hands/preview/"), posted, headers={**HTMX_COUNT, "Accept-Language": language})
        assert said.status_code == 200, line
        yield said.text


@pytest.mark.thorough
@pytest.mark.parametrize("language", LOCALES)
def test_live_count_shows_each_amount_whole_on_the_narrowest_phone(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, language: str
) -> None:
    page = new_phone(viewport={"width": 320, "height": 568}, locale=LOCALES[language])
    sign_in(page, owner)
    findings = []
    for key, game in GAMES.items():
        evening = start(Opening(NAMES[: max(game.seat_counts)], 0, game_key=key), token=uuid4(), by=owner)
        page.goto(url(evening, "hands/new/"))
        findings += page.evaluate(CUT, list(answers(evening, owner, language)))
    assert not findings, json.dumps(findings, indent=1, ensure_ascii=False)
