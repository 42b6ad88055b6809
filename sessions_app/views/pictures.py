"""The pictures of a session and of a circle's year, for friends: PNG, and of a session SVG too.

The address says what is on them: `theme` and `lang`, `pays` (who pays whom), `name` (the circle's name); and whether
it is a `download`. Without `lang` the language is the phone's; a server is not told the phone's theme, so without
`theme` it is the light one.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.formats import date_format
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override, pgettext

from scorekeeper.games.amounts import Amount
from sessions_app import cached_templates, pictures
from sessions_app.access import ANYONE, CircleRequest, EveningRequest, circle_page, page
from sessions_app.downloads import file_name
from sessions_app.drawing import card
from sessions_app.drawing.lettering import FAMILY
from sessions_app.faces import FACES
from sessions_app.models import Circle, Evening, Role
from sessions_app.rate_limits import Later
from sessions_app.readers.book.statistics import statistics
from sessions_app.readers.check_figure import figure_of
from sessions_app.readers.evening.balance_curve import BalanceCurve, balance_curve
from sessions_app.readers.evening.result import EveningResult, remarkable_hands, result_of
from sessions_app.readers.evening.seating import SeatView
from sessions_app.readers.money.lists import coin_of
from sessions_app.readers.money.settlements import Settlement, settlement
from sessions_app.readers.money.settling import Asked, settling
from sessions_app.readers.people.circles import CirclePlayer, circle_at, name_of, players_of
from sessions_app.readers.snapshot import outside_snapshot
from sessions_app.views.circle_year import GameYear
from sessions_app.views.errors import with_retry_after
from sessions_app.views.statistics import StatisticsChoice
from sessions_app.words.amounts import amount_words
from sessions_app.words.formatting import signed
from sessions_app.words.money import money_words
from sessions_app.words.periods import YEARS, year_of
from sessions_app.words.wording import duration, listed

logger = logging.getLogger(__name__)

#: Seconds after which a picture that could not be drawn may be asked for again.
RETRY_AFTER: Final = 5
#: Seconds for which a chat may keep the mark of a game.
A_DAY: Final = 24 * 3600


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def evening_png(request: EveningRequest) -> HttpResponseBase:
    return _png(request, partial(_of_evening, request), _name_of_file(request.evening))


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def evening_svg(request: EveningRequest) -> HttpResponseBase:
    svg = _svg(request, partial(_of_evening, request), is_measured=True)
    name = f"{_name_of_file(request.evening)}.svg"
    return _answer(request, svg, "image/svg+xml", name, lambda: svg.encode())


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def year_png(request: CircleRequest, year: int) -> HttpResponseBase:
    if year not in YEARS:
        raise Http404
    name = file_name(request.circle.name or _("Circle"), str(year))
    return _png(request, partial(_of_year, request, year), name)


@page(ANYONE, "GET", "HEAD")
def mark_png(request: HttpRequest, game_key: str) -> HttpResponseBase:
    """Answer with the mark of a game, for chats that show an invite link: it names nobody."""
    if game_key not in FACES:
        raise Http404
    game = FACES[game_key].name
    picture = card.mark(_emblem(game_key), str(game), card.THEMES["dark"])
    response = _png_of(request, _svg_of(picture), game_key)
    if response.status_code == 200:
        patch_cache_control(response, public=True, max_age=A_DAY)
    return response


# --- Answers ---


def _png(request: HttpRequest, show: Callable[[], card.Shown], name: str) -> HttpResponseBase:
    return _png_of(request, _svg(request, show), name)


def _png_of(request: HttpRequest, svg: str, name: str) -> HttpResponseBase:
    def draw() -> bytes:
        # The database is not held while a process draws.
        with outside_snapshot():
            return pictures.png_of(svg)

    try:
        return _answer(request, svg, "image/png", f"{name}.png", draw)
    except pictures.NotDrawn as failed:
        logger.warning("Answered 503 to %s: %s", request.path, failed)
        response = render(request, "errors/503.html", {"why": "picture"}, status=503)
        return with_retry_after(response, Later(RETRY_AFTER))


def _answer(
    request: HttpRequest, svg: str, content_type: str, name: str, content: Callable[[], bytes]
) -> HttpResponseBase:
    """Answer with a picture, or 304 to a client that has it. No browser keeps one: a membership may end."""
    etag = quote_etag(pictures.digest_of(svg))
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(content(), content_type=content_type)
        response["ETag"] = etag
        is_download = "download" in request.GET
        response["Content-Disposition"] = content_disposition_header(is_download, name) or "inline"
    return response


def _svg(request: HttpRequest, show: Callable[[], card.Shown], *, is_measured: bool = False) -> str:
    """Return the picture as SVG; `is_measured` says how wide each text is, to browsers that lack the font."""
    language = request.GET.get("lang", "")
    theme = card.THEMES.get(request.GET.get("theme", ""), card.THEMES["light"])
    with override(language) if language in dict(settings.LANGUAGES) else override(request.LANGUAGE_CODE):
        return _svg_of(card.picture(show(), theme), is_measured=is_measured)


def _svg_of(picture: card.Picture, *, is_measured: bool = False) -> str:
    context = {"picture": picture, "family": FAMILY, "is_measured": is_measured}
    return render_to_string("pictures/card.svg", context)


def _name_of_file(evening: Evening) -> str:
    title = evening.title or str(FACES[evening.game_key].name)
    return file_name(title, timezone.localdate(evening.started_at).isoformat())


# --- A session ---


def _of_evening(request: EveningRequest) -> card.Shown:
    """Return what the picture of a session shows, by the queries of its page of settling."""
    evening, circle = request.evening, circle_at(request.evening.circle_id)
    by_sheet = settlement(evening)
    seats = by_sheet.seats
    curve, result = balance_curve(evening, len(seats)), result_of(evening, seats)
    best = [seat for seat in seats if result.winners and seat.balance == result.balance]
    names = [seat.name for seat in seats]
    figure = figure_of(evening) if evening.last_number else ""
    shown = card.Shown(
        emblem=_emblem(evening.game_key),
        game=str(FACES[evening.game_key].name),
        under=[date_format(timezone.localtime(evening.started_at), "DATE_FORMAT"), _played(request, result)],
        where=" · ".join(filter(None, (_name(request, circle), evening.title))),
        won=_won(result),
        winners=listed(result.winners),
        points=signed(result.balance) if best else "",
        money=_money(best[0], evening.currency) if best else "",
        results=[_result(seat, evening.currency) for seat in by_sheet.best_first],
        curves=curve.by_seat if curve.is_drawn else (),
        edges=_edges(curve, signed) if curve.is_drawn else ("", ""),
        figures=[*_figures_of(evening, names)],
        check=figure,
        check_label=_("Check figure"),
        check_address=request.build_absolute_uri(reverse("check", args=[figure])) if figure else "",
    )
    return _with_payments(shown, evening, circle, by_sheet) if "1" in request.GET.getlist("pays") else shown


def _played(request: EveningRequest, result: EveningResult) -> str:
    hands = ngettext("%(count)s hand", "%(count)s hands", result.hands) % {"count": result.hands}
    said = [
        hands if result.hands else "",
        duration(result.minutes) if result.minutes else "",
        _("Demo") if request.is_demo else "",
    ]
    return " · ".join(filter(None, said))


def _won(result: EveningResult) -> str:
    if not result.winners:
        return _("Nobody won or lost.")
    if result.has_ended:
        return ngettext("Winner", "Winners", len(result.winners))
    return pgettext("of a session that is still played", "In the lead")


def _result(seat: SeatView, currency: str) -> card.Result:
    return card.Result(seat.name, signed(seat.balance), _tone(seat.balance), _money(seat, currency), seat.position)


def _tone(amount: Amount) -> card.Tone:
    return "plus" if amount > 0 else "minus" if amount < 0 else "zero"


def _money(seat: SeatView, currency: str) -> str:
    return "" if seat.money is None else money_words(seat.money, currency)


def _edges(curve: BalanceCurve, write: Callable[[Amount], str]) -> tuple[str, str]:
    """Return the highest and the lowest balance of a curve in words, '' for zero."""
    highest = max(0, *(max(values) for values in curve.by_seat))
    lowest = min(0, *(min(values) for values in curve.by_seat))
    return write(highest) if highest else "", write(lowest) if lowest else ""


def _figures_of(evening: Evening, names: Sequence[str]) -> Iterator[card.Figure]:
    for hand in remarkable_hands(evening):
        if hand.seat is not None:
            behind = _("%(name)s, hand %(number)s") % {"name": names[hand.seat], "number": hand.number}
            yield card.Figure(_("Biggest hand"), signed(hand.amount), behind)


def _with_payments(shown: card.Shown, evening: Evening, circle: Circle, by_sheet: Settlement) -> card.Shown:
    """Return the picture with who pays whom: as the session's page suggests, or would if the session ended now."""
    payments = _("Payments")
    if evening.in_chips:
        nothing = _("Paid hand by hand, in chips: nothing is left to pay.")
        return replace(shown, payments=payments, nothing_to_pay=nothing)
    money = settling(circle, evening, players_of(circle), by_sheet, Asked())
    if money:
        lines = [(each.payer.name, each.payee.name, each.units, each.currency) for each in money.shown.lines]
    else:
        fewest = by_sheet.fewest(coin_of(circle, by_sheet.currency))
        lines = [(payer.name, payee.name, units, by_sheet.currency) for payer, payee, units in fewest]
    paid = [card.Paid(payer, payee, amount_words(units, currency)) for payer, payee, units, currency in lines]
    more = len(paid) - card.MOST_PAID
    return replace(
        shown,
        payments=payments,
        paid=paid,
        nothing_to_pay=_("All square: nothing is to be paid."),
        more_paid=_more(more),
    )


