"""The words of Preference's rules: deals and refusals.

The rules return codes; this module and count_words.py have the words of each.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from scorekeeper.games.errors import Message
from scorekeeper.games.preference import Agreed, Answers, Contract, Deal, Mizer, Raspasovka, Strain
from scorekeeper.games.preference.deal import BANK, DUMP, POOL
from sessions_app.faces.sheet_marks import Mark, Marks, marks_beside
from sessions_app.words.formatting import signed
from sessions_app.words.wording import Words, isolated

STRAINS: Final[dict[Strain, Words]] = {
    Strain.SPADES: gettext_lazy("spades"),
    Strain.CLUBS: gettext_lazy("clubs"),
    Strain.DIAMONDS: gettext_lazy("diamonds"),
    Strain.HEARTS: gettext_lazy("hearts"),
    Strain.NO_TRUMPS: gettext_lazy("no trumps"),
}
#: Followed by a variation selector, so that no phone draws an emoji.
SIGNS: Final = {Strain.SPADES: "♠︎", Strain.CLUBS: "♣︎", Strain.DIAMONDS: "♦︎", Strain.HEARTS: "♥︎"}
MIZER: Final = gettext_lazy("mizer")
RASPASOVKA: Final = gettext_lazy("raspasovka")
#: Characters of names and figures that fit into a line of the list.
ROOM: Final = 30


def contract_words(deal: Contract) -> str:
    """Return a contract in full, for screen readers: 'six of spades', or 'six' if its strain was not noted."""
    return f"{deal.level} {STRAINS[deal.strain]}" if deal.strain else str(deal.level)


def answers_words(deal: Contract, players: Sequence[str]) -> str:
    """Return the answers of the two; `players` are the declarer, the first and the second."""
    first, second = (isolated(name) for name in players[1:])
    return _ANSWERS[deal.answers]() % {"first": first, "second": second}


_ANSWERS: Final[dict[Answers, Callable[[], str]]] = {
    Answers.PASSED: lambda: _("both pass"),
    Answers.HALF: lambda: _("half by %(second)s"),
    Answers.FIRST: lambda: _("%(first)s whists"),
    Answers.SECOND: lambda: _("%(second)s whists"),
    Answers.RETRIEVED: lambda: _("%(first)s whists after %(second)s's half"),
    Answers.BOTH: lambda: _("both whist"),
    Answers.CHECKED: lambda: _("played open"),
    Answers.GIVEN_UP: lambda: _("given up"),
}


def result_words(deal: Contract) -> str:
    """Return '7 tricks', 'down 2'; '' if nothing was played."""
    if not deal.tricks:
        return ""
    down = deal.level - deal.tricks[0]
    if down > 0:
        said = {"tricks": deal.tricks[0], "down": down}
        return ngettext("%(tricks)s trick, down %(down)s", "%(tricks)s tricks, down %(down)s", deal.tricks[0]) % said
    return ngettext("%(tricks)s trick", "%(tricks)s tricks", deal.tricks[0]) % {"tricks": deal.tricks[0]}


def split_words(deal: Contract, players: Sequence[str]) -> str:
    """Return the split of tricks between two defenders who both played: 'Béla 3, Cili 1'."""
    if len(deal.tricks) == 1 or not deal.tricks:
        return ""
    return ", ".join(f"{isolated(name)} {tricks}" for name, tricks in zip(players[1:], deal.tricks[1:], strict=True))


def place_words(account: str, seat: int, against: int | None, names: Sequence[str]) -> str:
    """Return an account with its seat: 'Anna: pool', 'Béla: whists on Anna'."""
    name = isolated(names[seat])
    if account == BANK and against is not None:
        return _("%(name)s: whists on %(other)s") % {"name": name, "other": isolated(names[against])}
    return (_("%(name)s: pool") if account == POOL else _("%(name)s: dump")) % {"name": name}


def short_place(account: str, seat: int, against: int | None, names: Sequence[str]) -> str:
    """Return the same for a narrow place: 'Anna pool', 'Béla on Anna'."""
    name = isolated(names[seat])
    if account == BANK and against is not None:
        return _("%(name)s on %(other)s") % {"name": name, "other": isolated(names[against])}
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
            return _("raspasovka (%(tricks)s)") % {"tricks": taken_words(deal, players)}
        case Agreed():
            return agreed_words(deal, players) if players else _("agreed")


_REFUSALS: Final[Mapping[str, Words]] = {
    "unknown": gettext_lazy("Choose one of the options."),
    "tricks_needed": gettext_lazy("How many tricks?"),
    "split_needed": gettext_lazy("Both played: how many tricks did the first of them take?"),
    "tricks_extra": gettext_lazy("Nobody played this hand, so it has no tricks."),
    "tricks_range": gettext_lazy("There are ten tricks: a number from 0 to 10."),
    "tricks_sum": gettext_lazy("The tricks add up to %(sum)s; there are ten."),
    "raspasy_count": gettext_lazy("In this raspasovka exactly %(count)s players' tricks count."),
    "talon_tricks": gettext_lazy("The talon leads to two tricks: the dealer can take at most %(most)s."),
    "half_off": gettext_lazy("The house rules have no half whist."),
    "half_second": gettext_lazy("Only the second can answer with a half."),
    "half_after_pass": gettext_lazy("A half can only follow a pass, and only a half can be taken over."),
    "half_level": gettext_lazy("Half is possible at six and seven only."),
    "ten_checked": gettext_lazy("By the house rules a ten is played open, and nobody answers."),
    "ten_whisted": gettext_lazy("Only a ten is played open, and only if the house rules say so."),
    "must_whist": gettext_lazy("Stalingrad: both must whist six of spades."),
    "give_up_off": gettext_lazy("By the house rules a contract cannot be given up."),
    "strain_needed": gettext_lazy("Which trumps? Six of spades is Stalingrad here."),
    "bank_self": gettext_lazy("Nobody writes whists against themselves."),
    "place_twice": gettext_lazy("The same place is listed twice."),
    "amount_range": gettext_lazy("An entry can be %(most)s at most."),
    "seat_unknown": gettext_lazy("Nobody sits there."),
    "dealer_unknown": gettext_lazy("Nobody sits there."),
    "declarer_unknown": gettext_lazy("Nobody sits there."),
    "declarer_sits_out": gettext_lazy("With four players the dealer sits out and cannot be declarer."),
    "declarer_needed": gettext_lazy("Who plays?"),
    "declarer_extra": gettext_lazy("This hand has no single declarer."),
    "game_over": gettext_lazy("The game is over: nothing more can be recorded."),
    "pool_below": gettext_lazy("A pool cannot fall below zero."),
    "pool_above": gettext_lazy("A pool cannot go past %(target)s."),
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
