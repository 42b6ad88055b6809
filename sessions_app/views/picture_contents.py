"""The contents of the pictures of a session and of a circle's year, in the language that is active."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from django.http import Http404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scorekeeper.games.amounts import Amount
from sessions_app import cached_templates
from sessions_app.access import CircleRequest, EveningRequest
from sessions_app.drawing import card
from sessions_app.drawing.card import CardContent, Figure, Paid, Result, Tone
from sessions_app.faces import FACES
from sessions_app.models import Circle, Evening
from sessions_app.readers.book.highlights import months_of
from sessions_app.readers.evening.result import BalanceCurve, EveningResult, balance_curve, remarkable_hands, result_of
from sessions_app.readers.evening.seating import SeatView
from sessions_app.readers.money.lists import coin_of
from sessions_app.readers.money.settling import Asked, Settlement, settlement, settling
from sessions_app.readers.people.circles import CirclePlayer, circle_at, name_of, players_of
from sessions_app.views.circle_year import GameYear, games_of
from sessions_app.views.evening_pages import figure_and_address
from sessions_app.words.amounts import amount_words
from sessions_app.words.wording import duration, listed, money_words, signed

# --- A session ---


def of_evening(request: EveningRequest) -> CardContent:
    """Return the content of a session's picture, by the queries of its page of settling."""
    evening, circle = request.evening, circle_at(request.evening.circle_id)
    by_sheet = settlement(evening)
    seats = by_sheet.seats
    curve, result = balance_curve(evening, len(seats)), result_of(evening, seats)
    best = [seat for seat in seats if result.winners and seat.balance == result.balance]
    names = [seat.name for seat in seats]
    figure, address = figure_and_address(request)
    shown = CardContent(
        emblem=emblem(evening.game_key),
        game=str(FACES[evening.game_key].name),
        under=[date_format(timezone.localtime(evening.started_at), "DATE_FORMAT"), _played(request, result)],
        where=" · ".join(filter(None, (_name(request, circle), evening.title))),
        won=_won(result.winners, _("Nobody won or lost."), is_over=result.has_ended),
        winners=listed(result.winners),
        points=signed(result.balance) if best else "",
        money=_money(best[0], evening.currency) if best else "",
        results=[_result(seat, evening.currency) for seat in by_sheet.best_first],
        figures=[*_figures_of(evening, names)],
        check=figure,
        check_label=_("Check figure"),
        check_address=address,
    )
    if curve.is_drawn:
        shown = _with_course(shown, curve)
    return _with_payments(shown, evening, circle, by_sheet) if "1" in request.GET.getlist("pays") else shown


def _played(request: EveningRequest, result: EveningResult) -> str:
    hands = ngettext("%(count)s hand", "%(count)s hands", result.hands) % {"count": result.hands}
    said = [
        hands if result.hands else "",
        duration(result.minutes) if result.minutes else "",
        _("Demo") if request.is_demo else "",
    ]
    return " · ".join(filter(None, said))


def _result(seat: SeatView, currency: str) -> Result:
    return Result(seat.name, signed(seat.balance), _tone(seat.balance), _money(seat, currency), seat.position)


def _tone(amount: Amount) -> Tone:
    return "plus" if amount > 0 else "minus" if amount < 0 else "zero"


def _money(seat: SeatView, currency: str) -> str:
    return "" if seat.money is None else money_words(seat.money, currency)


def _figures_of(evening: Evening, names: Sequence[str]) -> Iterator[Figure]:
    for hand in remarkable_hands(evening):
        if hand.seat is not None:
            behind = _("%(name)s, hand %(number)s") % {"name": names[hand.seat], "number": hand.number}
            yield Figure(_("Biggest hand"), signed(hand.amount), behind)


