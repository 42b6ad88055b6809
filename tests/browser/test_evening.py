"""A whole evening on one phone, from the first name to the past sessions, against the hand-checked sheet.

The sheet is tests/evening.txt, whose first lines name its columns.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import ledger
from tests.browser import thumb

pytestmark = pytest.mark.django_db(transaction=True)

#: The hands that are tapped in by the default run; the others come from the ledger. With --all each is tapped in.
BY_THUMB = (1, 4, 18)
PLAYERS = ("Anna", "Béla", "Cili")
PATH = Path(__file__).parents[1] / "evening.txt"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the evening. `act` is record, correct, void, restore or undo; a tap is (group, choice).

    A deal that was thrown in has no declarer, no notation and no points. `after` are the balances by seat.
    """

    act: str
    number: int
    dealer: str
    taps: tuple[tuple[str, str], ...]
    notation: str
    points: int | None
    after: tuple[int, ...]

    @property
    def declarer(self) -> str | None:
        return dict(self.taps).get("Declarer")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The evening's lines, and the settlement: the settlement as (players, points, forints)."""

    lines: tuple[Line, ...]
    balance: tuple[tuple[str, int, int], ...]
    pairwise: tuple[tuple[str, int, int], ...]
    fewest: tuple[tuple[str, int, int], ...]


@pytest.fixture(scope="module")
def evening_sheet() -> Sheet:
    """The sheet, whose lines of an act have seven columns, and those of a settlement four."""
    rows = [
        [cell.strip() for cell in row.split("|")]
        for row in PATH.read_text(encoding="utf-8").splitlines()
        if row and not row.startswith("#")
    ]
    lines, settled = ([row for row in rows if len(row) == columns] for columns in (7, 4))
    lists = {
        kind: tuple((who, int(points), int(money)) for what, who, points, money in settled if what == kind)
        for kind in ("balance", "pairwise", "fewest")
    }
    return Sheet(tuple(_line(*row) for row in lines), **lists)


def _line(what: str, dealer: str, tapped: str, notation: str, count: str, points: str, after: str) -> Line:
    act, _space, number = what.rpartition(" ")
    taps = tuple(
        (group.strip(), choice) for group, _, choice in (tap.partition(": ") for tap in tapped.split(";") if tap)
    )
    if points != "-" and int(points) != int(count.rpartition(" = ")[2]):
        raise ValueError(f"{what}: the count does not come to the points")
    return Line(
        act or "record",
        int(number),
        dealer,
        taps,
        "" if notation == "-" else notation,
        None if points == "-" else int(points),
        tuple(int(balance) for balance in after.split()),
    )


def test_a_whole_evening_agrees_with_the_sheet(page: Page, evening_sheet: Sheet, pytestconfig: pytest.Config) -> None:
    start(page)
    written = False
    for line in evening_sheet.lines:
        if line.act == "record" and line.number not in BY_THUMB and not pytestconfig.option.all:
            write(line)
            written = True
            continue
        if written:
            page.reload()
            written = False
        ACTS[line.act](page, line)
    settle(page, evening_sheet)
    look_back(page, evening_sheet)
    page.get_by_role("button", name="Reopen").tap()
    expect(page.get_by_role("link", name="Enter hand 19")).to_be_visible()
    thumb.expect_balances(page, evening_sheet.lines[-1].after)


def write(line: Line) -> None:
    """Let the ledger record the hand of a line."""
    evening = Evening.objects.get()
    declarer = PLAYERS.index(line.declarer) if line.declarer else None
    stays = (thumb.THROWN_IN, "same dealer again") in line.taps
    facts = Facts(PLAYERS.index(line.dealer), declarer, line.notation, deal_stays=stays)
    ledger.record(evening.pk, token=uuid4(), number=evening.last_number + 1, facts=facts, by=User.objects.get())


def start(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("button", name="See it at work")).to_be_visible()
    page.get_by_role("link", name="New session").tap()
    for label, name in zip(("First player", "Second player", "Third player"), PLAYERS, strict=True):
        page.get_by_role("textbox", name=label).fill(name)
    expect(page.get_by_role("radio", name="Player 1 deals first")).to_be_checked()
    page.get_by_role("textbox", name="Money per point").fill("10")
    expect(page.get_by_role("combobox", name="Currency")).to_have_value("HUF")
    page.get_by_role("button", name="Start").tap()
    expect(page.get_by_text("No hand has been played yet.")).to_be_visible()
    thumb.expect_balances(page, (0, 0, 0))


def record(page: Page, line: Line) -> None:
    page.get_by_role("link", name=f"Enter hand {line.number}", exact=True).tap()
    thumb.choose(page, line.taps)
    if line.declarer:
        see_the_count(page, line)
        thumb.save(page).tap()
    expect(page.get_by_role("main").get_by_role("status")).to_have_text(f"Hand {line.number} is saved.")
    thumb.expect_balances(page, line.after)
    row = page.locator(f"#hand-{line.number}")
    expect(row).to_contain_text(line.declarer or f"{line.dealer} dealt")
    won = [(line.points or 0) * (2 if name == line.declarer else -1) for name in PLAYERS]
    expect(row.locator("td")).to_have_text([thumb.written(amount) for amount in won])
    assert Evening.objects.get().hands.get(number=line.number).deal == line.notation


