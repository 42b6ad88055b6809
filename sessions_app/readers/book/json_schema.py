"""Validation of a value by a JSON Schema: the part of the standard that `docs/book.schema.json` uses.

It is compiled to functions once; `jsonschema` takes a minute for a book of 40,000 hands. It refuses in the user's
language, and texts that cannot be shown. A test lets both judge the same documents.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext_noop as _

from scorekeeper.text.names import UNSHOWABLE
from sessions_app.errors import DocumentRefused

type Check = Callable[[Any], None]
type Schema = Mapping[str, Any]

_TYPES: Final = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list, "null": type(None)}
_DESCRIPTIONS: Final = frozenset({"$schema", "$id", "$defs", "title", "description"})
#: Characters of a wrong value that a sentence quotes.
QUOTED: Final = 40


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
            return _or_null(self.check(inner))
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


def _or_null(inner: Check) -> Check:
    return lambda value: None if value is None else inner(value)


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
