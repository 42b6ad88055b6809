"""The pictures of a session and of a circle's year, for friends: PNG, and of a session SVG too.

The address says what is on them: `theme` and `lang`, `pays` (who pays whom), `name` (the circle's name); and whether
it is a `download`. Without `lang` the language is the phone's; a server is not told the phone's theme, so without
`theme` it is the light one.

Each PNG is drawn in a process of its own, one at a time on a server, and cached by its SVG. A process that crashes or
hangs loses one picture and nothing else. Starting it takes a third of the time.
"""

import logging
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import chain
from threading import Lock, Semaphore
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.formats import date_format
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override, pgettext

from scorekeeper.db.cache import LRUCache
from scorekeeper.games.amounts import Amount
from sessions_app import cached_templates
from sessions_app.access import ANYONE, CircleRequest, EveningRequest, circle_page, page
from sessions_app.drawing import card, lettering, svg_to_png
from sessions_app.drawing.card import THEMES, CardContent, Figure, Paid, Result, Tone
from sessions_app.drawing.lettering import FAMILY
from sessions_app.drawing.svg_parts import Picture
from sessions_app.faces import FACES
from sessions_app.models import Circle, Evening, Role
from sessions_app.rate_limits import Later, short_wait
from sessions_app.readers.book.highlights import months_of
from sessions_app.readers.evening.result import BalanceCurve, EveningResult, balance_curve, remarkable_hands, result_of
from sessions_app.readers.evening.seating import SeatView
from sessions_app.readers.money.lists import coin_of
from sessions_app.readers.money.settling import Asked, Settlement, settlement, settling
from sessions_app.readers.people.circles import CirclePlayer, circle_at, name_of, players_of
from sessions_app.transactions import outside_snapshot
from sessions_app.views.circle_year import GameYear, games_of
from sessions_app.views.errors import with_retry_after
from sessions_app.views.evening import figure_and_address
from sessions_app.views.export import file_name, file_name_of_evening
from sessions_app.words.amounts import amount_words
from sessions_app.words.wording import duration, listed, money_words, signed

logger = logging.getLogger(__name__)

# --- Drawing an SVG as a PNG ---

#: The file, beside the database, by which the workers' processes take turns.
LOCK: Final = "pictures.lock"
#: Seconds in which a picture must be drawn; it takes a tenth of one.
MOST_SECONDS: Final = 10
#: The threads of a worker that may wait for their turn, and the seconds that one of them waits.
WAITING: Final = 2
SECONDS_TO_WAIT: Final = 5
#: The first bytes of every PNG.
SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"

#: The pictures by the digests of their SVGs, which hold all that they show.
_drawn: LRUCache[bytes] = LRUCache()
_waiting, _turn = Semaphore(WAITING + 1), Lock()


class NotDrawn(Exception):
    """The process ended without a picture, twice, or took too long."""


def digest_of(svg: str) -> str:
    """Return a digest of all that a picture shows."""
    return sha256(svg.encode()).hexdigest()[:32]


def png_of(svg: str) -> bytes:
    """Return an SVG of ours as a PNG. Raise NotYet if too many others come first, NotDrawn if it cannot be drawn."""
    key = digest_of(svg)
    known = _drawn.get(key)
    if known is not None:
        return known
    with short_wait("pictures", _waiting, _turn, SECONDS_TO_WAIT):
        return _drawn.get_or_make(key, lambda: _drawn_by_process(svg))


