"""A game's rules, and what a hand would be worth: nobody's evening, counted by what counts an evening's hands."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.games import GAMES
from scorekeeper.games.base import Amount, InvalidRules, Place
from sessions_app.access import ANYONE, page
from sessions_app.faces import FACES, house
from sessions_app.faces.base import Face
from sessions_app.faces.hand_form import HandForm
from sessions_app.faces.rules_page import Worked
from sessions_app.models import GameSession
from sessions_app.models.evenings import lineup_to_text
from sessions_app.readers import counts
from sessions_app.readers.counts import CountView
from sessions_app.views.hand_page import count
from sessions_app.views.parts import answer, number_in
from sessions_app.wording import Words

#: Those who sit at the table that there is not, in the order of play.
LETTERS = "ABCDEFGH"
#: No line of house rules that was kept is longer.
LONGEST = GameSession._meta.get_field("rules").max_length
#: A hand that is only counted is nobody's, and the first of its evening.
UNSAVED = {"token": str(UUID(int=0)), "number": "1", "redeal": ""}


@dataclass(frozen=True, slots=True)
class WorkedView:
    """A worked hand, counted; `names` are in the order of play, the declarer's first."""

    line: str
    why: Words
    deal: Any
    counted: CountView
    names: tuple[str, ...]

    @property
    def amounts(self) -> tuple[tuple[str, Amount | None], ...]:
        return tuple(zip(self.names, self.counted.amounts, strict=True))

    @property
    def amounts_text(self) -> str:
        return " ".join(map(str, self.counted.amounts))


@dataclass(frozen=True, slots=True)
class RulesText:
    """What a page of rules shows, but for who looks at it."""

    game_key: str
    house_rules: tuple[str, ...]
    values: Any
    worked: tuple[WorkedView, ...]


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest, game_key: str) -> HttpResponse:
    """How the game is counted, by the house `rules` that the address names, with the book's worked hands."""
    face, line = _face_of(game_key), _rules_of(request, game_key)
    if face.rules_page is None:
        raise Http404
    book, rules = _made_up(game_key, ""), GAMES[game_key].rules_from_text(line)
    text = RulesText(
        game_key=game_key,
        house_rules=house.differing(game_key, rules),
        values=face.rules_page.values(rules),
        worked=tuple(_worked(book, hand) for hand in face.rules_page.WORKED),
    )
    context = {"game": face, "text": text, "rules": line, "evening_id": number_in(request, "evening")}
    return render(request, "rules.html", context)


@page(ANYONE, "GET", "HEAD")
def worth(request: HttpRequest, game_key: str) -> HttpResponse:
    """The game's hand form, which counts what is tapped or typed in it and saves nothing."""
    face, line = _face_of(game_key), _rules_of(request, game_key)
    evening = _made_up(game_key, line)
    preset = {**face.form.PRESETS, "declarer": "0" if face.form.HAS_DECLARER else ""}
    typed = preset | request.GET.dict() | UNSAVED | {"dealer": str(evening.first_dealer)}
    tapped = face.form.at(evening, list(_names(evening)), typed)
    context = {
        "game": face,
        "at": evening,
        "names": tapped.names,
        "form": tapped.again(initial=_shown(tapped)),
        "rules": line,
        "house_rules": house.differing(game_key, evening.house),
        "count": count(evening, tapped),
    }
    return answer(request, "worth.html", context, "count")


def _face_of(game_key: str) -> Face:
    if game_key not in FACES:
        raise Http404
    return FACES[game_key]


def _rules_of(request: HttpRequest, game_key: str) -> str:
    """The line of house rules that the address names, in its one spelling. Raises Http404 for what is none."""
    line = request.GET.get("rules", "")
    try:
        return GAMES[game_key].rules_to_text(GAMES[game_key].rules_from_text(line[:LONGEST]))
    except InvalidRules as wrong:
        raise Http404 from wrong


def _shown(tapped: HandForm) -> dict[str, Any]:
    """What stands in the form; of a line that reads as a hand what it comes to, and no tap that stood beside it."""
    said = {name: value for name, value in tapped.data.items() if name not in tapped.FIELDS}
    spelled = tapped.again(said).spelled_out
    return spelled if tapped.has_line and not spelled["line"] else dict(tapped.data)


def _made_up(game_key: str, rules: str) -> GameSession:
    """An evening that is in no database: as few as can play it, whose seats are numbered in the order of play."""
    game, places = GAMES[game_key], range(min(GAMES[game_key].seat_counts))
    last = next(place for place in places if game.playing_seats(len(places), place)[0] == 0)
    order = game.playing_seats(len(places), last)
    lineup = lineup_to_text(order.index(place) for place in places)
    return GameSession(game_key=game_key, rules=rules, lineup=lineup, first_dealer=order.index(last))


def _names(evening: GameSession) -> tuple[str, ...]:
    return tuple(LETTERS[: len(evening.sitting)])


def _worked(evening: GameSession, hand: Worked) -> WorkedView:
    deal, names = evening.game.deal_from_text(hand.line, evening.house), _names(evening)
    place = Place(evening.sitting, evening.first_dealer, declarer=0)
    return WorkedView(hand.line, hand.why, deal, counts.count(evening, deal, place, len(names)), names)
