"""The words of a Tarokk deal: contracts, bonuses, the marks of a line of the sheet, refusals, measures and feats.

The rules return codes. The words of a count are in `tags`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.errors import Message
from scorekeeper.games.measures import Feat
from scorekeeper.games.tarokk import GAME, Band, Bonus, Contract, Deal, Kontra, Pagat, Side, times
from scorekeeper.games.tarokk.announcing import AnnouncedFacts
from scorekeeper.games.tarokk.hand_in_play import HandState
from scorekeeper.games.tarokk.scoring import tarokks_worth
from sessions_app.faces.hand_words import KONTRAS, Mark, Marks, kontra_words, marks_beside
from sessions_app.faces.measure_words import Bars, KeyTable, MeasureFace, MeasureSection, MeasureWords, by_contract
from sessions_app.words.wording import Words, isolated

CONTRACTS: dict[Contract, Words] = {
    Contract.THREE: _("hármas"),
    Contract.TWO: _("kettes"),
    Contract.ONE: _("egyes"),
    Contract.SOLO: _("szóló"),
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
    Bonus.DOUBLE: _("duplajáték"),
    Bonus.VOLAT: _("volát"),
    Bonus.TRULL: _("tuletroá"),
    Bonus.KINGS: _("négy király"),
    Bonus.ULTIMO: _("pagátultimó"),
    Bonus.XXI: _("XXI-fogás"),
}
#: As they are written on the sheet.
MARKS: dict[Bonus, str] = dict(zip(Bonus, "DVTNUX", strict=True))
_DOUBLINGS: Final = tuple((f"×{level.factor}", KONTRAS[level]) for level in Kontra if level)
#: The letters of the marks, for a reader of the sheet.
LETTERS_ON_SHEET: Final[tuple[tuple[str, Words], ...]] = (
    ("3 2 1 Sz", _("hármas, kettes, egyes, szóló")),
    ("( )", pgettext_lazy("mark", "partner (segítő)")),
    ("?", pgettext_lazy("mark", "próba: no honour came")),
    *((MARKS[bonus], words) for bonus, words in BONUSES.items()),
    ("✓ ✗", pgettext_lazy("mark", "announced: done, missed")),
    ("t n u x", pgettext_lazy("mark", "silent")),
    ("b", pgettext_lazy("mark", "pagát beaten")),
    ("−", SIDES[Side.OPPONENTS]),
    ("8T 9T", _("eight or nine tarokks")),
    *_DOUBLINGS,
    ("↻", _("after a thrown-in hand")),
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
TAROKKS: Final = {8: _("nyolc tarokk"), 9: _("kilenc tarokk")}


def contract_words(deal: Deal, players: Sequence[str] = ()) -> str:
    """Return 'kettes, with Cili'; the partner is left out if no players are known."""
    words = str(CONTRACTS[deal.contract])
    if deal.is_proba:
        return gettext("%(contract)s, próba") % {"contract": words}
    if deal.partner is None:
        return gettext("%(contract)s, alone") % {"contract": words}
    if not players:
        return words
    return gettext("%(contract)s, with %(partner)s") % {"contract": words, "partner": isolated(players[deal.partner])}


def result_words(deal: Deal) -> str:
    """Return the result of a deal in words: the points, or the band that was noted; a volát by its name."""
    if deal.is_proba:
        return gettext("no honour came")
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
    return tuple(mark.words for mark in marks(deal, players=players))


def _silent(deal: Deal) -> Iterator[tuple[Bonus, Side]]:
    """Yield silent bonuses, without dupla and volát, which the result tells, and without those within a volát."""
    for bonus in (Bonus.TRULL, Bonus.KINGS, Bonus.ULTIMO, Bonus.XXI):
        for side in Side:
            swallowed = deal.volat is side and bonus in (Bonus.TRULL, Bonus.KINGS)
            if deal.made(side, bonus) and deal.kontra_of(side, bonus) is None and not swallowed:
                yield bonus, side


def _mark_of(side: Side, text: str, words: str, short: str = "") -> Mark:
    """Return a mark as it is for the declarers, with its side for the opponents."""
    if side is Side.DECLARERS:
        return Mark(text, words, short)
    return Mark(f"−{text}", gettext("opponents: %(what)s") % {"what": words}, f"{SHORT_SIDES[side]} {short}")


def _round_mark(counts: int) -> list[Mark]:
    short = pgettext("mark", "thrown in before: ×%(times)s") % {"times": counts}
    return [Mark(f"↻×{counts}", round_words(counts), short)] if counts > 1 else []


def round_words(counts: int) -> str:
    return gettext("after a thrown-in hand everything counts ×%(times)s") % {"times": counts}


def marks(deal: Deal, counts: int = 1, players: Sequence[str] = ()) -> list[Mark]:
    """Return the marks of a hand, in letters of the notation: kontra, announcements with ✓ or ✗, silent ones small.

    `counts` is how many times the hand counts; its mark comes first.
    """
    found = _round_mark(counts)
    if deal.game_kontra:
        said = kontra_words(deal.game_kontra)
        found.append(Mark(_times(deal.game_kontra), said, said))
    for each in deal.announced:
        made = deal.made(each.side, each.bonus)
        ended = gettext("done") if made else gettext("missed")
        text = f"{MARKS[each.bonus]}{_times(each.kontra)}{'✓' if made else '✗'}"
        what = f"{BONUSES[each.bonus]} {kontra_words(each.kontra)}".strip()
        words = gettext("%(bonus)s announced, %(made)s") % {"bonus": what, "made": ended}
        short = f"{BONUSES[each.bonus]} {_times(each.kontra)}".strip()
        found.append(_mark_of(each.side, text, words, f"{short} {ended}"))
    for bonus, side in _silent(deal):
        said = gettext("silent %(bonus)s") % {"bonus": BONUSES[bonus]}
        found.append(_mark_of(side, MARKS[bonus].lower(), said, said))
    if deal.pagat.side and not deal.pagat.won and deal.kontra_of(deal.pagat.side, Bonus.ULTIMO) is None:
        words, short = gettext("pagát beaten in the last trick"), pgettext("mark", "pagát beaten")
        found.append(_mark_of(deal.pagat.side, "b", words, short))
    return [*found, *_tarokks_marks(deal.tarokks, players, is_counted=True)]


def marks_of(deal: Deal, players: Sequence[str], before: str) -> Marks:
    """Return the marks of a hand on the sheet, by the standing before it in the game's notation."""
    counts = deal.times if deal.times > 1 else times(GAME.standing_from_text(before))
    found = marks(deal, counts, players)
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
        found.append(_mark_of(each.side, f"{MARKS[each.bonus]}{_times(each.kontra)}", what))
    return [*found, *_tarokks_marks(facts.tarokks, players, is_counted=False)]


