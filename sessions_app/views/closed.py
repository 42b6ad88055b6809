"""Answers of a server on which not everybody may start a circle, and the code by which a visitor may."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from sessions_app import rate_limits
from sessions_app.access import visitor, visitor_or_guest
from sessions_app.errors import NewCircleRefused
from sessions_app.readers.people import new_circles
from sessions_app.views.htmx import number_in
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers import circles


def sentence(refused: str) -> str:
    """Return why a circle cannot be started, and what to do, by the code of NewCircleRefused."""
    match refused:
        case "code":
            return _("On this server a new circle needs a code. Whoever runs the server has it.")
        case "wrong_code":
            return _("This is not the code of this server.")
        case "members":
            return _(
                "On this server only members of a circle can start another one. Ask a member for an invite link: it "
                "lets you in."
            )
        case "demo":
            return _("There is no demo on this server.")
        case _other:
            return _("On this server only its operator makes circles. Ask for an invite link: it lets you in.")


def page(request: HttpRequest, refused: str) -> HttpResponse:
    """Answer 403: why, and what to do."""
    return render(request, "errors/closed.html", {"why": sentence(refused)}, status=403)


def to_those_without_a_circle(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Return a view that refuses visitors who have no circle to write to and may start none.

    Whether the visitor may write to a circle that the request names is left to the view.
    """

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        named = whole_number(request.POST.get("circle", ""), KEY_DIGITS) or number_in(request, "circle")
        if new_circles.are_open() or named:
            return view(request)
        user = visitor(request)
        return view(request) if new_circles.may_start_session(user) else page(request, new_circles.refusal(user))

    return answer


def offers_new_circle(request: HttpRequest) -> bool:
    """Return whether a form offers a new circle: the visitor may start one, or may enter the code."""
    return new_circles.are_open() or new_circles.refusal(visitor(request)) in ("", "code")


def asks_code(request: HttpRequest) -> bool:
    """Return whether a form that would start a circle has to ask the visitor for the code."""
    return not new_circles.are_open() and new_circles.refusal(visitor(request)) == "code"


def admit(request: HttpRequest) -> None:
    """Let the visitor start a circle, by the code that he has sent if he needs one, and remember that.

    A stranger with the code becomes a guest. Raise NewCircleRefused, rate_limits.TooMany.
    """
    if new_circles.are_open():
        return
    why, typed = new_circles.refusal(visitor(request)), request.POST.get("code", "").strip()
    if why == "code" and typed:
        # Counted before it is compared: no worker tells more than the limit allows.
        rate_limits.count(rate_limits.CIRCLE_CODES, request)
        why = "" if new_circles.is_code(typed) else "wrong_code"
        if not why:
            circles.remember_code(visitor_or_guest(request))
    if why:
        raise NewCircleRefused(why)
