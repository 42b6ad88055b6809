"""The pictures for friends: every text within its part of the picture, in the app's colours, as an SVG for resvg."""

import re
import tracemalloc
from itertools import pairwise
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.template.loader import render_to_string

from sessions_app.drawing import card, lettering
from sessions_app.drawing.card import THEMES, CardContent, Figure, Paid, Result
from sessions_app.drawing.svg_parts import HEIGHT, Picture, Text

LONG = "Nagyszentmiklósi-Erzsébet Gyöngyvér Wilhelmine-Karolina"
NAMES = ("Anna", LONG, "דוד המלך", "🎲 Zsófi 🦊", "<b>&\"'", "陈", "W" * 40, "محمد")
EMBLEM = '<svg width="32" height="32" viewBox="0 0 32 32"><path d="M4 4h24v24H4z"/></svg>'


def shown(players: int, chance: Random, *, pays: bool, where: str, check: str) -> CardContent:
    names = chance.sample(NAMES, players)
    results = [
        Result(name, points, tone, money, number)
        for number, (name, (points, tone, money)) in enumerate(
            zip(names, [("+12 345⅓", "plus", "1 234 567 Ft"), ("0", "zero", "0 Ft")] * players, strict=False)
        )
    ]
    return CardContent(
        emblem=EMBLEM,
        game="Orosz preferansz",
        under=["2026. november 27.", "124 leosztás · 11 óra 59 · Bemutató"],
        where=where,
        won="Winner",
        winners=f"{names[0]} and {names[1]}",
        points="+12 345⅓",
        money="1 234 567 Ft",
        results=results,
        curves=[[chance.randrange(-500, 500) for _hand in range(30)] for _name in names],
        edges=("+499⅔", "−12 345⅓"),
        payments="Payments" if pays else "",
        paid=[Paid(name, names[0], "1 234 567 Ft") for name in names[1:]] if pays else (),
        nothing_to_pay="Paid hand by hand, in chips: nothing is left to pay." if pays else "",
        more_paid="and 3 more" if pays else "",
        figures=[Figure("Biggest hand", "−12 345⅓", f"{LONG}, hand 12"), Figure("Tarokk", LONG)],
        check=check,
        check_label="Check figure",
        check_address="https://example.org/check/7QZM-52XK-9D3B/",
    )


def svg(picture: Picture) -> str:
    context = {"picture": picture, "family": lettering.FAMILY, "is_measured": True}
    return render_to_string("pictures/card.svg", context)


def extent(text: Text) -> tuple[float, float]:
    """Return where a text begins and ends, at most."""
    wide = lettering.width(text.text, text.size, text.font)
    begin = text.x - {"start": 0, "middle": wide / 2, "end": wide}[text.anchor]
    return begin, begin + wide


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("players", [3, 4, 5, 8])
@pytest.mark.parametrize(("pays", "where"), [(False, ""), (True, LONG * 3)])
def test_every_text_is_within_its_part_of_the_picture(theme: str, players: int, pays: bool, where: str) -> None:
    chance, check = Random(players), "7QZM-52XK-9D3B" if pays else ""  # noqa: S311  not a secret
    given = shown(players, chance, pays=pays, where=where, check=check)
    picture = card.picture(given, THEMES[theme])
    texts = [part for part in picture.parts if isinstance(part, Text)]
    assert len(texts) > 2 * players
    for text in texts:
        begin, end = extent(text)
        left, right = (card.LEFT - 4, card.FELT - 24) if text.x < card.FELT else (card.PAPER, card.RIGHT + 1)
        assert left <= begin <= end <= right, text
        assert text.size <= text.y <= HEIGHT - 24, text
        assert text.size >= card.SMALL
        if check and text.x <= card.LEFT:
            assert text.y < HEIGHT - 160, "it lies on the code"
    rows = sorted({text.y for text in texts if text.x > card.FELT})
    assert all(after - before >= 6 for before, after in pairwise(rows)), "lines lie on each other"


def test_svg_is_well_formed_with_names_as_text_and_without_what_resvg_does_not_know() -> None:
    chance = Random(1)  # noqa: S311  not a secret
    given = shown(5, chance, pays=True, where='<script>alert("1")</script>', check="")
    for theme in THEMES.values():
        drawn = svg(card.picture(given, theme))
        root = ElementTree.fromstring(drawn)  # noqa: S314  our own
        assert not {"script", "style", "b"} & {each.tag.split("}")[1] for each in root.iter()}
        assert not re.search(r"var\(|calc\(|style=|class=|\d,\d", re.sub(r">[^<]*<", "><", drawn))
        assert '<script>alert("1")</script>' in [each.text for each in root.iter()]


def test_colours_are_those_of_the_style_sheets() -> None:
    css = (Path(settings.BASE_DIR) / "static/css/tokens.css").read_text()
    colours, felt = css.split("--t1", 1)[0], css.split(".felt", 1)[1]
    for name in ("light", "dark"):
        values = dict(re.findall(rf"--([a-z-]+): (?:.*var\(--{name}, )?(#\w+)(?:\).*)?;", colours))
        theme = THEMES[name]._asdict()
        lines = theme.pop("lines")
        named = {"soft": "ink-soft", "soft_on_felt": "soft-on-felt", "on_felt": "on-felt"}
        assert theme.pop("on_card") in felt + css
        assert theme == {field: values[named.get(field, field)] for field in theme}
        assert lines == tuple(values[token] for token in ("plus", "hearts", "focus", "diamonds"))


def test_name_is_drawn_as_far_as_the_fonts_have_it() -> None:
    names = {
        "Ann陈a": "Anna",
        "🎲 Zsófi": "🎲 Zsófi",
        "✋🏽": "✋",
        "陈": "",
        "Gyo\u030bzo\u030b": "Győző",
        "דוד": "דוד",
    }
    assert {name: lettering.drawable(name) for name in names} == names
    for font in (lettering.MEDIUM, lettering.BOLD):
        assert len({lettering.width(digit, 100, font) for digit in "0123456789+−"}) == 1, "digits are of one width"


def test_measured_characters_take_no_memory() -> None:
    lettering.drawable("陈")  # which reads all fonts
    tracemalloc.start()
    lettering.drawable("".join(map(chr, range(0x4E00, 0x9000))))
    kept, _most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 100_000
