"""A whole evening of Hungarian Tarokk for five on one phone, against the hand-checked sheet, partly in a cellar."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.games.tarokk import amounts, deal_from_text, places
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening
from tests.browser import phones, tarokk_sheet, thumb
from tests.browser.tarokk_sheet import PLAYERS, THROWN_IN, Line, Sheet

pytestmark = pytest.mark.django_db(transaction=True)

EVENING = tarokk_sheet.read()
#: Hands that are played where there is no network.
IN_THE_CELLAR = (10, 11)
#: The hands that are tapped in by the default run; the others come from the ledger. With --all each is tapped in,
#: once, where there are scripts.
BY_THUMB = (1, 5, 8, *IN_THE_CELLAR)


@pytest.mark.thorough
def test_a_whole_evening_agrees_with_the_sheet(
    new_phone: Callable[..., Page], expected: set[str], pytestconfig: pytest.Config
) -> None:
    def act(line: Line) -> None:
        if line.number in IN_THE_CELLAR:
            record_in_the_cellar(page, line)
        else:
            ACTS[line.act](page, line)

    def hand_of(line: Line) -> Facts | None:
        by_thumb = line.act != "record" or line.number in BY_THUMB or pytestconfig.option.all
        return None if by_thumb else facts_of(line)

    expected.add(phones.NO_NETWORK)
    page = new_phone()
    start(page)
    phones.play(page, EVENING.lines, act, hand_of)
    see_the_sheet(page, EVENING)
    settle(page, EVENING)


def facts_of(line: Line) -> Facts:
    """Return the hand of a line that records one."""
    declarer = PLAYERS.index(dict(line.taps)["Declarer"]) if line.notation else None
    return Facts(PLAYERS.index(line.dealer), declarer, line.notation)


def start(page: Page) -> None:
    page.goto("/sessions/new/")
    page.get_by_role("radio", name="Tarokk", exact=True).tap()
    for label, name in zip(("First", "Second", "Third", "Fourth", "Fifth"), PLAYERS, strict=True):
        page.get_by_role("textbox", name=f"{label} player").fill(name)
    page.get_by_role("button", name="Start", exact=True).tap()
    expect(page.get_by_text("No hand has been played yet.")).to_be_visible()
    page.get_by_role("button", name="Don't ask").tap()
    expect(page.get_by_role("button", name="Don't ask")).to_have_count(0)
    phones.kept(page)


def record(page: Page, line: Line) -> None:
    page.get_by_role("link", name=f"Enter hand {line.number}", exact=True).tap()
    expect(page.locator(".who-deals")).to_contain_text(f"{line.dealer} deals")
    tarokk_sheet.tap(page, line.taps)
    if (THROWN_IN, "") not in line.taps:
        see_the_count(page, line)
        thumb.save(page).tap()
    expect(page.get_by_role("main").get_by_role("status")).to_have_text(f"Hand {line.number} is saved.")
    see_the_line(page, line)


def record_in_the_cellar(page: Page, line: Line) -> None:
    """The network goes when the first of these is tapped in, and comes back when the last waits on the phone."""
    if line.number == IN_THE_CELLAR[0]:
        page.get_by_role("link", name=f"Enter hand {line.number}", exact=True).tap()
        page.context.set_offline(True)
    expect(page.locator(".who-deals")).to_contain_text(f"{line.dealer} deals")
    tarokk_sheet.tap(page, line.taps)
    expect(page.locator("#count")).to_have_text("No network: it will be counted when it is saved.")
    phones.save(page, line.number)
    expect(page.locator("#hand-news")).to_contain_text(f"Hand {line.number} is waiting on this phone")
    if line.number == IN_THE_CELLAR[-1]:
        page.get_by_role("link", name="The session").tap()
        expect(phones.rows(page)).to_have_count(len(IN_THE_CELLAR))
        page.context.set_offline(False)
        see_the_line(page, line)
        expect(phones.rows(page)).to_have_count(0)


def correct(page: Page, line: Line) -> None:
    unfold_hand(page, line)
    page.get_by_role("button", name="Correct").tap()
    tarokk_sheet.tap(page, line.taps)
    see_the_count(page, line)
    thumb.save(page).tap()
    unfold_hand(page, line)
    expect(page.locator(".history")).to_contain_text("Corrected")
    back(page, line)


def void(page: Page, line: Line) -> None:
    unfold_hand(page, line)
    page.get_by_role("button", name="Void").tap()
    expect(page.get_by_text("This hand is void")).to_be_visible()
    back(page, line)


def restore(page: Page, line: Line) -> None:
    unfold_hand(page, line)
    page.get_by_role("button", name="Restore").tap()
    expect(page.get_by_role("button", name="Void")).to_be_visible()
    back(page, line)


ACTS = {"record": record, "correct": correct, "void": void, "restore": restore}


def unfold_hand(page: Page, line: Line) -> None:
    page.locator(f"#hand-{line.number}").get_by_role("link").tap()
    expect(page.locator(".hand-card")).to_be_visible()


def back(page: Page, line: Line) -> None:
    expect(page.locator(".hand-card")).to_have_attribute("data-line", line.notation)
    page.get_by_role("link", name="The session").tap()
    see_the_line(page, line)


def see_the_count(page: Page, line: Line) -> None:
    """The live sentence, with each player's amount."""
    expect(page.locator("#count [data-points]")).to_be_visible()
    if len(set(line.amounts)) > 3:  # three at most: won, lost, sits out
        for name, amount in zip(PLAYERS, line.amounts, strict=True):
            if amount is not None:
                expect(page.locator("#count")).to_contain_text(
                    re.compile(rf"{name}.?\s{re.escape(thumb.written(amount))}")
                )


