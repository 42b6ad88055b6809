"""Sessions, payments and balances as a spreadsheet, read again by openpyxl."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games.amounts import Amount
from sessions_app.models import POINTS, Circle, Evening, Player, Repayment, User
from sessions_app.readers.evening.seating import seats_of
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.repayments import currencies_played_for
from sessions_app.words import workbook
from sessions_app.words.amounts import currency_words
from sessions_app.writers import evenings, repayments
from tests.factories import record
from tests.statistics.generate import generate

type Row = dict[str, Any]
SHEETS = ["Results", "Hands", "Payments", "Balances"]


def book_of(client: Client, address: str) -> Any:
    response: Any = client.get(address)
    assert response.status_code == 200
    return load_workbook(BytesIO(b"".join(response)))


def rows_of(book: Any, title: str) -> list[Row]:
    heads, *rows = book[title].iter_rows(values_only=True)
    return [dict(zip(heads, row, strict=True)) for row in rows]


def exact(cell: float | None) -> Fraction:
    """The fraction that a cell stands for: no game, stake or currency makes one of a larger denominator."""
    return Fraction(cell or 0).limit_denominator(12_000)


def units(amount: Fraction, currency: str) -> Fraction:
    return amount * 10 ** CURRENCIES.get(currency, 0)


def stored(circle: Circle) -> dict[tuple[str, str], Amount]:
    """The balances by player and currency, as they are read from the database."""
    names = dict(Player.objects.filter(circle=circle).values_list("pk", "name"))
    found = balances(circle.pk).by_currency
    return {(names[player], currency): amount for currency, of in found.items() for player, amount in of.items()}


def summed(rows: Sequence[tuple[str, str, Fraction]]) -> dict[tuple[str, str], Fraction]:
    """The sums by player and currency, by the words of which its code is known again."""
    codes = {currency_words(f"{POINTS}{game}"): f"{POINTS}{game}" for game in ("asszorti", "tarokk", "preference")}
    sums: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for player, words, amount in rows:
        currency = codes.get(words, words)
        sums[player, currency] += units(amount, currency)
    return sums


@pytest.fixture
def archive(owner: User) -> Circle:
    """A circle with sessions of all games, payments for some of them and for none, one taken back, and paper debts."""
    [circle] = generate(owner, sessions=13, hands=12, players=9, distinct=6, seed=3)
    chance = Random(1)  # noqa: S311  cards, not keys
    currencies = currencies_played_for(circle)
    players = list(circle.players.order_by("pk").values_list("pk", flat=True))
    for number in range(12):
        payer, payee = chance.sample(players, 2)
        kind = Repayment.Kind.OPENING if number > 9 else Repayment.Kind.PAYMENT
        units = chance.randrange(1, 9999)
        wanted = repayments.Wanted(payer, payee, units, currencies[number % len(currencies)], (), f"={number}", kind)
        made = repayments.book(circle.pk, wanted, token=uuid4(), by=owner).row
        if number == 5:
            repayments.undo(circle.pk, made.pk, by=owner)
    return circle


def test_spreadsheet_of_a_circle_adds_up_to_its_balances(owners: Client, archive: Circle) -> None:
    book = book_of(owners, f"/circles/{archive.pk}/export.xlsx")
    assert book.sheetnames == SHEETS
    rows = rows_of(book, "Balances")
    assert summed([(row["Player"], row["Currency"], exact(row["Balance"])) for row in rows]) == stored(archive)
    parts = ("Results", "Paid", "Was paid", "From a paper book")
    assert [exact(row["Balance"]) for row in rows] == [sum(exact(row[part]) for part in parts) for row in rows]
    assert {part: any(row[part] for row in rows) for part in parts} == dict.fromkeys(parts, True)
    results = [row for row in rows_of(book, "Results") if row["Currency"]]
    entries = [(row["Player"], row["Currency"], exact(row["Amount"])) for row in results]
    for row in rows_of(book, "Payments"):
        if not row["Taken back"]:
            sign = -1 if row["Kind"] == "Owed from a paper book" else 1
            entries.append((row["Payer"], row["Currency"], sign * exact(row["Amount"])))
            entries.append((row["Payee"], row["Currency"], -sign * exact(row["Amount"])))
    assert summed(entries) == stored(archive), "so do its other sheets"
    assert sum(bool(row["Taken back"]) for row in rows_of(book, "Payments")) == 1


def test_hands_of_a_spreadsheet_add_up_to_the_points_of_each_session(owners: Client, archive: Circle) -> None:
    book = book_of(owners, f"/circles/{archive.pk}/export.xlsx")
    sums: dict[tuple[int, str], Fraction] = defaultdict(Fraction)
    for row in rows_of(book, "Hands"):
        for seat in range(1, 9):
            if row.get(f"Player {seat}") and row["Voided"] != "yes":
                sums[row["Session"], row[f"Player {seat}"]] += exact(row[f"Points {seat}"])
    results = {(row["Session"], row["Player"]): exact(row["Points"]) for row in rows_of(book, "Results")}
    assert {**dict.fromkeys(results, Fraction()), **sums} == results
    seats = {(evening.pk, seat.name): seat.balance for evening in archive.evenings.all() for seat in seats_of(evening)}
    assert results == seats


def test_spreadsheet_of_a_session_has_its_results_hands_payments_and_balances(
    owners: Client, owner: User, evening: Evening
) -> None:
    record(evening, owner, "2H 7")
    assert rows_of(book_of(owners, f"/sessions/{evening.pk}/export.xlsx"), "Balances") == [], "it still runs"
    evenings.end(evening.pk)
    anna, bela = evening.seats.order_by("position").values_list("player", flat=True)[:2]
    wanted = repayments.Wanted(anna, bela, 60, "HUF", (evening.pk,))
    repayments.book(evening.circle_id, wanted, token=uuid4(), by=owner)
    book = book_of(owners, f"/sessions/{evening.pk}/export.xlsx")
    [hand] = rows_of(book, "Hands")
    assert (hand["Day"], hand["Game"]) == (datetime.combine(timezone.localdate(), datetime.min.time()), "Asszorti")
    assert (hand["Kind"], hand["Dealer"], hand["Declarer"], hand["Deal"]) == ("Played", "Anna", "Béla", "2H 7")
    assert [(row["Player"], row["Points"], row["Amount"]) for row in rows_of(book, "Results")] == [
        *(("Anna", -6, -60), ("Béla", 12, 120), ("Cili", -6, -60)),
    ]
    [payment] = rows_of(book, "Payments")
    assert (payment["Payer"], payment["Payee"], payment["Amount"]) == ("Anna", "Béla", 60)
    assert (payment["Kind"], payment["For sessions"]) == ("Payment", str(evening.pk))
    assert [(row["Player"], row["Balance"]) for row in rows_of(book, "Balances")] == [
        *(("Anna", 0), ("Béla", 60), ("Cili", -60)),
    ]


STRANGE = ["=1+1", "@x", "http://example.com", "-1", '"a"', "two\nlines", "👩‍👩‍👧‍👦", "\u200fعلي 12", "007"]


@pytest.mark.parametrize("name", STRANGE)
def test_strange_name_is_a_text_and_no_formula_number_or_link(
    owners: Client, owner: User, evening: Evening, name: str
) -> None:
    Player.objects.filter(name="Béla").update(name=name)
    record(evening, owner, "2H 7")
    book = book_of(owners, f"/sessions/{evening.pk}/export.xlsx")
    cells = [cell for sheet in book for row in sheet.iter_rows(min_row=2) for cell in row if cell.value == name]
    assert len(cells) == 3
    assert {(cell.data_type, cell.hyperlink) for cell in cells} == {("s", None)}


def test_spreadsheet_has_heads_in_the_language_of_the_member(
    client_of: Callable[..., Client], owner: User, evening: Evening
) -> None:
    phone = client_of(owner)
    response: Any = phone.get(f"/sessions/{evening.pk}/export.xlsx", headers={"accept-language": "hu"})
    book = load_workbook(BytesIO(b"".join(response)))
    assert book.sheetnames == ["Eredmények", "Leosztások", "Fizetések", "Egyenlegek"]
    assert next(book["Eredmények"].iter_rows(values_only=True))[:4] == ("Játszma", "Nap", "Cím", "Játék")


def test_sheet_that_is_full_goes_on_in_another_one(
    owners: Client, evening: Evening, play: Callable[[Evening, int], Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(evening, 5)
    monkeypatch.setattr(workbook, "MOST_ROWS", 4)
    book = book_of(owners, f"/sessions/{evening.pk}/export.xlsx")
    assert [row["Hand"] for title in ("Hands", "Hands 2") for row in rows_of(book, title)] == [1, 2, 3, 4, 5]


def test_demo_owes_nothing_in_its_spreadsheet(owners: Client, archive: Circle) -> None:
    Circle.objects.filter(pk=archive.pk).update(is_demo=True)
    archive.evenings.update(result_currency="")
    for evening in archive.evenings.all():
        evening.seats.update(result=None, result_parts=1)
    book = book_of(owners, f"/circles/{archive.pk}/export.xlsx")
    assert rows_of(book, "Balances") == []
    assert stored(archive) == {}
