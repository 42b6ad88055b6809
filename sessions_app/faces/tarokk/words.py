"""What the rules say, in the user's language: the line of a hand, the steps of a count, a refusal.

The rules speak in codes; every code that they may use has its words here, and nowhere else. Nothing here counts.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scorekeeper.games.base import Message, ScoreLine
from scorekeeper.games.tarokk import Band, Bonus, Contract, Deal, Kontra, Pagat, Side, standing_from_text, times
from scorekeeper.games.tarokk.in_play import InPlay
from scorekeeper.games.tarokk.saying import Facts
from scorekeeper.games.tarokk.scoring import declarer_gets, tarokks_worth
from sessions_app.faces.kontra_words import KONTRAS, kontra_words
from sessions_app.wording import Words, isolated, minus

CONTRACTS: dict[Contract, Words] = {
    Contract.THREE: gettext_lazy("hármas"),
    Contract.TWO: gettext_lazy("kettes"),
    Contract.ONE: gettext_lazy("egyes"),
    Contract.SOLO: gettext_lazy("szóló"),
}
#: As they are written on the sheet.
CONTRACT_MARKS: dict[Contract, str] = {
    Contract.THREE: "3",
    Contract.TWO: "2",
    Contract.ONE: "1",
    Contract.SOLO: "Sz",
}
SIDES: dict[Side, Words] = {
    Side.DECLARERS: pgettext_lazy("side", "declarers"),
    Side.OPPONENTS: pgettext_lazy("side", "opponents"),
}
SHORT_SIDES: dict[Side, Words] = {
    Side.DECLARERS: pgettext_lazy("side, short", "decl."),
    Side.OPPONENTS: pgettext_lazy("side, short", "opp."),
}
BONUSES: dict[Bonus, Words] = {
    Bonus.DOUBLE: gettext_lazy("duplajáték"),
    Bonus.VOLAT: gettext_lazy("volát"),
    Bonus.TRULL: gettext_lazy("tuletroá"),
    Bonus.KINGS: gettext_lazy("négy király"),
    Bonus.ULTIMO: gettext_lazy("pagátultimó"),
    Bonus.XXI: gettext_lazy("XXI-fogás"),
}
#: As they are written on the sheet.
MARKS: dict[Bonus, str] = dict(zip(Bonus, "DVTNUX", strict=True))
#: The six keys of how a hand ended, as they are said.
RESULTS: dict[str, Words] = {
    "-v": pgettext_lazy("result", "volát opp."),
    "--": pgettext_lazy("result", "dupla opp."),
    "-": pgettext_lazy("result", "lost"),
    "+": pgettext_lazy("result", "made"),
    "++": pgettext_lazy("result", "dupla"),
    "v": pgettext_lazy("result", "volát"),
}
PAGATS: dict[Pagat, Words] = {
    Pagat.DECLARERS_WON: pgettext_lazy("pagát", "decl. won"),
    Pagat.DECLARERS_LOST: pgettext_lazy("pagát", "decl. lost"),
    Pagat.OPPONENTS_WON: pgettext_lazy("pagát", "opp. won"),
    Pagat.OPPONENTS_LOST: pgettext_lazy("pagát", "opp. lost"),
    Pagat.NONE: "—",
}
TAROKKS: Final = {8: gettext_lazy("nyolc tarokk"), 9: gettext_lazy("kilenc tarokk")}


def contract_words(deal: Deal, players: Sequence[str] = ()) -> str:
    """'kettes with Cili'; who the partner is only the names of the players can tell."""
    words = str(CONTRACTS[deal.contract])
    if deal.is_proba:
        return _("%(contract)s, próba") % {"contract": words}
    if deal.partner is None:
        return _("%(contract)s, alone") % {"contract": words}
    if not players:
        return words
    return _("%(contract)s, with %(partner)s") % {"contract": words, "partner": isolated(players[deal.partner])}


def result_words(deal: Deal) -> str:
    """How it ended: the points, or the band that was noted; a volát by its name."""
    if deal.is_proba:
        return _("no honour came")
    if deal.volat:
        return str(RESULTS["v" if deal.volat is Side.DECLARERS else "-v"])
    return str(RESULTS[deal.points]) if isinstance(deal.points, Band) else str(deal.points)


def band_words(deal: Deal, lines: Sequence[ScoreLine]) -> str:
    """What card points that were counted come to: 'made'; '' where that is what was noted.

    Of 47 each the count says who has won.
    """
    if not isinstance(deal.points, int) or deal.volat:
        return ""
    tie = next((line.params["side"] for line in lines if "tie" in line.params), None)
    if tie:
        return str(RESULTS[Band.FROM_48 if tie == Side.DECLARERS.value else Band.FROM_24])
    return str(RESULTS[Band.of(deal.points)])


def said_words(deal: Deal, players: Sequence[str] = ()) -> tuple[str, ...]:
    """What was said and made in a hand besides, a phrase each; `players` by place name who declared tarokks."""
    return tuple(_said(deal, players))


def _said(deal: Deal, players: Sequence[str]) -> Iterator[str]:
    if deal.game_kontra:
        yield kontra_words(deal.game_kontra)
    for each in deal.announced:
        made = _("done") if deal.made(each.side, each.bonus) else _("missed")
        what = f"{BONUSES[each.bonus]} {kontra_words(each.kontra)}".strip()
        yield _of(each.side, _("%(bonus)s announced, %(made)s") % {"bonus": what, "made": made})
    for bonus, side in _silent(deal):
        yield _of(side, _("silent %(bonus)s") % {"bonus": BONUSES[bonus]})
    if deal.pagat.side and not deal.pagat.won and deal.kontra_of(deal.pagat.side, Bonus.ULTIMO) is None:
        yield _of(deal.pagat.side, _("pagát beaten in the last trick"))
    for place, number in enumerate(deal.tarokks):
        if number:
            yield _declared(f"{TAROKKS[number]} {tarokks_worth(number)}", place, players)


def _declared(tarokks: str, place: int, players: Sequence[str]) -> str:
    """'nyolc tarokk, Anna'."""
    return _("%(tarokks)s, %(name)s") % {"tarokks": tarokks, "name": isolated(players[place])} if players else tarokks


def _silent(deal: Deal) -> Iterator[tuple[Bonus, Side]]:
    """What was made without a word, but for dupla and volát, which the result tells, and what lies in a volát."""
    for bonus in (Bonus.TRULL, Bonus.KINGS, Bonus.ULTIMO, Bonus.XXI):
        for side in Side:
            swallowed = deal.volat is side and bonus in (Bonus.TRULL, Bonus.KINGS)
            if deal.made(side, bonus) and deal.kontra_of(side, bonus) is None and not swallowed:
                yield bonus, side


def _of(side: Side, what: str) -> str:
    """The declarers' own is said as it is; what the opponents did is said to be theirs."""
    return what if side is Side.DECLARERS else _("opponents: %(what)s") % {"what": what}


