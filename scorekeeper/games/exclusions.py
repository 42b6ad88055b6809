"""Filter the values of a half-filled deal's fields: those that lead to at least one possible deal.

A game supplies exclusions: conditions on fields that no possible deal meets all together. Its list is complete if
every half-filled deal that meets none of them can be completed to a possible one. No exclusion is longer than needed.
"""

from collections.abc import Container, Hashable, Iterable, Mapping
from typing import Any, NamedTuple


class Condition(NamedTuple):
    """The condition that a field has one of these values."""

    field: str
    values: Container[Any]

    def is_met(self, noted: Mapping[str, Hashable]) -> bool:
        """Return whether the entered values meet it; a field that is not entered does not."""
        return self.field in noted and noted[self.field] in self.values


type Exclusion = tuple[Condition, ...]


def excluding(exclusions: Iterable[Exclusion], field: str, value: Hashable) -> list[Exclusion]:
    """Return the lists of conditions under which a field cannot have this value."""
    found = []
    for exclusion in exclusions:
        others = tuple(each for each in exclusion if each.field != field)
        if len(others) < len(exclusion) and all(value in each.values for each in exclusion if each.field == field):
            found.append(others)
    return found


def still_possible[Value: Hashable](
    exclusions: Iterable[Exclusion], noted: Mapping[str, Hashable], field: str, values: Iterable[Value]
) -> list[Value]:
    """Return the values of a field that lead to a possible deal; the field's own entered value is ignored."""
    others = {name: value for name, value in noted.items() if name != field}
    near = [
        exclusion
        for exclusion in exclusions
        if any(each.field == field for each in exclusion)
        and all(each.field == field or each.is_met(others) for each in exclusion)
    ]
    return [value for value in values if not excluding(near, field, value)]
