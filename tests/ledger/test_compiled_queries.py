"""Compiled queries return the same as the plain query, every time."""

from typing import Any

import pytest
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.db.models import QuerySet, Value
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, _is_filled_in, columns, compiled, insert, loaded, update
from sessions_app.models import Evening, Hand, HandEntry, Player, Total, User
from sessions_app.readers.evening.seating import evening_of
from tests.factories import record


@compiled
def _hands(evening: Slot, number: Slot) -> QuerySet[Hand, Any]:
    return Hand.objects.filter(number__gte=number, evening=evening).order_by("-number").values_list(*columns(Hand))


def test_each_value_stands_in_its_own_place(owner: User, evening: Evening) -> None:
    for _hand in range(3):
        record(evening, owner)
    asked = [loaded(Hand, columns(Hand), row) for row in _hands.ask(number=2, evening=evening.pk)]
    assert [hand.number for hand in asked] == [3, 2]
    assert [vars(hand) | {"_state": None} for hand in asked] == [
        vars(hand) | {"_state": None} for hand in evening.hands.filter(number__gte=2).order_by("-number")
    ]
    assert _hands.ask(number=4, evening=evening.pk) == []


def test_an_evening_is_read_as_the_model_reads_it(owner: User, evening: Evening) -> None:
    record(evening, owner)
    found, known = evening_of(evening.pk), Evening.objects.get(pk=evening.pk)
    assert vars(found) | {"_state": None} == vars(known) | {"_state": None}


def test_columns_are_in_the_models_order_whatever_is_asked_for(owner: User) -> None:
    names = columns(User, "is_active", "password", "id")
    assert names == ("id", "password", "is_active")
    user = loaded(User, names, (owner.pk, "secret", False))
    assert (user.pk, user.password, user.is_active) == (owner.pk, "secret", False)
    assert user.username == owner.username, "read when it is asked for"
    with pytest.raises(FieldDoesNotExist):
        columns(User, "id", "shoe_size")


def test_rows_are_inserted_as_the_model_would(owner: User, evening: Evening) -> None:
    hand = record(evening, owner)
    rows = [HandEntry(hand=hand, account="paid", seat=seat, against=2, amount=7, reason="new") for seat in (0, 1)]
    insert(rows)
    kept = list(HandEntry.objects.filter(reason="new"))
    assert [vars(row) | {"_state": None} for row in kept] == [
        {name: value for name, value in vars(row).items() if name in vars(kept[0])} | {"_state": None} for row in rows
    ]
    insert([])


def test_an_update_changes_the_rows_that_are_as_said_and_no_others(evening: Evening) -> None:
    was = {"id": evening.pk, "version": evening.version}
    changed = {"version": evening.version + 1, "sheet": {("paid", 0, 1): Total(7, 2)}, "ended_at": timezone.now()}
    assert update(Evening, was, changed) == 1
    found = Evening.objects.get(pk=evening.pk)
    assert {name: getattr(found, name) for name in changed} == changed
    assert update(Evening, was, {"version": 99}) == 0


def test_insert_refuses_a_model_whose_field_django_fills_in(evening: Evening) -> None:
    with pytest.raises(TypeError, match="sort_key"):
        insert([Player(circle=evening.circle, name="Dóra")])


@pytest.mark.parametrize(
    ("field", "is_filled_in"),
    [
        (models.DateTimeField(), False),
        (models.DateTimeField(default=timezone.now), False),
        (models.DateTimeField(auto_now=True), True),
        (models.DateField(auto_now_add=True), True),
        (models.IntegerField(default=1), False),
        (models.IntegerField(db_default=1), True),
        (models.GeneratedField(expression=Value(1), output_field=models.IntegerField(), db_persist=True), True),
        (models.FileField(), True),
    ],
)
def test_insert_knows_which_fields_django_fills_in(field: Any, is_filled_in: bool) -> None:
    assert _is_filled_in(field) is is_filled_in
