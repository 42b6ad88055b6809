"""A table from a spreadsheet or a paper book: its review, and what comes of it in the book."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sessions_app import dear_pages
from sessions_app.models import Circle, Evening, Import, Player, User
from sessions_app.readers.book import document, document_reading
from sessions_app.views import imports
from sessions_app.writers import players
from tests.ledger.books import assert_verified
from tests.views.page import HTMX_COUNT, Page, at, filled

STYLES = ("{0:%Y.%m.%d.}", "{0:%d/%m/%Y}", "{0:%B} {0.day} {0:%Y}")


def paper_book(lines: int) -> str:
    """A book with days in three styles, decimal commas, a name spelled two ways, and sums at its end."""
    rows = ["Dátum;Játék;Anna;Béla;Cili;Bela "]
    sums = [0, 0, 0, 0]
    for number in range(lines):
        day = STYLES[number % 3].format(date(2019, 1, 1) + timedelta(days=5 * number))
        bela = 2 if number < lines // 2 else 3
        figures = [7, 0, -4, 0]
        figures[1 if bela == 2 else 3] = -3
        sums = [one + other for one, other in zip(sums, figures, strict=True)]
        cells = [f"{each},0" if each else "" for each in figures]
        rows.append(";".join([day, "asszorti" if number % 2 else "", *cells]))
    return "\n".join([*rows, ";".join(["Összesen", "", *map(str, sums)])])


def brought(client: Client, text: str, **more: Any) -> str:
    answer = client.post("/import/", {"text": text, **more})
    assert answer.status_code == 302, answer.text
    return str(answer["Location"])


def test_book_on_paper_is_in_by_two_taps(strangers: Client) -> None:
    address = brought(strangers, paper_book(12))
    shown = strangers.get(address).text
    assert "spelled differently" in shown
    assert "sums, not a session" in shown
    while Import.objects.filter(state__in=("open", "taking")).exists():
        strangers.post(address, {"circle": "", "of_circle": "", "take": "yes"})  # from where the last stopped
    circle = Circle.objects.get()
    assert Import.objects.get().state == "taken"
    assert sorted(circle.players.values_list("name", flat=True)) == ["Anna", "Béla", "Cili"]
    assert circle.evenings.filter(ended_at__isnull=False, hand_count=0, last_number=1).count() == 12
    assert strangers.get(f"/circles/{circle.pk}/").status_code == 200
    assert_verified()


def test_table_says_what_is_odd_and_leaves_it_out_until_answered(strangers: Client) -> None:
    address = brought(
        strangers,
        "date,game,A,B,C\n2024-03-01,asszorti,5,-5,1\n2024-03-02,,5,-5\n2024-03-03,tarot,5,-5,0\n2024-03-04,ulti,5,-5,0",
    )
    shown = strangers.get(address).text
    assert "its figures do not add up to zero" in shown
    assert "2 players have a figure" in shown
    assert "“ulti” is no game known here" in shown
    posted = {"circle": "", "of_circle": "", "game": "asszorti", "unit": "money", "currency": "HUF"}
    strangers.post(address, posted | {"gives-2": "4", "look": "yes"})
    strangers.post(address, posted | {"gives-2": "4", "stake": "5", "take": "yes"})
    evening = Evening.objects.get()  # a Tarokk has four players at least
    assert (evening.result_currency, evening.stake) == ("HUF", 5)
    assert [seat.result for seat in evening.seats.all()] == [5, -5, 0]
    assert all(seat.took_part for seat in evening.seats.all())
    assert_verified()


def test_answer_that_is_no_number_or_of_no_line_is_not_kept_and_leaves_the_review_open(strangers: Client) -> None:
    address = brought(strangers, "date,game,A,B,C\n2024-03-01,asszorti,5,-5,1\n2024-03-02,asszorti,5,-5,0")
    for answer in ({"gives-2": "²"}, {"player-2": "²"}, {"stake": "1e-99", "unit": "money"}, {"gives-9": "1"}):
        assert strangers.post(address, {"circle": "", "of_circle": "", "look": "yes"} | answer).status_code == 302
        assert strangers.get(address).status_code == 200
    strangers.post(address, {"circle": "", "of_circle": "", "gives-2": "1", "gives-9": "1", "player-99": "1"})
    kept = Import.objects.get().answers
    assert (kept["gives"], kept["players"]) == ({"2": 1}, {})


def test_review_that_was_dear_takes_its_turn(monkeypatch: pytest.MonkeyPatch, strangers: Client) -> None:
    address = brought(strangers, "date,A,B,C\n2024-03-01,5,-5,0")
    monkeypatch.setattr(dear_pages, "DEAR", 0)
    monkeypatch.setattr(dear_pages, "SECONDS_TO_WAIT", 0)
    assert strangers.get(address).status_code == 200
    with dear_pages._turn:
        assert strangers.get(address).status_code == 429
        assert strangers.post(address, {"circle": "", "take": "yes"}).status_code == 429
    assert strangers.post(address, {"circle": "", "take": "yes"}).status_code == 302
    assert Evening.objects.count() == 1


def test_interrupted_table_goes_on_as_it_was_reviewed_though_a_player_was_renamed(
    monkeypatch: pytest.MonkeyPatch, owners: Client, owner: User, evening: Evening
) -> None:
    address, key = brought(owners, paper_book(9), circle=evening.circle_id), str(evening.circle_id)
    assert Import.objects.get().circle == evening.circle
    monkeypatch.setattr(imports, "SECONDS", -1)
    owners.post(address, {"circle": key, "of_circle": key, "take": "yes"})
    assert Page.of(owners.get(address)).one("progress").attrs == {"max": "9", "value": "1"}
    players.rename(evening.circle_id, evening.circle.players.get(name="Anna").pk, "Annamária", by=owner)
    while Import.objects.get().state != "taken":
        owners.post(address, {"take": "yes"})
    assert Evening.objects.exclude(pk=evening.pk).count() == 9
    assert_verified()
    while Import.objects.get().state != "undone":
        owners.post(f"{address}undo/")
    assert list(Evening.objects.all()) == [evening]


def test_table_comes_into_a_circle_once_and_its_players_are_those_there(
    owners: Client, owner: User, evening: Evening
) -> None:
    key = str(evening.circle_id)
    for _time in range(2):
        address = brought(owners, "Dátum;Anna;BÉLA;Új\n2024.03.01.;10;-4;-6", circle=key)
        owners.post(address, {"circle": key, "of_circle": key, "take": "yes"})
    new = Evening.objects.exclude(pk=evening.pk).get()
    assert Player.objects.filter(circle=evening.circle_id, name__in=["Anna", "Béla", "Új"]).count() == 3
    assert not Player.objects.filter(name="BÉLA").exists()
    assert owners.get(at(new)).status_code == 200


def test_line_in_an_unknown_currency_or_at_an_impossible_stake_is_left_out_with_its_reason(strangers: Client) -> None:
    address = brought(
        strangers,
        "date,game,stake,currency,A,B,C\n"
        "2024-03-01,asszorti,10,sek,5,-5,0\n2024-03-02,asszorti,10,XYZ,5,-5,0\n2024-03-03,asszorti,10,,5 SEK,-5,0\n"
        f"2024-03-04,asszorti,0.{'0' * 40}1,,5 Ft,-5 Ft,0\n2024-03-05,asszorti,1000000,,5 Ft,-5 Ft,0",
    )
    shown = strangers.get(address).text
    for said in ("“XYZ” is no currency", "there is no coin as small as its stake", "its stake cannot be"):
        assert said in shown
    strangers.post(address, {"circle": "", "of_circle": "", "currency": "SEK", "take": "yes"})
    assert list(Evening.objects.values_list("currency", flat=True)) == ["SEK", "SEK"]
    assert_verified()


def test_mistyped_figure_of_a_table_is_corrected_once_its_session_is_reopened(strangers: Client) -> None:
    """By what each player won, as the table has it; the history shows both."""
    address = brought(strangers, "date,game,stake,currency,A,B,C,D\n2024-03-01,asszorti,10,EUR,5,-5,3,-3")
    strangers.post(address, {"circle": "", "of_circle": "", "take": "yes"})
    of = at(Evening.objects.get())
    edit = f"{of}entries/1/edit/"
    strangers.post(f"{of}reopen/")
    assert Page.of(strangers.get(f"{of}hands/1/")).one("form", action=f"{of}hands/1/edit/")
    assert strangers.get(f"{of}hands/1/edit/")["Location"] == edit
    fields = filled(Page.of(strangers.get(edit)).one("form", id="entries-form"))
    assert [fields[f"sign_{seat}"] + fields[f"amount_{seat}"] for seat in range(4)] == ["+5", "-5", "+3", "-3"]
    for wrong, said in (
        ({"amount_0": "8"}, "Together it is +3: it must be zero."),
        ({"amount_1": "x"}, "Enter a whole number."),
        ({f"amount_{seat}": "0" for seat in range(4)}, "Void the entry instead."),
        ({"amount_0": "2000000000", "amount_1": "2000000000"}, "1000000000 points at most"),
    ):
        assert said in strangers.post(f"{edit}?count=1", fields | wrong, headers=HTMX_COUNT).text
        refused = strangers.post(edit, fields | wrong)
        assert (refused.status_code, said in refused.text) == (422, True)
    right = fields | {"amount_0": "8", "amount_3": "6"}
    counted = Page.of(strangers.post(f"{edit}?count=1", right, headers=HTMX_COUNT))
    assert counted.of_class("won-lost")[0].text == "A +8 B −5 C +3 D −6"
    assert strangers.post(edit, right).status_code == 302
    strangers.post(f"{of}end/")
    assert [seat.result for seat in Evening.objects.get().seats.all()] == [8000, -5000, 3000, -6000]
    assert "A +5 B −5 C +3 D −3" in Page.of(strangers.get(f"{of}hands/1/")).text
    strangers.post(f"{of}reopen/")
    asked = Page.of(strangers.post(edit, fields | {"amount_0": "7", "amount_3": "5"}))
    assert "Somebody corrected this entry meanwhile" in asked.text
    assert [row.text for row in asked.one("table", class_="differences").all("tr")] == ["A +8 ↔ +7", "D −6 ↔ −5"]
    assert_verified()


@pytest.mark.parametrize("game", ["tarokk", "preference"])
def test_agreed_session_is_shown_exported_and_read_again(strangers: Client, game: str) -> None:
    address = brought(strangers, f"date,game,stake,currency,A,B,C,D\n2024-03-01,{game},10,EUR,5,-5,3,-3")
    strangers.post(address, {"circle": "", "of_circle": "", "take": "yes"})
    evening = Evening.objects.get()
    written = b"".join(document.of_circle(evening.circle))
    pages = [at(evening, page) for page in ("", "settle/", "print/", "hands/1/", "export.csv", "export.xlsx", "table/")]
    for page in ("", "statistics/", "years/2024/", "years/2024/print/"):
        pages.append(f"/circles/{evening.circle_id}/{page}")
    for page in pages:
        assert strangers.get(page).status_code == 200, page
    strangers.post(at(evening, "reopen/"))
    assert strangers.get(at(evening, "hands/1/")).status_code == 200
    strangers.post(at(evening, "hands/1/void/"))
    assert strangers.get(at(evening)).status_code == 200
    assert_verified()
    Evening.objects.all().delete()
    Circle.objects.all().delete()
    address = brought(strangers, written.decode())
    strangers.post(address, {"circle": "", "of_circle": "", "take": "yes"})
    assert b"".join(document.of_circle(Circle.objects.get())) == written


def test_file_that_is_no_table_is_refused_in_words(owners: Client, evening: Evening) -> None:
    own: Any = owners.get(at(evening, "export.xlsx"))
    way_to_bring_all = "bring “Everything” (JSON)"
    for posted, said in (
        ({"file": SimpleUploadedFile("session.xlsx", b"".join(own))}, way_to_bring_all),
        ({"text": "session,day,title,game,stake,currency,number,kind\n1,2024-03-01,,x,,,1,played"}, way_to_bring_all),
        ({"text": "hello"}, "names the columns"),
        ({"text": "date,A\n2024-03-01,1"}, "at least two"),
    ):
        answer = owners.post("/import/", posted)
        assert (answer.status_code, said in answer.text) == (422, True), posted


STRANGE = (
    *("\u202eabc", "bell\x07", "esc\x1b[31m", "private\ue000", "noncharacter\uffff", "=1+1", "a\u2066b"),
    *("e\u0301", "\u200b", "😀" * 60),
)


def test_strange_names_and_notes_of_a_table_make_a_book_that_can_be_read(strangers: Client) -> None:
    for strange in STRANGE:
        address = brought(strangers, f"date\tnote\tA\t{strange}\tC\n2024-03-01\t{strange}\t5\t-5\t0")
        strangers.post(address, {"circle": "", "of_circle": "", "take": "yes"})
        circle = Circle.objects.latest("pk")
        assert circle.evenings.count() == 1
        document_reading.read(b"".join(document.of_circle(circle)))
    assert Circle.objects.count() == len(STRANGE)
