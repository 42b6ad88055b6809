"""Faults of the stored data, and the check of every row by its model alone: its values can be read and are known, its
foreign keys lead to a row, and its constraints hold. PostgreSQL keeps most of this itself; SQLite does not where
somebody writes past the program.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import batched
from typing import Any, Final

from django.apps import apps
from django.core.exceptions import ObjectDoesNotExist
from django.db import models
from django.db.models import Exists, OuterRef

from sessions_app.errors import DAMAGE
from sessions_app.models import RateCount

# --- Faults ---


#: Errors that checking damaged data may raise: they are faults themselves.
UNREADABLE: Final = (*DAMAGE, ObjectDoesNotExist, ArithmeticError)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and its place: an evening by its key, a hand by its number (None: the evening itself).

    A fault of a circle belongs to no evening, and has the circle's key. One of any other row names it itself.
    """

    evening: int | None
    hand: int | None
    what: str
    circle: int | None = None

    def __str__(self) -> str:
        where = {"circle": self.circle, "session": self.evening, "hand": self.hand}
        place = ", ".join(f"{name} {key}" for name, key in where.items() if key is not None)
        return f"{place}: {self.what}" if place else self.what


def as_far_as_read(what: str, faults: Iterable[str]) -> Iterator[str]:
    """Yield the faults up to a value that stops the check of `what`, and one for that value."""
    try:
        yield from faults
    except UNREADABLE as error:
        yield f"{what} cannot be checked: {error!r}"


# --- Rows ---


#: Rows in memory at once, however long an evening or a database is.
BATCH: Final = 200
CAPITAL: Final = re.compile(r"\B[A-Z]")
#: Fields in which SQLite keeps what Python cannot read.
CONVERTED: Final = (models.DateTimeField, models.DecimalField, models.JSONField, models.UUIDField)

type Rows = models.QuerySet[Any, Any]


def row_faults() -> Iterator[str]:
    """Yield the faults of all rows."""
    for model in apps.get_app_config("sessions_app").get_models():
        if model is not RateCount:  # it has no key of one column, and is not kept
            yield from _unreadable_values(model)
            yield from _orphans(model)
            yield from _broken_rules(model)


def readable[M: models.Model](rows: models.QuerySet[M, M]) -> Iterator[M]:
    """Yield the rows; a value that cannot be read, which `row_faults` names, is its field's default."""
    for keys in batches(rows):
        try:
            found = list(rows.filter(pk__in=keys))
        except UNREADABLE:
            found = [_readable(rows, key) for key in keys]
        yield from found


def _readable[M: models.Model](rows: models.QuerySet[M, M], key: int) -> M:
    fields = [field for field in _converted(rows.model) if _problem(rows.model, key, field)]
    row = rows.defer(*(field.name for field in fields)).get(pk=key)
    for field in fields:
        setattr(row, field.attname, field.get_default())
    return row


def batches(rows: Rows) -> Iterator[tuple[int, ...]]:
    """Yield the keys of the rows in their order, a batch at a time."""
    return batched(list(rows.values_list("pk", flat=True)), BATCH)


def _converted(model: type[models.Model]) -> "list[models.Field[Any, Any]]":
    return [field for field in model._meta.concrete_fields if isinstance(field, CONVERTED)]


def _unreadable_values(model: type[models.Model]) -> Iterator[str]:
    for field in _converted(model):
        rows = _all(model).filter(**{f"{field.name}__isnull": False})
        for keys in batches(rows):
            try:
                values = rows.filter(pk__in=keys).values_list(field.name, flat=True)
                is_sound = not any(_is_misread(value) for value in values)
            except UNREADABLE:
                is_sound = False
            for key in () if is_sound else keys:
                if problem := _problem(model, key, field):
                    yield f"{_name(model)} {key}: its {field.name} cannot be read: {problem}"


def _problem(model: type[models.Model], key: int, field: "models.Field[Any, Any]") -> str:
    """Return why a row's value cannot be read, '' if it can."""
    try:
        value = _all(model).filter(**{f"{field.name}__isnull": False}).values_list(field.name, flat=True).get(pk=key)
    except ObjectDoesNotExist:
        return ""
    except UNREADABLE as error:
        return repr(error)
    return f"it is read as {value!r}" if _is_misread(value) else ""


def _is_misread(value: object) -> bool:
    """Return whether it is what Django makes of a time without any sense, or of a text that is no JSON."""
    return value is None or isinstance(value, str)


def _orphans(model: type[models.Model]) -> Iterator[str]:
    for field in model._meta.concrete_fields:
        target = field.related_model
        if isinstance(target, type) and issubclass(target, models.Model):
            rows = _all(model).filter(**{f"{field.name}__isnull": False})
            orphans = rows.exclude(Exists(_all(target).filter(pk=OuterRef(field.attname))))
            for key, other in orphans.values_list("pk", field.attname):
                yield f"{_name(model)} {key}: its {field.name} is {_name(target)} {other}, which is not there"


def _broken_rules(model: type[models.Model]) -> Iterator[str]:
    """Yield the faults of values that are not among their field's, then those of other constraints."""
    named = set()
    for field in model._meta.concrete_fields:
        for key, value in _unknown_values(model, field):
            named.add(key)
            yield f"{_name(model)} {key}: its {field.name} is {value!r}"
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.CheckConstraint):
            broken = _all(model).exclude(constraint.condition)
            for key in broken.values_list("pk", flat=True):
                if key not in named:
                    yield f"{_name(model)} {key}: it breaks the rule {constraint.name}"


def _unknown_values(model: type[models.Model], field: "models.Field[Any, Any]") -> Iterable[tuple[int, object]]:
    rows = _all(model).filter(**{f"{field.name}__isnull": False})
    if isinstance(
        field, (models.PositiveIntegerField, models.PositiveSmallIntegerField, models.PositiveBigIntegerField)
    ):
        rows = rows.filter(**{f"{field.name}__lt": 0})
    elif field.flatchoices:
        known = [value for value, _label in field.flatchoices] + [""] * field.blank
        rows = rows.exclude(**{f"{field.name}__in": known})
    else:
        return ()
    return rows.values_list("pk", field.name)


def _all(model: type[models.Model]) -> Rows:
    return model._base_manager.order_by("pk")


def _name(model: type[models.Model]) -> str:
    """Return what the other sentences call such a row."""
    words = CAPITAL.sub(r" \g<0>", model.__name__).lower()
    return words.replace("repayment", "payment").replace("evening", "session")
