"""The user's own page: the phones on which he is signed in, and whatever else is his in all circles; and its deletion.

The page is made of sections. Each is a template with a reader of its context, so that a subject of its own adds one to
`SECTIONS`.
"""

from contextlib import suppress
from typing import Any, Final

from django.conf import settings
from django.db import InternalError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views import i18n

from scorekeeper.db.sqlite.write_queue import waiting_at_most
from scorekeeper.http.passkey_domain import domain_of, obstacle
from sessions_app import settings_cookie
from sessions_app.access import ANYONE, end_other_phones, page, phone_of, visitor
from sessions_app.errors import LastOwner
from sessions_app.models import SETTINGS, User
from sessions_app.readers.people.phones import phones_of
from sessions_app.readers.people.users import TIME_TO_UNDO, circles_with_debts, passkeys_of, spare_key_made_at, undoable
from sessions_app.transactions import snapshot
from sessions_app.writers import phones, users


def _phones(request: HttpRequest, user: User) -> dict[str, Any]:
    this = None
    # An old session gets its row here, but the page waits for no other writer.
    with suppress(OperationalError, InternalError), waiting_at_most(0):
        this = phone_of(request, user)
    return {"phones": phones_of(user, this), "this": this}


def _keys(request: HttpRequest, user: User) -> dict[str, Any]:
    return {
        "passkeys": passkeys_of(user),
        "domain": domain_of(request),
        "spare_made_at": spare_key_made_at(user),
        "obstacle": obstacle(request),
    }


def _merged(_request: HttpRequest, user: User) -> dict[str, Any]:
    latest = undoable(user).first()
    return {"until": latest and latest.at + TIME_TO_UNDO}


#: The templates of the sections, in their order on the page, with the readers of what they get as `part`.
SECTIONS: Final = (("me/_keep.html", _keys), ("me/_phones.html", _phones), ("me/_merged.html", _merged))


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest) -> HttpResponse:
    user = visitor(request)
    sections = [] if user is None else [(template, read(request, user)) for template, read in SECTIONS]
    return render(request, "me/page.html", {"sections": sections, "is_stranger": user is None})


@page(ANYONE, "POST")
def end_phone(request: HttpRequest, phone_id: int) -> HttpResponse:
    """Sign out a phone of the caller; then redirect to the list, or home from the phone itself."""
    user = caller(request)
    this = phone_of(request, user)
    if not phones.end(user, phone_id):
        raise Http404
    return redirect("home" if phone_id == this.pk else "me")


@page(ANYONE, "POST")
def end_other(request: HttpRequest) -> HttpResponse:
    """Sign out all phones of the caller but this one; then redirect to the list."""
    end_other_phones(request, caller(request))
    return redirect("me")


@page(ANYONE, "POST")
def set_one(request: HttpRequest) -> HttpResponse:
    """Set what was tapped, on all phones of the caller, or on a stranger's; then redirect back."""
    changed = {name: request.POST[name] for name in SETTINGS if request.POST.get(name) in SETTINGS[name]}
    if not changed:
        return render(request, "errors/400.html", status=400)
    if user := visitor(request):
        phones.set_settings(user, changed)
        for name, value in changed.items():
            setattr(user, name, value)
    response = redirect("me")
    settings_cookie.copy(request, response, settings_cookie.settings_of(request) | changed)
    return response


@page(ANYONE, "POST")
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Set the language of this phone, and of all phones of its user; then redirect back."""
    response, language = i18n.set_language(request), request.POST.get("language", "")
    if language in dict(settings.LANGUAGES) and (user := visitor(request)) and user.language != language:
        phones.set_settings(user, {"language": language})
    return response


def caller(request: HttpRequest) -> User:
    """Return the signed-in user. Raise Http404 for a stranger."""
    user = visitor(request)
    if user is None:
        raise Http404
    return user


# --- Deleting all that there is of the user: what goes, what stays, and what is still owed ---


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
def delete(request: HttpRequest) -> HttpResponse:
    user = caller(request)
    if request.method != "POST":
        return _delete_page(request, user)
    if request.POST.get("sure") != "on":
        return _delete_page(request, user, _("Tick the box first."), status=422)
    try:
        users.delete_user(user)
    except LastOwner:
        return _delete_page(request, user, status=409)
    request.session.flush()
    return redirect("home")


def _delete_page(request: HttpRequest, user: User, error: str = "", status: int = 200) -> HttpResponse:
    """Render the page, by a fixed number of queries."""
    own = circles_with_debts(user)
    context: dict[str, Any] = {
        "circles": own,
        "may_go": not any(circle.needs_an_owner for circle in own),
        "is_refused": status == 409,
        "error": error,
    }
    return render(request, "me/delete.html", context, status=status)