def correct(page: Page, line: Line) -> None:
    page.get_by_role("link", name=re.compile(r"Earlier hands")).tap()
    unfold_hand(page, line)
    page.get_by_role("button", name="Correct").tap()
    thumb.choose(page, line.taps)
    see_the_count(page, line)
    thumb.save(page).tap()
    expect(page.get_by_role("main").get_by_role("status")).to_have_text(f"Hand {line.number} is saved.")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    expect(page.locator(f"#hand-{line.number}")).to_be_in_viewport()
    thumb.expect_balances(page, line.after)
    page.go_back()  # past the form
    expect(page.get_by_role("heading", name=f"Hand {line.number}", exact=True)).to_be_visible()
    expect(page.locator("tfoot [data-points]")).to_have_attribute("data-points", str(line.points))
    expect(page.locator(".history li")).to_have_count(2)
    expect(page.locator(".history")).to_contain_text("Corrected")
    assert Evening.objects.get().hands.get(number=line.number).deal == line.notation
    page.get_by_role("link", name="The session").tap()
    page.get_by_role("link", name="Latest hands").tap()


def void(page: Page, line: Line) -> None:
    unfold_hand(page, line)
    page.get_by_role("button", name="Void").tap()
    expect(page.get_by_text("This hand is void")).to_be_visible()
    page.get_by_role("link", name="The session").tap()
    expect(page.locator(f"#hand-{line.number}")).to_have_class(re.compile(r"\b(undone|void)\b"))
    thumb.expect_balances(page, line.after)


def restore(page: Page, line: Line) -> None:
    unfold_hand(page, line)
    page.get_by_role("button", name="Restore").tap()
    expect(page.get_by_role("button", name="Void")).to_be_visible()
    page.get_by_role("link", name="The session").tap()
    expect(page.locator(f"#hand-{line.number} .deal")).not_to_have_css("text-decoration-line", "line-through")
    thumb.expect_balances(page, line.after)


def undo(page: Page, line: Line) -> None:
    page.get_by_role("button", name="Undo").tap()
    expect(page.get_by_role("main").get_by_role("status")).to_have_text(f"Hand {line.number} is void.")
    thumb.expect_balances(page, line.after)


ACTS = {act.__name__: act for act in (record, correct, void, restore, undo)}


def settle(page: Page, evening: Sheet) -> None:
    page.get_by_role("link", name="Settle up").tap()
    see_the_settlement(page, evening)
    page.get_by_role("button", name="End session").tap()
    expect(page.locator(".ended-as").get_by_text("15 hands")).to_be_visible()
    see_the_settlement(page, evening)


def look_back(page: Page, evening: Sheet) -> None:
    page.goto("/")
    page.get_by_role("link", name=re.compile("past sessions$", re.IGNORECASE)).tap()
    card = page.get_by_role("listitem").filter(has_text="15 hands")  # 17 deals, 2 of them thrown in
    for name, points, _money in evening.balance:
        expect(card).to_contain_text(f"{name} {thumb.written(points)}")
    card.get_by_role("link").tap()
    thumb.expect_balances(page, evening.lines[-1].after)
    expect(page.get_by_role("link", name=re.compile("^Enter hand"))).to_have_count(0)
    expect(page.locator(".line")).to_have_count(12)
    page.get_by_role("link", name="Earlier hands").tap()
    expect(page.locator("#hand-1")).to_be_visible()
    expect(page.locator(".line")).to_have_count(6)
    unfold_hand(page, evening.lines[0])
    expect(page.get_by_text("4 + 2 = 6")).to_be_visible()
    expect(page.get_by_role("button", name="Correct")).to_have_count(0)
    page.get_by_role("link", name="The session").tap()


def unfold_hand(page: Page, line: Line) -> None:
    page.locator(f"#hand-{line.number}").get_by_role("link").tap()
    expect(page.get_by_role("heading", name=f"Hand {line.number}", exact=True)).to_be_visible()


def see_the_count(page: Page, line: Line) -> None:
    expect(page.locator("#count [data-points]")).to_have_attribute("data-points", str(line.points))


def see_the_settlement(page: Page, evening: Sheet) -> None:
    thumb.expect_balances(page, [points for _name, points, _money in evening.balance])
    for seat, (_name, _points, money) in enumerate(evening.balance):
        assert figure(page.locator(f"[data-seat='{seat}'] .money")) == money
    page.locator("summary").filter(has=page.get_by_role("heading", name="Who won from whom")).tap()
    lists = ((".payable li", ".sum", evening.fewest), (".transfers summary", ".money", evening.pairwise))
    for rows, amount, transfers in lists:
        expect(page.locator(rows)).to_have_count(len(transfers))
        seen = {
            (" → ".join(row.locator("bdi").all_text_contents()), figure(row.locator(amount)))
            for row in page.locator(rows).all()
        }
        assert seen == {(route, money) for route, _points, money in transfers}


def figure(place: Locator) -> int:
    """The whole number in a text like 'HUF −1,600'."""
    text = place.text_content() or ""
    return int(re.sub(r"\D", "", text)) * (-1 if "−" in text else 1)
