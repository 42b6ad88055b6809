"""House rules of any game in words: differences from the book, refusals, and the agreed end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper.db.cache import LRUCache
from scorekeeper.games import GAMES
from scorekeeper.games.base import Sheet
from scorekeeper.games.errors import Message
from sessions_app.faces import FACES
from sessions_app.faces.house_words import NextHand, is_idle, phrases
from sessions_app.models import Evening
from sessions_app.readers.evening.recount import is_finished, standing_from_text
from sessions_app.readers.evening.seating import sums_of

#: Characters of the user's input that an error repeats.
SAID_AGAIN = 30


def differing(game_key: str, rules: Any) -> tuple[str, ...]:
    """Return a phrase for each difference of these rules from the book."""
    return phrases(FACES[game_key].house_words.switches, GAMES[game_key].differences(rules))


@dataclass(frozen=True, slots=True)
class RulesDescription:
    """House rules in words.

    `profile` is the name of the nearest profile, '' for the book and for a game without named profiles. `fixed` are the
    values that every circle chooses; `changes` are the other differences from the profile, `differing` those from the
    book.
    """

    profile: str
    fixed: tuple[str, ...]
    changes: tuple[str, ...]
    differing: tuple[str, ...]

    @property
    def named(self) -> str:
        """The profile with the fixed values: 'Sochi, pool to 10'."""
        return ", ".join((self.profile, *self.fixed)) if self.profile else ""

    @property
    def otherwise_fixed(self) -> tuple[str, ...]:
        """The fixed values that differ from the book, which are not counted with the other changes."""
        return tuple(phrase for phrase in self.differing if phrase not in self.changes)

    @property
    def line(self) -> str:
        """All of it in one line, '' for the book's rules."""
        if not self.named:
            return ", ".join(self.differing)
        return otherwise(self.named, self.changes)


#: A long description takes a kilobyte.
_descriptions: Final[LRUCache[RulesDescription]] = LRUCache()


def describe(game_key: str, rules: Any) -> RulesDescription:
    """Return these rules in words, compared with their nearest profile."""
    # Every page of an evening shows it.
    return _descriptions.get_or_make((game_key, rules, get_language()), lambda: _described(game_key, rules))


def _described(game_key: str, rules: Any) -> RulesDescription:
    words, of_book = FACES[game_key].house_words.profiles, differing(game_key, rules)
    profiles = GAMES[game_key].PROFILES
    book = next(iter(profiles))
    key = nearest(game_key, rules) if words else book
    profile, of_all = ("", ()) if key == book else (str(words[key].name), fixed(game_key, rules))
    return RulesDescription(profile, of_all, changes(game_key, rules, profiles[key]), of_book)


def otherwise(named: str, changes: Sequence[str]) -> str:
    """Return the name of a profile with the changes to it."""
    if not changes:
        return named
    return _("%(profile)s, except: %(changes)s") % {"profile": named, "changes": ", ".join(changes)}


def nearest(game_key: str, rules: Any) -> str:
    """Return the key of the game's profile that these rules are nearest to: the first word of their notation."""
    first, *_rest = [*GAMES[game_key].rules_to_text(rules).split(), "="]
    return next(iter(GAMES[game_key].PROFILES)) if "=" in first else first


def changes(game_key: str, rules: Any, base: Any) -> tuple[str, ...]:
    """Return a phrase for each difference from `base`, without the values that every circle chooses."""
    game, switches = GAMES[game_key], FACES[game_key].house_words.switches
    of_book = {each.switch: each.value for each in game.differences(rules)}
    return tuple(
        switches[each.switch].differing(each.value)
        if each.switch in of_book
        else switches[each.switch].as_in_book(each.value)
        for each in game.differences(rules, base)
        if not (switches[each.switch].usual or is_idle(switches[each.switch], of_book))
    )


def fixed(game_key: str, rules: Any) -> tuple[str, ...]:
    """Return a phrase for each value that every circle chooses under any profile."""
    switches, values = FACES[game_key].house_words.switches, values_of(game_key, rules)
    return tuple(words.differing(values[name]) for name, words in switches.items() if words.usual)


def values_of(game_key: str, rules: Any) -> dict[str, str]:
    """Return the value of each switch in the game's notation."""
    game = GAMES[game_key]
    return {switch.name: switch.book for switch in game.SWITCHES} | {
        each.switch: each.value for each in game.differences(rules)
    }


def reminder(evening: Evening, names: Sequence[str]) -> str:
    """Return the reminder that the agreed end is reached, '' before it. No query."""
    return reminder_of(evening, sums_of(evening), evening.hand_count, names)


def reminder_of(evening: Evening, sheet: Sheet, hands: int, names: Sequence[str]) -> str:
    """Return the reminder for a sheet that the evening may come to, after so many hands."""
    message = evening.game.reminder(sheet, hands, tuple(range(len(names))), evening.house)
    return FACES[evening.game_key].house_words.reminder(message, names) if message else ""


def next_hand(evening: Evening) -> NextHand | None:
    """Return the effect of earlier hands on the next one in words, None if they have none. No query."""
    standing = standing_from_text(evening, evening.standing) if evening.standing else None
    message = evening.game.next_hand_note(standing, evening.house) if standing is not None else None
    return FACES[evening.game_key].house_words.next_hand(message) if message else None


def over(evening: Evening, names: Sequence[str]) -> str:
    """Return the reminder if the game is over by its own rules and takes no further hand, else ''."""
    return reminder(evening, names) if is_finished(evening) else ""


def settled(evening: Evening, names: Sequence[str]) -> tuple[str, bool]:
    """Return a sentence on settling the evening as it stands, and whether it has come to its end. No query."""
    is_over = bool(reminder(evening, names))
    said = FACES[evening.game_key].house_words.settled(evening.house, is_over) if evening.sheet else ""
    return said, is_over


def objection(game_key: str, number: int, message: Message, names: Sequence[str]) -> str:
    """Return why an agreed entry could no longer be recorded once an earlier hand is changed."""
    why = FACES[game_key].house_words.objection(message, names)
    said = _("Agreed entry %(number)s would no longer be possible: %(why)s. It stays as it is.")
    return said % {"number": number, "why": why}


def refusal(game_key: str, name: str, message: Message) -> str:
    """Return why this switch cannot have its value, as a sentence."""
    said = {key: _shortened(str(value)) for key, value in message.params.items()}
    if message.code == "unknown_profile":
        return _("There are no house rules by the name of %(profile)s.") % said
    if message.code == "unknown_switch":
        return _("There is no house rule %(switch)s.") % said
    if message.code not in ("twice", "unknown_value"):
        return FACES[game_key].house_words.refusal(message)
    label = {"rule": FACES[game_key].house_words.switches[name].label}
    if message.code == "twice":
        return _("%(rule)s: listed twice.") % label
    switch = next(switch for switch in GAMES[game_key].SWITCHES if switch.name == name)
    if switch.values:
        return _("%(rule)s: one of %(values)s.") % {**label, "values": ", ".join(switch.values)}
    bounds = {**label, "low": switch.low, "high": switch.high}
    return _("%(rule)s: a whole number from %(low)s to %(high)s.") % bounds


def _shortened(text: str) -> str:
    return text if len(text) <= SAID_AGAIN else f"{text[:SAID_AGAIN]}…"
