"""A phone that arrives at a book by a proof that it is its user's: a passkey, a spare key, a link of another phone.

If it is another guest's phone, with circles of its own, it is asked before anything changes.
"""

import time
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from sessions_app.access import ANYONE, page, sign_in_phone, visitor
from sessions_app.models import User
from sessions_app.readers.people.keys import circles_left_behind
from sessions_app.readers.snapshot import snapshot

#: The session's entry with the user whose book was proved to be the caller's, and when.
ARRIVING: Final = "arriving"
#: Seconds in which the question must be answered.
ANSWERED_WITHIN: Final = 300


def arrive(request: HttpRequest, user: User) -> str:
    """Sign this phone in as the user, and return the address to go to.

    A phone of another user that has circles is not signed in yet: the address is that of the question.
    """
    before = visitor(request)
    if before and before.pk != user.pk and circles_left_behind(before):
        request.session[ARRIVING] = [user.pk, int(time.time())]
        return reverse("me-merge")
    sign_in_phone(request, user)
    return reverse("home")


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
def merge(request: HttpRequest) -> HttpResponse:
    """Ask whether this phone's circles are left behind; by POST with `leave` they are, and stay as they are."""
    user, before = _arriving(request), visitor(request)
    if user is None or before is None:
        return redirect("home")
    if request.method == "POST":
        del request.session[ARRIVING]
        if "leave" in request.POST:
            sign_in_phone(request, user)
        return redirect("home")
    return render(request, "me/merge.html", {"circles": circles_left_behind(before)})


def _arriving(request: HttpRequest) -> User | None:
    """Return the user whose book was proved just now to be the caller's; None if it is too long ago."""
    user, at = request.session.get(ARRIVING, (None, 0))
    is_late = abs(time.time() - at) > ANSWERED_WITHIN
    return None if is_late else User.objects.filter(pk=user, is_active=True).first()
