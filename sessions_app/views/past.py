"""The list of past evenings, filtered and searched, the newest first."""

from collections.abc import Hashable, Mapping, Sequence
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scorekeeper.text.names import words_of
from sessions_app.access import ANYONE, page, visitor
from sessions_app.base_forms import USUAL
from sessions_app.faces import FACES
from sessions_app.forms.fields import DayField, DaysForm, LineField
from sessions_app.readers.book import lists
from sessions_app.readers.book.lists import Cursor, Filter, PastPage, State
from sessions_app.readers.people import new_circles
from sessions_app.readers.people.circles import CircleChoice, circles_of, open_ones
from sessions_app.transactions import snapshot
from sessions_app.views.htmx import answer

# --- The form that filters them, and the addresses of its pages ---

#: Each word is looked for in every text, so their number is bounded.
MOST_WORDS: Final = 8


class CursorField(DayField):
    """A cursor, as the links of the pages write it, or a day to jump to."""

    def to_python(self, value: Any) -> date | None:
        return None if Cursor.from_text(value or "") else super().to_python(value)

    def clean(self, value: Any) -> Cursor | None:
        day = super().clean(value)
        return Cursor.after_day(day) if day else Cursor.from_text(value or "")


class PastFilterForm(DaysForm):
    """Words, circle, game, player, days, state, and the cursor of the page: those of the address.

    `circles` are the user's own; closed ones are searched only when they are chosen. Players are offered of one
    circle: the chosen one, the player's, or the only one.
    """

    day_names = ("from", "to", "after")

    q = LineField(label=_("Search"), max_length=USUAL, required=False)
    circle = forms.ChoiceField(
        label=_("Circle"), required=False, error_messages={"invalid_choice": _("Choose one of your circles.")}
    )
    game = forms.ChoiceField(
        label=_("Game"), required=False, error_messages={"invalid_choice": _("Choose one of the games offered.")}
    )
    player = forms.ChoiceField(
        label=_("Player"), required=False, error_messages={"invalid_choice": _("Choose one of the players offered.")}
    )
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            (State.ENDED.value, pgettext_lazy("sessions", "ended")),
            (State.RUNNING.value, pgettext_lazy("sessions", "running")),
            (State.ALL.value, pgettext_lazy("sessions", "ended and running")),
        ],
        error_messages={"invalid_choice": _("Choose one of the states offered.")},
    )
    after = CursorField(label=_("Jump to a date"))
    before = CursorField(widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, str], *, circles: Sequence[CircleChoice]) -> None:
        # An old address may have the number of a name that was merged since: filter by the person.
        super().__init__(dict(data.items()) | {"player": _person(circles, data.get("player", ""))})
        self.circles = circles
        self.chosen_circle = _chosen_circle(circles, self.data.get("circle", ""), self.data.get("player", ""))
        choices = {
            "circle": [
                (str(each.id), _("%(circle)s (archived)") % {"circle": each.name} if each.is_closed else each.name)
                for each in sorted(circles, key=lambda circle: circle.is_closed)
            ],
            "game": [(face.key, str(face.name)) for face in FACES.values()],
            "player": [(str(pk), name) for pk, name in (self.chosen_circle.players if self.chosen_circle else ())],
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]

    def clean_q(self) -> str:
        written: str = self.cleaned_data["q"]
        self.words = words_of(written)
        if len(self.words) > MOST_WORDS:
            raise ValidationError(_("Search for at most %(most)s words."), params={"most": MOST_WORDS})
        return written

    @property
    def wanted(self) -> Filter:
        """The evenings that the valid form asks for."""
        cleaned = self.cleaned_data
        return Filter(
            self.words,
            cleaned["game"],
            int(cleaned["player"]) if cleaned["player"] else None,
            cleaned["from"],
            cleaned["to"],
            State(cleaned["state"] or State.ENDED),
        )

    @property
    def searched(self) -> Sequence[CircleChoice]:
        """The circles that the valid form asks for; a player is of one alone."""
        is_chosen = self.cleaned_data["circle"] or self.cleaned_data["player"]
        return [self.chosen_circle] if is_chosen and self.chosen_circle else open_ones(self.circles)

    @property
    def has_folded_errors(self) -> bool:
        return bool(self.errors.keys() - {"q", "before"})

    @property
    def shown(self) -> tuple[Hashable, ...]:
        """All that the drawn fields of the valid form show."""
        offered = (tuple(self.fields[name].choices) for name in ("circle", "player"))  # type: ignore[attr-defined]
        return (*offered, *(self.data.get(name, "") for name in self.fields))

    def query(self, *without: str, **changed: object) -> str:
        """Return the query of an address with the valid form's filters, `without` some, `changed` in others."""
        written = {name: _written(value) for name, value in self.cleaned_data.items() if name not in without}
        asked = written | {name: _written(value) for name, value in changed.items()}
        return urlencode({name: value for name, value in asked.items() if value})


def _person(circles: Sequence[CircleChoice], player: str) -> str:
    """Return the number of the person that a merged player is, any other text as it is."""
    return next((str(person) for each in circles for pk, person in each.merged.items() if str(pk) == player), player)


def _chosen_circle(circles: Sequence[CircleChoice], circle: str, player: str) -> CircleChoice | None:
    """Return the circle of this number, else that of this player, else the only one."""
    named = [each for each in circles if str(each.id) == circle]
    of_player = [each for each in circles if any(str(pk) == player for pk, _name in each.players)]
    return next(iter(named or of_player or (circles if len(circles) == 1 else [])), None)


def _written(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value or "")


# --- The page ---


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
    found = lists.find(form.searched, form.wanted, **cursors)
    if found.cards:
        remember_list(request, form.query())
    here = [name for name, cursor in cursors.items() if cursor]
    context |= {
        "page": found,
        "shown": form.shown,
        "chips": _chips(form),
        "is_filtered": bool(form.query(*cursors)),
        "newest": _address(form.query(*cursors)) if here else None,
        "later": found.later and _address(form.query("after", before=found.later)),
        "earlier": found.earlier and _address(form.query("before", after=found.earlier)),
        "may_begin": bool(found.count) or new_circles.may_start_session(user),
        "may_clear": user and any(card.is_demo for card in found.cards) and new_circles.may_clear(user),
    }
    return answer(request, "past/page.html", context, "found")


def _address(query: str) -> str:
    return f"{reverse('past')}?{query}" if query else reverse("past")


def _chips(form: PastFilterForm) -> list[tuple[str, str]]:
    """Return the filters that are on in words, each with the address without it and without the page's cursor.

    The words that are searched for stand in their field.
    """
    chips = []
    for name in ("circle", "game", "player", "state"):
        label = dict(form.fields[name].choices).get(form.cleaned_data[name])  # type: ignore[attr-defined]
        if label and form.cleaned_data[name] != State.ENDED:
            chips.append((name, str(label)))
    days = [form.cleaned_data[name] for name in ("from", "to")]
    if any(days):
        chips.append(("from", "–".join(date_format(day, "SHORT_DATE_FORMAT") if day else "" for day in days)))
    without = {"circle": ("circle", "player"), "from": ("from", "to")}
    return [(words, _address(form.query("after", "before", *without.get(name, (name,))))) for name, words in chips]


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
    return _address(query)
