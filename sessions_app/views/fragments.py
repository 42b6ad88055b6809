"""The htmx glue, all there is of it: one URL, one view, one template, and the server picks the part."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRedirect

from sessions_app.parsing import whole_number


def answer(
    request: HttpRequest, template: str, context: dict[str, Any], *parts: str, status: int = 200
) -> HttpResponse:
    """Render the page, or that of its `parts` which htmx asked for: a partial has the name of its element's id."""
    target = (request.headers.get("HX-Target") or "").rpartition("#")[2]
    name = f"{template}#{target}" if request.headers.get("HX-Request") and target in parts else template
    return render(request, name, context, status=status)


def go(request: HttpRequest, url: str) -> HttpResponse:
    """Send the browser on to another page after a write."""
    return HttpResponseClientRedirect(url) if request.headers.get("HX-Request") else HttpResponseRedirect(url)


def number_in(request: HttpRequest, name: str) -> int | None:
    """A whole number of the address's query, None where it is none."""
    return whole_number(request.GET.get(name, ""))
