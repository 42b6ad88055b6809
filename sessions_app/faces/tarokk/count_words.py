"""The words of the steps of a Tarokk count. Nothing is counted here."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.tarokk import Bonus, Deal, Kontra, Side
from scorekeeper.games.tarokk.scoring import declarer_gets
from sessions_app.faces.kontra_words import KONTRAS, kontra_words
from sessions_app.faces.tarokk.words import BONUSES, SHORT_SIDES, SIDES, TAROKKS, round_words
from sessions_app.words.wording import isolated, minus


def item(line: ScoreLine) -> str:
    """Return the item of a step: 'game', 'duplajáték'."""
    if line.item in Bonus:
        return str(BONUSES[Bonus(line.item)])
    return pgettext("item", "game")


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


def _replaced(line: ScoreLine) -> str:
    above = BONUSES[Bonus(str(line.params["above"]))]
    return _("won; the silent %(above)s is paid instead") % {"above": above}


def _announced_above(line: ScoreLine) -> str:
    above = BONUSES[Bonus(str(line.params["above"]))]
    return _("won; the announced %(above)s counts instead") % {"above": above}


HOW: Final[dict[str, Callable[[ScoreLine], str]]] = {
    "won": _won,
    "kontra": _won,
    "replaced": _replaced,
    "announced_above": _announced_above,
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


class Share(NamedTuple):
    """The points that one or several players get from a count."""

    words: str
    amount: int


def shares(deal: Deal, lines: Sequence[ScoreLine], points: int, players: Sequence[str]) -> list[Share]:
    """Return the shares of a count: each declarer's; or, alone, the payment with each of three, and the total.

    Declared tarokks that all pay are not included, which the words say.
    """
    apart = _(", tarokks apart") if any(line.code == "by_all" for line in lines) else ""
    if not deal.is_alone:
        return [Share(_("For each of the declarers") + apart, points)]
    each = _("To each of the three") if points < 0 else _("From each of the three")
    said = {"name": isolated(players[0]), "three_times": f"3\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{minus(points)}"}
    together = _("%(name)s: %(three_times)s") if deal.is_proba else _("%(name)s, alone: %(three_times)s")
    return [Share(each, points), Share(together % said + apart, declarer_gets(points, alone=True))]


def declared_words(lines: Sequence[ScoreLine], players: Sequence[str]) -> str:
    """Return the payments for declared tarokks in words; they are not among the points of the two sides."""
    return ", ".join(_tarokks(line, players) for line in lines if line.item == "tarokks")
