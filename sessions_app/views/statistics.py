"""The statistics of a circle and of a player, and the evenings and hands that a figure was counted over."""

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import get_template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper.db.cache import LRUCache
from scorekeeper.games import GAMES
from scorekeeper.games.measures import Merit
from sessions_app.access import CircleRequest, circle_page
from sessions_app.faces import FACES
from sessions_app.faces.measure_words import AGAINST, EVENINGS, HANDS, MERIT_BEST, MONEY, POINTS, WON
from sessions_app.faces.statistics import StatisticsChoice, sections_of, sentences, words_of
from sessions_app.forms.fields import DaysForm
from sessions_app.models import Role
from sessions_app.readers.book.statistics import (
    FigureSpec,
    Person,
    Statistics,
    figure_evenings,
    last_played,
    ranked_by_merit,
    ranked_by_points,
    statistics,
)
from sessions_app.readers.book.statistics_sums import ALL
from sessions_app.readers.people.circles import CirclePlayer, name_of
from sessions_app.words.periods import midnight, this_or_last_year
from sessions_app.words.wording import KEY_DIGITS, whole_number

#: The numbers of best evenings to choose from.
BEST: Final = (5, 10, 20)
#: Evenings of a figure on one page.
EVENINGS_PER_PAGE: Final = 10
#: Measures that are counted over all games, too.
OF_ALL: Final = (EVENINGS, HANDS, MONEY)
#: Measures that the pages call by name.
WORDS: Final = {
    "points": POINTS,
    "money": MONEY,
    "against": AGAINST,
    "of_all": (EVENINGS, HANDS),
    "large": (POINTS, EVENINGS, HANDS, WON),
}
#: Bodies of pages; one of a circle of thirty is 200,000 bytes.
_bodies: LRUCache[SafeString] = LRUCache()


def _choice(request: CircleRequest) -> StatisticsChoice:
    named = this_or_last_year(request.GET.get("period", ""))
    form = DaysForm(named.days if named else request.GET)
    period = named or form.period
    found = statistics(request.circle, period.period)
    wanted = request.GET.get("game", "")
    game = wanted if wanted in GAMES else next(iter(found.games), "")
    asked = whole_number(request.GET.get("best", ""), digits=2)
    best = asked if asked in BEST else None
    return StatisticsChoice(request.circle.pk, period, found, game, best, tuple(form.days), not form.is_valid())


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def circle(request: CircleRequest) -> HttpResponse:
    choice = _choice(request)
    found, game = choice.statistics, choice.game

    def body() -> dict[str, Any]:
        return {
            "people": found.players(game) if game else [],
            "everybody": found.players(ALL),
            "points": ranked_by_points(found, game) if game else [],
            "merit": ranked_by_merit(found, game, choice.best) if game else [],
            "formula": GAMES[game].merit if game else Merit(),
            "best_choices": _best_choices(choice) if game else (),
        }

    context = _context(request, choice) | {"periods": _periods(request, choice)}
    if choice.is_refused:
        return _refused(request, "statistics/circle.html", context)
    return _rendered(request, choice, "statistics/circle.html", "statistics/_circle.html", context, body)


def _best_choices(choice: StatisticsChoice) -> list[int]:
    """Return the numbers of best evenings that leave some out for some player, and the chosen one."""
    found, game = choice.statistics, choice.game
    most = max((len(found.merits(game, person.pk)) for person in found.players(game)), default=0)
    return [best for best in BEST if best < most or best == choice.best]