def _more(count: int) -> str:
    return ngettext("and %(count)s more", "and %(count)s more", count) % {"count": count} if count > 0 else ""


# --- A year ---


def _of_year(request: CircleRequest, year: int) -> card.Shown:
    """Return what the picture of a year shows: above all the game that was played the most."""
    circle, period = request.circle, year_of(year)
    stats = statistics(circle, period.period)
    games = [GameYear(StatisticsChoice(circle.pk, period, stats, game)) for game in stats.games]
    if not games:
        raise Http404
    count = {game.key: sum(each.game_key == game.key for each in stats.evenings) for game in games}
    games.sort(key=lambda game: -count[game.key])
    first, *others = games
    is_over = year < timezone.localdate().year
    ranked, course = first.points, first.course.drawn
    best = [each for each in ranked if each.person.name in first.first_by_points]
    numbers = {person.pk: number for number, person in enumerate(course.people)}
    played = sum(game.best.played for game in games)
    rows = [
        card.Result(
            each.person.name, signed(each.figure.value), _tone(each.figure.value), "", numbers.get(each.person.pk, 0)
        )
        for each in ranked
    ]
    return card.Shown(
        emblem=_emblem(first.key),
        game=_("The year %(year)s") % {"year": year},
        under=[
            ngettext("%(count)s session", "%(count)s sessions", sum(count.values())) % {"count": sum(count.values())},
            ngettext("%(count)s hand", "%(count)s hands", played) % {"count": played},
        ],
        where=" · ".join(filter(None, (_name(request, circle), str(FACES[first.key].name)))),
        won=_won_year(first, is_over),
        winners=listed(first.first_by_points),
        points=signed(best[0].figure.value) if best else "",
        money="",
        results=rows[: card.MOST_ROWS],
        more_results=_more(len(rows) - card.MOST_ROWS),
        curves=course.curve.by_seat if course.curve.is_drawn else (),
        edges=_edges(course.curve, signed) if course.curve.is_drawn else ("", ""),
        figures=[*_figures_of_year(first, others)],
    )


def _won_year(game: GameYear, is_over: bool) -> str:
    if not game.first_by_points:
        return _("All players are even on points.")
    if is_over:
        return ngettext("Winner", "Winners", len(game.first_by_points))
    return pgettext("of a session that is still played", "In the lead")


def _figures_of_year(first: GameYear, others: Sequence[GameYear]) -> Iterator[card.Figure]:
    for game in others:
        if game.first_by_points:
            yield card.Figure(str(FACES[game.key].name), listed(game.first_by_points))
    dearest = first.best.dearest
    if dearest:
        yield card.Figure(_("Biggest hand"), signed(dearest.amount), first.dearest_player)


# --- Both ---


def _name(request: EveningRequest | CircleRequest, circle: Circle) -> str:
    """Return the circle's name if it is asked for."""
    if "1" not in request.GET.getlist("name"):
        return ""
    players: Sequence[CirclePlayer] = () if circle.name else players_of(circle)
    return name_of(circle, players)


def _emblem(game: str) -> str:
    """Return the mark of a game, 32 × 32."""
    drawn = cached_templates.render_once(f"games/{game}/face.html#emblem", {})
    return drawn.replace('<svg class="emblem"', '<svg width="32" height="32"', 1)
