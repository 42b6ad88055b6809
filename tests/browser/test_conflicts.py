"""Two phones write at one table: no kontra is lost, no hand is booked twice, and nothing moves under a thumb."""

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Item
from scorekeeper.games.asszorti.hand_in_play import Announced
from sessions_app.models import Evening, HandInPlay, Member, Player, Role, User
from tests import moves
from tests.browser import phones, thumb
from tests.browser.phones import Phones, look_again, url
from tests.factories import MemberFactory, record
from tests.moves import seen
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def keeper(evening: Evening) -> User:
    """Béla's phone."""
    bela = Player.objects.get(circle=evening.circle, name="Béla")
    return MemberFactory(circle=evening.circle, role=Role.KEEPER, player=bela).user


@pytest.fixture
def form_of(phone_of: Phones, owner: User) -> Phones:
    """The owner's phone on the form of the next hand."""

    def opened(evening: Evening, **context_args: Any) -> Page:
        return phone_of(owner, url(evening, "hands/new/"), phones.NO_WORKER, **context_args)

    return opened


def announce(evening: Evening, by: User) -> None:
    said = Announced(0, 1, Announcement(Contract.TWO, Trump.HEARTS))
    moves.announce(evening.pk, said, seen=seen(evening), by=by, token=uuid4())


NEWS = "#hand-news"


def test_open_form_follows_what_another_phone_notes_and_keeps_what_was_tapped(
    form_of: Phones, evening: Evening, keeper: User
) -> None:
    form = form_of(evening)
    form.locator("[name=trump][value='spades']").tap()
    announce(evening, keeper)
    look_again(form)
    expect(form.locator(NEWS)).to_contain_text("Béla has announced 2♥")
    expect(form.locator("[name=trump][value='spades']")).to_be_checked()
    expect(form.locator("[name=declarer][value='1']")).to_be_checked()
    HandInPlay.objects.filter(evening=evening).delete()
    look_again(form)
    expect(form.locator(NEWS)).to_contain_text("taken back on another phone")
    expect(form.locator("[name=declarer]:checked")).to_have_count(0)
    expect(form.locator("[name=trump][value='spades']")).to_be_checked()
    announce(evening, keeper)
    moves.double(evening.pk, lambda doubling: doubling.say(2, Item.GAME), seen=seen(evening), by=keeper)
    look_again(form)
    expect(form.locator("[name=declarer][value='1']")).to_be_checked()
    expect(form.locator("[name=game_kontra][value='1']")).to_be_checked()
    expect(form.locator(NEWS)).to_contain_text("kontra ×2")
    form.locator("[name=trump][value='hearts']").tap()
    form.locator("[name=tricks][value='7']").tap()
    expect(form.locator(NEWS)).to_be_hidden()
    phones.save(form, 1)
    phones.settled(form, evening, (-12, 24, -12))


def touch_thrice(page: Page, place: FloatRect) -> None:
    """Touch a place, whatever is there."""
    for _time in range(3):
        page.touchscreen.tap(*thumb.middle_of(place))


