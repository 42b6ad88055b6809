"""The statement of a player in a currency: why his balance is what it is."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from sessions_app.access import CircleRequest, circle_page
from sessions_app.models import Role
from sessions_app.readers.money.repayments import is_currency
from sessions_app.readers.money.statement import Place, statement
from sessions_app.readers.people import circles
from sessions_app.views.circle_player import player_or_404


@circle_page(Role.VIEWER, "GET", "HEAD")
def show(request: CircleRequest, player_id: int) -> HttpResponse:
    """Show a page of the statement; redirect from another name of a person to that person's."""
    player, currency = player_or_404(request, player_id), request.GET.get("currency", "")
    if currency and not is_currency(currency):
        raise Http404
    if player.merged_into_id:
        address = reverse("statement", args=[request.circle.pk, player.merged_into_id])
        return redirect(f"{address}?{request.GET.urlencode()}")
    after = Place.from_text(request.GET.get("after", ""))
    found = statement(player, currency, after)
    context = {
        "circle": request.circle,
        "circle_name": circles.name_of(request.circle, circles.players_of(request.circle)),
        "player": player,
        "statement": found,
        "is_first_page": after is None,
    }
    return render(request, "statement/page.html", context)
