"""Sessions and circles as CSV and as a spreadsheet, read again by other readers: csv and openpyxl."""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from io import BytesIO, StringIO
from itertools import product
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from openpyxl import load_workbook

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from sessions_app.hand_facts import Facts
from sessions_app.models import POINTS, Circle, Evening, Player, Repayment, User
from sessions_app.readers.book import exported
from sessions_app.readers.evening.seating import seats_of
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.repayments import currencies_played_for
from sessions_app.words import exports
from sessions_app.words.amounts import currency_words
from sessions_app.words.exports import HUNGARIAN, PLAIN, figure, text_cell
from sessions_app.writers import evenings, ledger, repayments
from tests.factories import evening_of, record, strike_out
from tests.statistics.generate import generate

type Line = dict[str, str]


def content_of(client: Client, address: str) -> bytes:
    response: Any = client.get(address)
    assert response.status_code == 200
    return b"".join(response)


def text_of(client: Client, address: str) -> str:
    return content_of(client, address).decode()


def lines_of(client: Client, address: str, delimiter: str = ",") -> list[Line]:
    return list(csv.DictReader(StringIO(text_of(client, address), newline=""), delimiter=delimiter, strict=True))


def seats_in(line: Line) -> Iterator[tuple[str, str]]:
    """Each seat's player and change."""
    return ((line[f"player_{seat}"], line[f"change_{seat}"]) for seat in range(1, 9) if line.get(f"player_{seat}"))


def added_up(lines: list[Line]) -> dict[tuple[str, str], Fraction]:
    """The changes by session and player. Six decimals tell a fraction that a game can come to."""
    sums: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for line in lines:
        for player, change in seats_in(line):
            counts = bool(change) and line["voided"] == "no"
            sums[line["session"], player] += Fraction(change).limit_denominator(60) if counts else 0
    return sums


def test_csv_of_a_session_has_a_line_a_hand_with_its_documented_columns(
    owners: Client, owner: User, evening: Evening
) -> None:
    record(evening, owner, "2H 7")
    ledger.record(evening.pk, token=uuid4(), number=2, facts=Facts(1), by=owner)
    record(evening, owner, "1S 6-5-0 K")
    ledger.amend(evening.pk, 3, facts=Facts(2, 0, "1S 6-5-0"), by=owner)
    strike_out(evening, 1, owner)
    lines = lines_of(owners, f"/sessions/{evening.pk}/export.csv")
    assert [line["number"] for line in lines] == ["1", "2", "3"]
    assert lines[0] == {
        **{"session": str(evening.pk), "day": timezone.localdate(evening.started_at).isoformat(), "title": ""},
        **{"game": "asszorti", "stake": "10", "currency": "HUF", "number": "1", "kind": "played"},
        **{"dealer": "Anna", "declarer": "Béla", "deal": "2H 7", "note": "", "voided": "yes", "corrected": "no"},
        **{"player_1": "Anna", "change_1": "-6", "player_2": "Béla", "change_2": "12"},
        **{"player_3": "Cili", "change_3": "-6"},
    }
    assert (lines[1]["kind"], lines[1]["declarer"], lines[1]["deal"]) == ("thrown_in", "", "")
    assert [(line["voided"], line["corrected"]) for line in lines] == [("yes", "no"), ("no", "no"), ("no", "yes")]


def test_player_who_sits_out_has_no_points_and_a_smaller_session_empty_seats(
    owners: Client, owner: User, evening_of_four: Evening
) -> None:
    for evening in (evening_of_four, evening_of(owner)):
        record(evening, owner, "2H 7")
    of_four, of_three = lines_of(owners, f"/circles/{evening_of_four.circle_id}/export.csv")
    assert list(seats_in(of_four)) == [("Anna", ""), ("Béla", "12"), ("Cili", "-6"), ("Dóra", "-6")]
    assert (of_three["player_4"], of_three["change_4"]) == ("", "")


def test_csv_for_hungarian_spreadsheets_has_semicolons_commas_and_a_byte_order_mark(
    owners: Client, evening: Evening
) -> None:
    Evening.objects.filter(pk=evening.pk).update(stake="0.05", currency="EUR", title="Igen; nem, talán")
    record(evening, evening.circle.members.get().user, "2H 7")
    text = text_of(owners, f"/sessions/{evening.pk}/export.csv?style=hu")
    assert text.startswith("\ufeffsession;day;")
    [line] = csv.DictReader(StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=";", strict=True)
    assert (line["stake"], line["title"]) == ("0,05", "Igen; nem, talán")
    assert text.count("\r\n") == text.count("\n") == 2


def test_figure_is_written_with_the_decimal_point_of_its_style() -> None:
    for amount, plain, hungarian in (
        (12, "12", "12"),
        (-1200, "-1200", "-1200"),
        (Fraction(-7, 3), "-2.333333", "-2,333333"),
        (Fraction(1200), "1200", "1200"),
        (Fraction(1, 2), "0.5", "0,5"),
    ):
        assert (figure(amount, PLAIN), figure(amount, HUNGARIAN)) == (plain, hungarian)


FORMULAS = ["=1+1", "+36", "-x", "−x", "@x", "\tx", "\nx", "\rx", "'=x"]
STRANGE = [*FORMULAS, '"a";b,c', "two\r\nlines", "👩‍👩‍👧‍👦", "\u200fعلي 12", "'x"]


