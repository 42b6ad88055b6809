"""The demo: a circle with a running evening and past ones, to try things out."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from sessions_app import rate_limits
from sessions_app.access import ANYONE, page, visitor, visitor_or_guest
from sessions_app.models import Circle
from sessions_app.readers.people.new_circles import circle_of_key, running_evening
from sessions_app.views import closed, errors
from sessions_app.writers import demo


@page(ANYONE, "GET", "HEAD", "POST")
def show(request: HttpRequest) -> HttpResponse:
    """Offer the demo; on POST join the one of the `key`, or make a new one for this visitor."""
    if not settings.DEMO:
        return closed.page(request, "demo")
    key = (request.POST if request.method == "POST" else request.GET).get("key", "")
    if request.method != "POST":
        return render(request, "demo/page.html", {"key": key})
    try:
        circle = _open(request, key)
    except rate_limits.TooMany as refused:
        why = _("Too many demos were opened from this network in the last hour.")
        return errors.too_many_requests(request, refused, why, fields=[("key", key)])
    except rate_limits.NotYet as refused:
        return errors.too_many_requests(
            request, refused, _("Other demos are being prepared right now."), fields=[("key", key)]
        )
    running = running_evening(circle)
    return redirect("evening", running.pk) if running else redirect("past")


def _open(request: HttpRequest, key: str) -> Circle:
    """Return the circle of this key with the visitor as a member, or a new demo. Raise rate_limits.Later."""
    rate_limits.check(rate_limits.DEMOS, request)
    if circle := circle_of_key(key):
        rate_limits.count(rate_limits.DEMOS, request)
        if demo.join(key, visitor_or_guest(request)):
            return circle
    with rate_limits.turn_to_make_a_demo():
        rate_limits.count(rate_limits.DEMOS, request)
        return demo.lay(visitor_or_guest(request))


@page(ANYONE, "POST")
def clear(request: HttpRequest) -> HttpResponse:
    """Delete the visitor's own demos; then redirect back to the list."""
    user = visitor(request)
    if user:
        demo.clear(user)
    return redirect("past" if "sessions" in request.POST else "home")
