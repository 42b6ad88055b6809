"""The keys of a book: passkeys ('keep my book', 'I have been here before') and the spare key, on paper.

A script (static/js/passkeys.js) asks for the options of a ceremony, and posts the browser's answer as JSON. It is
answered in JSON as well: `next`, the address to go to, or `why` not.
"""

import logging
import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.forms import CharField
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.http import middleware, passkey_domain
from scorekeeper.http.device_names import device_of
from scorekeeper.text.spare_words import WORDS, words_in
from sessions_app import rate_limits
from sessions_app.access import ANYONE, page, user_agent
from sessions_app.base_forms import BoundedForm
from sessions_app.drawing.svg_parts import qr_code
from sessions_app.errors import LastPasskey, PasskeyKnown, PasskeyRefused, WrongSpareKey
from sessions_app.models import Passkey, User
from sessions_app.readers.people.users import credential_ids, handle_of, name_of
from sessions_app.views import errors
from sessions_app.views.arrival import arrive
from sessions_app.views.me import caller
from sessions_app.writers import phones

if TYPE_CHECKING:
    from sessions_app.ceremonies import Site

logger = logging.getLogger(__name__)

# --- Passkeys ---


@page(ANYONE, "POST")
def options_to_make(request: HttpRequest) -> HttpResponse:
    """Return the options of a new passkey of the signed-in user."""
    from sessions_app import ceremonies

    user, site = caller(request), _site(request)
    known = credential_ids(user, site.domain)
    handle = handle_of(user) or secrets.token_bytes(ceremonies.HANDLE_BYTES)
    name = f"{name_of(user)}, {date_format(timezone.localdate(), 'SHORT_DATE_FORMAT')}"
    return JsonResponse(ceremonies.options_to_make(site, user.pk, handle, name, known))


@page(ANYONE, "POST")
def add_passkey(request: HttpRequest) -> HttpResponse:
    """Add the passkey that the browser has made."""
    from sessions_app import ceremonies

    user, site = caller(request), _site(request)
    try:
        answer = ceremonies.read(request.body)
        made = ceremonies.check_made(answer, site, user.pk)
        device = device_of(user_agent(request))
        phones.add_passkey(user.pk, made, rp_id=site.domain, device=device, challenge=answer.challenge)
    except PasskeyKnown:
        return _refused_answer(_("This passkey is known already."), 409)
    except PasskeyRefused as refused:
        return _refused_ceremony(request, refused)
    return JsonResponse({"next": reverse("me")})


@page(ANYONE, "POST")
def remove_passkey(request: HttpRequest, passkey_id: int) -> HttpResponse:
    """Remove a passkey; ask first if it is the last one."""
    user = caller(request)
    try:
        phones.remove_passkey(user.pk, passkey_id, even_the_last="sure" in request.POST)
    except LastPasskey:
        return render(request, "me/last_passkey.html", {"passkey_id": passkey_id}, status=409)
    return redirect("me")


@page(ANYONE, "POST")
def dismiss(request: HttpRequest) -> HttpResponse:
    """Offer this user no key on home any more."""
    phones.want_no_key(caller(request).pk)
    return redirect("home")


@page(ANYONE, "GET", "HEAD", "POST")
def sign_in(request: HttpRequest) -> HttpResponse:
    """Show the ways back into a book; by POST sign in by the passkey that has answered."""
    if request.method != "POST":
        return render(request, "passkey/page.html", {"obstacle": passkey_domain.obstacle(request)})
    try:
        rate_limits.check(rate_limits.WRONG_KEYS, request)
        return JsonResponse({"next": arrive(request, _signer(request))})
    except PasskeyRefused as refused:
        return _refused_ceremony(request, refused)
    except rate_limits.TooMany as refused:
        return _too_many_answers(refused)


