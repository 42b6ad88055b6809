"""House rules in words, of whichever game: what differs from the book, what cannot be, and the end agreed on."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from scorekeeper.games import GAMES
from scorekeeper.games.base import Message, Sheet
from sessions_app.faces import FACES
from sessions_app.models import GameSession
from sessions_app.readers.people import sums_of

#: Of what was written, so much is said again.
SAID_AGAIN = 30


def differing(game_key: str, rules: Any) -> tuple[str, ...]:
    """What these rules of the game have otherwise than the book, a phrase each."""
    switches = FACES[game_key].house_words.switches
    return tuple(switches[each.switch].differing(each.value) for each in GAMES[game_key].differences(rules))


def reminder(evening: GameSession, names: Sequence[str]) -> str:
    """That the evening has come to an end agreed on, '' while it has not: no query."""
    return reminder_of(evening, sums_of(evening), evening.hand_count, names)


def reminder_of(evening: GameSession, sheet: Sheet, hands: int, names: Sequence[str]) -> str:
    """The same of a sheet that the evening may come to, after so many hands."""
    message = evening.game.reminder(sheet, hands, tuple(range(len(names))), evening.house)
    return FACES[evening.game_key].house_words.reminder(message, names) if message else ""


def settled(evening: GameSession, names: Sequence[str]) -> tuple[str, bool]:
    """What it means that the evening is settled as it stands, and whether it has come to its end: no query."""
    is_over = bool(reminder(evening, names))
    said = FACES[evening.game_key].house_words.settled(evening.house, is_over) if evening.sheet else ""
    return said, is_over


def refusal(game_key: str, name: str, message: Message) -> str:
    """Why this switch cannot be so, as a sentence; what hangs on another the game's own words say."""
    said = {key: _shortened(str(value)) for key, value in message.params.items()}
    if message.code == "unknown_profile":
        return _("There are no house rules by the name of %(profile)s.") % said
    if message.code == "unknown_switch":
        return _("There is no house rule %(switch)s.") % said
    if message.code not in ("twice", "unknown_value"):
        return FACES[game_key].house_words.refusal(message)
    label = {"rule": FACES[game_key].house_words.switches[name].label}
    if message.code == "twice":
        return _("%(rule)s: stands there twice.") % label
    switch = next(switch for switch in GAMES[game_key].SWITCHES if switch.name == name)
    if switch.values:
        return _("%(rule)s: one of %(values)s.") % {**label, "values": ", ".join(switch.values)}
    bounds = {**label, "low": switch.low, "high": switch.high}
    return _("%(rule)s: a whole number from %(low)s to %(high)s.") % bounds


def _shortened(text: str) -> str:
    return text if len(text) <= SAID_AGAIN else f"{text[:SAID_AGAIN]}…"
