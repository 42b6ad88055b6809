"""Read a JSON document of a book: bounded, by its schema, and whole: each reference leads to something.

A document comes from anywhere, so it is cut into its members first (`document_parts`), and one of them is parsed at a
time. What its hands come to is counted by `document_session`.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.games.errors import GameError
from scorekeeper.text.names import UNSHOWABLE
from sessions_app.errors import DocumentRefused
from sessions_app.readers.book.document import FORMAT, SCHEMA, VERSION, Value, in_utc
from sessions_app.readers.book.document_parts import QUOTED, Data, Parts, cut, parsed, require_parsable
from sessions_app.readers.money.repayments import is_currency
from sessions_app.readers.verify.circles import CLOCKS_DIFFER

#: The lists of a document, with the definitions of their members in the schema.
LISTS: Final = {"house_profiles": "house_profile", "payments": "payment", "players": "player", "sessions": "session"}

#: The players of a document: the id of the one whom each is merged into, None if there is none.
type Into = Mapping[str, str | None]

type Check = Callable[[Any], None]
type Schema = Mapping[str, Any]


class Members:
    """The sessions, or the payments, of a document: each is parsed whenever it is asked for."""

    def __init__(self, parts: Parts, name: str) -> None:
        self._parts, self._spans = parts, parts.members(name)

    def __len__(self) -> int:
        return len(self._spans)

    def __getitem__(self, at: int) -> Value:
        found: Value = parsed(self.raw(at))
        return found

    def __iter__(self) -> Iterator[Value]:
        return (self[at] for at in range(len(self)))

    def raw(self, at: int) -> bytes:
        """Return a member as it is written."""
        return self._parts.slice(self._spans[at])


def read(data: Data) -> Value:
    """Return the document, checked by its schema and its references. Raise DocumentRefused.

    Its sessions and payments are `Members`.
    """
    parts = cut(data)
    value = head(parts)
    into = into_of(value["players"])
    for name, check in (("sessions", check_session), ("payments", check_payment)):
        value[name] = Members(parts, name)
        _once(_checked(value[name], into, check), name)
    return value


def head(parts: Parts) -> Value:
    """Return a document without its sessions and payments, checked. Raise DocumentRefused."""
    frame = parts.frame
    if not isinstance(frame, dict) or frame.get("format") != FORMAT:
        raise DocumentRefused(_("this is no book of Strigula"))
    version = frame.get("version")
    if type(version) is int and version > VERSION:
        newer = _("it is of version %(version)s, newer than this Strigula, which reads version %(known)s")
        raise DocumentRefused(newer, said={"version": version, "known": VERSION})
    spans = {name: parts.members(name) for name in LISTS}
    _schema()(frame | {name: [] for name in LISTS})
    for name, of_it in spans.items():
        if len(of_it) > _definitions()["properties"][name]["maxItems"]:
            raise DocumentRefused(_("it has %(count)s members"), [name], {"count": len(of_it)})
    require_parsable(parts.data, [*spans["house_profiles"], *spans["players"]])
    value = frame | {"house_profiles": [], "players": []}
    for name in ("house_profiles", "players"):
        for number, member in enumerate(Members(parts, name), start=1):
            _check_by_schema(name, number, member)
            value[name].append(member)
    _check_players(value["players"])
    _check_circle(value)
    return value


def _check_by_schema(name: str, number: int, value: Any) -> None:
    try:
        _schema(name)(value)
    except DocumentRefused as refused:
        refused.path[:0] = [name, str(number)]
        raise


def _checked(members: Iterable[Value], into: Into, check: Callable[[Value, int, Into], None]) -> Iterator[str]:
    """Yield the ids of checked members."""
    for number, member in enumerate(members, start=1):
        check(member, number, into)
        yield member["id"]


@cache
def _definitions() -> Value:
    found: Value = json.loads(SCHEMA.read_bytes())
    return found


@cache
def _schema(name: str = "") -> Check:
    """Return the check of a document, or of the members of its list of this name."""
    return compiled(_definitions() | ({"$ref": f"#/$defs/{LISTS[name]}"} if name else {}))


# --- Whether its parts fit together ---


def _check_players(players: Sequence[Value]) -> None:
    for key in ("id", "name"):
        _once((player[key] for player in players), "players")
    by_id = {player["id"]: player for player in players}
    for number, player in enumerate(players, start=1):
        into = player["merged_into"]
        if into is not None and (into not in by_id or into == player["id"] or by_id[into]["merged_into"]):
            raise DocumentRefused(_("its other name is not that of a player here"), ["players", str(number)])
        for change in player["changes"]:
            time_of(change["at"], "players", str(number), "changes")


def _check_circle(value: Value) -> None:
    for currency in value["circle"]["cash_coins"]:
        if currency not in CURRENCIES:
            raise DocumentRefused(_("the currency is not known here"), ["circle", "cash_coins"])
    for number, profile in enumerate(value["house_profiles"], start=1):
        where = ["house_profiles", str(number)]
        check_rules(profile["game"], profile["rules"], where)
        time_of(profile["at"], *where)


def time_of(text: str, *where: str) -> datetime:
    """Return the time. Raise DocumentRefused if there is none such, or it is still to come."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at > timezone.now() + CLOCKS_DIFFER or in_utc(at) != text:
        raise DocumentRefused(_("“%s” is no time, or is still to come"), where, text)
    return at


