"""Pages of an evening in two parts: the shell, rendered once for all phones, and the part that differs."""

from collections.abc import Callable, Hashable
from datetime import datetime
from typing import NamedTuple

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.utils.safestring import SafeString

from sessions_app.access import EveningRequest
from sessions_app.cached_templates import render_filled
from sessions_app.context_processors import phone_key, way_back
from sessions_app.models import Evening


class ShellEvening(NamedTuple):
    """The values of the evening that a shell shows."""

    pk: int
    circle_id: int
    game_key: str
    rules: str
    title: str
    started_at: datetime
    has_ended: bool

    @classmethod
    def of(cls, evening: Evening) -> "ShellEvening":
        return cls(
            evening.pk,
            evening.circle_id,
            evening.game_key,
            evening.rules,
            evening.title,
            evening.started_at,
            evening.has_ended,
        )


def answer_in_shell(
    request: EveningRequest, template: str, part: Callable[[str], SafeString], status: int = 200, **shown: Hashable
) -> HttpResponse:
    """Answer with a page of the evening, rendered once per `shown` and language, with a part in it.

    `part` is called with the CSRF token of the page: one for all of its forms, as each other one would not compress.
    The template sees `evening` (a ShellEvening), `is_demo` and `shown`, and no request; it prints `{{ part }}`.
    """
    shell = {**shown, "evening": ShellEvening.of(request.evening), "is_demo": request.is_demo}
    token = get_token(request)
    filled = {**way_back(request), "csrf_token": token, "phone_key": phone_key(request), "part": part(token)}
    return HttpResponse(render_filled(template, shell, filled), status=status)