def _tarokks_marks(tarokks: Sequence[int], players: Sequence[str], *, is_counted: bool) -> Iterator[Mark]:
    """Yield marks like '8T Anna', which name the player who is paid; those of a hand that is counted say how much."""
    for place, number in enumerate(tarokks):
        if number:
            name = isolated(players[place]) if players else ""
            words = f"{TAROKKS[number]} {tarokks_worth(number)}" if is_counted else str(TAROKKS[number])
            said = gettext("%(tarokks)s, %(name)s") % {"tarokks": words, "name": name} if name else words
            yield Mark(f"{number}T {name}".strip(), said, f"{TAROKKS[number]} {name}".strip())


def _times(level: Kontra) -> str:
    return f"×{level.factor}" if level else ""


# --- Refusals ---


_REFUSED: Final[Mapping[str, Words]] = {
    "unknown": _("Choose one of the options."),
    "beside_proba": _("A lost próba has nothing else: it ends before a card is called."),
    "proba_solo": _("There is no próba at szóló."),
    "points_range": _("There are 94 card points: a number from 0 to 94."),
    "points_limits": _("With these entries the declarers have %(low)s to %(high)s card points."),
    "points_volat": _("With this volát the declarers have %(low)s to %(high)s card points."),
    "points_exact": _("At 47 card points the kontras decide by the house rules: enter the points."),
    "announced_twice": _("A side announces a bonus once."),
    "tarokks_three": _("Of 22 tarokks at most two players can have eight."),
    "proba_not_fourth": _("Only the fourth can bid a próba, after three passes."),
    "not_doubled": _("By the house rules no round counts more."),
}
_REFUSED_OF: Final[Mapping[Side, Mapping[str, Words]]] = {
    Side.DECLARERS: {
        "all_tricks": _("The declarers won all the tricks: the opponents have no honour and no king."),
        "trull_elsewhere": _("The declarers have the tuletroá: the opponents have no honour."),
        "lone_pagat_elsewhere": _("A lone declarer's beaten pagát went to the opponents."),
    },
    Side.OPPONENTS: {
        "all_tricks": _("The opponents won all the tricks: the declarers have no honour and no king."),
        "trull_elsewhere": _("The opponents have the tuletroá: the declarers have no honour."),
    },
}


