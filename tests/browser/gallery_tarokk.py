"""The screens of Hungarian Tarokk: its form folded and full, sheets of four and five, hands and house rules."""

from collections.abc import Iterator
from uuid import uuid4

from playwright.sync_api import Page

from scorekeeper.games import tarokk
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.browser.gallery import LONG, Screen
from tests.browser.phones import url
from tests.factories import UserFactory

#: The fullest hand of docs/rules/tarokk.md §11, and others that say much; the last has the widest figures.
FULLEST = "1+2 72 R DK T -UK t -b 8@1"
DEALS = ("2+2 +", FULLEST, "3?", "2= -- -v", "2+2 ++ DH v 9@2", "1+2 - M U b", "s+3 53 M XM -XM x 8@0 9@3")
#: The fullest hand as it is tapped where Anna deals to four and Béla plays: after him come Anna, Dani and Cili.
CONTRACT = (("declarer", "1"), ("contract", "1"), ("partner", "3"), ("game_kontra", "2"))
BOXES = (("d_double", "1"), ("d_trull", None), ("o_ultimo", "1"))
MADE = (("trull", "d"), ("pagat", "o_lost"), ("tarokks_0", "8"))


def evening_of(keeper: User, names: tuple[str, ...], rules: str = "") -> Evening:
    opening = evenings.Opening(names, 0, game_key=tarokk.GAME.key, rules=rules)
    return evenings.start(opening, token=uuid4(), by=keeper)


def record(evening: Evening, by: User, deal: str, declarer: int | None = None) -> None:
    """Record the next hand, played by the first to speak (a próba by the fourth) if no `declarer` is given."""
    evening.refresh_from_db()
    number, seats = evening.last_number + 1, evening.seats.count()
    dealer = -evening.last_number % seats
    first, *_others, fourth = tarokk.playing_seats(seats, dealer)
    speaks = fourth if tarokk.deal_from_text(deal).is_proba else first
    facts = Facts(dealer, speaks if declarer is None else declarer, deal)
    ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=by)


def screens() -> Iterator[Screen]:
    keeper = UserFactory()
    four = evening_of(keeper, ("Anna", "Béla", "Cili", "Dani"))
    five = evening_of(keeper, (*LONG, "Dani", "Edit"), "ladder=5 kings=4 after_throw_in=double")
    for deal in DEALS:
        record(four, keeper, deal)
        record(five, keeper, deal)
    empty = evening_of(keeper, ("Anna", "Béla", "Cili", "Dani"))
    new = url(empty, "hands/new/")
    yield Screen("new session, Tarokk and its house rules", keeper, "/sessions/new/", _choose_tarokk)
    yield Screen("Tarokk: form, plain", keeper, new, _fill)
    yield Screen("Tarokk: form, the fullest hand", keeper, new, fill_fullest)
    yield Screen("Tarokk: form, próba", keeper, new, _fill_proba)
    yield Screen("Tarokk: form, refused", keeper, new, _save_what_cannot_be)
    yield Screen("Tarokk: form, unready", keeper, new, _save_unanswered)
    yield Screen("Tarokk: form of five, long names", keeper, url(five, "hands/new/"), _unfold)
    yield Screen("Tarokk: form, correcting", keeper, url(four, "hands/2/edit/"))
    for name, evening in (("four", four), ("five", five)):
        yield Screen(f"Tarokk: session of {name}", keeper, url(evening))
        yield Screen(f"Tarokk: hand of {name}", keeper, url(evening, "hands/7/"))
    yield Screen("Tarokk: session of five, running totals", keeper, url(five), _show_totals)
    yield Screen("Tarokk: hand, the fullest", keeper, url(four, "hands/2/"))
    yield Screen("Tarokk: hand, próba", keeper, url(four, "hands/3/"))
    yield Screen("Tarokk: settle, five", keeper, url(five, "settle/"))


# The steps to take on the page. Field names and classes, as words are of one language.


def tap(page: Page, *fields: tuple[str, str]) -> None:
    for name, value in fields:
        page.locator(f"[name={name}][value='{value}']").tap()


def unfold(page: Page) -> None:
    page.locator(".bonuses > summary").tap()
    page.locator("[name=d_double]").wait_for()


def fill_fullest(page: Page) -> None:
    tap(page, *CONTRACT)
    unfold(page)
    for box, level in BOXES:
        page.locator(f"[name={box}]").tap()
        if level:
            tap(page, (f"{box}_kontra", level))
    tap(page, *MADE)
    page.locator("[name=points]").fill("72")
    page.locator("[name=points]").blur()
    page.locator("#count [data-points='58']").wait_for()


def _fill(page: Page) -> None:
    tap(page, ("declarer", "1"), ("contract", "2"), ("partner", "3"), ("result", "+"))
    page.locator("#count [data-points]").wait_for()


def _unfold(page: Page) -> None:
    unfold(page)
    page.locator("[name=o_kings]").tap()
    page.locator("[name=o_kings_kontra]").first.wait_for()


def _fill_proba(page: Page) -> None:
    unfold(page)
    tap(page, ("declarer", "0"), ("contract", "3"))  # the dealer speaks last
    page.locator("[name=proba]").tap()
    page.locator("#count [data-points]").wait_for()


def _save_what_cannot_be(page: Page) -> None:
    tap(page, ("declarer", "1"), ("contract", "2"), ("partner", "3"))
    unfold(page)
    page.locator("[name=points]").fill("94")
    with page.expect_response(lambda response: response.status == 422):
        page.locator(".bar .button.primary").tap()
    page.locator(".choices .error, .card-points .error").first.wait_for()


def _save_unanswered(page: Page) -> None:
    tap(page, ("declarer", "1"), ("contract", "2"), ("partner", "alone"), ("result", "+"))
    unfold(page)
    page.locator("[name=d_ultimo]").tap()
    page.locator(".save.unready").tap()
    page.locator("#hand-news .notice").wait_for()


def _show_totals(page: Page) -> None:
    page.locator("#totals input").tap()


def _choose_tarokk(page: Page) -> None:
    page.locator("[name=game][value=tarokk]").tap()
    page.locator("[name=player_5]").wait_for()
    page.locator("#house-rules > summary").tap()
    page.locator("[name=rules_ladder][value='3']").tap()
