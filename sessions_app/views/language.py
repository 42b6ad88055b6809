"""Switching the language by a button of a form that is half filled in: the form comes back as it was, in the other one.

For phones without scripts; with them `language_switch.js` takes the fields along, and any form is kept.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.i18n import set_language

type View = Callable[..., HttpResponse]


def is_switch(request: HttpRequest) -> bool:
    """Tell whether a form was sent by a button of the language switch: it is to be shown again, and nothing else."""
    return request.method == "POST" and "language" in request.POST


def keeps_fields(view: View) -> View:
    """Let a view answer a switch in the language that was tapped. It has to look at `is_switch` before it writes."""

    @wraps(view)
    def answered(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not is_switch(request):
            return view(request, **kwargs)
        language = request.POST["language"]
        if language in dict(settings.LANGUAGES):
            translation.activate(language)  # until the request is over: the locale's middleware ends it
            request.LANGUAGE_CODE = language
        response = view(request, **kwargs)
        response.cookies.update(set_language(request).cookies)
        return response

    return answered
