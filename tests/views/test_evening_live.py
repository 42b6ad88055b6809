"""The live part of the evening's page, which phones poll every two seconds, and its queries."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.safestring import SafeString

from scorekeeper.games import preference
from sessions_app import cached_templates
from sessions_app.drawing.qr_code import qr_code
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, HandMark, Role, User
from sessions_app.readers.check_figure import figure_of
from sessions_app.readers.evening import sheets
from sessions_app.writers import evenings, ledger
from tests import moves
from tests.factories import MemberFactory, record, strike_out
from tests.pulka import EVENING
from tests.selection import first
from tests.statistics.generate import generate
from tests.views.page import HTMX_BODY, HUNGARIAN, Node, Page

LIVE = {"HX-Request": "true", "HX-Target": "div#state"}


def url(evening: Evening, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/{rest}"


def live(evening: Evening, version: int | str) -> str:
    return url(evening, f"live/?v={version}")


def test_live_has_nothing_to_say_to_who_knows_it_all(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    evening.refresh_from_db()
    response = owners.get(live(evening, evening.version), headers=LIVE)
    assert (response.status_code, response.content) == (204, b"")
    assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("headers", first(1, [{}, LIVE]))
@pytest.mark.parametrize("who", ["owner", "keeper", "viewer"])
def test_live_gives_the_changed_part_to_every_member(
    cast: dict[str, Client], owner: User, evening: Evening, who: str, headers: dict[str, str]
):
    record(evening, owner, "2H 7", declarer=0)
    response = cast[who].get(live(evening, 1), headers=headers)
    page = Page.of(response)
    assert response.status_code == 200
    assert not page.is_whole
    assert "<html" not in page.html
    part = page.one("div", id="state")
    assert part.attrs["data-version"] == "2"
    assert part.attrs["data-live"] == url(evening, "live/")
    assert page.balances == {0: 12, 1: -6, 2: -6}
    assert "Anna" in page.line(1).text
    assert "Hand 2" in page.text
    answers = [url(evening, "hands/1/mark/")] if who == "keeper" else []
    assert [form.attrs["action"] for form in page.all("form")] == answers, "what another phone wrote is to be agreed"


def test_live_and_page_show_the_same_part(viewers: Client, evening: Evening, play: Callable[..., Evening]):
    play(evening, 15)
    whole = Page.of(viewers.get(url(evening))).one("div", id="state")
    part = Page.of(viewers.get(live(evening, 0))).one("div", id="state")
    assert part.text == whole.text
    assert attributes(part) == attributes(whole)


def attributes(part: Node) -> list[dict[str, str]]:
    """The attributes of all its elements, but for values that differ in every answer."""
    return [node.attrs for node in part.nodes() if node.attrs.get("name") != "csrfmiddlewaretoken"]


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 40, "0"])
def test_live_answers_a_version_it_does_not_know_with_all_there_is(owners: Client, evening: Evening, version: str):
    response = owners.get(live(evening, version))
    assert response.status_code == 200
    assert Page.of(response).balances == {0: 0, 1: 0, 2: 0}


def test_every_write_gives_live_something_to_say(owners: Client, owner: User, evening: Evening):
    writes = [
        lambda: record(evening, owner, "2H 7"),
        lambda: ledger.amend(evening.pk, 1, facts=Facts(0, 1, "2H 8"), by=owner),
        lambda: ledger.void(evening.pk, 1, by=owner),
        lambda: ledger.restore(evening.pk, 1, by=owner),
        lambda: evenings.mark_hand(evening.pk, 1, HandMark.Kind.HM, by=owner),
        lambda: evenings.settle_doubts(evening.pk, 1),
        lambda: moves.let_play(evening.pk, 2, seen=Seen(2, 0), by=owner),
        lambda: evenings.end(evening.pk),
        lambda: evenings.reopen(evening.pk),
    ]
    for write in writes:
        evening.refresh_from_db()
        known = evening.version
        assert owners.get(live(evening, known)).status_code == 204
        write()
        assert owners.get(live(evening, known)).status_code == 200


# --- The sheet as its players draw it, on the evening's page ---


@pytest.fixture
def pulka(owner: User) -> Evening:
    """Anna, Béla and Cili after seven hands of it."""
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 2, game_key=preference.GAME.key, rules="target=8")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    for dealer, declarer, deal in EVENING[:7]:
        play(evening, owner, dealer, declarer, deal)
    return evening


@pytest.fixture
def watchers(client_of: Callable[..., Client], pulka: Evening) -> Client:
    return client_of(MemberFactory(circle=pulka.circle, role=Role.VIEWER).user)


def play(evening: Evening, by: User, dealer: int, declarer: int | None, deal: str) -> None:
    evening.refresh_from_db()
    facts = Facts(dealer, declarer, deal)
    ledger.record(evening.pk, token=uuid4(), number=evening.last_number + 1, facts=facts, by=by)


def drawing(page: Node) -> Node:
    (found,) = page.of_class("drawing")
    return found


def figures(page: Node, seat: int) -> list[str]:
    """The text in a player's field, row by row from the outer edge, without the marks and names."""
    return [row.text for row in drawing(page).of_class("field")[seat].of_class("figures")]


