"""Pieces of pages that are drawn once for all that they show. They are built in: no template loads them."""

from typing import Any, cast

from django import template
from django.db.models import Model
from django.forms import BoundField
from django.template.loader import get_template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from sessions_app.faces.offers import Offers
from sessions_app.kept import Kept

register = template.Library()
_drawn: Kept[SafeString] = Kept(most=2000)


@register.simple_tag
def once(name: str, **shown: Any) -> SafeString:
    """A template drawn of what it is given, and nothing else: of the same in the same language it is drawn once.

    Values alone may be given, which are equal only as long as all of them is: no row of a database, which is equal to
    itself whatever stands in it, and nothing that changes.
    """
    if any(isinstance(value, Model) for value in shown.values()):
        raise TypeError(f"{name}: a row of the database does not say what stands in it")
    values = ((key, tuple(value) if isinstance(value, list) else value) for key, value in sorted(shown.items()))
    return _drawn.of((name, get_language(), *values), lambda: _draw(name, shown))


@register.simple_tag
def choices(bound: BoundField, **how: Any) -> SafeString:
    """A row of choices (components/choices.html), drawn once for those offered and the one chosen of them."""
    shown, offered = {"bound": bound, **how}, getattr(bound.field, "choices", None)
    if not isinstance(offered, Offers):
        return _draw("components/choices.html", shown)
    field, value, errors = bound.field, bound.value(), tuple(bound.errors)
    key = (offered, bound.html_name, str(bound.label), "" if value is None else str(value), field.required, errors)
    return _drawn.of((*key, get_language(), *sorted(how.items())), lambda: _draw("components/choices.html", shown))


def _draw(name: str, shown: dict[str, Any]) -> SafeString:
    return cast(SafeString, get_template(name).render(shown))