def _with_payments(shown: CardContent, evening: Evening, circle: Circle, by_sheet: Settlement) -> CardContent:
    """Return the picture with who pays whom: as the session's page suggests, or would if the session ended now."""
    payments = _("Payments")
    if evening.in_chips:
        nothing = _("Paid hand by hand, in chips: nothing is left to pay.")
        return replace(shown, payments=payments, nothing_to_pay=nothing)
    money = settling(circle, evening, players_of(circle), by_sheet, Asked())
    if money:
        lines = [(each.payer.name, each.payee.name, each.units, each.currency) for each in money.shown.lines]
    else:
        fewest = by_sheet.fewest(coin_of(circle, by_sheet.currency))
        lines = [(payer.name, payee.name, units, by_sheet.currency) for payer, payee, units in fewest]
    paid = [Paid(payer, payee, amount_words(units, currency)) for payer, payee, units, currency in lines]
    return replace(
        shown,
        payments=payments,
        paid=paid,
        nothing_to_pay=_("All square: nothing is to be paid."),
        more_paid=_more(len(paid) - card.MOST_PAID),
    )


def _more(count: int) -> str:
    return ngettext("and %(count)s more", "and %(count)s more", count) % {"count": count} if count > 0 else ""


# --- A year ---


def of_year(request: CircleRequest, year: int) -> CardContent:
    """Return the content of a year's picture: above all the game that was played in the most sessions."""
    circle = request.circle
    stats, games = games_of(circle, year)
    if not games:
        raise Http404
    first, *others = games  # the most sessions first
    sessions = sum(month.evenings for month in months_of(stats))
    ranked, course = first.points, first.course.drawn
    numbers = {person.pk: number for number, person in enumerate(course.people)}
    played = sum(game.best.played for game in games)
    rows = [
        Result(each.person.name, signed(each.figure.value), _tone(each.figure.value), "", numbers.get(each.person.pk))
        for each in ranked
    ]
    shown = CardContent(
        emblem=emblem(first.key),
        game=_("The year %(year)s") % {"year": year},
        under=[
            ngettext("%(count)s session", "%(count)s sessions", sessions) % {"count": sessions},
            ngettext("%(count)s hand", "%(count)s hands", played) % {"count": played},
        ],
        where=" · ".join(filter(None, (_name(request, circle), str(FACES[first.key].name)))),
        won=_won(first.first_by_points, _("All players are even on points."), is_over=year < timezone.localdate().year),
        winners=listed(first.first_by_points),
        points=signed(ranked[0].figure.value) if first.first_by_points else "",
        money="",
        results=rows[: card.MOST_ROWS],
        more_results=_more(len(rows) - card.MOST_ROWS),
        figures=[*_figures_of_year(first, others)],
    )
    return _with_course(shown, course.curve) if course.curve.is_drawn else shown


def _figures_of_year(first: GameYear, others: Sequence[GameYear]) -> Iterator[Figure]:
    for game in others:
        if game.first_by_points:
            yield Figure(str(FACES[game.key].name), listed(game.first_by_points))
    dearest = first.best.dearest
    if dearest:
        yield Figure(_("Biggest hand"), signed(dearest.amount), first.dearest_player)


# --- Both ---


def _won(winners: Sequence[str], nobody: str, *, is_over: bool) -> str:
    """Return the words above the winners' names, or those for `nobody`."""
    if not winners:
        return nobody
    if is_over:
        return ngettext("Winner", "Winners", len(winners))
    return pgettext("of a session that is still played", "In the lead")


def _with_course(shown: CardContent, curve: BalanceCurve) -> CardContent:
    """Return the picture with the curve, and with the highest and the lowest balance in words, '' for zero."""
    balances = [0, *chain(*curve.by_seat)]
    highest, lowest = (signed(edge) if edge else "" for edge in (max(balances), min(balances)))
    return replace(shown, curves=curve.by_seat, edges=(highest, lowest))


def _name(request: EveningRequest | CircleRequest, circle: Circle) -> str:
    """Return the circle's name if it is asked for."""
    if "1" not in request.GET.getlist("name"):
        return ""
    players: Sequence[CirclePlayer] = () if circle.name else players_of(circle)
    return name_of(circle, players)


def emblem(game: str) -> str:
    """Return the mark of a game, 32 × 32."""
    drawn = cached_templates.render_once(f"games/{game}/face.html#emblem", {})
    return drawn.replace('<svg class="emblem"', '<svg width="32" height="32"', 1)
