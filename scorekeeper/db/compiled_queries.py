"""Queries whose SQL is compiled once per process: compiling takes Django five times as long as the database takes.

No results are cached. The SQL is Django's own, from a queryset or a model's columns, so it works on both databases.
The values differ from call to call, each in the place of a `Slot`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from inspect import signature
from typing import Any, Final, cast

from django.core.exceptions import FieldDoesNotExist
from django.db import connection
from django.db.models import BigIntegerField, DateField, DateTimeField, Field, Model, QuerySet
from django.db.models.expressions import Value

#: These do nothing for a field that is neither `auto_now` nor `auto_now_add`.
TIMES: Final = (DateField.pre_save, DateTimeField.pre_save)

type Row = Sequence[Any]
type Converters = tuple[tuple[int, tuple[Callable[..., Any], ...], Any], ...]


class Slot(Value):
    """Placeholder for a value that is given with each call."""

    def __init__(self, name: str, output_field: "Field[Any, Any]") -> None:
        super().__init__(None, output_field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        return "%s", [self]

    def resolve_expression(self, *args: Any, **kwargs: Any) -> "Slot":
        return self


def slot(name: str) -> Slot:
    """Return a placeholder for a number, a text or a time."""
    return Slot(name, BigIntegerField())


class CompiledQuery:
    """A query that is compiled once; `ask` takes the values of its slots by the parameter names of `build`.

    Slots that `build` has made itself have names of their own.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]]) -> None:
        self._build = build

    @cached_property
    def _compiled(self) -> tuple[str, tuple[Any, ...], Converters]:
        slots = [slot(name) for name in signature(self._build).parameters]
        compiler = self._build(*slots).query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        columns = [selected for selected, _sql, _alias in compiler.select]
        converters = compiler.get_converters(columns)
        return sql, tuple(params), tuple((at, tuple(turn), of) for at, (turn, of) in converters.items())

    def ask(self, **values: Any) -> list[Row]:
        sql, params, converters = self._compiled
        given = [_adapted(values[param.name]) if isinstance(param, Slot) else param for param in params]
        with connection.cursor() as cursor:
            cursor.execute(sql, given)
            rows = cursor.fetchall()
        return [_converted(row, converters) for row in rows] if converters else rows


def compiled(build: Callable[..., QuerySet[Any, Any]]) -> CompiledQuery:
    """Decorate a function that returns a queryset; it is called once, with a slot for each int or datetime."""
    return CompiledQuery(build)


def _adapted(value: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def _converted(row: Row, converters: Converters) -> Row:
    values = list(row)
    for at, turn, of in converters:
        for convert in turn:
            values[at] = convert(values[at], of, connection)
    return values


@cache
def columns(model: type[Model], *only: str) -> tuple[str, ...]:
    """Return the column names of a model, all or some, in the order that `loaded` expects."""
    names = tuple(field.attname for field in model._meta.concrete_fields if not only or field.attname in only)
    if only and len(names) != len(only):
        raise FieldDoesNotExist(f"{model.__name__} has not all of {', '.join(only)}")
    return names


def loaded[M: Model](model: type[M], names: tuple[str, ...], row: Row) -> M:
    """Return a model instance made of a row of its `columns`; other fields are deferred."""
    return model.from_db(connection.alias, names, row)


def insert(rows: Iterable[Model]) -> None:
    """Insert new rows of one model in one statement, and set their primary keys.

    No signal is sent. Raise TypeError for a model with a field that Django's own insert would fill in.
    """
    made = list(rows)
    if not made:
        return
    model = type(made[0])
    head, one, tail = _insertion(model)
    fields = _inserted(model)
    given = [
        field.get_db_prep_save(getattr(row, field.attname), connection=connection) for row in made for field in fields
    ]
    with connection.cursor() as cursor:
        cursor.execute(f"{head}{', '.join([one] * len(made))}{tail}", given)
        keys = cursor.fetchall()
    for row, (key,) in zip(made, keys, strict=True):
        row.pk, row._state.adding, row._state.db = key, False, connection.alias


@cache
def _inserted(model: type[Model]) -> "tuple[Field[Any, Any], ...]":
    fields = tuple(field for field in model._meta.concrete_fields if not field.primary_key)
    filled_in = [field.name for field in fields if _is_filled_in(field)]
    if filled_in:
        raise TypeError(f"{model.__name__} has fields that only Django's own insert fills in: {', '.join(filled_in)}")
    return fields


def _is_filled_in(field: "Field[Any, Any]") -> bool:
    """Return whether the database or `pre_save` gives the field a value: this insert asks neither."""
    is_time = isinstance(field, DateField) and not (field.auto_now or field.auto_now_add)
    is_plain = type(field).pre_save is Field.pre_save or (is_time and type(field).pre_save in TIMES)
    return field.generated or field.has_db_default() or not is_plain


@cache
def _insertion(model: type[Model]) -> tuple[str, str, str]:
    meta, quoted = model._meta, connection.ops.quote_name
    names = ", ".join(quoted(cast(str, field.column)) for field in _inserted(model))
    one = f"({', '.join(['%s'] * len(_inserted(model)))})"
    head = f"INSERT INTO {quoted(meta.db_table)} ({names}) VALUES "  # noqa: S608  from the model alone
    return head, one, f" RETURNING {quoted(cast(str, meta.pk.column))}"


def update(model: type[Model], where: Mapping[str, Any], changed: Mapping[str, Any]) -> int:
    """Set the columns `changed` of a model in the rows that match `where`; return the number of rows."""
    given = [
        cast("Field[Any, Any]", model._meta.get_field(name)).get_db_prep_save(value, connection=connection)
        for name, value in (*changed.items(), *where.items())
    ]
    with connection.cursor() as cursor:
        cursor.execute(_updating(model, tuple(changed), tuple(where)), given)
        return cast(int, cursor.rowcount)


@cache
def _updating(model: type[Model], changed: tuple[str, ...], where: tuple[str, ...]) -> str:
    quoted = connection.ops.quote_name

    def each(names: tuple[str, ...], between: str) -> str:
        fields = (cast("Field[Any, Any]", model._meta.get_field(name)) for name in names)
        return between.join(f"{quoted(cast(str, field.column))} = %s" for field in fields)

    table = quoted(model._meta.db_table)
    return f"UPDATE {table} SET {each(changed, ', ')} WHERE {each(where, ' AND ')}"  # noqa: S608  from the model alone
