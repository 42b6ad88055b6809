"""The words of a Tarokk deal: contracts, bonuses, the marks of a line of the sheet, and refusals.

The rules return codes. The words of a count are in `count_words`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.errors import Message
from scorekeeper.games.tarokk import Band, Bonus, Contract, Deal, Kontra, Pagat, Side, standing_from_text, times
from scorekeeper.games.tarokk.announcing import AnnouncedFacts
from scorekeeper.games.tarokk.hand_in_play import HandState
from scorekeeper.games.tarokk.scoring import tarokks_worth
from sessions_app.faces.kontra_words import KONTRAS, kontra_words
from sessions_app.faces.sheet_marks import Mark, Marks, marks_beside
from sessions_app.words.wording import Words, isolated

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
_DOUBLINGS: Final = tuple((f"×{level.factor}", KONTRAS[level]) for level in Kontra if level)
#: The letters of the marks, for a reader of the sheet.
LETTERS_ON_SHEET: Final[tuple[tuple[str, Words], ...]] = (
    ("3 2 1 Sz", gettext_lazy("hármas, kettes, egyes, szóló")),
    ("( )", pgettext_lazy("mark", "partner (segítő)")),
    ("?", pgettext_lazy("mark", "próba: no honour came")),
    *((MARKS[bonus], words) for bonus, words in BONUSES.items()),
    ("✓ ✗", pgettext_lazy("mark", "announced: done, missed")),
    ("t n u x", pgettext_lazy("mark", "silent")),
    ("b", pgettext_lazy("mark", "pagát beaten")),
    ("−", SIDES[Side.OPPONENTS]),
    ("8T 9T", gettext_lazy("eight or nine tarokks")),
    *_DOUBLINGS,
    ("↻", gettext_lazy("after a thrown-in hand")),
)
#: The six results of a hand in words, by key.
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
    """Return 'kettes, with Cili'; the partner is left out if no players are known."""
    words = str(CONTRACTS[deal.contract])
    if deal.is_proba:
        return _("%(contract)s, próba") % {"contract": words}
    if deal.partner is None:
        return _("%(contract)s, alone") % {"contract": words}
    if not players:
        return words
    return _("%(contract)s, with %(partner)s") % {"contract": words, "partner": isolated(players[deal.partner])}


def result_words(deal: Deal) -> str:
    """Return the result of a deal in words: the points, or the band that was noted; a volát by its name."""
    if deal.is_proba:
        return _("no honour came")
    if deal.volat:
        return str(RESULTS["v" if deal.volat is Side.DECLARERS else "-v"])
    return str(RESULTS[deal.points]) if isinstance(deal.points, Band) else str(deal.points)


def band_words(deal: Deal, lines: Sequence[ScoreLine]) -> str:
    """Return the band of counted card points: 'made'; '' if the band itself was noted.

    At 47 each the lines of the count name the winner.
    """
    if not isinstance(deal.points, int) or deal.volat:
        return ""
    tie = next((line.params["side"] for line in lines if "tie" in line.params), None)
    if tie:
        return str(RESULTS[Band.FROM_48 if tie == Side.DECLARERS.value else Band.FROM_24])
    return str(RESULTS[Band.of(deal.points)])


def said_words(deal: Deal, players: Sequence[str] = ()) -> tuple[str, ...]:
    """Return phrases for the other announcements and the bonuses made; `players` are by place, for declared tarokks."""
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
    """Yield silent bonuses, without dupla and volát, which the result tells, and without those within a volát."""
    for bonus in (Bonus.TRULL, Bonus.KINGS, Bonus.ULTIMO, Bonus.XXI):
        for side in Side:
            swallowed = deal.volat is side and bonus in (Bonus.TRULL, Bonus.KINGS)
            if deal.made(side, bonus) and deal.kontra_of(side, bonus) is None and not swallowed:
                yield bonus, side


def _of(side: Side, what: str) -> str:
    """Return the words as they are for the declarers, with 'opponents:' for the others."""
    return what if side is Side.DECLARERS else _("opponents: %(what)s") % {"what": what}


def counted_times(deal: Deal, before: str) -> int:
    """Return the factor of a hand after this standing, as the game writes it."""
    return deal.times if deal.times > 1 else times(standing_from_text(before))


def _round_mark(counts: int) -> list[Mark]:
    short = pgettext("mark", "thrown in before: ×%(times)s") % {"times": counts}
    return [Mark(f"↻×{counts}", round_words(counts), short)] if counts > 1 else []


def round_words(counts: int) -> str:
    return _("after a thrown-in hand everything counts ×%(times)s") % {"times": counts}


def marks(deal: Deal, counts: int = 1, players: Sequence[str] = ()) -> list[Mark]:
    """Return the marks of a hand, in letters of the notation: kontra, announcements with ✓ or ✗, silent ones small.

    `counts` is how many times the hand counts; its mark comes first.
    """
    words, found = iter(said_words(deal, players)), _round_mark(counts)
    found += [Mark(_times(deal.game_kontra), next(words), kontra_words(deal.game_kontra))] if deal.game_kontra else []
    for each in deal.announced:
        made = deal.made(each.side, each.bonus)
        text = f"{_whose(each.side)}{MARKS[each.bonus]}{_times(each.kontra)}{'✓' if made else '✗'}"
        said = f"{BONUSES[each.bonus]} {_times(each.kontra)}".strip()
        found.append(Mark(text, next(words), _short(each.side, f"{said} {_('done') if made else _('missed')}")))
    for bonus, side in _silent(deal):
        short = _short(side, _("silent %(bonus)s") % {"bonus": BONUSES[bonus]})
        found.append(Mark(f"{_whose(side)}{MARKS[bonus].lower()}", next(words), short))
    if deal.pagat.side and not deal.pagat.won and deal.kontra_of(deal.pagat.side, Bonus.ULTIMO) is None:
        short = _short(deal.pagat.side, pgettext("mark", "pagát beaten"))
        found.append(Mark(f"{_whose(deal.pagat.side)}b", next(words), short))
    return found + _tarokks_marks(deal.tarokks, tuple(words), players)


def marks_of(deal: Deal, players: Sequence[str], before: str) -> Marks:
    """Return the marks of a hand on the sheet, by the standing before it in the game's notation."""
    found = marks(deal, counted_times(deal, before), players)
    if not players:
        return marks_beside(found)
    said = f"{players[0]} {contract_words(deal, players)}, {'' if deal.is_proba else result_words(deal)}"
    return marks_beside(found, *(players[place] for place in (0, deal.partner) if place is not None), said=said)