@pytest.mark.parametrize(("scripts", "viewport"), first_rows(1, [(True, (390, 664)), (False, (320, 568))]))
def test_touches_where_save_was_write_nothing_and_my_reading_corrects_the_hand(
    phone_of: Phones,
    evening: Evening,
    owner: User,
    keeper: User,
    expected: set[str],
    scripts: bool,
    viewport: tuple[int, int],
) -> None:
    """Two phones have filled in one hand, and one was quicker: also while the other's answer is on its way."""
    expected.add("409")
    size = phones.viewport(viewport)
    form = phone_of(owner, "/offline/", phones.NO_WORKER, java_script_enabled=scripts, viewport=size)
    phones.stop_following(form)
    form.goto(url(evening, "hands/new/"))
    phones.tap_in(form, "Béla", tricks=8)
    if scripts:
        expect(form.locator("#count [data-points]")).to_be_visible()
    record(evening, keeper, "2H 9", declarer=1)
    place = thumb.box_of(form.locator(".save"))
    touch_thrice(form, place)
    question = form.locator(".conflict")
    expect(question).to_contain_text("9 tricks ↔ 8 tricks")
    form.wait_for_load_state("networkidle")
    for answer in question.locator(".button").all():
        box = thumb.box_of(answer)
        assert box["height"] >= 48
        assert box["y"] + box["height"] <= place["y"], "no answer where Save was"
    touch_thrice(form, place)
    form.locator("[name=trump][value='hearts']").focus()
    form.keyboard.press("Enter")
    expect(question).to_contain_text("9 tricks ↔ 8 tricks")
    assert phones.recorded(evening) == [(1, "2H 9", 1)]
    form.get_by_role("button", name="Mine is right: correct hand 1").dblclick(no_wait_after=True)
    expect(form.get_by_text("corrected", exact=False).first).to_be_visible()
    assert phones.recorded(evening) == [(1, "2H 8", 1)]
    if scripts:
        assert phones.outbox(form) == []


def test_announcement_by_a_member_who_may_only_watch_now_is_refused_and_the_form_stays_filled_in(
    phone_of: Phones, evening: Evening, keeper: User, expected: set[str]
) -> None:
    expected.add("403")
    form = phone_of(keeper, url(evening, "hands/new/"), service_workers="block")
    phones.tap_in(form, "Béla")
    Member.objects.filter(user=keeper).update(role=Role.VIEWER)
    form.get_by_role("button", name="Announce", exact=True).tap()
    expect(form.locator(NEWS)).to_contain_text("This phone can only watch")
    expect(form.locator("[name=tricks][value='7']")).to_be_checked()


BOXES = """() => [...document.querySelectorAll(".deal-head, .choices, .choice, .note-split, .bar, .bar .save")]
    .filter((it) => it.matches(".save") || it.checkVisibility()).map((it) => {
        const { x, y, width, height } = it.getBoundingClientRect();
        return [x, y, width, height];
    })"""


def press(form: Page, button: Locator) -> None:
    """Tap it where it is: Playwright's own tap scrolls to it first, as no thumb does."""
    expect(form.locator(".bar[data-still]")).to_have_count(0)
    form.touchscreen.tap(*thumb.middle_of(thumb.box_of(button)))


def test_no_live_update_and_no_notice_moves_a_row_and_the_form_goes_on_with_the_hand_that_its_answer_names(
    form_of: Phones, evening: Evening, keeper: User
) -> None:
    form = form_of(evening, viewport={"width": 320, "height": 844})
    before = form.evaluate(BOXES)
    form.locator("[name=declarer][value='0']").tap()
    expect(form.locator("#count")).to_contain_text("leads")
    assert form.evaluate(BOXES) == before, "the count"
    announce(evening, keeper)
    look_again(form)
    expect(form.locator(NEWS)).to_contain_text("has announced")
    assert form.evaluate(BOXES) == before, "an announcement"
    for _hand in range(3):
        record(evening, keeper, "2H 7", declarer=1)
    look_again(form)
    expect(form.get_by_role("button", name="make it hand 4")).to_be_visible()
    assert form.evaluate(BOXES)[:-1] == before[:-1], "a question"
    press(form, form.get_by_role("button", name="make it hand 4"))
    expect(form.locator(".bar[data-asking]")).to_have_count(0)
    assert form.evaluate(BOXES) == before
    press(form, form.locator(".save"))
    expect(form.locator(NEWS)).to_contain_text("Still to tap: contract, trumps, tricks")
    assert form.evaluate(BOXES) == before, "what is missing"
    expect(form.locator("[name=declarer][value='0']")).to_be_checked()
    phones.tap_in(form, "Anna")
    phones.save(form, 4)
    phones.settled(form, evening, (-18 + 12, 36 - 6, -18 - 6))