def test_drawn_sheet_stands_above_the_hands_with_balances(owners: Client, pulka: Evening):
    page = Page.of(owners.get(url(pulka)))
    assert figures(page, 0) == ["18 38", "2", "2", "4"]
    assert figures(page, 1) == ["8 12", "4", "", "… 20 26 46"]
    assert figures(page, 2) == ["", "48 68", "4 6", "4 18"]
    state = page.one("div", id="state")
    parts = [node for node in state.nodes() if {"pulka", "sheet"} & set(node.attrs.get("class", "").split())]
    assert [node.tag for node in parts] == ["section", "table"]
    head = [field.one("h3").text for field in drawing(page).of_class("field")]
    balances = [seat.of_class("figure")[0].text for seat in page.of_class("seat")]
    assert head == [f"{name} {balance}" for name, balance in zip(("Anna", "Béla", "Cili"), balances, strict=True)]


@pytest.mark.parametrize("who", ["owners", "watchers"])
@pytest.mark.parametrize("headers", first(1, [{}, HTMX_BODY]), ids=["plain", "htmx"])
def test_live_part_has_the_drawn_sheet(
    request: pytest.FixtureRequest, pulka: Evening, owner: User, who: str, headers: dict[str, str]
):
    client: Client = request.getfixturevalue(who)
    pulka.refresh_from_db()
    known = pulka.version
    assert client.get(url(pulka, f"live/?v={known}"), headers=headers).status_code == 204
    play(pulka, owner, *EVENING[7])
    part = Page.of(client.get(url(pulka, f"live/?v={known}"), headers=headers))
    assert not part.is_whole
    assert figures(part, 1) == ["8 12 32", "4", "8", "… 20 26 46"]
    assert [link.text for link in drawing(part).of_class("new")] == ["32", "8", "8"]


def test_end_of_the_game_is_said_large_and_explained_once(owners: Client, pulka: Evening, owner: User):
    for hand in EVENING[7:]:
        play(pulka, owner, *hand)
    page = Page.of(owners.get(url(pulka)))
    assert page.of_class("pulka-head")[0].text == "The game is over Anna +262⅔ Cili +60⅔ Béla −323⅓"
    assert page.text.count("the game is over. Later hands do not count") == 1
    evenings.end(pulka.pk)
    ended = Page.of(owners.get(url(pulka)))
    assert ended.of_class("pulka-head")[0].text == page.of_class("pulka-head")[0].text


@pytest.fixture
def empty_cache() -> None:
    cached_templates._rendered.clear()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("empty_cache")
def test_drawn_sheet_is_rendered_once_for_a_language(
    owners: Client, watchers: Client, pulka: Evening, monkeypatch: pytest.MonkeyPatch
):
    drawn: list[str] = []
    draw = cached_templates.render

    def noted(name: str, shown: dict[str, Any]) -> SafeString:
        drawn.append(name)
        return draw(name, shown)

    monkeypatch.setattr(cached_templates, "render", noted)
    for client in (owners, watchers):
        client.get(url(pulka))
        client.get(url(pulka, "live/?v=0"))
    assert drawn.count("games/preference/face.html#drawn") == 1
    owners.get(url(pulka), headers=HUNGARIAN)
    assert drawn.count("games/preference/face.html#drawn") == 2


# --- The page of a session for paper: all its hands, the first on top, totals, signatures and marks ---


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
