"""The notation of a deal: `7C pp`, `6H ph`, `6S wp 6`, `6S ww 6-3-1`, `M 0`, `R 4-3-3`, `8N g`, `= P0+3 D1-2 B2>0+20`.

    contract   6 … 10, and S C D H N or nothing
    answers    pp ph wp pw rh ww        the first's and the second's: pass, whist, half, retrieved
               cc                       ten is checked
               g                        given up
    tricks     6 or 6-3-1               the declarer's; the declarer's, the first's, the second's
    M          a mizer and its tricks
    R          a raspasovka, its tricks in order of speaking, of four the dealer's last
    =          agreed entries in the short form

The short form is `P0+2 D1+18 B2>1+48`: pool, dump or bank, its seat, the seat against, the amount; in this
order and by seats, each account once. A deal has exactly one text; any other spelling is refused.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scorekeeper.games.base import Account, Sheet, short_form
from scorekeeper.games.errors import InvalidDeal, NotationError
from scorekeeper.games.preference.deal import (
    ACCOUNTS,
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Strain,
)
from scorekeeper.games.preference.house_rules import BOOK, Rules
from scorekeeper.games.preference.validation import check, no_answers

_LETTERS: Final[Mapping[str, str]] = {name[0].upper(): name for name in ACCOUNTS}

# Two digits, so that 11 tricks are an impossible deal and not a spelling mistake.
_NUMBER: Final = r"(?:0|[1-9][0-9]?)"
_CONTRACT: Final = re.compile(
    rf"(?P<level>[6-9]|10)(?P<strain>[SCDHN]?) (?P<answers>g|cc|[pwhr]{{2}})"
    rf"(?: (?P<tricks>{_NUMBER}(?:-{_NUMBER}){{,2}}))?"
)
_MIZER: Final = re.compile(rf"M(?: (?P<tricks>{_NUMBER}))?")
_RASPASOVKA: Final = re.compile(rf"R(?: (?P<tricks>{_NUMBER}(?:-{_NUMBER}){{,3}}))?")
_AMOUNT: Final = re.compile(r"(?:([PD])([0-9])|(B)([0-9])>([0-9]))([+-][1-9][0-9]{,7})")


def deal_from_text(text: str, rules: Rules = BOOK) -> Deal:
    """Read a deal. Raise NotationError if the text is malformed, InvalidDeal if the rules forbid the deal."""
    deal = _read(text)
    check(deal, rules)
    return deal


def _read(text: str) -> Deal:
    if found := _CONTRACT.fullmatch(text):
        answers = found["answers"]
        if answers not in list(Answers):
            raise InvalidDeal({"answers": no_answers(answers)})
        strain = Strain(found["strain"]) if found["strain"] else None
        return Contract(int(found["level"]), Answers(answers), _tricks(found["tricks"]), strain)
    if found := _MIZER.fullmatch(text):
        return Mizer(int(found["tricks"]) if found["tricks"] else None)
    if found := _RASPASOVKA.fullmatch(text):
        return Raspasovka(_tricks(found["tricks"]))
    sign, _space, amounts = text.partition(" ")
    if sign == "=" and amounts:
        return Agreed(tuple(sheet_from_text(amounts).items()))
    raise NotationError(f"not the notation of a deal: {text!r}")


def _tricks(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, text.split("-"))) if text else ()


def deal_to_text(deal: Deal) -> str:
    """Write the notation of a deal; `deal_from_text` reads it back."""
    match deal:
        case Contract(level, answers, tricks, strain):
            words = [f"{level}{strain or ''}", answers.value, "-".join(map(str, tricks))]
        case Mizer(taken):
            words = ["M", "" if taken is None else str(taken)]
        case Raspasovka(tricks):
            words = ["R", "-".join(map(str, tricks))]
        case Agreed(amounts):
            words = ["=", sheet_to_text(dict(amounts))]
    return " ".join(filter(None, words))


def reads_as(one: Deal, other: Deal, rules: Rules = BOOK) -> bool:
    """Return whether both may record the same hand: they differ at most in whether the strain is noted."""
    if isinstance(one, Contract) and isinstance(other, Contract) and None in (one.strain, other.strain):
        return replace(one, strain=None) == replace(other, strain=None)
    return one == other


# --- The short form ---


def sheet_to_text(sheet: Sheet) -> str:
    """Write a sheet in the short form, without accounts of 0."""
    return short_form(sheet, ACCOUNTS)


def sheet_from_text(text: str) -> dict[Account, int]:
    """Read the short form, '' for no entries. Raise NotationError for any other spelling."""
    sheet = dict(_amount(word) for word in text.split())
    if sheet_to_text(sheet) != text:
        raise NotationError(f"not in the order of the short form, or an account twice: {text!r}")
    return sheet


def _amount(word: str) -> tuple[Account, int]:
    found = _AMOUNT.fullmatch(word)
    if not found:
        raise NotationError(f"not an entry in the short form: {word!r}")
    own, whose, bank, by, against, amount = found.groups()
    account = (_LETTERS[bank], int(by), int(against)) if bank else (_LETTERS[own], int(whose), None)
    return account, int(amount)
