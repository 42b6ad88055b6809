"""The hands of a session and of a circle as CSV, read again by Python's own reader."""

import csv
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scorekeeper.games import GAMES
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Player, User
from sessions_app.readers.book import exported
from sessions_app.readers.evening.seating import seats_of
from sessions_app.words.csv_file import HUNGARIAN, PLAIN, figure, text_cell
from sessions_app.writers import ledger
from tests.factories import evening_of, record, strike_out
from tests.statistics.generate import generate

type Line = dict[str, str]


def text_of(client: Client, address: str) -> str:
    response: Any = client.get(address)
    assert response.status_code == 200
    return b"".join(response).decode()


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
    record(evening_of_four, owner, "2H 7")
    smaller = evening_of(owner)
    Evening.objects.filter(pk=smaller.pk).update(circle=evening_of_four.circle_id)
    record(smaller, owner, "2H 7")
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


@pytest.mark.parametrize(
    ("amount", "plain", "hungarian"),
    [
        (12, "12", "12"),
        (-1200, "-1200", "-1200"),
        (Fraction(-7, 3), "-2.333333", "-2,333333"),
        (Fraction(1200), "1200", "1200"),
        (Fraction(1, 2), "0.5", "0,5"),
    ],
)
def test_figure_is_written_with_the_decimal_point_of_its_style(
    amount: int | Fraction, plain: str, hungarian: str
) -> None:
    assert (figure(amount, PLAIN), figure(amount, HUNGARIAN)) == (plain, hungarian)


FORMULAS = ["=1+1", "+36", "-x", "−x", "@x", "\tx", "\nx", "\rx", "'=x"]
STRANGE = [*FORMULAS, '"a";b,c', "two\r\nlines", "👩‍👩‍👧‍👦", "\u200fعلي 12", "'x"]


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize(("style", "delimiter"), [("", ","), ("?style=hu", ";")])
def test_strange_name_is_read_back_whole_and_is_no_formula(
    owners: Client, owner: User, evening: Evening, name: str, style: str, delimiter: str
) -> None:
    Player.objects.filter(name="Béla").update(name=name)
    record(evening, owner, "2H 7")
    [line] = lines_of(owners, f"/sessions/{evening.pk}/export.csv{style}", delimiter)
    read = line["player_2"]
    assert read[0] not in "=+-−@\t\r\n"
    assert (read[1:] if text_cell(name) != name else read) == name
    assert line["declarer"] == read
    assert line["change_2"] == "12"


def test_two_different_texts_are_two_different_cells() -> None:
    assert len({text_cell(text) for text in STRANGE}) == len(STRANGE)
    assert text_cell("=x") == "'=x" != text_cell("'=x") == "''=x"
    assert text_cell("'x") == "'x"


@pytest.mark.parametrize("game", GAMES)
def test_csv_of_a_circle_adds_up_to_the_balances_of_its_sessions(owners: Client, owner: User, game: str) -> None:
    [circle] = generate(owner, sessions=4, hands=25, players=9, seed=4, games=[game])
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
    [circle] = generate(owner, sessions=5, hands=3, players=9, distinct=1)
    monkeypatch.setattr(exported, "AT_ONCE", 2)
    with CaptureQueriesContext(connection) as asked:
        assert len(lines_of(owners, f"/circles/{circle.pk}/export.csv")) == 15
    assert len(asked) == 3 + 3 * 5, "the member, the keys, the seats; and five for two sessions at most"


@pytest.mark.parametrize(
    ("title", "name"), [("Péntek & társai: 1/2?", "P%C3%A9ntek%20%26%20t%C3%A1rsai%201-2%20"), ("", "Asszorti ")]
)
def test_file_has_the_name_of_the_session_and_its_day(owners: Client, evening: Evening, title: str, name: str) -> None:
    Evening.objects.filter(pk=evening.pk).update(title=title)
    response: Any = owners.get(f"/sessions/{evening.pk}/export.csv")
    day = timezone.localdate(evening.started_at).isoformat()
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert "no-store" in response["Cache-Control"]
    assert f"{name}{day}.csv" in response["Content-Disposition"]
    assert response["Content-Disposition"].startswith("attachment; filename")