def check_rules(game_key: str, text: str, where: list[str]) -> None:
    """Raise DocumentRefused unless the game reads these house rules, in their one spelling."""
    game = GAMES.get(game_key)
    if game is None:
        raise DocumentRefused(_("the game is not known here"), where)
    try:
        is_spelled = game.rules_to_text(game.rules_from_text(text)) == text
    except (GameError, ValueError, LookupError):
        is_spelled = False
    if not is_spelled:
        raise DocumentRefused(_("the house rules are not those of the game"), where)


def into_of(players: Iterable[Value]) -> Into:
    return {player["id"]: player["merged_into"] for player in players}


def check_session(value: Value, number: int, into: Into) -> None:
    """Raise DocumentRefused unless the session with this number is as the schema says, and its players are there."""
    _check_by_schema("sessions", number, value)
    where = ["sessions", str(number)]
    _once((hand["id"] for hand in value["hands"]), *where, "hands")
    _once((seat["player"] for seat in value["seats"]), *where, "seats")
    for seat in value["seats"]:
        _check_person(into, seat["player"], seat["sat_as"], [*where, "seats"])


def check_payment(value: Value, number: int, into: Into) -> None:
    """Raise DocumentRefused unless a payment is as the schema says, and between players who are there."""
    _check_by_schema("payments", number, value)
    where = ["payments", str(number)]
    for side in ("payer", "payee"):
        _check_person(into, value[side], value[f"{side}_as"], where)
    is_of_one = value["payer"] == value["payee"] and value["undone"] is None
    is_for_some = value["kind"] == "opening" and value["sessions"]
    if is_of_one or is_for_some or len(set(value["sessions"])) < len(value["sessions"]):
        raise DocumentRefused(_("it is no payment between two players"), where)
    if not is_currency(value["currency"]):
        raise DocumentRefused(_("the currency is not known here"), where)
    made_at = time_of(value["at"], *where)
    if value["undone"] and time_of(value["undone"]["at"], *where) < made_at:
        raise DocumentRefused(_("it was taken back before it was booked"), where)


def _check_person(into: Into, player: str, name: str | None, where: list[str]) -> None:
    if player not in into or into[player] is not None or (name is not None and into.get(name) != player):
        raise DocumentRefused(_("it names a player who is not there"), where)


def _once(ids: Iterable[str], *where: str) -> None:
    seen = set()
    for number, each in enumerate(ids, start=1):
        if each in seen:
            raise DocumentRefused(_("it is there twice"), [*where, str(number)])
        seen.add(each)


# --- Validation by a JSON Schema ---
#
# The part of the standard that `docs/book.schema.json` uses. It is compiled to functions once; `jsonschema` takes a
# minute for a book of 40,000 hands. It refuses in the user's language, and texts that cannot be shown. A test lets both
# judge the same documents.


_TYPES: Final = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list, "null": type(None)}
_DESCRIPTIONS: Final = frozenset({"$schema", "$id", "$defs", "title", "description"})


def compiled(schema: Schema) -> Check:
    """Return a check that raises DocumentRefused with the place of the first wrong value."""
    return _Compiler(schema["$defs"]).check(schema)


