"""The list of past evenings, the newest first."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sessions_app.access import ANYONE, page, visitor
from sessions_app.parsing import whole_number
from sessions_app.readers import evening_lists
from sessions_app.readers.demo import may_clear
from sessions_app.readers.snapshot import snapshot
from sessions_app.views import last_list


@page(ANYONE, "GET", "HEAD")
@snapshot()
def show(request: HttpRequest) -> HttpResponse:
    user = visitor(request)
    number = max(whole_number(request.GET.get("page", ""), digits=6) or 1, 1)
    evenings, more = evening_lists.past(user, number) if user else ((), False)
    if evenings:
        last_list.remember(request, number)
    context = {
        "evenings": evenings,
        "later": number - 1 if number > 1 else None,
        "earlier": number + 1 if more else None,
        "may_clear": user and any(card.is_demo for card in evenings) and may_clear(user),
    }
    return render(request, "past/page.html", context)
