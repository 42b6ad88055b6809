"""The list of past evenings, filtered and searched, the newest first."""

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format

from sessions_app.access import ANYONE, page, visitor
from sessions_app.forms.past_filter import PastFilterForm
from sessions_app.readers.book import lists
from sessions_app.readers.book.lists import PastPage, State
from sessions_app.readers.people import new_circles
from sessions_app.readers.people.circles import circles_of
from sessions_app.readers.people.new_circles import may_clear
from sessions_app.readers.snapshot import snapshot
from sessions_app.views.htmx import answer


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is on: its words, and the address without it."""

    words: str
    without: str


@page(ANYONE, "GET", "HEAD")
@snapshot()
def show(request: HttpRequest) -> HttpResponse:
    if "page" in request.GET:
        # An old address with the number of a page: the evenings on that page have moved since.
        query = request.GET.copy()
        del query["page"]
        return HttpResponseRedirect(_address(query.urlencode()))
    user = visitor(request)
    circles = circles_of(user) if user else ()
    form = PastFilterForm(request.GET, circles=circles)
    context: dict[str, Any] = {"form": form, "page": PastPage(), "circles": circles, "shown": None}
    if not form.is_valid():
        return answer(request, "past/page.html", context | {"is_refused": True}, "found", status=422)
    cursors = {name: form.cleaned_data[name] for name in ("after", "before")}
    page = lists.find(form.searched, form.wanted, **cursors)
    if page.cards:
        remember_list(request, form.query())
    here = [name for name, cursor in cursors.items() if cursor]
    context |= {
        "page": page,
        "shown": form.shown,
        "chips": _chips(form),
        "is_filtered": bool(form.query(*cursors)),
        "newest": _address(form.query(*cursors)) if here else None,
        "later": page.later and _address(form.query("after", before=page.later)),
        "earlier": page.earlier and _address(form.query("before", after=page.earlier)),
        "may_begin": bool(page.count) or new_circles.may_start_session(user),
        "may_clear": user and any(card.is_demo for card in page.cards) and may_clear(user),
    }
    return answer(request, "past/page.html", context, "found")


def _address(query: str) -> str:
    return f"{reverse('past')}?{query}" if query else reverse("past")


def _chips(form: PastFilterForm) -> list[Chip]:
    """Return the filters that are on, but for the words, which stand in their field. Each without the page's cursor."""
    chips = []
    for name in ("circle", "game", "player", "state"):
        label = dict(form.fields[name].choices).get(form.cleaned_data[name])  # type: ignore[attr-defined]
        if label and form.cleaned_data[name] != State.ENDED:
            chips.append((name, str(label)))
    days = [form.cleaned_data[name] for name in ("from", "to")]
    if any(days):
        chips.append(("from", "–".join(date_format(day, "SHORT_DATE_FORMAT") if day else "" for day in days)))
    without = {"circle": ("circle", "player"), "from": ("from", "to")}
    return [Chip(words, _address(form.query("after", "before", *without.get(name, (name,))))) for name, words in chips]


# --- The list that this phone opened last ---

#: Key in the session. The back link of an evening leads to this list. It is not in addresses, since the pages between
#: (a hand, settling up, the table view) would have to pass it on.
LAST_LIST: Final = "past_list"


def remember_list(request: HttpRequest, query: str | None) -> None:
    """Store the query of the page of past evenings, None for the home page."""
    if request.session.get(LAST_LIST) == query:
        return
    if query is None:
        del request.session[LAST_LIST]
    else:
        request.session[LAST_LIST] = query


def last_list(request: HttpRequest) -> str | None:
    """Return the address of the page of past evenings that was opened last, None for the home page."""
    query = request.session.get(LAST_LIST)
    if not isinstance(query, str):
        return None
    return f"{reverse('past')}?{query}" if query else reverse("past")