class Mark(NamedTuple):
    """A thing that was said or made, as a line of the sheet has it, and its words."""

    text: str
    words: str


def counted_times(deal: Deal, before: str) -> int:
    """Return how many times a hand counts after this standing, as the game writes it."""
    return deal.times if deal.times > 1 else times(standing_from_text(before))


def _round_mark(counts: int) -> list[Mark]:
    return [Mark(f"↻×{counts}", round_words(counts))] if counts > 1 else []


def round_words(counts: int) -> str:
    return _("after a thrown-in hand everything counts ×%(times)s") % {"times": counts}


def marks(deal: Deal, counts: int = 1, players: Sequence[str] = ()) -> list[Mark]:
    """The marks of a hand, by the letters of the notation: kontra, announcements with ✓ or ✗, the silent small.

    `counts` is how many times it counts, which comes first.
    """
    words, found = iter(said_words(deal, players)), _round_mark(counts)
    found += [Mark(_times(deal.game_kontra), next(words))] if deal.game_kontra else []
    for each in deal.announced:
        made = deal.made(each.side, each.bonus)
        text = f"{_whose(each.side)}{MARKS[each.bonus]}{_times(each.kontra)}{'✓' if made else '✗'}"
        found.append(Mark(text, next(words)))
    found += [Mark(f"{_whose(side)}{MARKS[bonus].lower()}", next(words)) for bonus, side in _silent(deal)]
    if deal.pagat.side and not deal.pagat.won and deal.kontra_of(deal.pagat.side, Bonus.ULTIMO) is None:
        found.append(Mark(f"{_whose(deal.pagat.side)}b", next(words)))
    return found + _tarokks_marks(deal.tarokks, tuple(words), players)


def open_marks(hand: InPlay, counts: int = 1, names: Sequence[str] = ()) -> list[Mark]:
    """The same of a hand that is still played: what was announced and doubled, and the tarokks declared.

    `names` are those of the seats.
    """
    players = [names[seat] for seat in hand.announcing.seats] if hand.announcing and names else ()
    facts, found = hand.announcing.facts if hand.announcing else Facts(), _round_mark(counts)
    found += [Mark(_times(facts.game_kontra), kontra_words(facts.game_kontra))] if facts.game_kontra else []
    for each in facts.announced:
        what = f"{BONUSES[each.bonus]} {kontra_words(each.kontra)}".strip()
        found.append(Mark(f"{_whose(each.side)}{MARKS[each.bonus]}{_times(each.kontra)}", _of(each.side, what)))
    said = [_declared(str(TAROKKS[n]), place, players) for place, n in enumerate(facts.tarokks) if n]
    return found + _tarokks_marks(facts.tarokks, said, players)


def _tarokks_marks(tarokks: Sequence[int], words: Sequence[str], players: Sequence[str]) -> list[Mark]:
    """'8T Anna', so that it is seen who is paid for them; `words` are of those who declared some."""
    texts = [
        f"{number}T {isolated(players[place])}" if players else f"{number}T"
        for place, number in enumerate(tarokks)
        if number
    ]
    return [Mark(text, said) for text, said in zip(texts, words, strict=True)]


def _whose(side: Side) -> str:
    return "" if side is Side.DECLARERS else "−"


def _times(level: Kontra) -> str:
    return f"×{level.factor}" if level else ""


