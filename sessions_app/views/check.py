"""A check figure, typed or scanned from a sheet: whether the book still says so, or what was corrected since."""

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from sessions_app.access import ANYONE, EveningRequest, page, visitor
from sessions_app.models import Role
from sessions_app.readers import check_figure
from sessions_app.readers.evening.seating import names_of


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest, figure: str) -> HttpResponseBase:
    """Answer a member of the figure's circle. Everybody else gets 404, as does a member for what is no figure."""
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
