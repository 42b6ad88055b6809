"""The service worker, and the resources of the installed app: manifest, offline page, messages and CSRF token."""

import json
from hashlib import sha256
from operator import itemgetter
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import FileSystemFinder
from django.core.files.storage import FileSystemStorage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csp import csp_override

from scorekeeper.http.bundles import BUNDLES, WORKER_SCRIPTS, scripts, styles
from sessions_app.access import ANYONE, page, visitor
from sessions_app.faces import game_names
from sessions_app.words import script_messages

#: The types of static files that the service worker keeps, so that pages look the same offline.
SHELL = (".css", ".js", ".svg")
A_YEAR = 365 * 24 * 3600
#: The background of the dark theme; the manifest takes one colour only.
BAIZE = "#0d2b20"


@page(ANYONE, "GET", "HEAD")
def token(request: HttpRequest) -> HttpResponse:
    """Return a fresh CSRF token and whether this phone is signed in, as the outbox needs before it sends."""
    return JsonResponse({"token": get_token(request), "signed_in": visitor(request) is not None})


@page(ANYONE, "GET", "HEAD")
@csp_override({})  # no page: it would only be longer
def messages(request: HttpRequest, language: str, version: str) -> HttpResponse:
    """Return the script with a language's messages, which a phone keeps for as long as its version is in the pages."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    response = HttpResponse(script_messages.script(language), content_type="text/javascript; charset=utf-8")
    if version == script_messages.version(language):
        patch_cache_control(response, private=True, max_age=A_YEAR, immutable=True)
    return response


@page(ANYONE, "GET", "HEAD")
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the worker from the root, so that its scope is every page. Its version changes with the files it keeps."""
    version = sha256(render_to_string("offline/page.html", request=request).encode())
    joined = {path for parts in BUNDLES.values() for path in parts}
    shell = [*styles(), *scripts(), *messages_of_all_languages()]
    for path, storage in shell_files():
        if path not in joined:
            shell.append(static(path))
        version.update(Path(storage.path(path)).read_bytes())
    lines = (
        f"const VERSION = {json.dumps(version.hexdigest()[:12])};",
        f"const OFFLINE = {json.dumps(reverse('offline'))};",
        f"self.TOKEN = {json.dumps(reverse('token'))};",
        f"const SHELL = {json.dumps(shell, indent=2)};",
        f"importScripts(...{json.dumps([static(path) for path in WORKER_SCRIPTS], indent=2)});",
    )
    return HttpResponse("\n".join(lines), content_type="text/javascript")


@page(ANYONE, "GET", "HEAD")
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest in the visitor's language."""
    games = game_names()
    answer = {
        "id": reverse("home"),
        "name": "Strigula",
        "short_name": "Strigula",
        "description": _("Keeps the score of %(games)s at the table.") % {"games": games},
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": BAIZE,
        "theme_color": BAIZE,
        "icons": [
            {"src": static("icons/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            {"src": static("icons/icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": static("icons/icon-512.png"), "sizes": "512x512", "type": "image/png"},
            {"src": static("icons/maskable-512.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        ],
    }
    return JsonResponse(answer, content_type="application/manifest+json")


@page(ANYONE, "GET", "HEAD")
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the worker shows when it cannot reach the server; the same for everybody."""
    return render(request, "offline/page.html")


def messages_of_all_languages() -> list[str]:
    versions = ((language, script_messages.version(language)) for language in dict(settings.LANGUAGES))
    return [reverse("messages", args=each) for each in versions]


def shell_files() -> list[tuple[str, FileSystemStorage]]:
    """Return the path and storage of each static file that the worker keeps."""
    found = ((path, storage) for path, storage in FileSystemFinder().list([]) if Path(path).suffix in SHELL)
    return sorted(found, key=itemgetter(0))
