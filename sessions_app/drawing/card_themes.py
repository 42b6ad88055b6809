"""The colours of the pictures for friends: those of static/css/tokens.css."""

from types import MappingProxyType
from typing import Final, NamedTuple


class Theme(NamedTuple):
    """The colours of a theme; `lines` are those of a chart's lines, which repeat."""

    ground: str
    felt: str
    rim: str
    ink: str
    soft: str
    line: str
    edge: str
    plus: str
    minus: str
    lines: tuple[str, ...]
    on_felt: str = "#fdf6e2"
    soft_on_felt: str = "#e3e5cd"
    gold: str = "#ecc25c"
    card: str = "#fffbf0"
    on_card: str = "#14291f"


THEMES: Final = MappingProxyType(
    {
        "light": Theme(
            ground="#f4eedd",
            felt="#1f5f43",
            rim="#7a4b27",
            ink="#14291f",
            soft="#4a5b50",
            line="#d6ceb8",
            edge="#68766a",
            plus="#17632f",
            minus="#a3231a",
            lines=("#17632f", "#b91c2b", "#0b5cad", "#a84a08"),
        ),
        "dark": Theme(
            ground="#0d2b20",
            felt="#1b5239",
            rim="#5b391f",
            ink="#f6eedb",
            soft="#bfcdb9",
            line="#2a5342",
            edge="#7fa08d",
            plus="#9fe3a4",
            minus="#ffb0a1",
            lines=("#9fe3a4", "#ff9c9c", "#9ecbff", "#ffb870"),
            card="#f5ead0",
        ),
    }
)