def open_marks(hand: HandState, counts: int = 1, names: Sequence[str] = ()) -> list[Mark]:
    """Return the marks of a hand that is still played: announcements, kontras, declared tarokks.

    `names` are by seat.
    """
    players = [names[seat] for seat in hand.announcing.seats] if hand.announcing and names else ()
    facts, found = hand.announcing.facts if hand.announcing else AnnouncedFacts(), _round_mark(counts)
    found += [Mark(_times(facts.game_kontra), kontra_words(facts.game_kontra))] if facts.game_kontra else []
    for each in facts.announced:
        what = f"{BONUSES[each.bonus]} {kontra_words(each.kontra)}".strip()
        found.append(Mark(f"{_whose(each.side)}{MARKS[each.bonus]}{_times(each.kontra)}", _of(each.side, what)))
    said = [_declared(str(TAROKKS[n]), place, players) for place, n in enumerate(facts.tarokks) if n]
    return found + _tarokks_marks(facts.tarokks, said, players)


def _tarokks_marks(tarokks: Sequence[int], words: Sequence[str], players: Sequence[str]) -> list[Mark]:
    """Return marks like '8T Anna', which name the player who is paid; `words` are of those who declared."""
    declared = [(f" {isolated(players[place])}" if players else "", number) for place, number in enumerate(tarokks)]
    return [
        Mark(f"{number}T{name}", said, f"{TAROKKS[number]}{name}")
        for (name, number), said in zip([each for each in declared if each[1]], words, strict=True)
    ]


def _short(side: Side, what: str) -> str:
    """Return the words as they are for the declarers, with 'opp.' for the others."""
    return what if side is Side.DECLARERS else f"{SHORT_SIDES[side]} {what}"


def _whose(side: Side) -> str:
    return "" if side is Side.DECLARERS else "−"


def _times(level: Kontra) -> str:
    return f"×{level.factor}" if level else ""


# --- Refusals ---


_REFUSED: Final[Mapping[str, Words]] = {
    "unknown": gettext_lazy("Choose one of the options."),
    "beside_proba": gettext_lazy("A lost próba has nothing else: it ends before a card is called."),
    "proba_solo": gettext_lazy("There is no próba at szóló."),
    "points_range": gettext_lazy("There are 94 card points: a number from 0 to 94."),
    "points_limits": gettext_lazy("With these entries the declarers have %(low)s to %(high)s card points."),
    "points_volat": gettext_lazy("With this volát the declarers have %(low)s to %(high)s card points."),
    "points_exact": gettext_lazy("At 47 card points the kontras decide by the house rules: enter the points."),
    "announced_twice": gettext_lazy("A side announces a bonus once."),
    "tarokks_three": gettext_lazy("Of 22 tarokks at most two players can have eight."),
    "proba_not_fourth": gettext_lazy("Only the fourth can bid a próba, after three passes."),
    "not_doubled": gettext_lazy("By the house rules no round counts more."),
}
_REFUSED_OF: Final[Mapping[Side, Mapping[str, Words]]] = {
    Side.DECLARERS: {
        "all_tricks": gettext_lazy("The declarers won all the tricks: the opponents have no honour and no king."),
        "trull_elsewhere": gettext_lazy("The declarers have the tuletroá: the opponents have no honour."),
        "lone_pagat_elsewhere": gettext_lazy("A lone declarer's beaten pagát went to the opponents."),
    },
    Side.OPPONENTS: {
        "all_tricks": gettext_lazy("The opponents won all the tricks: the declarers have no honour and no king."),
        "trull_elsewhere": gettext_lazy("The opponents have the tuletroá: the declarers have no honour."),
    },
}


def refusal(message: Message) -> str:
    """Return the sentence for a refusal by the rules."""
    if message.code == "kontra_too_high":
        highest = KONTRAS[Kontra(int(message.params["highest"]))]
        return _("The highest by the house rules is %(kontra)s.") % {"kontra": highest}
    if "side" in message.params:
        return str(_REFUSED_OF[Side(str(message.params["side"]))][message.code])
    return str(_REFUSED[message.code]) % message.params
