"""The page of a session for paper: all its hands, the first on top, totals, signatures and marks."""

import pytest
from django.test import Client

from sessions_app.drawing.qr_code import qr_code
from sessions_app.models import Evening, User
from sessions_app.readers.check_figure import figure_of
from sessions_app.readers.evening import sheets
from tests.factories import record, strike_out
from tests.statistics.generate import generate
from tests.views.page import Node, Page


def rows_of(page: Page) -> list[list[str]]:
    [table] = page.of_class("paper")
    return [[cell.text for cell in cells(row)] for row in table.one("tbody").all("tr")]


def cells(row: Node) -> list[Node]:
    return [node for node in row.all() if node.tag in ("th", "td")]


def test_sheet_on_paper_has_the_hands_in_order_with_totals_and_what_was_struck_out(
    owners: Client, owner: User, evening: Evening
) -> None:
    for deal in ("2H 7", "3N 5", "2H 7"):
        record(evening, owner, deal, declarer=1)
    strike_out(evening, 2, owner)
    page = Page.of(owners.get(f"/sessions/{evening.pk}/print/"))
    first, second, third, balance = rows_of(page)
    assert [first[0], *first[2:]] == ["1", "−6 −6", "+12 +12", "−6 −6"]
    assert second[0] == "2"
    assert second[1].endswith("void")
    assert [third[0], *third[2:]] == ["3", "−6 −12", "+12 +24", "−6 −12"]
    assert balance[0] == "Balance"
    assert [each.split()[0] for each in balance[1:]] == ["−12", "+24", "−12"]
    assert [row.text for row in page.one("section", class_="signatures").all("li")] == ["Anna", "Béla", "Cili"]
    assert page.one("dl").all("dt")


def test_long_session_is_on_several_pages_for_paper(
    owners: Client, owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _number in range(3):
        record(evening, owner, "2H 7")
    monkeypatch.setattr(sheets, "MOST_PRINTED", 2)
    page = Page.of(owners.get(f"/sessions/{evening.pk}/print/"))
    assert [row[0] for row in rows_of(page)] == ["2", "3", "Balance"]
    earlier = Page.of(owners.get(f"/sessions/{evening.pk}/print/{page.links['Earlier hands']}"))
    assert [row[0] for row in rows_of(earlier)] == ["1"]


@pytest.mark.parametrize("game", ["asszorti", "tarokk", "preference"])
def test_session_of_every_game_is_on_paper_and_found_from_its_page(owners: Client, owner: User, game: str) -> None:
    [circle] = generate(owner, sessions=1, hands=12, players=8, games=[game])
    evening = circle.evenings.get()
    paper = f"/sessions/{evening.pk}/print/"
    page = Page.of(owners.get(paper))
    assert [row[0] for row in rows_of(page)] == [*map(str, range(1, evening.last_number + 1)), "Balance"]
    assert bool(page.of_class("pulka")) is (game == "preference")
    assert Page.of(owners.get(f"/sessions/{evening.pk}/")).links["On paper, to be signed"] == paper


def test_sheet_bears_its_check_figure_and_the_whole_address_as_a_qr_code(
    owners: Client, owner: User, evening: Evening
) -> None:
    record(evening, owner, "2H 7")
    figure, answer = figure_of(evening), owners.get(f"/sessions/{evening.pk}/print/")
    address = f"http://testserver/check/{figure}/"
    assert Page.of(answer).links[figure] == address
    assert qr_code(address).path in answer.text
    assert owners.get(address).status_code == 200