def _drawn_by_process(svg: str) -> bytes:
    """Return what a process draws; a second one is started if the first has ended without a picture."""
    command = [sys.executable, "-I", svg_to_png.__file__, str(settings.DATA / LOCK), *lettering.files()]
    for _attempt in range(2):
        try:
            done = subprocess.run(  # noqa: S603  our own interpreter and files
                command, input=svg.encode(), capture_output=True, timeout=MOST_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise NotDrawn(f"no picture after {MOST_SECONDS} seconds") from None
        except OSError as error:
            raise NotDrawn(f"no process: {error}") from error
        if done.returncode == 0 and done.stdout.startswith(SIGNATURE):
            return done.stdout
        logger.warning("No picture, exit status %s: %s", done.returncode, done.stderr.decode(errors="replace")[-500:])
    raise NotDrawn(f"exit status {done.returncode}")


# --- The views ---

#: Seconds after which a picture that could not be drawn may be asked for again.
RETRY_AFTER: Final = 5
#: Seconds for which a chat may keep the mark of a game.
A_DAY: Final = 24 * 3600


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def evening_png(request: EveningRequest) -> HttpResponseBase:
    svg = _svg(request, partial(_of_evening, request))
    return _png(request, svg, file_name_of_evening(request.evening))


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def evening_svg(request: EveningRequest) -> HttpResponseBase:
    svg = _svg(request, partial(_of_evening, request), is_measured=True)
    name = f"{file_name_of_evening(request.evening)}.svg"
    return _answer(request, svg, "image/svg+xml", name, lambda: svg.encode())


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def year_png(request: CircleRequest, year: int) -> HttpResponseBase:
    name = file_name(request.circle.name or _("Circle"), str(year))
    return _png(request, _svg(request, partial(_of_year, request, year)), name)


@page(ANYONE, "GET", "HEAD")
def mark_png(request: HttpRequest, game_key: str) -> HttpResponseBase:
    """Answer with the mark of a game, for chats that show an invite link: it names nobody."""
    if game_key not in FACES:
        raise Http404
    game = FACES[game_key].name
    picture = card.mark(_emblem(game_key), str(game), THEMES["dark"])
    response = _png(request, _svg_of(picture), game_key)
    if response.status_code == 200:
        patch_cache_control(response, public=True, max_age=A_DAY)
    return response


# --- Answers ---


def _png(request: HttpRequest, svg: str, name: str) -> HttpResponseBase:
    def draw() -> bytes:
        # The database is not held while a process draws.
        with outside_snapshot():
            return png_of(svg)

    try:
        return _answer(request, svg, "image/png", f"{name}.png", draw)
    except NotDrawn as failed:
        logger.warning("Answered 503 to %s: %s", request.path, failed)
        response = render(request, "errors/503.html", {"why": "picture"}, status=503)
        return with_retry_after(response, Later(RETRY_AFTER))


def _answer(
    request: HttpRequest, svg: str, content_type: str, name: str, content: Callable[[], bytes]
) -> HttpResponseBase:
    """Answer with a picture, or 304 to a client that has it. No browser keeps one: a membership may end."""
    etag = quote_etag(digest_of(svg))
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(content(), content_type=content_type)
        response["ETag"] = etag
        is_download = "download" in request.GET
        response["Content-Disposition"] = content_disposition_header(is_download, name) or "inline"
    return response


def _svg(request: HttpRequest, show: Callable[[], CardContent], *, is_measured: bool = False) -> str:
    """Return the picture as SVG; `is_measured` says how wide each text is, to browsers that lack the font."""
    language = request.GET.get("lang", "")
    theme = THEMES.get(request.GET.get("theme", ""), THEMES["light"])
    with override(language) if language in dict(settings.LANGUAGES) else override(request.LANGUAGE_CODE):
        return _svg_of(card.picture(show(), theme), is_measured=is_measured)


def _svg_of(picture: Picture, *, is_measured: bool = False) -> str:
    context = {"picture": picture, "family": FAMILY, "is_measured": is_measured}
    return render_to_string("pictures/card.svg", context)


# --- The content of a session's picture, in the language that is active ---


def _of_evening(request: EveningRequest) -> CardContent:
    """Return the content of a session's picture, by the queries of its page of settling."""
    evening, circle = request.evening, circle_at(request.evening.circle_id)
    by_sheet = settlement(evening)
    seats = by_sheet.seats
    curve, result = balance_curve(evening, len(seats)), result_of(evening, seats)
    best = [seat for seat in seats if result.winners and seat.balance == result.balance]
    names = [seat.name for seat in seats]
    figure, address = figure_and_address(request)
    shown = CardContent(
        emblem=_emblem(evening.game_key),
        game=str(FACES[evening.game_key].name),
        under=[date_format(timezone.localtime(evening.started_at), "DATE_FORMAT"), _played(request, result)],
        where=" · ".join(filter(None, (_name(request, circle), evening.title))),
        won=_won(result.winners, _("Nobody won or lost."), is_over=result.has_ended),
        winners=listed(result.winners),
        points=signed(result.balance) if best else "",
        money=_money(best[0], evening.currency) if best else "",
        results=[_result(seat, evening.currency) for seat in by_sheet.best_first],
        figures=[*_figures_of(evening, names)],
        check=figure,
        check_label=_("Check figure"),
        check_address=address,
    )
    if curve.is_drawn:
        shown = _with_course(shown, curve)
    return _with_payments(shown, evening, circle, by_sheet) if "1" in request.GET.getlist("pays") else shown


def _played(request: EveningRequest, result: EveningResult) -> str:
    hands = ngettext("%(count)s hand", "%(count)s hands", result.hands) % {"count": result.hands}
    said = [
        hands if result.hands else "",
        duration(result.minutes) if result.minutes else "",
        _("Demo") if request.is_demo else "",
    ]
    return " · ".join(filter(None, said))


def _result(seat: SeatView, currency: str) -> Result:
    return Result(seat.name, signed(seat.balance), _tone(seat.balance), _money(seat, currency), seat.position)


def _tone(amount: Amount) -> Tone:
    return "plus" if amount > 0 else "minus" if amount < 0 else "zero"


def _money(seat: SeatView, currency: str) -> str:
    return "" if seat.money is None else money_words(seat.money, currency)


def _figures_of(evening: Evening, names: Sequence[str]) -> Iterator[Figure]:
    for hand in remarkable_hands(evening):
        if hand.seat is not None:
            behind = _("%(name)s, hand %(number)s") % {"name": names[hand.seat], "number": hand.number}
            yield Figure(_("Biggest hand"), signed(hand.amount), behind)


def _with_payments(shown: CardContent, evening: Evening, circle: Circle, by_sheet: Settlement) -> CardContent:
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
    paid = [Paid(payer, payee, amount_words(units, currency)) for payer, payee, units, currency in lines]
    return replace(
        shown,
        payments=payments,
        paid=paid,
        nothing_to_pay=_("All square: nothing is to be paid."),
        more_paid=_more(len(paid) - card.MOST_PAID),
    )


def _more(count: int) -> str:
    return ngettext("and %(count)s more", "and %(count)s more", count) % {"count": count} if count > 0 else ""


# --- The content of a year's picture ---


def _of_year(request: CircleRequest, year: int) -> CardContent:
    """Return the content of a year's picture: above all the game that was played in the most sessions."""
    circle = request.circle
    stats, games = games_of(circle, year)
    if not games:
        raise Http404
    first, *others = games  # the most sessions first
    sessions = sum(month.evenings for month in months_of(stats))
    ranked, course = first.points, first.course.drawn
    numbers = {person.pk: number for number, person in enumerate(course.people)}
    played = sum(game.best.played for game in games)
    rows = [
        Result(each.person.name, signed(each.figure.value), _tone(each.figure.value), "", numbers.get(each.person.pk))
        for each in ranked
    ]
    shown = CardContent(
        emblem=_emblem(first.key),
        game=_("The year %(year)s") % {"year": year},
        under=[
            ngettext("%(count)s session", "%(count)s sessions", sessions) % {"count": sessions},
            ngettext("%(count)s hand", "%(count)s hands", played) % {"count": played},
        ],
        where=" · ".join(filter(None, (_name(request, circle), str(FACES[first.key].name)))),
        won=_won(first.first_by_points, _("All players are even on points."), is_over=year < timezone.localdate().year),
        winners=listed(first.first_by_points),
        points=signed(ranked[0].figure.value) if first.first_by_points else "",
        money="",
        results=rows[: card.MOST_ROWS],
        more_results=_more(len(rows) - card.MOST_ROWS),
        figures=[*_figures_of_year(first, others)],
    )
    return _with_course(shown, course.curve) if course.curve.is_drawn else shown


def _figures_of_year(first: GameYear, others: Sequence[GameYear]) -> Iterator[Figure]:
    for game in others:
        if game.first_by_points:
            yield Figure(str(FACES[game.key].name), listed(game.first_by_points))
    dearest = first.best.dearest
    if dearest:
        yield Figure(_("Biggest hand"), signed(dearest.amount), first.dearest_player)


# --- Of both ---


def _won(winners: Sequence[str], nobody: str, *, is_over: bool) -> str:
    """Return the words above the winners' names, or those for `nobody`."""
    if not winners:
        return nobody
    if is_over:
        return ngettext("Winner", "Winners", len(winners))
    return pgettext("of a session that is still played", "In the lead")


def _with_course(shown: CardContent, curve: BalanceCurve) -> CardContent:
    """Return the picture with the curve, and with the highest and the lowest balance in words, '' for zero."""
    balances = [0, *chain(*curve.by_seat)]
    highest, lowest = (signed(edge) if edge else "" for edge in (max(balances), min(balances)))
    return replace(shown, curves=curve.by_seat, edges=(highest, lowest))


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
