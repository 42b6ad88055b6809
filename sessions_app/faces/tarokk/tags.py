"""Template filters and tags of Tarokk: deals and counts in words; {% load tarokk %}."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, cast

from django import template
from django.template.loader import get_template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from scorekeeper.db.cache import LRUCache
from scorekeeper.games.base import ScoreLine
from scorekeeper.games.tarokk import Bonus, Deal, Kontra, Side
from scorekeeper.games.tarokk.hand_in_play import HandState
from scorekeeper.games.tarokk.scoring import ItemWorth, declarer_gets
from sessions_app.faces.base import word_filters
from sessions_app.faces.hand_words import KONTRAS, kontra_words
from sessions_app.faces.tarokk import referee_words, words
from sessions_app.faces.tarokk.fields import LETTERS, MORE
from sessions_app.faces.tarokk.hand_form import HandForm
from sessions_app.faces.tarokk.referee import View, latest_step
from sessions_app.faces.tarokk.words import BONUSES, SHORT_SIDES, SIDES, TAROKKS, round_words
from sessions_app.words import wording
from sessions_app.words.wording import isolated, minus

register = template.Library()

register.simple_tag(words.open_marks)
register.filter(words.result_words)
register.filter(words.contract_words)
register.filter(words.said_words)
register.simple_tag(words.band_words)
register.filter(referee_words.cards_asked)
register.filter(referee_words.invitation_words)
register.filter(referee_words.inviters_duty)
register.filter(referee_words.item_words)
register.filter(referee_words.announced_words)
register.filter(referee_words.must_call)
register.filter(referee_words.partner_mark)
register.filter(referee_words.partner_words)
register.filter(referee_words.promise)
register.filter(referee_words.so_far)
register.filter(referee_words.why_turn)
register.filter(latest_step)
register.filter(kontra_words)
word_filters(
    register,
    bonus=words.BONUSES,
    side=words.SIDES,
    short_side=words.SHORT_SIDES,
    call=referee_words.CALLS,
    kontra_word=KONTRAS,
    tarokks_words=TAROKKS,
)


_folded: LRUCache[SafeString] = LRUCache()


@register.simple_tag
def folded_away(form: HandForm) -> SafeString:
    """Return the folded rows, cached while they are empty: then all forms of the same players share them."""
    said = form.data if form.is_bound else form.initial
    counted_by, times = (str(form[name].value() or "") for name in ("counted_by", "times"))
    # A posted value may be anything: only offered ones are cached. A row set to 'nobody' is not empty.
    if form.has_more or counted_by not in ("", *LETTERS.values()) or any(said.get(name) for name in MORE):
        return _drawn(form)
    key = (tuple(form.names), form.sitting, form.rules, counted_by, times, get_language())
    return _folded.get_or_make(key, lambda: _drawn(form))


def _drawn(form: HandForm) -> SafeString:
    return cast(SafeString, get_template("games/tarokk/folded_away.html").render({"form": form}))


@register.filter
def contract_mark(deal: Deal) -> str:
    return words.CONTRACT_MARKS[deal.contract]


@register.filter
def partner(deal: Deal, players: tuple[str, ...]) -> str:
    """Return the partner's name, '' if there is none."""
    return players[deal.partner] if deal.partner and players else ""


@register.filter
def made_by(of: Bonus) -> SafeString:
    """Return 'made by', with the bonus's name for screen readers only: it is visible in the row beside."""
    return format_html('<span class="visually-hidden">{}</span> {}', words.BONUSES[of], _("made by"))


@register.filter
def ladder_of(of: Side, bonus: wording.Words) -> str:
    """Return the label of a ladder: 'duplajáték, declarers'."""
    return f"{bonus}, {words.SIDES[of]}"


# --- The hand in play ---


@register.filter
def open_mark(hand: HandState) -> str:
    """Return the contract of a hand in play as the sheet writes it."""
    return words.CONTRACT_MARKS[hand.contract] if hand.contract else ""


@register.filter
def open_words(hand: HandState) -> wording.Words:
    return words.CONTRACTS[hand.contract] if hand.contract else ""


@register.filter
def worth_items(view: View) -> tuple[ItemWorth, ...]:
    """Return the items of a hand in play."""
    return view.worth.items if view.worth else ()


# --- The steps of a count ---


def item(line: ScoreLine) -> str:
    """Return the item of a step: 'game', 'duplajáték'."""
    if line.item in Bonus:
        return str(BONUSES[Bonus(line.item)])
    return pgettext("item", "game")


@register.filter
def step(line: ScoreLine, players: Sequence[str] = ()) -> str:
    """Return a step of the count in words, without its amount."""
    if line.item == "tarokks":
        return _tarokks(line, players)
    if line.item == "round":
        return round_words(int(line.params["times"]))
    if line.code == "proba":
        return _("próba without an honour: lost at once")
    side = SIDES[Side(str(line.params["side"]))]
    return f"{item(line)}, {side}: {HOW[line.code](line)}"


def _doubled(how: str, line: ScoreLine) -> str:
    """Return the words with kontra and value: 'announced, done · kontra ×2 (10 × 2)'."""
    kontra = Kontra(int(line.params.get("kontra", 0)))
    worth = str(line.params["value"]) + (f" × {kontra.factor}" if kontra else "")
    doubled = f" · {kontra_words(kontra)}" if kontra else ""
    return f"{how}{doubled} ({worth})"


def _won(line: ScoreLine) -> str:
    return _doubled(_("won at 47 each") if "tie" in line.params else _("won"), line)


