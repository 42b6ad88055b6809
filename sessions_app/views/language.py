"""Switch the language by a button of a half-filled form, which comes back as it was in the other language.

For phones without scripts; with scripts `half_filled.js` keeps the fields of any form.
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
    """Return whether a button of the language switch sent the form: the view must show it again and write nothing."""
    return request.method == "POST" and "language" in request.POST


def keeps_fields(view: View) -> View:
    """Decorate a view to answer a switch in the new language. The view must check `is_switch` before it writes."""

    @wraps(view)
    def wrapper(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not is_switch(request):
            return view(request, **kwargs)
        language = request.POST["language"]
        if language in dict(settings.LANGUAGES):
            translation.activate(language)  # for this request: LocaleMiddleware resets it
            request.LANGUAGE_CODE = language
        response = view(request, **kwargs)
        response.cookies.update(set_language(request).cookies)
        return response

    return wrapper
