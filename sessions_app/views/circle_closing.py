"""The ways out of a circle: to leave it, to archive it, and to delete it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.text.names import name_key
from sessions_app.access import CircleRequest, circle_page
from sessions_app.bounded_form import BoundedForm
from sessions_app.errors import CircleInUse, LastOwner
from sessions_app.forms.fields import LineField
from sessions_app.models import CIRCLE_NAME_LENGTH, Role
from sessions_app.readers.book import lists
from sessions_app.readers.money import lists as payment_lists
from sessions_app.readers.money.balances import balances
from sessions_app.readers.people import circles
from sessions_app.words.settlement_text import reminder
from sessions_app.writers import circles as writer
from sessions_app.writers import members


class TypedNameForm(BoundedForm):
    """The name of the circle, typed as a confirmation."""

    name = LineField(
        max_length=CIRCLE_NAME_LENGTH, error_messages={"required": gettext_lazy("Type the name of the circle.")}
    )


@circle_page(Role.VIEWER, "GET", "HEAD", "POST", closed_too=True)
def leave(request: CircleRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, "circle_closing/leave.html")
    try:
        members.leave(request.member)
    except LastOwner:
        return _page(request, "circle_closing/leave.html", status=409)
    return redirect("home")


@circle_page(Role.OWNER, "GET", "HEAD", "POST", closed_too=True)
def archive(request: CircleRequest) -> HttpResponse:
    """Archive the circle, or open it again; then redirect to it."""
    if request.method != "POST":
        return _page(request, "circle_closing/archive.html")
    try:
        (writer.open_again if "open" in request.POST else writer.archive)(request.circle.pk)
    except CircleInUse:
        return _page(request, "circle_closing/archive.html", status=409)
    return redirect("circle", request.circle.pk)


@circle_page(Role.OWNER, "GET", "HEAD", "POST", closed_too=True)
def delete(request: CircleRequest) -> HttpResponse:
    """Delete the circle after a day, once its name was typed; then redirect to it."""
    if request.method != "POST":
        return _page(request, "circle_closing/delete.html")
    form = TypedNameForm(request.POST)
    if form.is_valid() and name_key(form.cleaned_data["name"]) != name_key(_name(request)):
        form.add_error("name", _("This is not the name of the circle."))
    if not form.is_valid():
        return _page(request, "circle_closing/delete.html", form, status=422)
    writer.delete(request.circle.pk)
    return redirect("circle", request.circle.pk)


@circle_page(Role.OWNER, "POST", closed_too=True)
def undelete(request: CircleRequest) -> HttpResponse:
    writer.undelete(request.circle.pk)
    return redirect("circle", request.circle.pk)


def _name(request: CircleRequest) -> str:
    return circles.name_of(request.circle, circles.players_of(request.circle)) or _("Circle")


def _page(request: CircleRequest, template: str, form: TypedNameForm | None = None, status: int = 200) -> HttpResponse:
    """Render the page of a way out: nine queries at most."""
    circle = request.circle
    players = circles.players_of(circle)
    name = circles.name_of(circle, players) or _("Circle")
    everything = payment_lists.everything(circle, balances(circle.pk), players).values()
    owners = circle.members.filter(role=Role.OWNER)
    context: dict[str, Any] = {
        "circle": circle,
        "name": name,
        "owed": reminder(name, everything),
        "form": form or TypedNameForm(),
        "is_running": circle.evenings.filter(ended_at=None).exists(),
        "is_only_owner": request.member.role == Role.OWNER and owners.count() == 1,
        "has_others": circle.members.exclude(pk=request.member.pk).exists(),
        "latest": lists.latest_key_of_circle(circle.pk),
    }
    return render(request, template, context, status=status)