class _Compiler:
    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions
        self._known: dict[str, Check] = {}

    def check(self, schema: Schema) -> Check:
        """Return the check of a schema. Raise NotImplementedError for a keyword that is not known here."""
        if "$ref" in schema:
            return self._referred(schema["$ref"].removeprefix("#/$defs/"))
        if "anyOf" in schema:
            [inner, nothing] = schema["anyOf"]
            if nothing != {"type": "null"}:
                raise NotImplementedError(schema)
            check = self.check(inner)
            return lambda value: None if value is None else check(value)
        if "const" in schema or "enum" in schema:
            return _one_of(schema.get("enum", [schema.get("const")]))
        return self._of_type(schema)

    def _referred(self, name: str) -> Check:
        if name not in self._known:
            self._known[name] = self.check(self._definitions[name])
        return self._known[name]

    def _of_type(self, schema: Schema) -> Check:
        checks: dict[str, Callable[[dict[str, Any]], Check]] = {
            "string": _text,
            "integer": _whole_number,
            "boolean": lambda rest: _nothing,
            "object": self._object,
            "array": self._array,
        }
        rest = {name: value for name, value in schema.items() if name not in _DESCRIPTIONS}
        kind = rest.pop("type")
        inner = checks[kind](rest)
        if rest:
            raise NotImplementedError(rest)
        python_type = _TYPES[kind]

        def check(value: Any) -> None:
            if type(value) is not python_type:
                raise _refused(value)
            inner(value)

        return check

    def _object(self, rest: dict[str, Any]) -> Check:
        known = {name: self.check(each) for name, each in rest.pop("properties", {}).items()}
        required, others = frozenset(rest.pop("required", ())), rest.pop("additionalProperties")
        other = self.check(others) if others else None
        name_check = self.check(rest.pop("propertyNames", {"enum": list(known)}))
        most = rest.pop("maxProperties", len(known))

        def check(value: dict[str, Any]) -> None:
            if len(value) > most:
                unknown = next((name for name in value if known and name not in known), "")
                raise DocumentRefused(_("it has “%s”, which is not known here"), said=unknown[:QUOTED])
            for name, each in value.items():
                inner = known.get(name, other)
                if inner is None:
                    raise DocumentRefused(_("it has “%s”, which is not known here"), said=name[:QUOTED])
                try:
                    if name not in known:
                        name_check(name)
                    inner(each)
                except DocumentRefused as refused:
                    refused.path.insert(0, name[:QUOTED])
                    raise
            if not required.issubset(value):
                raise DocumentRefused(_("it has no “%s”"), said=min(required.difference(value)))

        return check

    def _array(self, rest: dict[str, Any]) -> Check:
        first = [self.check(each) for each in rest.pop("prefixItems", ())]
        inner = self.check(rest.pop("items")) if "items" in rest else _nothing
        most, least = rest.pop("maxItems"), rest.pop("minItems", 0)

        def check(value: list[Any]) -> None:
            if not least <= len(value) <= most:
                raise DocumentRefused(_("it has %(count)s members"), said={"count": len(value)})
            for number, each in enumerate(value):
                try:
                    (first[number] if number < len(first) else inner)(each)
                except DocumentRefused as refused:
                    refused.path.insert(0, str(number + 1))
                    raise

        return check


def _refused(value: object) -> DocumentRefused:
    return DocumentRefused(_("“%s” cannot stand here"), said=ascii(value)[:QUOTED])


def _nothing(value: Any) -> None:
    """Let any value pass."""


def _one_of(values: list[Any]) -> Check:
    known = [(type(value), value) for value in values]

    def check(value: Any) -> None:
        if (type(value), value) not in known:
            raise _refused(value)

    return check


def _text(rest: dict[str, Any]) -> Check:
    least, most, pattern = rest.pop("minLength", 0), rest.pop("maxLength"), rest.pop("pattern", None)
    match = re.compile(pattern).fullmatch if pattern else None

    def check(value: str) -> None:
        if not least <= len(value) <= most:
            raise DocumentRefused(_("it has %(count)s characters"), said={"count": len(value)})
        if (match and not match(value)) or UNSHOWABLE.search(value):
            raise _refused(value)

    return check


def _whole_number(rest: dict[str, Any]) -> Check:
    low, high = rest.pop("minimum"), rest.pop("maximum")

    def check(value: int) -> None:
        if not low <= value <= high:
            raise DocumentRefused(_("it is not a number from %(low)s to %(high)s"), said={"low": low, "high": high})

    return check
