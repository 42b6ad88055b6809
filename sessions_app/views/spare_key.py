"""The spare key: made and shown once, and typed, pasted or scanned on another phone, which it opens the book on."""

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.forms import CharField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.http import middleware
from scorekeeper.text.spare_words import WORDS, words_in
from sessions_app import rate_limits
from sessions_app.access import ANYONE, page
from sessions_app.bounded_form import BoundedForm
from sessions_app.drawing.svg_parts import qr_code
from sessions_app.errors import WrongSpareKey
from sessions_app.views import errors
from sessions_app.views.arrival import arrive
from sessions_app.views.me import caller
from sessions_app.views.passkeys import browser_of
from sessions_app.writers import keys


class SpareKeyForm(BoundedForm):
    """The words of a spare key, or the address that its QR code holds; the cleaned value is the words alone."""

    link = CharField(max_length=250, error_messages={"required": gettext_lazy("Type the words of your spare key.")})

    def clean_link(self) -> str:
        words = words_in(self.cleaned_data["link"])
        if words is None:
            why = _("These are not the %(number)s words of a spare key. Compare each with the paper.")
            raise ValidationError(why % {"number": WORDS}, code="no_key")
        return words


@page(ANYONE, "GET", "HEAD", "POST")
def mine(request: HttpRequest) -> HttpResponse:
    """Lead to the user's keys; by POST make a spare key, and show its words this once; with `remove`, delete it."""
    user = caller(request)
    if request.method != "POST":
        return redirect("me")
    if "remove" in request.POST:
        keys.remove_spare_key(user.pk)
        return redirect("me")
    return _shown(request, keys.make_spare_key(user.pk), onward=reverse("me"))


@page(ANYONE, "GET", "HEAD", "POST")
def use(request: HttpRequest) -> HttpResponse:
    """Open a book by a spare key: sign this phone in, and show the key that replaces it."""
    if request.method != "POST":
        return _page(request, SpareKeyForm())
    form = SpareKeyForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        rate_limits.check(rate_limits.WRONG_KEYS, request)
        user, words = keys.open_book(form.cleaned_data["link"], browser_of(request))
    except WrongSpareKey:
        return _wrong(request, form)
    except rate_limits.TooMany as refused:
        return _too_many(request, refused)
    return _shown(request, words, onward=arrive(request, user), is_renewed=True)


@page(ANYONE, "POST")
def _refill(request: HttpRequest) -> HttpResponse:
    form, notice = SpareKeyForm(initial=request.POST.dict()), _("This page was open for too long. Tap again.")
    return _page(request, form, notice, status=403)


use.refill = _refill  # type: ignore[attr-defined]


def _wrong(request: HttpRequest, form: SpareKeyForm) -> HttpResponse:
    """Refuse a key that opens nothing, invented or used already, and count it."""
    try:
        rate_limits.count(rate_limits.WRONG_KEYS, request)
    except rate_limits.TooMany as refused:
        return _too_many(request, refused)
    form.add_error("link", _("This spare key opens nothing. It may have been used or replaced."))
    return _page(request, form, status=403)


def _too_many(request: HttpRequest, refused: rate_limits.TooMany) -> HttpResponse:
    return errors.too_many_requests(request, refused, _("Too many wrong keys were tried from this network."))


def _page(request: HttpRequest, form: SpareKeyForm, notice: str = "", status: int = 200) -> HttpResponse:
    response = render(request, "spare_key/page.html", {"form": form, "notice": notice}, status=status)
    response["Permissions-Policy"] = middleware.policy(middleware.CAMERA)
    return response


def _shown(request: HttpRequest, words: str, *, onward: str, is_renewed: bool = False) -> HttpResponse:
    """Show the words of a new key, with a QR code of its address. The secret is in the part that no server gets."""
    address = request.build_absolute_uri(reverse("spare-key"))
    context: dict[str, Any] = {
        "words": words.split(),
        "code": qr_code(f"{address}#{words.replace(' ', '-')}"),
        "host": urlsplit(address).netloc,
        "onward": onward,
        "is_renewed": is_renewed,
    }
    return middleware.uncompressed(render(request, "me/new_spare_key.html", context))
