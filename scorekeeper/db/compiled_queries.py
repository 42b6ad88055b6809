"""Statements whose SQL is written once in a process: to write it anew costs Django five times what the database takes.

Nothing of an answer is kept. The SQL is Django's own, of a query or of a model's columns, so both databases understand
it; what differs from one time to the next are the values, each in the place of a `Slot`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from inspect import signature
from typing import Any, cast

from django.core.exceptions import FieldDoesNotExist
from django.db import connection
from django.db.models import BigIntegerField, Field, Model, QuerySet
from django.db.models.expressions import Value

type Row = Sequence[Any]
type Converters = tuple[tuple[int, tuple[Callable[..., Any], ...], Any], ...]


class Slot(Value):
    """The place of a value that is not known yet."""

    def __init__(self, name: str, output_field: "Field[Any, Any]") -> None:
        super().__init__(None, output_field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        return "%s", [self]

    def resolve_expression(self, *args: Any, **kwargs: Any) -> "Slot":
        return self


class Prepared:
    """A query: `ask` takes the values of its slots, by the names that `build` gives them, and returns the rows."""

    def __init__(self, build: Callable[..., QuerySet[Any, Any]]) -> None:
        self._build = build

    @cached_property
    def _written(self) -> tuple[str, tuple[Any, ...], Converters]:
        slots = [Slot(name, BigIntegerField()) for name in signature(self._build).parameters]
        compiler = self._build(*slots).query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        columns = [selected for selected, _sql, _alias in compiler.select]
        converters = compiler.get_converters(columns)
        return sql, tuple(params), tuple((at, tuple(turn), of) for at, (turn, of) in converters.items())

    def ask(self, **values: Any) -> list[Row]:
        sql, params, converters = self._written
        given = [_adapted(values[param.name]) if isinstance(param, Slot) else param for param in params]
        with connection.cursor() as cursor:
            cursor.execute(sql, given)
            rows = cursor.fetchall()
        return [_converted(row, converters) for row in rows] if converters else rows


def prepared(build: Callable[..., QuerySet[Any, Any]]) -> Prepared:
    """A query that is written once: `build` is given a slot for each of its parameters, whole numbers or times."""
    return Prepared(build)


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
    """The columns of a model, all or some, in the order in which `loaded` wants them."""
    names = tuple(field.attname for field in model._meta.concrete_fields if not only or field.attname in only)
    if only and len(names) != len(only):
        raise FieldDoesNotExist(f"{model.__name__} has not all of {', '.join(only)}")
    return names


def loaded[M: Model](model: type[M], names: tuple[str, ...], row: Row) -> M:
    """The instance of a model that a row of its `columns` is; what is not among them is read when it is asked for."""
    return model.from_db(connection.alias, names, row)


def insert(rows: Iterable[Model]) -> None:
    """Insert rows of one model that are known to be new, in one statement; they get their keys."""
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
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)


@cache
def _insertion(model: type[Model]) -> tuple[str, str, str]:
    meta, quoted = model._meta, connection.ops.quote_name
    names = ", ".join(quoted(cast(str, field.column)) for field in _inserted(model))
    one = f"({', '.join(['%s'] * len(_inserted(model)))})"
    head = f"INSERT INTO {quoted(meta.db_table)} ({names}) VALUES "  # noqa: S608  all of it is the model's own
    return head, one, f" RETURNING {quoted(cast(str, meta.pk.column))}"


def update(model: type[Model], where: Mapping[str, Any], changed: Mapping[str, Any]) -> int:
    """Give columns of a model other values in the rows where others have these; how many there were."""
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
    return f"UPDATE {table} SET {each(changed, ', ')} WHERE {each(where, ' AND ')}"  # noqa: S608  the model's own