def _periods(request: CircleRequest, choice: StatisticsChoice, person: Person | None = None) -> tuple[str, ...]:
    """Return the kinds of periods that show something else than all time does, and the chosen one: one query."""
    this_year, last_year = (midnight(date(year, 1, 1)) for year in (choice.period.this_year, choice.period.last_year))
    played = last_played(request.circle, this_year, choice.game, person.pk if person else None)
    offered = {
        "year": bool(played.last and played.before and played.last >= this_year),
        "last": bool(played.before and played.before >= last_year),
        "days": False,
    }
    return tuple(kind for kind, has_play in offered.items() if has_play or kind == choice.period.kind)


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def player(request: CircleRequest, player_id: int) -> HttpResponse:
    choice = _choice(request)
    person = _person(choice.statistics, player_id)
    if person.pk != player_id:
        address = reverse("player-statistics", args=[request.circle.pk, person.pk])
        return redirect(f"{address}?{request.GET.urlencode()}")
    context = _context(request, choice) | {"person": person, "periods": _periods(request, choice, person)}
    if choice.is_refused:
        return _refused(request, "statistics/player.html", context)
    people = {"people": [person]}
    return _rendered(request, choice, "statistics/player.html", "statistics/_player.html", context | people)


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def evenings(request: CircleRequest, player_id: int, measure: str) -> HttpResponse:
    """Show the evenings that a figure was counted over, the latest first, and the hands of these."""
    choice, query = _choice(request), request.GET
    person = _person(choice.statistics, player_id)
    if choice.is_refused:
        context = _context(request, choice) | {"person": person, "periods": _periods(request, choice, person)}
        return _refused(request, "statistics/player.html", context)
    against = whole_number(query.get("against", ""), KEY_DIGITS)
    game = ALL if query.get("game") == ALL else choice.game
    key = query.get("key", "")
    other = _person(choice.statistics, against) if against else None
    try:
        words, key_words = words_of(choice.game, measure, key)
    except KeyError as unknown:
        raise Http404 from unknown
    if (words == AGAINST) != (other is not None) or (game == ALL and words not in OF_ALL):
        raise Http404
    if words == MERIT_BEST and not choice.best:
        raise Http404
    page = max(whole_number(query.get("page", ""), digits=6) or 1, 1)
    spec = FigureSpec(game, person, measure, key, other, choice.best)
    first = (page - 1) * EVENINGS_PER_PAGE
    found = figure_evenings(request.circle, choice.period.period, choice.statistics, spec, first, EVENINGS_PER_PAGE)
    context = _context(request, choice) | {
        "person": person,
        "other": other,
        "words": words,
        "key": key,
        "key_words": key_words,
        "sentences": sentences(choice.game, words),
        "spec": spec,
        "found": found,
        "query": choice.query | {"game": game, "key": key, "against": str(other.pk if other else "")},
        "page": page,
        "pages": -(-found.count // EVENINGS_PER_PAGE),
    }
    return _rendered(request, choice, "statistics/evenings.html", "statistics/_evenings.html", context)


def _rendered(
    request: CircleRequest,
    choice: StatisticsChoice,
    page: str,
    part: str,
    context: dict[str, Any],
    of_body: Callable[[], dict[str, Any]] = dict,
) -> HttpResponse:
    """Render a page. `part`, its body, is cached by all that it shows, unless that was read inside a transaction.

    `of_body` returns what only the body needs.
    """

    def draw() -> SafeString:
        return SafeString(get_template(part).render(context | of_body()))

    stamp = choice.statistics.stamp
    arguments = [context.get(name) for name in ("person", "spec", "page", "periods")]
    options = choice.game, choice.best, choice.period, choice.period.this_year
    body = cached_body(stamp, (part, *arguments, *options), draw)
    return render(request, page, context | {"body": body})


def _refused(request: CircleRequest, page: str, context: dict[str, Any]) -> HttpResponse:
    """Render a page without figures: its days are refused."""
    body = get_template("statistics/_refused.html").render(context)
    return render(request, page, context | {"body": body}, status=422)


def cached_body(stamp: tuple[Any, ...] | None, shown: tuple[Any, ...], draw: Callable[[], SafeString]) -> SafeString:
    """Return the body of a page: as it was drawn of the same `shown` by the statistics of the same stamp, if any."""
    return _bodies.get_or_make(stamp and (get_language(), stamp, *shown), draw)


def _person(found: Statistics, player: int) -> Person:
    """Return the person with this key, also one that was merged into him. Raise Http404."""
    for person in found.people.values():
        if player in person.keys:
            return person
    raise Http404


def _context(request: CircleRequest, choice: StatisticsChoice) -> dict[str, Any]:
    members = sorted(choice.statistics.people.values())
    players = [CirclePlayer(person.pk, person.name) for person in members]
    return {
        "circle": request.circle,
        "name": name_of(request.circle, players) or _("Circle"),
        "choice": choice,
        "game": choice.game,
        "games": [FACES[key] for key in choice.statistics.games],
        "sections": sections_of(choice.game),
        "words": WORDS,
    }
