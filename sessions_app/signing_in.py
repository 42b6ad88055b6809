"""Signing a browser in as a phone of a user, by a session that has the phone's random key."""

from typing import Final

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest
from django.middleware.csrf import rotate_token

from sessions_app.models import Phone, User
from sessions_app.writers import phones

#: The session's entry with the key of the phone (`Phone.key`).
PHONE: Final = "phone"


def sign_in_phone(request: HttpRequest, user: User) -> Phone:
    """Sign this browser in as the user, as a new phone of his, and return that.

    Whatever proves that the browser may be his (an invite's new guest, a code, a passkey, a spare key) has been checked
    by the caller. The session is a new one: its cookie has another key than any before, the CSRF token is renewed, and
    the phone that the browser was before, his or another user's, is ended. Not within a transaction that may yet be
    rolled back: the cookie would have a key that there is not.
    """
    phone = phones.add(user, user_agent(request), instead_of=request.session.get(PHONE))
    _carry(request, phone)
    return phone


def phone_of(request: HttpRequest, user: User) -> Phone:
    """Return the phone that sends the request, of its signed-in user. An old session gets its row and its key."""
    if PHONE in request.session:
        return user.phones.get(key=request.session[PHONE])
    phone = phones.of_old_session(user, user_agent(request))
    request.session[PHONE] = phone.key
    return phone


def end_other_phones(request: HttpRequest, user: User) -> None:
    """End all phones of the user but the one that sends the request, and all copies of its cookie."""
    _carry(request, phones.end_others(user, phone_of(request, user)))


def _carry(request: HttpRequest, phone: Phone) -> None:
    """Make this the phone of the request's session, which keeps nothing of another user."""
    request.session.flush()
    # The user's number counts requests and names kept pages. It admits nobody: the phone's row may be another user's.
    request.session[SESSION_KEY] = str(phone.user_id)
    request.session[PHONE] = phone.key
    rotate_token(request)


def user_agent(request: HttpRequest) -> str:
    return request.headers.get("User-Agent", "")