@page(ANYONE, "POST")
def options_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Return the options for signing in by any passkey."""
    from sessions_app import ceremonies

    return JsonResponse(ceremonies.options_to_use(_site(request)))


def _signer(request: HttpRequest) -> User:
    """Return the user whose passkey has signed the posted answer. Raise PasskeyRefused."""
    from sessions_app import ceremonies

    answer, site = ceremonies.read(request.body), _site(request)
    passkey = Passkey.objects.select_related("handle").filter(credential_id=answer.credential_id).first()
    if passkey is None or bytes(passkey.handle.handle) != answer.handle:
        raise PasskeyRefused("wrong", "no such passkey")
    count = ceremonies.check_used(answer, site, bytes(passkey.public_key), passkey.sign_count)
    return phones.use_passkey(passkey, count, challenge=answer.challenge)


def _site(request: HttpRequest) -> "Site":
    from sessions_app import ceremonies

    return ceremonies.Site(passkey_domain.domain_of(request), middleware.own_origin(request), browser_of(request))


def browser_of(request: HttpRequest) -> str:
    """Return a key of the browser: a hash of its CSRF cookie, which each posted form needs and each sign-in renews."""
    return salted_hmac("browser", request.META.get("CSRF_COOKIE", ""), algorithm="sha256").hexdigest()


def _refused_ceremony(request: HttpRequest, refused: PasskeyRefused) -> HttpResponse:
    """Answer 403, the same for whatever is wrong: nobody learns which passkeys there are. Count it."""
    logger.warning("Refused a passkey at %s: %s", request.path, refused)
    try:
        rate_limits.count(rate_limits.WRONG_KEYS, request)
    except rate_limits.TooMany as too_many:
        return _too_many_answers(too_many)
    if refused.code == "late":
        return _refused_answer(_("That took too long. Tap again."), 403)
    return _refused_answer(_("This passkey opens nothing here."), 403)


def _too_many_answers(refused: rate_limits.TooMany) -> HttpResponse:
    return errors.with_retry_after(_refused_answer(f"{refused.why} {errors.when(refused)}", 429), refused)


def _refused_answer(why: str, status: int) -> HttpResponse:
    return JsonResponse({"why": why}, status=status)


# --- The spare key: made and shown once, and typed, pasted or scanned on another phone ---


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
def spare_key(request: HttpRequest) -> HttpResponse:
    """Lead to the user's keys; by POST make a spare key, and show its words this once; with `remove`, delete it."""
    user = caller(request)
    if request.method != "POST":
        return redirect("me")
    if "remove" in request.POST:
        phones.remove_spare_key(user.pk)
        return redirect("me")
    return _shown(request, phones.make_spare_key(user.pk), onward=reverse("me"))


@page(ANYONE, "GET", "HEAD", "POST")
def use_spare_key(request: HttpRequest) -> HttpResponse:
    """Open a book by a spare key: sign this phone in, and show the key that replaces it."""
    if request.method != "POST":
        return _spare_key_page(request, SpareKeyForm())
    form = SpareKeyForm(request.POST)
    if not form.is_valid():
        return _spare_key_page(request, form, status=422)
    rate_limits.check(rate_limits.WRONG_KEYS, request)
    try:
        user, words = phones.open_book(form.cleaned_data["link"], browser_of(request))
    except WrongSpareKey:
        rate_limits.count(rate_limits.WRONG_KEYS, request)
        form.add_error("link", _("This spare key opens nothing. It may have been used or replaced."))
        return _spare_key_page(request, form, status=403)
    return _shown(request, words, onward=arrive(request, user), is_renewed=True)


@errors.refill_of(use_spare_key)
@page(ANYONE, "POST")
def _refill_spare_key(request: HttpRequest) -> HttpResponse:
    form, notice = SpareKeyForm(initial=request.POST.dict()), _("This page was open for too long. Tap again.")
    return _spare_key_page(request, form, notice, status=403)


def _spare_key_page(request: HttpRequest, form: SpareKeyForm, notice: str = "", status: int = 200) -> HttpResponse:
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
