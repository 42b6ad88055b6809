"""A year of a circle on one page, for the screen and for two sheets of paper."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sessions_app.access import CircleRequest, circle_page
from sessions_app.faces import FACES
from sessions_app.faces.measure_words import POINTS, MeasureWords
from sessions_app.faces.statistics import StatisticsChoice, words_of
from sessions_app.models import Circle, Role
from sessions_app.readers.book import highlights as reader
from sessions_app.readers.book.statistics import (
    Person,
    Ranked,
    Statistics,
    ranked_by_merit,
    ranked_by_points,
    statistics,
)
from sessions_app.readers.people.circles import CirclePlayer, name_of
from sessions_app.views.statistics import cached_body
from sessions_app.words.periods import YEARS, year_of
from sessions_app.words.wording import Words

#: Rows of a ranking, pairs, and players with equally long streaks, so that the year fits onto two sheets; the
#: statistics have all of them.
MOST_RANKED: Final = 8
MOST_PAIRS: Final = 6
MOST_STREAKS: Final = 4


class FeatRow(NamedTuple):
    """A feat of the year as the page shows it: its measure and label, its players' names, and its words."""

    measure: str
    label: Words
    found: reader.FeatOfYear
    names: list[str]
    words: str


@dataclass(frozen=True)
class GameYear:
    """A game's part of the page: its figures are read as the template asks for them."""

    choice: StatisticsChoice

    @property
    def key(self) -> str:
        return self.choice.game

    @cached_property
    def course(self) -> reader.Course:
        return reader.course_of_game(self.choice.statistics, self.key)

    @cached_property
    def points(self) -> list[Ranked]:
        return ranked_by_points(self.choice.statistics, self.key)

    @cached_property
    def merit(self) -> list[Ranked]:
        return ranked_by_merit(self.choice.statistics, self.key)

    @property
    def first_by_points(self) -> list[str]:
        return [person.name for person in reader.leaders_of(self.points)]

    @property
    def first_by_merit(self) -> list[str]:
        return [person.name for person in reader.leaders_of(self.merit)]

    @property
    def streak_words(self) -> MeasureWords:
        return words_of(self.key, "streak_won")[0]

    @property
    def streaks_won(self) -> list[Person]:
        return reader.longest_streaks(self.choice.statistics, self.key)[:MOST_STREAKS]

    @cached_property
    def pairs(self) -> list[reader.Pair]:
        return reader.pairs_of(self.choice.statistics, self.key)[:MOST_PAIRS]

    @cached_property
    def best(self) -> reader.BestOfYear:
        return reader.best_of_year(self.choice.statistics, self.key)

    @property
    def dearest_player(self) -> str:
        return self._names([self.best.dearest.player])[0] if self.best.dearest else ""

    @property
    def feats(self) -> list[FeatRow]:
        """The boldest hand, in a game that has a measure of that, and the rarest of all other feats."""
        face = FACES[self.key]
        boldest, code = face.boldest_feat, face.boldest_feat.code if face.boldest_feat else ""
        found = [
            ("boldest_feat", boldest.label if boldest else "", self.best.feats.get(code)),
            ("rarest_feat", gettext_lazy("Rarest hand"), self.best.rarest(but=code)),
        ]
        return [
            FeatRow(measure, label, each, self._names(each.players), face.feat_words(each.feat))
            for measure, label, each in found
            if each
        ]

    def _names(self, players: Iterable[int]) -> list[str]:
        return [self.choice.statistics.people[player].name for player in players]


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def show(request: CircleRequest, year: int) -> HttpResponse:
    """Show a year. One without evenings leads to those beside it: an evening that was moved leaves such an address."""
    return _show(request, year, "year/page.html")


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def on_paper(request: CircleRequest, year: int) -> HttpResponse:
    """Show a year for two sheets of paper."""
    return _show(request, year, "year/paper.html")


def _show(request: CircleRequest, year: int, template: str) -> HttpResponse:
    circle = request.circle
    stats, games = games_of(circle, year)
    players = [CirclePlayer(person.pk, person.name) for person in sorted(stats.people.values())]
    this_year = timezone.localdate().year

    def draw() -> SafeString:
        months = reader.months_of(stats)
        shown = {
            "circle": circle,
            "year": year,
            "is_over": year < this_year,
            "months": months,
            "evenings": sum(month.evenings for month in months),
            "hands": sum(game.best.played for game in games),
            "games": games,
            "points_words": POINTS,
            "most_ranked": MOST_RANKED,
            "statistics": games[0].choice.text if games else "",
            "money": [(each, reader.course_of_money(stats, each)) for each in reader.currencies_of(stats)],
        }
        return render_to_string("year/_body.html", shown)

    # Days of this year are written without it, and `year` need not be a key: it is the period's.
    context: dict[str, Any] = {
        "circle": circle,
        "name": name_of(circle, players) or _("Circle"),
        "year": year,
        "is_played": bool(games),
        "neighbours": reader.neighbour_years(circle, year),
        "body": cached_body(stats.stamp, ("year/_body.html", this_year), draw),
    }
    return render(request, template, context)


def games_of(circle: Circle, year: int) -> tuple[Statistics, list[GameYear]]:
    """Return the statistics of a circle's year and its games. Raise Http404 for a year without a period."""
    if year not in YEARS:
        raise Http404
    period = year_of(year)
    stats = statistics(circle, period.period)
    return stats, [GameYear(StatisticsChoice(circle.pk, period, stats, game)) for game in stats.games]
