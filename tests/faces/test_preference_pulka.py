"""A pul'ka as it is drawn, of the evening of docs/rules/preference.md §13.2: its figures, and its page."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from django.template import Context, Engine
from django.utils import translation

from scorekeeper.games.preference import GAME, sheet_from_text
from sessions_app.faces.preference.pulka import Figure, Pulka, Row, pulka
from sessions_app.readers.evening.seating import SeatView
from sessions_app.readers.evening.sheets import HandWritten, Written
from tests.views.page import Page

THREE, FOUR = ("Anna", "Béla", "Cili"), ("Anna", "Béla", "Cili", "Dani")
#: §13.2.
EVENING = (
    "P0+2 B0>2+2 B1>0+4",
    "D1+18 B0>1+18 B2>1+48",
    "D0+4 D1+2 D2+4",
    "D1+6 D2+14",
    "P2+4 B1>2+8",
    "P2+2 B1>2+4",
    "D1+20 B0>1+20 B2>1+20",
    "P1+8 P2+2 B1>2+20",
    "P0+4",
    "P0+2 D0-6",
)


def hands(*written: str) -> tuple[HandWritten, ...]:
    return tuple(
        HandWritten(number, is_void=False, amounts=sheet_from_text(entries), recorded=number)
        for number, entries in enumerate(written, 1)
    )


def drawn(
    hands: Sequence[HandWritten],
    names: Sequence[str] = THREE,
    rules: str = "target=8",
    before: str = "",
    standing: str = "",
) -> Pulka:
    seats = tuple(SeatView(at, name, Fraction(0)) for at, name in enumerate(names))
    return pulka(Written(tuple(hands), sheet_from_text(before), standing), seats, GAME.rules_from_text(rules))


def corrected(hand: HandWritten, writes: str, version: int = 20) -> HandWritten:
    return replace(hand, amounts=sheet_from_text(writes), was=hand.counted, changed=version)


def voided(hand: HandWritten) -> HandWritten:
    return replace(hand, is_void=True, was=hand.counted, changed=20)


def row(figures: Sequence[Figure]) -> str:
    """The figures as text: struck out in tildes, the newest with a star."""
    return " ".join(
        f"{'~' * each.is_struck}{each.amount}{'~' * each.is_struck}{'*' * each.is_newest}" for each in figures
    )


def rows(found: Pulka, seat: int) -> tuple[str, str, dict[str, str]]:
    """A player's pool, dump, and whists by the seat they are against."""
    field = found.fields[seat]
    whists = {each.against: row(each.figures) for each in field.whists}
    return row(field.pool.figures), row(field.dump.figures), whists


# --- The figures ---


def test_pulka_rows_accumulate_and_mark_the_last_hand() -> None:
    found = drawn(hands(*EVENING))
    assert rows(found, 0) == ("2 6 8*", "4 -2*", {"Béla": "18 38", "Cili": "2"})
    assert rows(found, 1) == ("8", "18 20 26 46", {"Cili": "8 12 32", "Anna": "4"})
    assert rows(found, 2) == ("4 6 8", "4 18", {"Anna": "", "Béla": "48 68"})
    assert [each.number for each in found.fields[1].dump.figures] == [2, 3, 4, 7]
    assert [each.number for each in found.fields[0].pool.figures] == [1, 9, 10]


def test_corrected_figures_are_struck_out_before_the_valid_ones() -> None:
    """Hand 2 was down three and is down two: 12 in the dump, 12 to each, and four tricks at 6 for the whister."""
    first, second, third, *later = hands(*EVENING)
    second = corrected(second, "D1+12 B0>1+12 B2>1+36")
    found = drawn((first, second, third, *later))
    assert rows(found, 1)[1] == "~18~ 12 ~20~ 14 ~26~ 20 ~46~ 40"
    assert rows(found, 0)[2]["Béla"] == "~18~ 12 ~38~ 32"
    assert rows(found, 2)[2]["Béla"] == "~48~ 36 ~68~ 56"
    assert rows(found, 0)[0] == "2 6 8*", "what was not changed is struck out nowhere"
    # A row shows the latest of several corrections: here the dumps of hand 3.
    found = drawn((first, second, corrected(third, "D0+4 D1+4 D2+2", version=21), *later))
    assert rows(found, 1)[1] == "12 ~14~ 16 ~20~ 22 ~40~ 42"
    assert rows(found, 2)[1] == "~4~ 2 ~18~ 16"
    assert rows(found, 0)[2]["Béla"] == "~18~ 12 ~38~ 32"
    # Hands that are written after a correction have no struck out figures.
    early = [hand if hand.number == 3 else replace(hand, recorded=hand.number + 1) for hand in (third, *later)]
    found = drawn((first, replace(second, changed=4), *early))
    assert rows(found, 1)[1] == "~18~ 12 ~20~ 14 20 40"


