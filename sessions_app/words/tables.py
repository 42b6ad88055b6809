"""Words for the import of a table: reasons why it cannot be read, and oddities of its lines."""

from typing import Final

from django.utils.translation import gettext_lazy

from scorekeeper.games.errors import Message
from scorekeeper.tables.reading import Odd
from sessions_app.words.wording import Words

_REFUSALS: Final[dict[str, Words]] = {
    "too_large": gettext_lazy("a table has %(most)s MB at most"),
    "too_long": gettext_lazy("a table has %(most)s lines at most"),
    "too_wide": gettext_lazy("line %(line)s has more than %(most)s columns"),
    "cell_too_long": gettext_lazy("line %(line)s has a cell that is too long"),
    "empty": gettext_lazy("there is nothing in it"),
    "no_text": gettext_lazy("it is no table: bring it as CSV or XLSX"),
    "no_workbook": gettext_lazy("the spreadsheet cannot be read: save it as CSV, and bring that"),
    "old_workbook": gettext_lazy("it is a spreadsheet of an old kind: save it as XLSX or CSV"),
    "open_document": gettext_lazy("it is a spreadsheet of OpenDocument: save it as XLSX or CSV"),
    "formula": gettext_lazy("line %(line)s has a formula without its value: open it in a spreadsheet and save it"),
    "own_export": gettext_lazy(
        "it was taken along from Strigula; bring “Everything” (JSON) instead, which has all of it"
    ),
    "no_heads": gettext_lazy("it has no line that names the columns: the day, and each player"),
    "no_days": gettext_lazy("no column of it has days"),
    "no_players": gettext_lazy("it needs a column of figures for each player, and at least two"),
}
_ODD: Final[dict[str, Words]] = {
    "no_figure": gettext_lazy("“%(cell)s” of %(head)s is no figure"),
    "no_day": gettext_lazy("“%(cell)s” is no day"),
    "day_to_come": gettext_lazy("“%(cell)s” is still to come"),
    "day_long_ago": gettext_lazy("“%(cell)s” is too long ago"),
    "no_stake": gettext_lazy("“%(cell)s” is no stake"),
    "no_currency": gettext_lazy("“%(cell)s” is no currency"),
    "other_sum": gettext_lazy("%(head)s: %(cell)s is not what the lines above come to"),
    "other_heads": gettext_lazy("other players: bring what is below as a table of its own"),
    "below_other_heads": gettext_lazy("it is below the names of other players"),
}


def refusal(message: Message) -> str:
    """Return why a table cannot be read."""
    return str(_REFUSALS[message.code]) % message.params


def odd_words(odd: Odd) -> str:
    """Return what is odd about a line."""
    return str(_ODD[odd.code]) % {"cell": odd.cell[:40], "head": odd.head[:40]}
