"""Styles take each size of letters, colour, radius and duration from tokens.css, whose contrasts suffice."""

import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

STYLES = Path(settings.BASE_DIR) / "static" / "css"
TOKENS = "tokens.css"
#: Its figures are as large as the screen of whatever hangs on the wall, and not of the page's scale.
OWN_SCALE = ("table_view.css",)
DECLARATION = re.compile(r"(?<![\w-])(--)?([a-z-]+)\s*:\s*([^;{}]+)[;}]")
COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklch|color)a?\(|\b(?:white|black|red|green)\b")
TOKEN_SIZE = re.compile(r"(?:(?:min|max|clamp)\(.*)?var\(--t[1-6]\)|inherit$|0$|100%")
RADIUS = re.compile(r"(?:(?:var\(--(?:r|r-big|round)\)|50%|0|inherit)(?: |$))+")
SECONDS = re.compile(r"(?<![\w-])[\d.]+m?s\b")


def outside(name: str, css: str) -> Iterator[str]:
    """Report each declaration of a stylesheet whose value is no token."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    sized = {name for own, name, value in DECLARATION.findall(css) if own and TOKEN_SIZE.match(value)}
    for custom, property_, value in DECLARATION.findall(css):
        value = " ".join(value.split())
        if COLOUR.search(value):
            yield f"{name}: {custom}{property_}: {value}: a colour"
        known = TOKEN_SIZE.match(value) or value.removeprefix("var(--").removesuffix(")") in sized
        if property_ == "font-size" and name not in OWN_SCALE and not known:
            yield f"{name}: {property_}: {value}: a size of letters"
        if property_.endswith("radius") and not RADIUS.fullmatch(value):
            yield f"{name}: {property_}: {value}: a radius"
        if property_.startswith(("transition", "animation")) and SECONDS.search(value):
            yield f"{name}: {property_}: {value}: a duration"


def test_no_style_has_a_value_of_its_own() -> None:
    found = [
        each
        for path in sorted(STYLES.rglob("*.css"))
        if path.name != TOKENS
        for each in outside(path.relative_to(STYLES).as_posix(), path.read_text())
    ]
    assert found == []


PAIR = re.compile(r"^\| `--([a-z-]+)` on `--([a-z-]+)` \| ([\d.]+) \| ([\d.]+) \|$", re.MULTILINE)
#: Drawings and edges of controls; everything else is text.
GRAPHIC = {"edge", "pick", "gold", "card", "hearts", "diamonds", "clubs", "spades", "focus", "notice-edge"}

BLOCK = re.compile(r"^  (?::root|\.on-card) \{([^}]*)\}", re.MULTILINE)
HEX = "(#[0-9a-f]{6})"
COLOURS = re.compile(rf"--([a-z-]+): (?:var\(--light, )?{HEX}(?:\) var\(--dark, {HEX}\))?;")


def themes() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Return the colours of the light theme, of the dark one, and those that hold on a card in both."""
    root, card = BLOCK.findall((STYLES / TOKENS).read_text())
    pairs = {name: (light, dark or light) for name, light, dark in COLOURS.findall(root)}
    light, dark = ({name: pair[theme] for name, pair in pairs.items()} for theme in (0, 1))
    return light, dark, {name: colour for name, colour, _dark in COLOURS.findall(card)}


def luminance(colour: str) -> float:
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_the_design_s_table_of_contrasts_is_true_and_all_of_it_can_be_read() -> None:
    light, dark, card = themes()
    found = PAIR.findall((Path(settings.BASE_DIR) / "docs" / "design.md").read_text())
    assert len(found) > 40
    for ink, ground, *written in found:
        inks = (card, card) if ground == "card" else (light, dark)
        ratios = [contrast(on[ink], theme[ground]) for on, theme in zip(inks, (light, dark), strict=True)]
        assert [f"{ratio:.1f}" for ratio in ratios] == written, f"{ink} on {ground}"
        assert min(ratios) >= (3 if ink in GRAPHIC else 4.5), f"{ink} on {ground}"