def test_newest_figures_are_those_of_the_last_valid_hand_with_entries() -> None:
    *earlier, last = hands(*EVENING)
    thrown_in = HandWritten(11, False, {}, recorded=11)
    found = drawn((*earlier, voided(last), thrown_in))
    assert rows(found, 0)[:2] == ("2 6* ~8~", "4 ~-2~")


def test_the_whists_of_four_go_clockwise_from_whose_they_are() -> None:
    found = drawn(hands("B2>0+6 B2>1+8 B2>3+4"), FOUR)
    assert [each.against for each in found.fields[2].whists] == ["Dani", "Anna", "Béla"]
    assert [row(each.figures) for each in found.fields[2].whists] == ["4*", "6*", "8*"]
    assert [each.name for each in found.fields] == list(FOUR)


# --- Room for figures ---


def shown(found: Row) -> str:
    return ("… " if found.is_cut else "") + row(found.latest)


@pytest.mark.parametrize(
    ("account", "of_three", "of_four"),
    [
        ("P0+1", "… 8 9 10*", "… 8 9 10*"),
        ("D0+5", "… 40 45 50*", "… 40 45 50*"),
        ("D0+20", "… 180 200*", "… 180 200*"),
        ("B0>1+1", "… 7 8 9 10*", "… 7 8 9 10*"),
        ("B0>1+200", "… 1800 2000*", "… 1800 2000*"),
        ("P2+5", "… 15 20 25 30 35 40 45 50*", "… 40 45 50*"),
        ("B2>0+200", "… 1200 1400 1600 1800 2000*", "… 1800 2000*"),
    ],
)
def test_long_row_draws_its_last_figures_that_fit(account: str, of_three: str, of_four: str) -> None:
    """The third of three sits across the whole sheet."""
    for names, wanted in ((THREE, of_three), (FOUR, of_four)):
        found = drawn(hands(*[account] * 10), names, "target=999")
        assert [shown(each) for each in found.fields[int(account[1])].rows if each.figures] == [wanted]


@pytest.mark.parametrize(
    ("written", "rules", "before", "shown_in_pool"),
    [
        (["P0+2"] * 4, "target=8", "", "… 6 8*"),  # it is ready, which takes room
        (["P0+2"] * 4, "target=10", "", "… 4 6 8*"),
        (["P0+2"], "target=20", "", "2*"),
        (["P0+2"], "target=20", "P0+6", "… 8*"),  # older hands have begun it
    ],
)
def test_pool_is_cut_where_there_is_less_room(written: list[str], rules: str, before: str, shown_in_pool: str) -> None:
    assert shown(drawn(hands(*written), rules=rules, before=before).fields[0].pool) == shown_in_pool


def test_last_figure_is_drawn_even_if_it_is_wider_than_the_row() -> None:
    wide = replace(hands("D0+1")[0], amounts={("dump", 0, None): 10**12})
    assert shown(drawn((wide,)).fields[0].dump) == "1000000000000*"


@pytest.mark.parametrize(
    ("rules", "pool", "is_full"),
    [
        ("target=8", 7, False),
        ("target=8", 8, True),
        ("leningrad target=8", 9, False),
        ("target=8 pool_end=never", 9, False),
    ],
)
def test_a_pool_that_has_the_target_is_ready(rules: str, pool: int, is_full: bool) -> None:
    assert drawn(hands(f"P1+{pool}"), rules=rules).fields[1].pool.is_full == is_full


