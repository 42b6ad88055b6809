"""The next evening of the same players: another game, if there is one for so many."""

from django.http import HttpResponse

from sessions_app.access import EveningRequest, page
from sessions_app.forms.evening_next import another_game, fields_after
from sessions_app.models import Role
from sessions_app.readers.book import lists
from sessions_app.readers.evening import next_deal
from sessions_app.readers.evening.seating import names_of
from sessions_app.views.evening_new import form_of, page_of


@page(Role.KEEPER, "GET", "HEAD")
def show(request: EveningRequest) -> HttpResponse:
    """Answer with the form of a new evening, filled in and ready to start."""
    evening = request.evening
    game_key, names = another_game(evening), names_of(evening)
    rules = lists.last_rules(request.member.user, game_key, evening.circle_id)
    fields = fields_after(evening, names, next_deal.turn(evening).dealer, game_key, rules)
    form = form_of(request, request.member.user, initial=fields | {"after": evening.pk})
    return page_of(request, form, evening=evening)
