"""Pages for requests that asgi_bridge rejects before Django sees them, in both languages.

Each is rendered once for a status and a language, so a rejection costs next to nothing.
"""

from functools import cache
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.csp import build_policy
from django.utils.translation import gettext_noop

from scorekeeper.http import middleware
from scorekeeper.http.asgi_bridge import Answer
from scorekeeper.ops import metrics
from scorekeeper.wsgi import Utf8Request

#: Title and sentence by status.
WORDS = {
    408: (gettext_noop("Your connection was too slow"), gettext_noop("Nothing was changed. Go back and try again.")),
    413: (gettext_noop("Too much data"), gettext_noop("This form is too long. Nothing was changed.")),
    415: (gettext_noop("Files are not accepted"), gettext_noop("You cannot upload files here. Nothing was changed.")),
    503: (gettext_noop("Too many requests at once"), gettext_noop("Nothing was changed. Try again in a moment.")),
}
#: The sentence for a file that is too large.
TOO_LARGE_FILE = gettext_noop(
    "A file has 50 MB at most, and from a phone that is not known here yet 300 kB: go back, and tap “I have a large "
    "file” first. Nothing was changed."
)
#: Statuses that a second try may not meet. They lack the app's mark (middleware), so that scripts keep what they
#: have sent and try again.
TEMPORARY = {408, 503}


def answer(status: int, environ: dict[str, Any]) -> Answer:
    metrics.add_request("rejected", environ["REQUEST_METHOD"], status, 0)
    is_file = environ["PATH_INFO"] == middleware.UPLOAD_PATH
    return page(status, translation.get_language_from_request(Utf8Request(environ)), is_file=is_file)


@cache
def page(status: int, language: str, *, is_file: bool = False) -> Answer:
    title, sentence = WORDS[status]
    if is_file and status == 413:
        sentence = TOO_LARGE_FILE
    with translation.override(language):
        words = {"title": translation.gettext(title), "sentence": translation.gettext(sentence)}
        body = render_to_string("errors/rejected.html", words).encode()
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Language": language,
        "Cache-Control": "private, no-store",
        "Content-Security-Policy": build_policy(settings.SECURE_CSP),
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
        "Permissions-Policy": middleware.POLICY,
        # The rest of the body is not read, so the connection cannot be used again.
        "Connection": "close",
    }
    headers |= {"Retry-After": "5"} if status in TEMPORARY else {"X-Scorekeeper": "1"}
    return Answer(status, list(headers.items()), body)
