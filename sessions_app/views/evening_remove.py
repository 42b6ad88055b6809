"""Delete an evening of which nothing counts, after one confirmation."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from sessions_app.access import EveningRequest, page
from sessions_app.errors import EveningUsed
from sessions_app.models import Role
from sessions_app.readers.evening.row import kept_by
from sessions_app.writers import evenings


@page(Role.KEEPER, "GET", "HEAD", "POST")
def show(request: EveningRequest) -> HttpResponse:
    evening, status = request.evening, 200
    if request.method == "POST":
        try:
            evenings.remove(evening.pk, by=request.member.user)
        except EveningUsed:
            evening.refresh_from_db()
            status = 409
        else:
            return redirect("home")
    names = [seat.player.name for seat in evening.seats.select_related("player")]
    context = {"evening": evening, "names": names, "kept_by": kept_by(evening)}
    return render(request, "evening_remove/page.html", context, status=status)