def _above(line: ScoreLine) -> dict[str, wording.Words]:
    return {"above": BONUSES[Bonus(str(line.params["above"]))]}


HOW: Final[dict[str, Callable[[ScoreLine], str]]] = {
    "won": _won,
    "kontra": _won,
    "replaced": lambda line: _("won; the silent %(above)s is paid instead") % _above(line),
    "announced_above": lambda line: _("won; the announced %(above)s counts instead") % _above(line),
    "done": lambda line: _doubled(_("announced, done"), line),
    "missed": lambda line: _doubled(_("announced, missed"), line),
    "silent": lambda line: _doubled(_("silent"), line),
    "beaten": lambda line: _doubled(_("silent, beaten in the last trick"), line),
    "beaten_free": lambda line: _("silent, beaten in the last trick: costs nothing by the house rules"),
    "beside_volat": lambda line: _("silent: not paid beside volát"),
    "within_volat": lambda line: _("silent: included in the volát"),
    "beside_announced_volat": lambda line: _("silent: not paid beside an announced volát"),
    "beside_double": lambda line: _("silent: not paid beside a silent dupla, by the house rules"),
}


def _tarokks(line: ScoreLine, players: Sequence[str]) -> str:
    words = {"tarokks": TAROKKS[int(line.params["number"])], "each": line.params["each"]}
    if players:
        words["name"] = isolated(players[int(line.params["place"])])
    if line.code == "by_all":
        if players:
            return _("%(tarokks)s, %(name)s: each of the other three pays %(each)s") % words
        return _("%(tarokks)s: each of the other three pays %(each)s") % words
    return _("%(tarokks)s, %(name)s") % words if players else str(words["tarokks"])


class Figure(NamedTuple):
    """One amount of a sum: its sign ('' for the first plus), its words, and the amount without sign."""

    sign: str
    words: str
    amount: int


class Sum(NamedTuple):
    """A count as one line of arithmetic: its figures, how many times they count, and the points.

    `is_plain` is whether the points alone say it all: a game without kontra, or a lost próba.
    """

    figures: tuple[Figure, ...]
    times: int
    points: int
    is_plain: bool

    @property
    def has_result(self) -> bool:
        """True if the points differ from a single figure."""
        return self.times > 1 or len(self.figures) != 1

    @property
    def in_brackets(self) -> bool:
        """True if the figures are summed before they are multiplied."""
        return self.times > 1 and len(self.figures) > 1


@register.simple_tag
def sum_of(lines: Sequence[ScoreLine], points: int, players: Sequence[str] = ()) -> Sum:
    """Return the count as one line of arithmetic: 'game 2 + pagátultimó 10 − silent pagát beaten 5 = 7'."""
    paid = [line for line in lines if line.amount and line.item != "round"]
    counts = next((int(line.params["times"]) for line in lines if line.item == "round"), 1)
    figures = tuple(
        Figure(_sign(line.amount, is_first=not place), named(line, players), abs(line.amount))
        for place, line in enumerate(paid)
    )
    plain = all(line.code in ("won", "proba") for line in paid) and len(paid) < 2
    return Sum(figures, counts, points, plain and counts == 1)


def _sign(amount: int, *, is_first: bool) -> str:
    return "−" if amount < 0 else "" if is_first else "+"


def named(line: ScoreLine, players: Sequence[str] = ()) -> str:
    """Return the words of an amount: 'game kontra', 'opp.: volát missed'."""
    if line.item == "tarokks":
        return _tarokks(line, players)
    if line.code == "proba":
        return _("lost próba")
    side = Side(str(line.params["side"]))
    kontra = Kontra(int(line.params.get("kontra", 0)))
    said = f"{item(line)} {KONTRAS[kontra]}" if kontra else item(line)
    if line.code in SHORT_NAMES:
        said = SHORT_NAMES[line.code](said)
    if side is Side.DECLARERS or line.item == "game":
        return said
    return _("%(side)s: %(bonus)s") % {"side": SHORT_SIDES[side], "bonus": said}


SHORT_NAMES: Final[dict[str, Callable[[str], str]]] = {
    "missed": lambda what: _("%(bonus)s missed") % {"bonus": what},
    "silent": lambda what: _("silent %(bonus)s") % {"bonus": what},
    "beaten": lambda what: _("silent pagát beaten"),
}


@register.simple_tag
def shares(deal: Deal, lines: Sequence[ScoreLine], points: int, players: Sequence[str]) -> list[tuple[str, int]]:
    """Return the shares of a count: each declarer's; or, alone, the payment with each of three, and the total.

    Each is its words and its points. Declared tarokks that all pay are not included, which the words say.
    """
    apart = _(", tarokks apart") if any(line.code == "by_all" for line in lines) else ""
    if not deal.is_alone:
        return [(_("For each of the declarers") + apart, points)]
    each = _("To each of the three") if points < 0 else _("From each of the three")
    said = {"name": isolated(players[0]), "three_times": f"3\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{minus(points)}"}
    together = _("%(name)s: %(three_times)s") if deal.is_proba else _("%(name)s, alone: %(three_times)s")
    return [(each, points), (together % said + apart, declarer_gets(points, alone=True))]


@register.simple_tag
def declared_words(lines: Sequence[ScoreLine], players: Sequence[str]) -> str:
    """Return the payments for declared tarokks in words; they are not among the points of the two sides."""
    return ", ".join(_tarokks(line, players) for line in lines if line.item == "tarokks")
