"""A game's rules page with its worked hands, its blank sheet for paper, and the worth of a hand. No database counts."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from scorekeeper.db.cache import LRUCache
from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Place, short_form
from scorekeeper.games.errors import InvalidDeal, InvalidRules
from sessions_app import rate_limits
from sessions_app.access import ANYONE, page, visitor
from sessions_app.faces import FACES, house_rules
from sessions_app.faces.base import Face, WorkedHand
from sessions_app.faces.hand_form import HandForm
from sessions_app.models import Evening
from sessions_app.models.evenings import lineup_to_text
from sessions_app.readers.evening import recount
from sessions_app.readers.evening.recount import CountView
from sessions_app.views.hand_form.form import count
from sessions_app.views.htmx import answer, number_in
from sessions_app.words.wording import Words

#: The players of that evening, in the order of play.
LETTERS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class WorkedView:
    """A worked hand, counted. `names` are of all at the table, `players` of those who play it, in the order of play.

    `may_be_changed` says whether the worth page counts it the same: as the first hand of an evening, with the fewest
    players.
    """

    line: str
    why: Words
    rules: str
    has_declarer: bool
    may_be_changed: bool
    deal: Any
    counted: CountView
    names: tuple[str, ...]
    players: tuple[str, ...]
    entries_text: str

    @property
    def declarer(self) -> str:
        """The seat that declares, as the hand form has it."""
        return "0" if self.has_declarer else ""

    @property
    def amounts(self) -> tuple[tuple[str, Amount | None], ...]:
        return tuple(zip(self.names, self.counted.amounts, strict=True))

    @property
    def amounts_text(self) -> str:
        return " ".join(map(str, self.counted.amounts))


def worked(game_key: str, hand: WorkedHand) -> WorkedView:
    """Count the hand, without a query."""
    evening = made_up(game_key, hand.rules, hand.seats, hand.before)
    deal, names = evening.game.deal_from_text(hand.line, evening.house), names_at(evening)
    place = place_of(evening, deal, declarer=0 if hand.has_declarer else None)
    counted = recount.count(evening, deal, place, len(names))
    playing = FACES[game_key].form.players_of(deal, place.seats, place.dealer, place.declarer)
    return WorkedView(
        line=hand.line,
        why=hand.why,
        rules=hand.rules,
        has_declarer=hand.has_declarer,
        may_be_changed=not (hand.before or hand.seats),
        deal=deal,
        counted=counted,
        names=names,
        players=tuple(names[seat] for seat in playing),
        entries_text=short_form(recount.sheet_of(counted.entries), evening.game.accounts),
    )


def place_of(evening: Evening, deal: Any, declarer: int | None) -> Place:
    """Return the place of the hand: dealt by the first dealer, or else by the first seat that makes it valid."""
    dealers = (evening.first_dealer, *evening.sitting)
    places = [Place(evening.sitting, dealer, declarer) for dealer in dealers]
    return next((place for place in places if _can_be(evening, deal, place)), places[0])


def _can_be(evening: Evening, deal: Any, place: Place) -> bool:
    try:
        evening.game.check_place(deal, place, evening.house)
    except InvalidDeal:
        return False
    return True


def made_up(game_key: str, rules: str, seats: int = 0, before: str = "") -> Evening:
    """Return an unsaved evening, its seats numbered in the order of play, those who sit out last."""
    game = GAMES[game_key]
    places = range(seats or min(game.seat_counts))
    last = next(place for place in places if game.playing_seats(len(places), place)[0] == 0)
    playing = game.playing_seats(len(places), last)
    order = (*playing, *(place for place in places if place not in playing))
    lineup = lineup_to_text(order.index(place) for place in places)
    return Evening(game_key=game_key, rules=rules, lineup=lineup, first_dealer=order.index(last), standing=before)


def names_at(evening: Evening) -> tuple[str, ...]:
    return tuple(LETTERS[: len(evening.sitting)])


#: The longest line of house rules that the database holds.
LONGEST = Evening._meta.get_field("rules").max_length
#: Rows on a blank sheet of A4; the style sheet leaves some of them out on A5.
BLANK_ROWS = 25
#: The form fields of a hand that is only counted, the first of its evening.
UNSAVED = {"token": str(UUID(int=0)), "number": "1", "redeal": ""}


@dataclass(frozen=True, slots=True)
class RulesText:
    """The content of a rules page that is the same for every visitor."""

    game_key: str
    house_rules: str
    values: Any
    worked: tuple[WorkedView, ...]

    @property
    def by_the_book(self) -> bool:
        """True if the worked hands are counted by the book under any house rules."""
        return not any(hand.rules for hand in self.worked)

    @property
    def some_undeclared(self) -> bool:
        return not all(hand.has_declarer for hand in self.worked)


#: By game, line of house rules and language.
_texts: LRUCache[RulesText] = LRUCache()


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest, game_key: str) -> HttpResponse:
    """Answer with the rules under the house `rules` of the query, and worked hands."""
    face, line = _face_of(game_key), _rules_of(request, game_key)
    context = {"game": face, "text": _text_of(request, face, line), "rules": line}
    return render(request, "rules/page.html", context | {"evening_id": number_in(request, "evening")})


@page(ANYONE, "GET", "HEAD")
def blank_sheet(request: HttpRequest, game_key: str) -> HttpResponse:
    """Answer with a sheet for a table without phones, to be printed on one page, and what everything is worth.

    It is for the number of `players` in the query, by default the fewest, under the house `rules` of the query.
    """
    face, line = _face_of(game_key), _rules_of(request, game_key)
    if not face.has_blank_sheet:
        raise Http404
    text = _text_of(request, face, line)
    counts, asked = GAMES[game_key].seat_counts, number_in(request, "players")
    players = asked if asked in counts else min(counts)
    context = {
        "game": face,
        "text": text,
        "rules": line,
        "counts": counts,
        "players": players,
        "seats": range(players),
        "rows": range(1, BLANK_ROWS + 1),
    }
    return render(request, "blank_sheet/page.html", context)


def _text_of(request: HttpRequest, face: Face, line: str) -> RulesText:
    """Return the game's text by these house rules. Raise Http404 if it has none, and rate_limits.TooMany."""
    if face.rules_page is None:
        raise Http404
    key = (face.key, line, get_language())
    if _texts.get(key) is None:
        _count(request, face.key, line)
    return _texts.get_or_make(key, lambda: _text(face, line))


