"""The pictures of a session and of a circle's year, for friends: PNG, and of a session SVG too.

The address says what is on them: `theme` and `lang`, `pays` (who pays whom), `name` (the circle's name); and whether
it is a `download`. Without `lang` the language is the phone's; a server is not told the phone's theme, so without
`theme` it is the light one.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import gettext as _
from django.utils.translation import override

from sessions_app import pictures
from sessions_app.access import ANYONE, CircleRequest, EveningRequest, circle_page, page
from sessions_app.downloads import file_name
from sessions_app.drawing import card
from sessions_app.drawing.card import THEMES, CardContent
from sessions_app.drawing.lettering import FAMILY
from sessions_app.drawing.svg_parts import Picture
from sessions_app.faces import FACES
from sessions_app.models import Evening, Role
from sessions_app.rate_limits import Later
from sessions_app.readers.snapshot import outside_snapshot
from sessions_app.views import picture_contents
from sessions_app.views.errors import with_retry_after

logger = logging.getLogger(__name__)

#: Seconds after which a picture that could not be drawn may be asked for again.
RETRY_AFTER: Final = 5
#: Seconds for which a chat may keep the mark of a game.
A_DAY: Final = 24 * 3600


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def evening_png(request: EveningRequest) -> HttpResponseBase:
    return _png(request, partial(picture_contents.of_evening, request), _name_of_file(request.evening))


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def evening_svg(request: EveningRequest) -> HttpResponseBase:
    svg = _svg(request, partial(picture_contents.of_evening, request), is_measured=True)
    name = f"{_name_of_file(request.evening)}.svg"
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


def _svg(request: HttpRequest, show: Callable[[], CardContent], *, is_measured: bool = False) -> str:
    """Return the picture as SVG; `is_measured` says how wide each text is, to browsers that lack the font."""
    language = request.GET.get("lang", "")
    theme = THEMES.get(request.GET.get("theme", ""), THEMES["light"])
    with override(language) if language in dict(settings.LANGUAGES) else override(request.LANGUAGE_CODE):
        return _svg_of(card.picture(show(), theme), is_measured=is_measured)


def _svg_of(picture: Picture, *, is_measured: bool = False) -> str:
    context = {"picture": picture, "family": FAMILY, "is_measured": is_measured}
    return render_to_string("pictures/card.svg", context)


def _name_of_file(evening: Evening) -> str:
    title = evening.title or str(FACES[evening.game_key].name)
    return file_name(title, timezone.localdate(evening.started_at).isoformat())
