"""Delete an evening that was started by mistake, after one confirmation."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from sessions_app.access import EveningRequest, page
from sessions_app.errors import HandsRecorded
from sessions_app.models import Role
from sessions_app.readers.evening import may_be_removed
from sessions_app.writers import evenings


@page(Role.KEEPER, "GET", "HEAD", "POST")
def show(request: EveningRequest) -> HttpResponse:
    evening, status = request.evening, 200
    if request.method == "POST":
        try:
            evenings.remove(evening.pk, by=request.member.user)
        except HandsRecorded:
            evening.refresh_from_db()
            status = 409
        else:
            return redirect("home")
    names = [seat.player.name for seat in evening.seats.select_related("player")]
    context = {"evening": evening, "names": names, "may_go": may_be_removed(evening)}
    return render(request, "evening_remove/page.html", context, status=status)