def _count(request: HttpRequest, game_key: str, line: str) -> None:
    """Count a page that is not in the cache, unless its rules are a profile's or those of the member's evening.

    Raise rate_limits.TooMany. Members are counted too, since anybody becomes one by a demo.
    """
    game = GAMES[game_key]
    of_profiles = {game.rules_to_text(rules) for rules in game.PROFILES.values()}
    if line not in of_profiles and not _is_of_own_evening(request, game_key, line):
        rate_limits.count(rate_limits.HOUSE_RULES, request)


def _is_of_own_evening(request: HttpRequest, game_key: str, line: str) -> bool:
    """Return whether the query names an evening of the visitor's circle with these house rules."""
    user, evening = visitor(request), number_in(request, "evening")
    if user is None or evening is None:
        return False
    own = Evening.objects.filter(pk=evening, game_key=game_key, rules=line, circle__members__user=user)
    return own.exists()


def _text(face: Face, line: str) -> RulesText:
    rules = GAMES[face.key].rules_from_text(line)
    assert face.rules_page  # noqa: S101  for the types
    return RulesText(
        game_key=face.key,
        house_rules=house_rules.describe(face.key, rules).line,
        values=face.rules_page.values(rules),
        worked=tuple(worked(face.key, hand) for hand in face.rules_page.worked_hands(rules)),
    )


@page(ANYONE, "GET", "HEAD")
def worth(request: HttpRequest, game_key: str) -> HttpResponse:
    """Answer with the game's hand form, which counts and saves nothing."""
    rate_limits.count(rate_limits.TRIAL_COUNTS, request, by_user=True)
    face, line = _face_of(game_key), _rules_of(request, game_key)
    evening = made_up(game_key, line)
    preset = {**face.form.PRESETS, "declarer": "0" if face.form.HAS_DECLARER else ""}
    typed = preset | request.GET.dict() | UNSAVED | {"dealer": str(evening.first_dealer)}
    tapped = face.form.at(evening, list(names_at(evening)), typed)
    if tapped.deal and (dealer := place_of(evening, tapped.deal, tapped.place.declarer).dealer) != evening.first_dealer:
        tapped = face.form.at(evening, list(names_at(evening)), typed | {"dealer": str(dealer)})
    context = {
        "game": face,
        "at": evening,
        "names": tapped.names,
        "form": tapped.again(initial=_shown(tapped)),
        "rules": line,
        "house_rules": house_rules.describe(game_key, evening.house).line,
        "count": count(evening, tapped),
    }
    return answer(request, "worth/page.html", context, "count")


def _face_of(game_key: str) -> Face:
    if game_key not in FACES:
        raise Http404
    return FACES[game_key]


def _rules_of(request: HttpRequest, game_key: str) -> str:
    """Return the house rules of the query in their one spelling. Raise Http404 if they are invalid."""
    line = request.GET.get("rules", "")
    try:
        return GAMES[game_key].rules_to_text(GAMES[game_key].rules_from_text(line[:LONGEST]))
    except InvalidRules as wrong:
        raise Http404 from wrong


def _shown(tapped: HandForm) -> dict[str, Any]:
    """Return the form's values; a valid typed line replaces all that was tapped."""
    said = {name: value for name, value in tapped.data.items() if name not in tapped.FIELDS}
    spelled = tapped.again(said).spelled_out
    return spelled if tapped.has_line and not spelled["line"] else dict(tapped.data)
