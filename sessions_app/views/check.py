"""The page of a check figure: whether the book still says what the sheet does, or which corrections came since."""

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from sessions_app.access import ANYONE, EveningRequest, page, visitor
from sessions_app.models import Role
from sessions_app.readers import check_figure
from sessions_app.readers.evening.seating import names_of


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest, figure: str) -> HttpResponseBase:
    """Answer a member of the figure's circle. Any other visitor gets 404, and so does any other text."""
    user = visitor(request)
    evening = user and check_figure.evening_of(figure, user)
    if evening is None:
        raise Http404
    return _checked(request, evening_id=evening, figure=figure)


@page(Role.VIEWER, "GET", "HEAD", dear=True)
def _checked(request: EveningRequest, figure: str) -> HttpResponse:
    evening = request.evening
    context = {"evening": evening, "names": names_of(evening), "checked": check_figure.check(evening, figure)}
    return render(request, "check/page.html", context)


def figure_and_address(request: EveningRequest) -> tuple[str, str]:
    """Return the check figure of the evening and the address of its page; '' and '' before the first hand."""
    if not request.evening.last_number:
        return "", ""
    figure = check_figure.figure_of(request.evening)
    return figure, request.build_absolute_uri(reverse("check", args=[figure]))
