"""The house rules that a table keeps under names of its own: kept from an evening, renamed, forgotten."""

from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from sessions_app.access import EveningRequest, page
from sessions_app.errors import HouseProfileRefused, TooManyProfiles
from sessions_app.faces import FACES, house_rules
from sessions_app.forms.naming import NamingForm
from sessions_app.models import HouseProfile, Role
from sessions_app.readers.house_profiles import Kept, of_circle
from sessions_app.wording import Words
from sessions_app.writers import house_profiles


@dataclass(frozen=True, slots=True)
class KeptView:
    """House rules under a name; `line` says what they are, '' as in the book, None what cannot be read any more."""

    id: int
    name: str
    game: Words
    line: str | None
    form: NamingForm | None


@page(Role.VIEWER, "GET", "HEAD")
def show(request: EveningRequest) -> HttpResponse:
    return _page(request)


@page(Role.KEEPER, "POST")
def save(request: EveningRequest) -> HttpResponse:
    """Keep the evening's rules under a name."""
    evening, form = request.evening, NamingForm(request.POST)
    if form.is_valid():
        try:
            house_profiles.keep(
                evening.circle_id, evening.game_key, form.cleaned_data["name"], evening.rules, by=request.member.user
            )
            return redirect("house-profiles", evening.pk)
        except HouseProfileRefused as refused:
            form.add_error("name", why_refused(refused))
    return _page(request, keeping=form)


@page(Role.KEEPER, "POST")
def rename(request: EveningRequest, profile_id: int) -> HttpResponse:
    form = NamingForm(request.POST)
    if form.is_valid():
        try:
            house_profiles.rename(request.member.circle_id, _known(profile_id), form.cleaned_data["name"])
            return redirect("house-profiles", request.evening.pk)
        except HouseProfile.DoesNotExist as missing:
            raise Http404 from missing
        except HouseProfileRefused as refused:
            form.add_error("name", why_refused(refused))
    return _page(request, renaming=(profile_id, form))


@page(Role.KEEPER, "POST")
def remove(request: EveningRequest, profile_id: int) -> HttpResponse:
    house_profiles.remove(request.member.circle_id, _known(profile_id))
    return redirect("house-profiles", request.evening.pk)


def why_refused(refused: HouseProfileRefused) -> str:
    """Why rules are not kept under that name."""
    if isinstance(refused, TooManyProfiles):
        return _("The circle already has %(most)s saved rules. Remove one first.") % {"most": house_profiles.MOST}
    return _("Other saved rules have this name. Choose another name, or remove those first.")


def _known(profile_id: int) -> int:
    """No database counts further than that."""
    if profile_id >= 2**63:
        raise Http404
    return profile_id


def _page(
    request: EveningRequest,
    keeping: NamingForm | None = None,
    renaming: tuple[int, NamingForm] | None = None,
) -> HttpResponse:
    """The page by a fixed number of queries; a form that was refused comes back as it was filled in."""
    evening = request.evening
    found = of_circle(evening.circle_id)
    refused_id, refused = renaming or (None, None)
    context = {
        "evening": evening,
        "kept": [_view(each, refused if each.id == refused_id else None) for each in found],
        "line": house_rules.said(evening.game_key, evening.house).line,
        "known_as": [each.name for each in found if (each.game_key, each.rules) == (evening.game_key, evening.house)],
        "form": keeping or NamingForm(),
        "may_write": request.member.may(Role.KEEPER),
    }
    return render(request, "house_profiles/page.html", context, status=422 if keeping or renaming else 200)


def _view(kept: Kept, form: NamingForm | None) -> KeptView:
    game = FACES[kept.game_key].name if kept.game_key in FACES else kept.game_key
    line = None if kept.rules is None else house_rules.said(kept.game_key, kept.rules).line
    return KeptView(kept.id, kept.name, game, line, form)
