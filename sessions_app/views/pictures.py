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
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from threading import Lock, Semaphore
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import gettext as _
from django.utils.translation import override

from scorekeeper.db.cache import LRUCache
from sessions_app.access import ANYONE, CircleRequest, EveningRequest, circle_page, page
from sessions_app.drawing import card, lettering, svg_to_png
from sessions_app.drawing.card import THEMES, CardContent
from sessions_app.drawing.lettering import FAMILY
from sessions_app.drawing.svg_parts import Picture
from sessions_app.faces import FACES
from sessions_app.models import Role
from sessions_app.rate_limits import Later, short_wait
from sessions_app.transactions import outside_snapshot
from sessions_app.views import picture_contents
from sessions_app.views.errors import with_retry_after
from sessions_app.views.export import file_name, file_name_of_evening

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
    return _png(request, partial(picture_contents.of_evening, request), file_name_of_evening(request.evening))


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def evening_svg(request: EveningRequest) -> HttpResponseBase:
    svg = _svg(request, partial(picture_contents.of_evening, request), is_measured=True)
    name = f"{file_name_of_evening(request.evening)}.svg"
    return _answer(request, svg, "image/svg+xml", name, lambda: svg.encode())


@circle_page(Role.VIEWER, "GET", "HEAD", dear=True)
def year_png(request: CircleRequest, year: int) -> HttpResponseBase:
    name = file_name(request.circle.name or _("Circle"), str(year))
    return _png(request, partial(picture_contents.of_year, request, year), name)


@page(ANYONE, "GET", "HEAD")
def mark_png(request: HttpRequest, game_key: str) -> HttpResponseBase:
    """Answer with the mark of a game, for chats that show an invite link: it names nobody."""
    if game_key not in FACES:
        raise Http404
    game = FACES[game_key].name
    picture = card.mark(picture_contents.emblem(game_key), str(game), THEMES["dark"])
    response = _png_of(request, _svg_of(picture), game_key)
    if response.status_code == 200:
        patch_cache_control(response, public=True, max_age=A_DAY)
    return response


# --- Answers ---


def _png(request: HttpRequest, show: Callable[[], CardContent], name: str) -> HttpResponseBase:
    return _png_of(request, _svg(request, show), name)


def _png_of(request: HttpRequest, svg: str, name: str) -> HttpResponseBase:
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