# --- On the page ---


RESULTS = (Fraction(788, 3), Fraction(-970, 3), Fraction(182, 3))


def page(found: Pulka, language: str = "en") -> Page:
    template = Engine.get_default().get_template("games/preference/drawn.html")
    with translation.override(language):
        return Page(template.render(Context({"drawn": found})))


def cell(of: Page, name: str, account: str) -> tuple[str, str]:
    """The text in a player's part of the table beside an account: as it was written, and now."""
    part = next(each for each in of.all("tbody") if each.one("th", scope="rowgroup").text == name)
    line = next(each for each in part.all("th", scope="row") if each.text == account).parent
    assert line
    written, now = line.all("td")
    return written.text, now.text


def test_the_drawing_and_the_table_say_the_same_and_lead_to_the_hands() -> None:
    html = page(drawn(hands(*EVENING)))
    assert html.of_class("field")[1].text == (
        "Béla 0 Cili whists on Cili 8 12 32 Anna whists on Anna 4 pool 8 ready dump … 20 26 46"
    )
    assert cell(html, "Béla", "pool") == ("8", "8")
    assert cell(html, "Béla", "dump") == ("18 20 26 46", "46")
    assert cell(html, "Béla", "whists on Cili") == ("8 12 32", "32")
    assert cell(html, "Anna", "dump") == ("4 −2", "−2")
    assert cell(html, "Cili", "whists on Anna") == ("", "0")
    drawing, table = html.of_class("drawing")[0], html.one("table")
    for part, tabindex in ((drawing, "-1"), (table, None)):
        assert [link.attrs["href"] for link in part.all("a") if link.text == "46"] == ["hands/7/"]
        assert {link.attrs.get("tabindex") for link in part.all("a")} == {tabindex}


def test_struck_out_figures_are_named_for_screen_readers() -> None:
    *earlier, last = hands(*EVENING)
    html = page(drawn((*earlier, voided(last))))
    said = ["8, struck out", "−2, struck out"]
    assert [link.attrs["aria-label"] for link in html.of_class("struck")] == said * 2


def test_pulka_head_names_target_and_price_of_the_next_raspasovka_and_in_the_end_the_results() -> None:
    html = page(drawn((), rules="leningrad target=10", standing="R1"))
    assert html.one("header").text == "Pul'ka to 30 in all Next raspasovka: 4 a trick · lowest contract 7"
    assert page(drawn(())).one("header").text == "Pul'ka to 8 Next raspasovka: 1 a trick"
    endless = page(drawn((), rules="pool_end=never"))
    assert (endless.one("h2").text, endless.of_class("hub")) == ("Pul'ka", [])
    assert [hub.text for hub in page(drawn(())).of_class("hub")] == ["8"]
    over = drawn(hands(*EVENING), standing="P8,8,8")
    fields = tuple(field._replace(balance=result) for field, result in zip(over.fields, RESULTS, strict=True))
    ended = page(replace(over, fields=fields))
    assert ended.one("header").text == "The game is over Anna +262⅔ Cili +60⅔ Béla −323⅓"
    assert "raspasovka" not in ended.text


@pytest.mark.parametrize(("language", "players"), [("en", THREE), ("hu", FOUR)])
def test_the_table_has_a_caption_and_headers(language: str, players: Sequence[str]) -> None:
    table = page(drawn(hands(*EVENING), players), language).one("table")
    assert table.one("caption").text
    assert [each.text != "" for each in table.all("th", scope="col")] == [True] * 3
    assert [each.text for each in table.all("th", scope="rowgroup")] == list(players)
    assert [len(part.all("th", scope="row")) for part in table.all("tbody")] == [len(players) + 1] * len(players)


def test_names_on_the_pulka_are_escaped_as_typed() -> None:
    html = page(drawn((), ('<b>"A"</b>', "שרה", "Cili")))
    assert html.of_class("field")[0].attrs["aria-label"] == '<b>"A"</b>'
    assert [each.text for each in html.of_class("field")[2].all("bdi")] == ["Cili", '<b>"A"</b>', "שרה"]
