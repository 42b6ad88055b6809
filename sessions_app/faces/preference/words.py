"""The words of Preference's rules: deals, refusals, measures and feats.

The rules return codes; this module and count_words.py have the words of each.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scorekeeper.games.errors import Message
from scorekeeper.games.measures import Feat
from scorekeeper.games.preference import Agreed, Answers, Contract, Deal, Mizer, Raspasovka, Strain
from scorekeeper.games.preference.announcing import MIZER as NAMED_MIZER
from scorekeeper.games.preference.deal import BANK, DUMP, LEVELS, POOL
from sessions_app.faces.hand_words import Mark, Marks, marks_beside, tricks_words
from sessions_app.faces.measure_words import FigureFormat, MeasureFace, MeasureSection, MeasureWords, by_contract
from sessions_app.words.wording import Words, isolated, signed

STRAINS: Final[dict[Strain, Words]] = {
    Strain.SPADES: _("spades"),
    Strain.CLUBS: _("clubs"),
    Strain.DIAMONDS: _("diamonds"),
    Strain.HEARTS: _("hearts"),
    Strain.NO_TRUMPS: _("no trumps"),
}
#: Followed by a variation selector, so that no phone draws an emoji.
SIGNS: Final = {Strain.SPADES: "♠︎", Strain.CLUBS: "♣︎", Strain.DIAMONDS: "♦︎", Strain.HEARTS: "♥︎"}
MIZER: Final = _("mizer")
RASPASOVKA: Final = _("raspasovka")
#: Characters of names and figures that fit into a line of the list.
ROOM: Final = 30


def contract_words(deal: Contract) -> str:
    """Return a contract in full, for screen readers: 'six of spades', or 'six' if its strain was not noted."""
    return f"{deal.level} {STRAINS[deal.strain]}" if deal.strain else str(deal.level)


def answers_words(deal: Contract, players: Sequence[str]) -> str:
    """Return the answers of the two; `players` are the declarer, the first and the second."""
    first, second = (isolated(name) for name in players[1:])
    return str(_ANSWERS[deal.answers]) % {"first": first, "second": second}


_ANSWERS: Final[dict[Answers, Words]] = {
    Answers.PASSED: _("both pass"),
    Answers.HALF: _("half by %(second)s"),
    Answers.FIRST: _("%(first)s whists"),
    Answers.SECOND: _("%(second)s whists"),
    Answers.RETRIEVED: _("%(first)s whists after %(second)s's half"),
    Answers.BOTH: _("both whist"),
    Answers.CHECKED: _("played open"),
    Answers.GIVEN_UP: _("given up"),
}


def result_words(deal: Contract) -> str:
    """Return '7 tricks', 'down 2'; '' if nothing was played."""
    if not deal.tricks:
        return ""
    down = deal.level - deal.tricks[0]
    if down > 0:
        said = {"tricks": deal.tricks[0], "down": down}
        return ngettext("%(tricks)s trick, down %(down)s", "%(tricks)s tricks, down %(down)s", deal.tricks[0]) % said
    return tricks_words(deal.tricks[0])


def split_words(deal: Contract, players: Sequence[str]) -> str:
    """Return the split of tricks between two defenders who both played: 'Béla 3, Cili 1'."""
    if len(deal.tricks) == 1 or not deal.tricks:
        return ""
    return ", ".join(f"{isolated(name)} {tricks}" for name, tricks in zip(players[1:], deal.tricks[1:], strict=True))


def place_words(account: str, seat: int, against: int | None, names: Sequence[str]) -> str:
    """Return an account with its seat: 'Anna: pool', 'Béla: whists on Anna'."""
    name = isolated(names[seat])
    if account == BANK and against is not None:
        return gettext("%(name)s: whists on %(other)s") % {"name": name, "other": isolated(names[against])}
    return (gettext("%(name)s: pool") if account == POOL else gettext("%(name)s: dump")) % {"name": name}


def short_place(account: str, seat: int, against: int | None, names: Sequence[str]) -> str:
    """Return the same for a narrow place: 'Anna pool', 'Béla on Anna'."""
    name = isolated(names[seat])
    if account == BANK and against is not None:
        return gettext("%(name)s on %(other)s") % {"name": name, "other": isolated(names[against])}
    return f"{name} {ACCOUNTS[account]}"


def agreed_words(deal: Agreed, names: Sequence[str]) -> str:
    """Return the agreed entries, one after the other."""
    return "; ".join(f"{place_words(*account, names)} {signed(amount)}" for account, amount in deal.amounts)


def short_words(deal: Deal, players: Sequence[str]) -> str:
    """Return a deal for the second line of a row in the list, whose first line names a raspasovka."""
    match deal:
        case Agreed():
            return _short_agreed(deal, players)
        case Raspasovka():
            said = taken_words(deal, players)
            return said if len(said) <= ROOM else taken_words(deal, _initials(players))
        case _:
            return deal_words(deal, players)


def _short_agreed(deal: Agreed, names: Sequence[str]) -> str:
    if len(deal.amounts) == 1 and names:
        return agreed_words(deal, names)
    return ngettext("agreed (%(count)s)", "agreed (%(count)s)", len(deal.amounts)) % {"count": len(deal.amounts)}


def taken_words(deal: Raspasovka, players: Sequence[str]) -> str:
    """Return the tricks of a raspasovka, in order of speaking: 'Béla 0, Cili 3, Anna 7'."""
    if not players:
        return "-".join(map(str, deal.tricks))
    # At a table of four the talon may be nobody's.
    return ", ".join(f"{isolated(name)} {taken}" for name, taken in zip(players, deal.tricks, strict=False))


def _initials(names: Sequence[str]) -> list[str]:
    """Return as many letters of each name as tell it from the others."""
    return [_initial(name, [other.casefold() for other in names if other != name]) for name in names]


def _initial(name: str, others: Sequence[str]) -> str:
    begins = (name[:length] for length in range(1, len(name)))
    return next((begin for begin in begins if not any(other.startswith(begin.casefold()) for other in others)), name)


def deal_words(deal: Deal, players: Sequence[str]) -> str:
    """Return a deal in a few words, without names if no players are known; agreed entries are named by seat."""
    match deal:
        case Contract():
            said = [answers_words(deal, players) if players else "", result_words(deal), split_words(deal, players)]
            return ", ".join(filter(None, [contract_words(deal), *said]))
        case Mizer(tricks):
            return ngettext("mizer, %(tricks)s trick", "mizer, %(tricks)s tricks", tricks or 0) % {"tricks": tricks}
        case Raspasovka(tricks):
            return gettext("raspasovka (%(tricks)s)") % {"tricks": taken_words(deal, players)}
        case Agreed():
            return agreed_words(deal, players) if players else gettext("agreed")


_REFUSALS: Final[Mapping[str, Words]] = {
    "unknown": _("Choose one of the options."),
    "tricks_needed": _("How many tricks?"),
    "split_needed": _("Both played: how many tricks did the first of them take?"),
    "tricks_extra": _("Nobody played this hand, so it has no tricks."),
    "tricks_range": _("There are ten tricks: a number from 0 to 10."),
    "tricks_sum": _("The tricks add up to %(sum)s; there are ten."),
    "raspasy_count": _("In this raspasovka exactly %(count)s players' tricks count."),
    "talon_tricks": _("The talon leads to two tricks: the dealer can take at most %(most)s."),
    "half_off": _("The house rules have no half whist."),
    "half_second": _("Only the second can answer with a half."),
    "half_after_pass": _("A half can only follow a pass, and only a half can be taken over."),
    "half_level": _("Half is possible at six and seven only."),
    "ten_checked": _("By the house rules a ten is played open, and nobody answers."),
    "ten_whisted": _("Only a ten is played open, and only if the house rules say so."),
    "must_whist": _("Stalingrad: both must whist six of spades."),
    "give_up_off": _("By the house rules a contract cannot be given up."),
    "strain_needed": _("Which trumps? Six of spades is Stalingrad here."),
    "bank_self": _("Nobody writes whists against themselves."),
    "place_twice": _("The same place is listed twice."),
    "amount_range": _("An entry can be %(most)s at most."),
    "seat_unknown": _("Nobody sits there."),
    "dealer_unknown": _("Nobody sits there."),
    "declarer_unknown": _("Nobody sits there."),
    "declarer_sits_out": _("With four players the dealer sits out and cannot be declarer."),
    "declarer_needed": _("Who plays?"),
    "declarer_extra": _("This hand has no single declarer."),
    "game_over": _("The game is over: nothing more can be recorded."),
    "pool_below": _("A pool cannot fall below zero."),
    "pool_above": _("A pool cannot go past %(target)s."),
}
REFUSALS: Final = frozenset(_REFUSALS)


def refusal(message: Message) -> str:
    """Return the sentence for a refusal by the rules."""
    return str(_REFUSALS[message.code]) % dict(message.params)


def short_answers(deal: Contract, players: Sequence[str]) -> str:
    """Return the answers as a mark on the sheet."""
    if not players:
        return ""
    match deal.answers:
        case Answers.PASSED:
            return pgettext("mark", "pass")
        case Answers.HALF:
            return "½"
        case Answers.GIVEN_UP:
            return pgettext("mark", "gives up")
        case Answers.BOTH | Answers.CHECKED:
            return ""
        case _:
            return isolated(players[deal.answers.lone or 1])


def marks_of(deal: Deal, players: Sequence[str], before: str) -> Marks:
    """Return the marks of a hand on the sheet: the answers to a contract."""
    if not isinstance(deal, Contract) or not players:
        return Marks()
    words = answers_words(deal, players)
    return marks_beside([Mark(short_answers(deal, players), words, words)], players[0])


#: The letters of the marks, for a reader of the sheet.
LETTERS_ON_SHEET: Final[tuple[tuple[Words, Words], ...]] = (
    ("½", pgettext_lazy("mark", "half whist by the second")),
    (pgettext_lazy("mark", "a name"), pgettext_lazy("mark", "the only one to whist")),
)
ACCOUNTS: Final[dict[str, Words]] = {
    POOL: pgettext_lazy("account", "pool"),
    DUMP: pgettext_lazy("account", "dump"),
    BANK: pgettext_lazy("account", "whists"),
}


# --- Measures and feats ---


_SIGNS: Final[dict[str, Words]] = {strain.value: sign for strain, sign in SIGNS.items()}
_STRAINS: Final = {**_SIGNS, Strain.NO_TRUMPS.value: pgettext_lazy("short", "NT"), "": ""}
_KEYS: Final[dict[str, Words]] = {
    **{f"{level}{letter}": format_lazy("{} {}", level, sign) for level in LEVELS for letter, sign in _STRAINS.items()},
    NAMED_MIZER.to_text(): MIZER,
}

MEASURES: Final = MeasureFace(
    _("A contract is made with its tricks, or if all pass or half is said; a mizer without a trick."),
    (
        MeasureSection(
            _("By contract"),
            (
                MeasureWords(
                    "missing", _("Missing tricks"), _("Tricks missing in contracts that failed."), FigureFormat.SUM
                ),
            ),
            (by_contract(_KEYS),),
        ),
        MeasureSection(
            _("Mizers"),
            (
                MeasureWords("mizer", _("Mizers"), _("The hands declared that were mizers.")),
                MeasureWords("mizer_made", _("Mizers made"), _("Mizers without a trick.")),
                MeasureWords(
                    "mizer_tricks", _("Tricks in mizers"), _("Tricks taken in all mizers declared."), FigureFormat.SUM
                ),
            ),
        ),
        MeasureSection(
            _("As whister"),
            (
                MeasureWords("whisted", _("Whisted"), _("Contracts of others that the player whisted in the end.")),
                MeasureWords("half", _("Half"), _("Contracts of others for which the player said half in the end.")),
                MeasureWords("passed", _("Passed"), _("Contracts of others on which the player passed in the end.")),
                MeasureWords(
                    "short", _("Short"), _("Contracts whisted in which missing tricks were written to the player.")
                ),
            ),
        ),
        MeasureSection(
            _("Raspasovkas"),
            (
                MeasureWords(
                    "raspasovka_tricks", _("Tricks in raspasovkas"), _("Tricks taken in raspasovkas."), FigureFormat.SUM
                ),
                MeasureWords("raspasovka_clean", _("Clean raspasovkas"), _("Raspasovkas without a trick.")),
            ),
        ),
    ),
)


def feat_words(feat: Feat) -> str:
    """Return the feat in a few words, without its players."""
    match feat.code:
        case "mizer_made":
            return gettext("mizer made")
        case "mizer_caught":
            tricks = {"tricks": feat.number}
            return ngettext("mizer with %(tricks)d trick", "mizer with %(tricks)d tricks", feat.number) % tricks
        case "level":
            return gettext("contract of %(level)d made") % {"level": feat.number}
    return gettext("clean raspasovka")
