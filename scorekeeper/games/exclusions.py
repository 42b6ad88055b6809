"""What can still be: which values of a half-filled deal's fields lead to at least one deal that can be.

A game answers with exclusions: conditions on fields that no deal meets all together. Its list is complete where
whatever meets none of them can be filled in to a deal that can be; and none of them is longer than it must be.
"""

from collections.abc import Container, Hashable, Iterable, Mapping
from typing import Any, NamedTuple


class Condition(NamedTuple):
    """That a field has one of these values."""

    field: str
    values: Container[Any]

    def is_met(self, noted: Mapping[str, Hashable]) -> bool:
        """Whether it is met by what is noted; by a field of which nothing is noted it is not."""
        return self.field in noted and noted[self.field] in self.values


type Exclusion = tuple[Condition, ...]


def excluding(exclusions: Iterable[Exclusion], field: str, value: Hashable) -> list[Exclusion]:
    """Return the conditions, list by list, with all of which a field cannot have this value."""
    found = []
    for exclusion in exclusions:
        others = tuple(each for each in exclusion if each.field != field)
        if len(others) < len(exclusion) and all(value in each.values for each in exclusion if each.field == field):
            found.append(others)
    return found


def still_possible[Value: Hashable](
    exclusions: Iterable[Exclusion], noted: Mapping[str, Hashable], field: str, values: Iterable[Value]
) -> list[Value]:
    """Return those of a field's values that lead to a deal that can be; what is noted of that field does not count."""
    others = {name: value for name, value in noted.items() if name != field}
    near = [
        exclusion
        for exclusion in exclusions
        if any(each.field == field for each in exclusion)
        and all(each.field == field or each.is_met(others) for each in exclusion)
    ]
    return [value for value in values if not excluding(near, field, value)]
