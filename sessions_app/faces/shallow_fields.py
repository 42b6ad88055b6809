"""Form fields without Django's deepcopy, for a form that is built for every tap."""

from typing import Any

from django import forms
from django.forms.forms import DeclarativeFieldsMetaclass


class ShallowFields(dict[str, forms.Field]):
    """The fields of a form class, copied shallowly for each form.

    Django copies the choices of each field for each form, one by one, and the attributes of its widgets, which no form
    of ours changes. Only the parts that a form changes are copied: error messages, `required` and the choices
    themselves.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, forms.Field]:
        return {name: _copied(field) for name, field in self.items()}


def _copied(field: forms.Field) -> forms.Field:
    copied = _shallow_copy(field)
    copied.error_messages = field.error_messages.copy()
    if isinstance(field, forms.ChoiceField):  # setting its choices sets its widget's, too
        copied.widget = _shallow_copy(field.widget)
    return copied


def _shallow_copy[Thing](thing: Thing) -> Thing:
    new: Thing = object.__new__(type(thing))
    vars(new).update(vars(thing))
    return new


class ShallowFieldsMetaclass(DeclarativeFieldsMetaclass):
    """Metaclass of forms whose fields are copied shallowly."""

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> Any:
        made: Any = super().__new__(mcs, name, bases, attrs)
        made.base_fields = made.declared_fields = ShallowFields(made.base_fields)
        return made
