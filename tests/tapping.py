"""The hand form under a thumb, without a browser: the model of hand_form.js, by its attributes, tap after tap.

`tests/browser/test_hand_form.py` holds it beside the script itself.
"""

import re
from dataclasses import dataclass, field
from random import Random

from tests.views.page import Node

ROWS = ("data-unless", "data-needs", "data-required-at")
RANGE = re.compile(r"(\d+)\.\.(\d+)")


@dataclass(eq=False)
class Key:
    """An input: a radio, a box, or a typed value."""

    node: Node
    name: str
    kind: str
    value: str
    is_checked: bool = False
    is_disabled: bool = False
    is_required: bool = False
    is_clashing: bool = False
    rows: tuple[Node, ...] = field(default=())

    def data(self, name: str) -> str:
        return self.node.attrs.get(f"data-{name}", "")

    @property
    def summed(self) -> dict[str, str] | None:
        """The row whose numbers make a sum with those of others."""
        return next((above.attrs for above in self.node.above if "data-most" in above.attrs), None)

    @property
    def is_key(self) -> bool:
        return self.kind in ("radio", "checkbox")


class Tapped:
    """A form as it stands after some taps."""

    def __init__(self, form: Node) -> None:
        self.form = form
        self.keys = [self._key(node) for node in form.all("input") if "name" in node.attrs]
        self.named: dict[str, list[Key]] = {}
        for key in self.keys:
            self.named.setdefault(key.name, []).append(key)
        self.rows = {
            row: (rows_above(row), [key for key in self.keys if row in key.rows])
            for row in form.nodes()
            if any(name in row.attrs for name in ROWS)
        }
        self.excluded = {key: self._excluded(key) for key in self.keys}
        self.clearing = [node for node in form.nodes() if "data-cleared-by" in node.attrs]
        self._renew()

    @staticmethod
    def _key(node: Node) -> Key:
        kind = node.attrs.get("type", "text")
        value = node.attrs.get("value", "on" if kind == "checkbox" else "")
        return Key(node, node.attrs["name"], kind, value, "checked" in node.attrs, rows=rows_above(node))

    def _excluded(self, key: Key) -> str:
        """Return what excludes an input: what it names itself, and the others of each exclusion of the form's."""
        found = [key.data("excluded")] if key.data("excluded") else []
        for exclusion in self.form.attrs.get("data-exclusions", "").split() if key.is_key else ():
            pairs = dict(pair.split("=") for pair in exclusion.split("&"))
            if key.value in pairs.pop(key.name, "").split("|"):
                found.append("&".join(f"{name}={values}" for name, values in pairs.items()))
        return " ".join(found)

    def chosen(self, name: str) -> str:
        keys = self.named.get(name, [])
        if keys and not keys[0].is_key:
            return self._rest(keys[0])
        return next((key.value for key in keys if key.is_checked and not key.is_disabled), "")

    def _rest(self, key: Key) -> str:
        is_rest = key.data("rest-of") and key.value.isdigit() and self.holds(key.data("rest-at"))
        return str(int(key.data("rest-of")) - int(key.value)) if is_rest else key.value

    def holds(self, pairs: str) -> bool:
        return any(all(map(self._is_chosen, each.split("&"))) for each in pairs.split(" ") if each)

    def _is_chosen(self, pair: str) -> bool:
        name, wanted = pair.split("=")
        value = self.chosen(name)
        return any(_is_one(value, one) for one in wanted.split("|"))

    def _is_there(self, row: Node) -> bool:
        unless, needs = row.attrs.get("data-unless", ""), row.attrs.get("data-needs", "")
        return not (unless and self.holds(unless)) and not (needs and not self.holds(needs))

    def _renew(self) -> None:
        for row, (above, keys) in self.rows.items():
            is_there = all(map(self._is_there, above))
            is_required = self.holds(row.attrs.get("data-required-at", ""))
            for key in keys:
                key.is_disabled, key.is_required = not is_there, is_required
        for key in self.keys:
            if not self.excluded[key] and key.summed is None:
                continue
            excluded = self.holds(self.excluded[key]) or self._is_no_sum(key)
            row = key.rows[0].attrs if key.rows else {}
            stays = key.is_checked and not (row.get("data-needs") and not row.get("data-unless"))
            key.is_disabled = not all(map(self._is_there, key.rows)) or (excluded and not stays)
            key.is_clashing = excluded and stays
        for key in self.keys:
            if "data-asked" in key.node.attrs:
                key.is_required = True

    def _is_no_sum(self, key: Key) -> bool:
        """Return whether it leaves some rows no number that makes a sum they may come to together."""
        row = key.summed
        if row is None or not key.value:
            return False
        names = [name for name in row["data-with"].split() if name != key.name and self._is_asked(name)]
        others = [self.chosen(name) for name in names]
        total = int(key.value) + sum(int(other or 0) for other in others)
        return total > int(row["data-most"]) or (all(others) and total < int(row.get("data-least", "0")))

    def _is_asked(self, name: str) -> bool:
        return all(map(self._is_there, self.named[name][0].rows))

    @property
    def enabled(self) -> list[Key]:
        """The keys that can be tapped, but for a line that is typed and a hand that is thrown in."""
        return [key for key in self.keys if key.is_key and not key.is_disabled]

    def tap(self, key: Key) -> None:
        assert key.is_key
        assert not key.is_disabled
        if key.kind == "checkbox":
            key.is_checked = not key.is_checked
        else:
            for other in self.named[key.name]:
                other.is_checked = other is key
        self._changed(key)

    def type(self, name: str, value: str) -> None:
        (key,) = self.named[name]
        key.value = value
        self._changed(key)

    def _changed(self, by: Key) -> None:
        if by.is_key or by.value:
            said = {by.name, f"{by.name}={by.value}"}
            for node in self.clearing:
                if said & set(node.attrs["data-cleared-by"].split(" ")):
                    for key in (key for key in self.keys if node in key.node.above):
                        if key.is_key:
                            key.is_checked = False
                        else:
                            key.value = ""
        self._renew()

    @property
    def asked(self) -> list[str]:
        """The fields that keep the form from being saved: not answered yet, or in the way of the others."""
        found = []
        for name, keys in self.named.items():
            there = [key for key in keys if not key.is_disabled]
            is_answered = any(key.is_checked for key in there) if keys[0].is_key else any(key.value for key in there)
            if any(key.is_clashing for key in there) or (any(key.is_required for key in there) and not is_answered):
                found.append(name)
        return found

    @property
    def posted(self) -> dict[str, str]:
        there = (key for key in self.keys if not key.is_disabled and (key.is_checked or not key.is_key))
        return {key.name: key.value for key in there}

    def finish(self, chance: Random) -> None:
        """Tap the fields asked for, in any way, until it can be saved."""
        for _ in range(40):
            asked = self.asked
            if not asked:
                return
            name = chance.choice(asked)
            if not self.named[name][0].is_key:
                self.type(name, str(chance.randint(24, 46)))
                continue
            keys = [key for key in self.named[name] if not key.is_disabled and not key.is_clashing]
            # A box that is in the way is taken back.
            self.tap(chance.choice(keys or [key for key in self.named[name] if key.is_clashing]))
        raise AssertionError(f"{self.asked} is asked for again and again")


def rows_above(node: Node) -> tuple[Node, ...]:
    return tuple(above for above in node.above if any(name in above.attrs for name in ROWS))


def _is_one(value: str, wanted: str) -> bool:
    found = RANGE.fullmatch(wanted)
    if not found:
        return value == wanted
    return value.isdigit() and int(found[1]) <= int(value) <= int(found[2])
