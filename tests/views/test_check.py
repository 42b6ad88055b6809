"""A check figure: the evening and the state of its book that it is of, and what a member is told of it."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.test import Client, override_settings

from scorekeeper.games import GAMES
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, HandMark, Member, Revision, User
from sessions_app.readers.check_figure import DIGITS, figure_of
from sessions_app.writers import evenings, ledger, players
from tests.factories import evening_of, record
from tests.ledger.books import edit
from tests.statistics.generate import generate
from tests.views.page import Page

SAME, CORRECTED = "The book still says so.", "Corrected since."


@pytest.fixture
def book(evening: Evening, owner: User) -> Evening:
    """Three hands, each declared by Béla."""
    for deal in ("2H 7", "3N 5", "2H 8"):
        record(evening, owner, deal, declarer=1)
    return Evening.objects.get(pk=evening.pk)


def amend(book: Evening, number: int, deal: str, by: User) -> None:
    facts = ledger.recorded_facts(book.hands.get(number=number))
    ledger.amend(book.pk, number, facts=replace(facts, deal=deal), by=by)


def checked(client: Client, figure: str) -> Page:
    return Page.of(client.get(f"/check/{figure}/"), 200)


def cells(page: Page) -> list[list[str]]:
    [body] = page.all("tbody")
    return [[cell.text for cell in row.all() if cell.tag in ("th", "td")] for row in body.all("tr")]


def test_figure_of_a_book_says_what_the_sheet_must_say_and_one_that_it_never_had_says_so(
    owners: Client, book: Evening
) -> None:
    figure = figure_of(book)
    assert [len(group) for group in figure.split("-")] == [4, 4, 4]
    loose = figure.replace("-", "").lower().replace("0", "o").replace("1", "l")
    for typed in (figure, loose, f" {figure[:6]} {figure[6:]}", figure.replace("1", "I")):
        page = checked(owners, typed)
        assert SAME in page.text
        assert "after hand 3" in page.text
        assert cells(page) == [["Anna", "−10"], ["Béla", "+20"], ["Cili", "−10"]]
        assert page.links["The session"] == f"/sessions/{book.pk}/"
    page = checked(owners, figure[:-1] + DIGITS[(DIGITS.index(figure[-1]) + 1) % 32])
    assert "This figure is not of this book." in page.text
    assert "Béla" not in page.one("main").text
    for text in ("0000-0000-0000", "x", "U" * 12, "0" * 13, "é" * 12, "0" * 5000, "%00"):
        assert owners.get(f"/check/{text}/").status_code == 404


def test_corrected_hands_are_named_with_what_they_were_and_both_balances_in_as_many_queries(
    viewers: Client, owner: User, book: Evening, django_assert_num_queries: Any
) -> None:
    figure = figure_of(book)
    amend(book, 1, "2H 9", owner)
    with django_assert_num_queries(9):
        checked(viewers, figure)
    ledger.void(book.pk, 2, by=owner)
    amend(book, 3, "2H 9", owner)
    amend(book, 3, "2H 8", owner)
    with django_assert_num_queries(9):
        page = checked(viewers, figure)
    assert CORRECTED in page.text
    first, second = page.one("ul", class_="history").all("li")
    assert [first.one("a").text, second.one("a").text] == ["Hand 1", "Hand 2"]
    assert "was: Béla 2 hearts +1" in first.text
    assert "now: Béla 2 hearts +3" in first.text
    assert second.text.endswith("now: void")
    assert cells(page) == [["Anna", "−10", "−18"], ["Béla", "+20", "+36"], ["Cili", "−10", "−18"]]


def test_correction_that_was_corrected_back_and_hands_recorded_since_are_no_correction(
    owners: Client, owner: User, book: Evening
) -> None:
    figure = figure_of(book)
    amend(book, 1, "2H 9", owner)
    between = figure_of(book)
    amend(book, 1, "2H 7", owner)
    record(book, owner, "2H 7")
    assert figure != between
    page = checked(owners, figure)
    assert SAME in page.text
    assert "Hand 4 was recorded after the sheet." in page.text
    assert CORRECTED in checked(owners, between).text


def test_stake_is_part_of_the_book_and_names_reactions_and_the_end_are_not(
    owners: Client, owner: User, book: Evening
) -> None:
    figure = figure_of(book)
    players.rename(book.circle_id, book.seats.get(position=0).player_id, "Annuska", by=owner)
    evenings.mark_hand(book.pk, 1, HandMark.Kind.OK, by=owner)
    evenings.end(book.pk)
    evenings.reopen(book.pk)
    assert figure_of(Evening.objects.get(pk=book.pk)) == figure
    edit(book, owner, stake=Decimal(20))
    page = checked(owners, figure)
    assert CORRECTED in page.text
    assert "was: HUF 10 a point" in page.text
    assert "now: HUF 20 a point" in page.text


@pytest.mark.parametrize("game", GAMES)
def test_every_state_that_a_book_had_is_found(owners: Client, owner: User, game: str) -> None:
    """A hand that counts otherwise because of an earlier one is written in the same breath."""
    circle = generate(owner, sessions=1, hands=8, players=8, games=[game])
    evening = circle.evenings.get()
    evenings.reopen(evening.pk)
    figures = [figure_of(evening)]
    for number, change in ((1, ledger.void), (3, ledger.void), (1, ledger.restore), (5, ledger.void)):
        change(evening.pk, number, by=owner)
        figures.append(figure_of(evening))
    ledger.amend(evening.pk, 5, facts=Facts(1, deal_stays=True), by=owner)
    figures.append(figure_of(evening))
    assert len(set(figures)) == len(figures)
    said = [checked(owners, figure).text for figure in figures]
    assert [SAME in text for text in said] == [False] * 5 + [True]
    assert all(CORRECTED in text for text in said[:-1])


def test_figure_stays_good_with_another_secret_key_and_for_histories_without_versions(
    client_of: Callable[..., Client], owner: User, book: Evening
) -> None:
    figure = figure_of(book)
    amend(book, 2, "3N 7", owner)
    Revision.objects.update(version=None)
    with override_settings(SECRET_KEY="another"):
        assert figure_of(book) != figure
        assert CORRECTED in checked(client_of(owner), figure).text


def test_outsiders_get_the_same_answer_for_a_figure_as_for_none(
    outsiders: Client, strangers: Client, owners: Client, owner: User, book: Evening
) -> None:
    for client in (outsiders, strangers):
        there, nowhere = client.get(f"/check/{figure_of(book)}/"), client.get("/check/0000-0000-0000/")
        assert (there.status_code, nowhere.status_code) == (404, 404)
        assert Page.of(there).text == Page.of(nowhere).text
    figure = figure_of(book)
    Member.objects.filter(circle=book.circle_id, user=owner).delete()
    assert owners.get(f"/check/{figure}/").status_code == 404


def test_session_that_begins_alike_hides_no_other_figure(owners: Client, owner: User, book: Evening) -> None:
    """A phone chooses the token of its session, so that of another can be imitated."""
    figure = figure_of(book)
    other = evening_of(owner)
    other.token = UUID(int=book.token.int ^ 1)
    other.save()
    assert checked(owners, figure).links["The session"] == f"/sessions/{book.pk}/"
    assert figure_of(other)[:6] == figure[:6]
    assert checked(owners, figure_of(other)).links["The session"] == f"/sessions/{other.pk}/"
