"""Words for imports: why a document or a table cannot be read, and what is odd about a table's lines."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from scorekeeper.games.errors import Message
from scorekeeper.tables.reading import Odd
from sessions_app.errors import DocumentRefused
from sessions_app.words.wording import Words

# --- Documents ---

#: Words for the lists and members of a book; others stay as the file has them.
PARTS: Final = {
    "circle": _("circle"),
    "house_profiles": _("saved house rules"),
    "players": _("player"),
    "sessions": _("session"),
    "payments": _("payment"),
    "hands": _("hand"),
    "revisions": _("version"),
    "changes": _("change"),
    "seats": _("seat"),
    "lineup": _("seats"),
    "house_rules": _("house rules"),
    "stake": _("stake"),
    "result": _("result"),
    "name": _("name"),
    "title": _("title"),
    "note": _("note"),
}


def told(refused: DocumentRefused) -> str:
    """Return the place and the reason: 'session 3, hand 5: its number is not written as it should be'."""
    place = ""
    for part in refused.path:
        place += f" {part}" if part.isdigit() and place else f", {PARTS.get(part, part)}"
    return f"{place.removeprefix(', ')}: {refused.what}" if place else refused.what


# --- Tables ---

_REFUSALS: Final[dict[str, Words]] = {
    "too_large": _("a table has %(most)s MB at most"),
    "too_long": _("a table has %(most)s lines at most"),
    "too_wide": _("line %(line)s has more than %(most)s columns"),
    "cell_too_long": _("line %(line)s has a cell that is too long"),
    "empty": _("there is nothing in it"),
    "no_text": _("it is no table: bring it as CSV or XLSX"),
    "no_workbook": _("the spreadsheet cannot be read: save it as CSV, and bring that"),
    "old_workbook": _("it is a spreadsheet of an old kind: save it as XLSX or CSV"),
    "open_document": _("it is a spreadsheet of OpenDocument: save it as XLSX or CSV"),
    "formula": _("line %(line)s has a formula without its value: open it in a spreadsheet and save it"),
    "own_export": _("it was taken along from Strigula; bring “Everything” (JSON) instead, which has all of it"),
    "no_heads": _("it has no line that names the columns: the day, and each player"),
    "no_days": _("no column of it has days"),
    "no_players": _("it needs a column of figures for each player, and at least two"),
}
_ODD: Final[dict[str, Words]] = {
    "no_figure": _("“%(cell)s” of %(head)s is no figure"),
    "no_day": _("“%(cell)s” is no day"),
    "day_to_come": _("“%(cell)s” is still to come"),
    "day_long_ago": _("“%(cell)s” is too long ago"),
    "no_stake": _("“%(cell)s” is no stake"),
    "no_currency": _("“%(cell)s” is no currency"),
    "other_sum": _("%(head)s: %(cell)s is not what the lines above come to"),
    "other_heads": _("other players: bring what is below as a table of its own"),
    "below_other_heads": _("it is below the names of other players"),
}


def refusal(message: Message) -> str:
    """Return why a table cannot be read."""
    return str(_REFUSALS[message.code]) % message.params


def odd_words(odd: Odd) -> str:
    """Return what is odd about a line."""
    return str(_ODD[odd.code]) % {"cell": odd.cell[:40], "head": odd.head[:40]}