# --- Steps of a count ---


def item(line: ScoreLine) -> str:
    """What a step is about: 'game', 'duplajáték'."""
    if line.item in Bonus:
        return str(BONUSES[Bonus(line.item)])
    return pgettext("item", "game")


def step(line: ScoreLine, players: Sequence[str] = ()) -> str:
    """A step of the count in words; its amount stands beside it."""
    if line.item == "tarokks":
        return _tarokks(line, players)
    if line.item == "round":
        return round_words(int(line.params["times"]))
    if line.code == "proba":
        return _("próba without an honour: lost at once")
    side = SIDES[Side(str(line.params["side"]))]
    return f"{item(line)}, {side}: {HOW[line.code](line)}"


def _doubled(how: str, line: ScoreLine) -> str:
    """'announced, done · 10 ×2'."""
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
    """One amount of a sum: the sign before it ('' where there is none), what it is for, and the amount without sign."""

    sign: str
    words: str
    amount: int


class Sum(NamedTuple):
    """A count as one line of arithmetic: its figures, how many times they count, and what they come to.

    `is_plain` is whether nothing need be said but what it comes to: a game without kontra, or a lost próba.
    """

    figures: tuple[Figure, ...]
    times: int
    points: int
    is_plain: bool

    @property
    def has_result(self) -> bool:
        """Whether it comes to something else than its one figure."""
        return self.times > 1 or len(self.figures) != 1

    @property
    def in_brackets(self) -> bool:
        """Whether the figures are summed before they are multiplied."""
        return self.times > 1 and len(self.figures) > 1


def sum_of(lines: Sequence[ScoreLine], points: int, players: Sequence[str] = ()) -> Sum:
    """The count as one line of arithmetic: 'game 2 + pagátultimó 10 − silent pagát beaten 5 = 7'."""
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
    """What an amount of a count is for, in two or three words: 'game kontra', 'opp.: volát missed'."""
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
    """What one or each of several players gets of a count."""

    words: str
    amount: int


def shares(deal: Deal, lines: Sequence[ScoreLine], points: int, players: Sequence[str]) -> list[Share]:
    """Return what a count brings: each declarer; or, alone, what each of three settles, and what that makes.

    Declared tarokks that all pay are not in it, and the words say so.
    """
    apart = _(", tarokks apart") if any(line.code == "by_all" for line in lines) else ""
    if not deal.is_alone:
        return [Share(_("For each of the declarers") + apart, points)]
    each = _("To each of the three") if points < 0 else _("From each of the three")
    said = {"name": isolated(players[0]), "three_times": f"3\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{minus(points)}"}
    together = _("%(name)s: %(three_times)s") if deal.is_proba else _("%(name)s, alone: %(three_times)s")
    return [Share(each, points), Share(together % said + apart, declarer_gets(points, alone=True))]


def declared_words(lines: Sequence[ScoreLine], players: Sequence[str]) -> str:
    """Who is paid for so many tarokks, which is not among the points of the two sides."""
    return ", ".join(_tarokks(line, players) for line in lines if line.item == "tarokks")


# --- Refusals ---


def refusal(message: Message) -> str:
    """A rule's refusal as a sentence."""
    if message.code == "kontra_too_high":
        highest = KONTRAS[Kontra(int(message.params["highest"]))]
        return _("The highest by the house rules is %(kontra)s.") % {"kontra": highest}
    if "side" in message.params:
        return REFUSED_OF[Side(str(message.params["side"]))][message.code]()
    return REFUSED[message.code]() % message.params


REFUSED: Final[dict[str, Callable[[], str]]] = {
    "unknown": lambda: _("Choose one of the options."),
    "beside_proba": lambda: _("A lost próba has nothing else: it ends before a card is called."),
    "proba_solo": lambda: _("There is no próba at szóló."),
    "points_range": lambda: _("There are 94 card points: a number from 0 to 94."),
    "points_limits": lambda: _("With these entries the declarers have %(low)s to %(high)s card points."),
    "points_volat": lambda: _("With this volát the declarers have %(low)s to %(high)s card points."),
    "points_exact": lambda: _("At 47 card points the kontras decide by the house rules: enter the points."),
    "announced_twice": lambda: _("A side announces a bonus once."),
    "tarokks_three": lambda: _("Of 22 tarokks at most two players can have eight."),
    "proba_not_fourth": lambda: _("Only the fourth can bid a próba, after three passes."),
    "not_doubled": lambda: _("By the house rules no round counts more."),
}
REFUSED_OF: Final[dict[Side, dict[str, Callable[[], str]]]] = {
    Side.DECLARERS: {
        "all_tricks": lambda: _("The declarers won all the tricks: the opponents have no honour and no king."),
        "trull_elsewhere": lambda: _("The declarers have the trull: the opponents have no honour."),
        "lone_pagat_elsewhere": lambda: _("A lone declarer's beaten pagát went to the opponents."),
    },
    Side.OPPONENTS: {
        "all_tricks": lambda: _("The opponents won all the tricks: the declarers have no honour and no king."),
        "trull_elsewhere": lambda: _("The opponents have the trull: the declarers have no honour."),
    },
}
