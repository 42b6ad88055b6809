"""The htmx glue: one URL, one view, one template, and the server picks the part to render."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from sessions_app.words.wording import whole_number


def answer(
    request: HttpRequest, template: str, context: dict[str, Any], *parts: str, status: int = 200
) -> HttpResponse:
    """Render the page, or the one of its `parts` that htmx asked for: a partial is named as the id of its element."""
    part = (htmx_of(request).target or "").rpartition("#")[2]  # htmx 4 names the element with its tag: div#count
    shown = f"{template}#{part}" if htmx_of(request) and part in parts else template
    return render(request, shown, context, status=status)


def htmx_of(request: HttpRequest) -> HtmxDetails:
    """Return what django-htmx read from the headers of the request; false if htmx did not send it."""
    return request.htmx  # type: ignore[attr-defined,no-any-return]


def go(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect to another page after a write, for htmx by its header."""
    return HttpResponseClientRedirect(url) if htmx_of(request) else HttpResponseRedirect(url)


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return a whole number of the query string, None if it has none."""
    return whole_number(request.GET.get(name, ""))