def test_strange_name_is_read_back_whole_and_is_no_formula_number_or_link(
    owners: Client, owner: User, evening: Evening
) -> None:
    record(evening, owner, "2H 7")
    bela = evening.seats.get(position=1).player_id
    for name, (style, delimiter) in product(STRANGE, (("", ","), ("?style=hu", ";"))):
        Player.objects.filter(pk=bela).update(name=name)
        [line] = lines_of(owners, f"/sessions/{evening.pk}/export.csv{style}", delimiter)
        read = line["player_2"]
        assert read[0] not in "=+-−@\t\r\n"
        assert (read[1:] if text_cell(name) != name else read) == name
        assert (line["declarer"], line["change_2"]) == (read, "12")
    for name in ("=1+1", "@x", "http://example.com", "-1", '"a"', "two\nlines", "👩‍👩‍👧‍👦", "\u200fعلي 12", "007"):
        Player.objects.filter(pk=bela).update(name=name)
        book = book_of(owners, f"/sessions/{evening.pk}/export.xlsx")
        cells = [cell for sheet in book for row in sheet.iter_rows(min_row=2) for cell in row if cell.value == name]
        assert [(cell.data_type, cell.hyperlink) for cell in cells] == [("s", None)] * 3
    assert len({text_cell(text) for text in STRANGE}) == len(STRANGE), "two different texts are two different cells"
    assert text_cell("=x") == "'=x" != text_cell("'=x") == "''=x"
    assert text_cell("'x") == "'x"


@pytest.mark.parametrize("game", GAMES)
def test_csv_of_a_circle_adds_up_to_the_balances_of_its_sessions(owners: Client, owner: User, game: str) -> None:
    circle = generate(owner, sessions=4, hands=25, players=9, seed=4, games=[game])
    lines = lines_of(owners, f"/circles/{circle.pk}/export.csv")
    assert len(lines) > 50
    assert {line["corrected"] for line in lines} == {line["voided"] for line in lines} == {"yes", "no"}
    balances = {
        (str(evening.pk), seat.name): seat.balance for evening in circle.evenings.all() for seat in seats_of(evening)
    }
    assert added_up(lines) == balances


def test_csv_of_a_circle_reads_some_sessions_at_a_time(
    owners: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    circle = generate(owner, sessions=5, hands=3, players=9, distinct=1)
    monkeypatch.setattr(exported, "AT_ONCE", 2)
    with CaptureQueriesContext(connection) as asked:
        assert len(lines_of(owners, f"/circles/{circle.pk}/export.csv")) == 15
    assert len(asked) == 3 + 3 * 5, "the member, the keys, the seats; and five for two sessions at most"


type Row = dict[str, Any]


def book_of(client: Client, address: str) -> Any:
    return load_workbook(BytesIO(content_of(client, address)))


def rows_of(book: Any, title: str) -> list[Row]:
    heads, *rows = book[title].iter_rows(values_only=True)
    return [dict(zip(heads, row, strict=True)) for row in rows]


def exact(cell: float | None) -> Fraction:
    """The fraction that a cell stands for: no game, stake or currency makes one of a larger denominator."""
    return Fraction(cell or 0).limit_denominator(12_000)


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
        sums[player, currency] += amount * 10 ** CURRENCIES.get(currency, 0)
    return sums


@pytest.fixture
def archive(owner: User) -> Circle:
    """A circle with sessions of all games, payments for some of them and for none, one taken back, and paper debts."""
    circle = generate(owner, sessions=13, hands=12, players=9, distinct=6, seed=3)
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
    assert book.sheetnames == ["Results", "Hands", "Payments", "Balances"]
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
    results = [(row["Player"], row["Points"], row["Amount"]) for row in rows_of(book, "Results")]
    assert results == [("Anna", -6, -60), ("Béla", 12, 120), ("Cili", -6, -60)]
    [payment] = rows_of(book, "Payments")
    assert (payment["Payer"], payment["Payee"], payment["Amount"]) == ("Anna", "Béla", 60)
    assert (payment["Kind"], payment["For sessions"]) == ("Payment", str(evening.pk))
    balances = [(row["Player"], row["Balance"]) for row in rows_of(book, "Balances")]
    assert balances == [("Anna", 0), ("Béla", 60), ("Cili", -60)]


def test_sheet_that_is_full_goes_on_in_another_one_with_heads_in_the_language_of_the_member(
    owners: Client, evening: Evening, play: Callable[[Evening, int], Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(evening, 5)
    monkeypatch.setattr(exports, "MOST_ROWS", 4)
    book = book_of(owners, f"/sessions/{evening.pk}/export.xlsx")
    assert [row["Hand"] for title in ("Hands", "Hands 2") for row in rows_of(book, title)] == [1, 2, 3, 4, 5]
    owners.defaults["HTTP_ACCEPT_LANGUAGE"] = "hu"
    book = book_of(owners, f"/sessions/{evening.pk}/export.xlsx")
    assert book.sheetnames == ["Eredmények", "Leosztások", "Leosztások 2", "Fizetések", "Egyenlegek"]
    assert next(book["Eredmények"].iter_rows(values_only=True))[:4] == ("Játszma", "Nap", "Cím", "Játék")
