"""The page of a circle's saved house rules: save those of an evening, rename, remove."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from sessions_app.access import EveningRequest, page
from sessions_app.errors import HouseProfileRefused, TooManyProfiles
from sessions_app.faces import FACES, house_rules
from sessions_app.forms.fields import NameForm
from sessions_app.models import Role
from sessions_app.readers.people.circles import SavedProfile, profiles_of
from sessions_app.writers import circles


@page(Role.VIEWER, "GET", "HEAD")
def show(request: EveningRequest) -> HttpResponse:
    return _page(request)


@page(Role.KEEPER, "POST")
def save(request: EveningRequest) -> HttpResponse:
    """Save the evening's rules under a name."""
    evening, form = request.evening, NameForm(request.POST)
    if form.is_valid():
        try:
            circles.save_profile(
                evening.circle_id, evening.game_key, form.cleaned_data["name"], evening.rules, by=request.member.user
            )
            return redirect("house-profiles", evening.pk)
        except HouseProfileRefused as refused:
            form.add_error("name", why_refused(refused))
    return _page(request, saving=form)


@page(Role.KEEPER, "POST")
def rename(request: EveningRequest, profile_id: int) -> HttpResponse:
    form = NameForm(request.POST)
    if form.is_valid():
        try:
            circles.rename_profile(request.member.circle_id, profile_id, form.cleaned_data["name"])
            return redirect("house-profiles", request.evening.pk)
        except HouseProfileRefused as refused:
            form.add_error("name", why_refused(refused))
    return _page(request, renaming=(profile_id, form))


@page(Role.KEEPER, "POST")
def remove(request: EveningRequest, profile_id: int) -> HttpResponse:
    circles.remove_profile(request.member.circle_id, profile_id)
    return redirect("house-profiles", request.evening.pk)


def why_refused(refused: HouseProfileRefused) -> str:
    """Return the sentence that says why rules were not saved under that name."""
    if isinstance(refused, TooManyProfiles):
        return _("The circle already has %(most)s saved rules. Remove one first.") % {"most": circles.MOST_PROFILES}
    return _("Other saved rules have this name. Choose another name, or remove those first.")


def _page(
    request: EveningRequest,
    saving: NameForm | None = None,
    renaming: tuple[int, NameForm] | None = None,
) -> HttpResponse:
    """Render the page, with a refused form as it was filled in. The number of queries is fixed."""
    evening = request.evening
    profiles, rules = profiles_of(evening.circle_id), (evening.game_key, evening.house)
    refused_id, refused = renaming or (None, None)
    context = {
        "evening": evening,
        "profiles": [_view(each, refused if each.id == refused_id else None) for each in profiles],
        "line": house_rules.describe(evening.game_key, evening.house).line,
        "known_as": [each.name for each in profiles if (each.game_key, each.rules) == rules],
        "form": saving or NameForm(),
        "may_write": request.member.may(Role.KEEPER),
    }
    return render(request, "house_profiles/page.html", context, status=422 if saving or renaming else 200)


def _view(saved: SavedProfile, form: NameForm | None) -> dict[str, Any]:
    """Return a saved profile: `line` has its rules in words, '' for the book's, None if they can no longer be read."""
    game = FACES[saved.game_key].name if saved.game_key in FACES else saved.game_key
    line = None if saved.rules is None else house_rules.describe(saved.game_key, saved.rules).line
    return {"id": saved.id, "name": saved.name, "game": game, "line": line, "form": form}