def refusal(message: Message) -> str:
    """Return the sentence for a refusal by the rules."""
    if message.code == "kontra_too_high":
        highest = KONTRAS[Kontra(int(message.params["highest"]))]
        return gettext("The highest by the house rules is %(kontra)s.") % {"kontra": highest}
    if "side" in message.params:
        return str(_REFUSED_OF[Side(str(message.params["side"]))][message.code])
    return str(_REFUSED[message.code]) % message.params


# --- Measures and feats ---


_ANNOUNCED: Final = MeasureWords(
    "announced", pgettext_lazy("bonus", "Announced"), _("Hands in which the player's side announced it.")
)
_ANNOUNCED_MADE: Final = MeasureWords(
    "announced_made",
    pgettext_lazy("bonus", "Made"),
    _("Of the hands in which the player's side announced it, those that made it."),
)

MEASURES: Final = MeasureFace(
    _("A game is made if the declarers win it by card points, or take all tricks; bonuses do not matter."),
    (
        MeasureSection(
            _("By contract"),
            tables=(by_contract({contract.value: words for contract, words in CONTRACTS.items()}),),
        ),
        MeasureSection(
            _("Alone and as partner"),
            (
                MeasureWords("alone", _("Alone"), _("Hands declared without a partner.")),
                MeasureWords("alone_won", _("Made alone"), _("Of the hands declared without a partner, those made.")),
                MeasureWords("partner", _("As partner"), _("Hands played as the declarer's partner.")),
                MeasureWords("partner_won", _("Made as partner"), _("Of the hands played as partner, those made.")),
            ),
        ),
        MeasureSection(
            _("Bonuses"),
            (
                MeasureWords("xxi_caught", _("XXI caught"), _("Hands in which the player's side caught the XXI.")),
                MeasureWords("xxi_lost", _("XXI lost"), _("Hands in which the player's side lost the XXI.")),
            ),
            (
                KeyTable(
                    _("Bonus"),
                    {MARKS[bonus]: words for bonus, words in BONUSES.items()},
                    (
                        _ANNOUNCED,
                        _ANNOUNCED_MADE,
                        MeasureWords(
                            "silent_made",
                            pgettext_lazy("bonus", "Silent"),
                            _("Hands in which the player's side made it without announcing it."),
                        ),
                    ),
                    Bars(_("Announced and made, by bonus"), _ANNOUNCED, _ANNOUNCED_MADE),
                ),
                KeyTable(
                    _("Tarokks in hand"),
                    {str(number): words for number, words in TAROKKS.items()},
                    (
                        MeasureWords(
                            "tarokks", _("Shown"), _("Hands in which the player showed this number of tarokks.")
                        ),
                    ),
                ),
            ),
        ),
    ),
)

_BONUSES: Final = {"volat": Bonus.VOLAT, "ultimo": Bonus.ULTIMO}


def feat_words(feat: Feat) -> str:
    """Return the feat in a few words, without its players."""
    match feat.code:
        case "kontra":
            return kontra_words(Kontra(feat.number))
        case "tarokks":
            return str(TAROKKS[feat.number])
        case "xxi_caught":
            return str(BONUSES[Bonus.XXI])
        case "solo":
            return gettext("szóló made")
    words = {"bonus": BONUSES[_BONUSES[feat.code]]}
    return (gettext("%(bonus)s announced and made") if feat.number else gettext("silent %(bonus)s")) % words