def see_the_line(page: Page, line: Line) -> None:
    thumb.expect_balances(page, line.after)
    if line.act == "void":  # within two minutes: one thin line
        expect(page.locator(f"#hand-{line.number}")).to_contain_text(f"{line.number} undone")
        return
    cells = page.locator(f"#hand-{line.number} td")
    expect(cells).to_have_text([written(amount) for amount in line.amounts])


def written(amount: int | None) -> str:
    return "·" if amount is None else thumb.written(amount)


def see_the_sheet(page: Page, evening: Sheet) -> None:
    """Every hand with its amounts, and with one tap the balances after it; the first is on a page before."""
    for numbers in (range(2, 14), range(1, 2)):
        page.get_by_role("checkbox", name="running totals").tap()
        for number in numbers:
            cells = page.locator(f"#hand-{number} td")
            expect(cells).to_have_text([written(amount) for amount in evening.amounts[number]])
            for cell, total in zip(cells.all(), evening.totals[number], strict=True):
                expect(cell).to_have_attribute("data-total", thumb.written(total))
                assert shown(cell) == f'"{thumb.written(total)}"'
        if 1 not in numbers:
            page.get_by_role("link", name="Earlier hands").tap()
            expect(page.locator("#hand-1")).to_be_visible()
    recorded = Evening.objects.get().hands.order_by("number").values_list("number", "deal")
    assert dict(recorded) == {line.number: line.notation for line in evening.lines}


def shown(cell: Locator) -> str:
    """The figure in the place of the hand's amounts."""
    return str(cell.evaluate("(cell) => getComputedStyle(cell, '::after').content"))


def settle(page: Page, evening: Sheet) -> None:
    page.get_by_role("link", name="Settle up").tap()
    thumb.expect_balances(page, evening.lines[-1].after)
    page.locator("summary").filter(has=page.get_by_role("heading", name="Pair by pair")).tap()
    for heading, transfers in (("Fewest payments", evening.fewest), ("Pair by pair", evening.pairwise)):
        rows = page.get_by_role("region", name=heading).locator("summary")
        expect(rows).to_have_count(len(transfers))
        seen = {
            (" → ".join(row.locator("bdi").all_text_contents()), int(row.locator(".figure").text_content() or ""))
            for row in rows.all()
        }
        assert seen == transfers


def test_the_sheet_adds_up() -> None:
    """Its amounts are those of the rules for its notation, and its balances follow one from the other."""
    for line in EVENING.lines:
        if line.notation:
            dealer, declarer = PLAYERS.index(line.dealer), PLAYERS.index(declarer_of(line))
            by_place = dict(zip(places(5, dealer, declarer), amounts(deal_from_text(line.notation)), strict=True))
            assert line.amounts == tuple(by_place.get(seat) for seat in range(5)), line
    balances = (0,) * len(PLAYERS)
    for number, won in EVENING.amounts.items():
        balances = tuple(before + (amount or 0) for before, amount in zip(balances, won, strict=True))
        assert balances == EVENING.totals[number]
    assert balances == EVENING.lines[-1].after


def declarer_of(line: Line) -> str:
    return next(taps["Declarer"] for one in EVENING.lines if one.number == line.number and (taps := dict(one.taps)))
