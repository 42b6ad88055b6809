"""Cached includes, keyed by their arguments. A builtin library: no template loads it."""

from collections.abc import Hashable, Mapping
from typing import Any

from django import template
from django.forms import BoundField
from django.forms.utils import ErrorList
from django.template import Context
from django.utils.safestring import SafeString

from sessions_app.cached_templates import blanks, fill, render, render_by, render_once
from sessions_app.faces.choices import Choices

register = template.Library()


@register.simple_tag
def once(name: str, **shown: Any) -> SafeString:
    """Include a template with these arguments only; render it once per arguments and language.

    The arguments are the cache key: see `render_once`.
    """
    return render_once(name, shown)


@register.simple_tag
def once_by(key: tuple[Hashable, ...] | None, name: str, **shown: Any) -> SafeString:
    """Include a template with these arguments only; render it once per `key` and language, each time if that is None.

    The key must hold all that the template shows of the arguments.
    """
    return render_by(key, name, lambda: shown)


@register.simple_tag(takes_context=True)
def once_with_forms(context: Context, name: str, **shown: Any) -> SafeString:
    """Include as `once` does a template with forms that are posted: each has the CSRF token of this page."""
    return fill(render_once(name, shown | blanks("csrf_token")), {"csrf_token": context["csrf_token"]})


@register.simple_tag(takes_context=True)
def once_by_with_forms(
    context: Context, key: tuple[Hashable, ...] | None, name: str, shown: Mapping[str, Any]
) -> SafeString:
    """Include as `once_by` does a template with forms that are posted: each has the CSRF token of this page.

    `shown` may be lazy: it is asked for only when the template is rendered.
    """
    rendered = render_by(key, name, lambda: {**shown, **blanks("csrf_token")})
    return fill(rendered, {"csrf_token": context["csrf_token"]})


@register.filter
def codes(errors: ErrorList) -> str:
    """Return the error codes of a field, each once."""
    return " ".join(dict.fromkeys(error.code or "" for error in errors.as_data()))


@register.simple_tag
def choices(bound: BoundField, **how: Any) -> SafeString:
    """Include components/choices.html, cached by the choices offered and the one chosen."""
    shown, offered = {"bound": bound, **how}, getattr(bound.field, "choices", None)
    field, errors = bound.field, (*bound.errors, codes(bound.errors))
    value = "" if bound.value() is None else str(bound.value())
    # A posted value may be anything, of any length: only offered ones are cached.
    if not isinstance(offered, Choices) or value not in ("", *(each for each, _offer in offered)):
        return render("components/choices.html", shown)
    key = (offered, bound.html_name, str(bound.label), value, field.required, errors, *sorted(how.items()))
    return render_by(key, "components/choices.html", lambda: shown)
