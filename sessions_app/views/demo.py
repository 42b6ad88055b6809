"""The demo: a table with a past, to look round in and to try things on."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from sessions_app import demo
from sessions_app.access import ANYONE, page, visitor, visitor_or_guest


@page(ANYONE, "GET", "HEAD", "POST")
def show(request: HttpRequest) -> HttpResponse:
    """Offer the demo, and give it: the loaded one to who has its key, else a fresh one to everybody of his own."""
    key = (request.POST if request.method == "POST" else request.GET).get("key", "")
    if request.method != "POST":
        return render(request, "demo.html", {"key": key})
    user = visitor_or_guest(request)
    if not demo.join(key, user):
        demo.lay(user)
    return redirect("sessions")


@page(ANYONE, "POST")
def clear(request: HttpRequest) -> HttpResponse:
    """Take the visitor's own demo tables away; then back to where he looked at them."""
    user = visitor(request)
    if user:
        demo.clear(user)
    return redirect("sessions" if "sessions" in request.POST else "home")
