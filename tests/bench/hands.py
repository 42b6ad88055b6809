"""Hands as a phone posts them one after the other, from a form that was opened once."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final
from uuid import uuid4

from tests.soak.phones import Answer
from tests.views.page import session_form

NAMES: Final = ("Anna", "Béla", "Cili", "Dani")
#: The number of players, and the direction of the deal.
TABLES: Final[Mapping[str, tuple[int, int]]] = {"asszorti": (3, 1), "tarokk": (4, -1), "preference": (3, 1)}
#: A pool that is not full before the evening is over.
RULES: Final[Mapping[str, str]] = {"preference": "target=999"}


def names(opened: Answer, game: str = "asszorti") -> dict[str, str]:
    """The form of a new evening, filled in for as many as play."""
    players = {f"player_{number}": name for number, name in enumerate(NAMES[: TABLES[game][0]], 1)}
    return session_form(opened.page) | players | {"first_dealer": "1", "game": game, "rules": RULES.get(game, "")}


def tapped(chance: Random, game: str = "asszorti") -> dict[str, str]:
    """A hand unlike the one before: caching one helps little with the next."""
    return HANDS[game](chance)


def _asszorti(chance: Random) -> dict[str, str]:
    pick = chance.choice
    return {
        "declarer": pick("012"),
        "contract": pick(("3", "2", "1", "hand")),
        "trump": pick(("hearts", "diamonds", "clubs", "spades", "none")),
        "tricks": pick(("3", "4", "5", "7", "8", "9")),
        "game_kontra": pick("00001"),
    }


def _tarokk(chance: Random) -> dict[str, str]:
    pick = chance.choice
    declarer, partner = chance.sample("0123", 2)
    made = pick(("", "d", "o"))
    return {
        "declarer": declarer,
        "contract": pick("321s"),
        "partner": pick((partner, partner, "alone")),
        "result": pick(("-", "+", "+", "++")),
        "game_kontra": pick("00001"),
        "trull": made,
        "d_trull": pick(("", "on")) if made else "",
        "pagat": pick(("", "", f"{made}_won")) if made else "",
    }


def _preference(chance: Random) -> dict[str, str]:
    """A six to ten with any answers, now and then a mizer or a raspasovka; fields that are not asked for are empty."""
    said = dict.fromkeys(("answers", "tricks", "first_tricks", "taken_0", "taken_1", "taken_2"), "")
    kind = chance.choice("cccccmr")
    if kind == "r":
        taken = {f"taken_{seat}": chance.choice("01234") for seat in chance.sample(range(3), 2)}
        return said | {"declarer": "", "level": ""} | taken
    declarer = chance.randrange(3)
    if kind == "m":
        return said | {"declarer": str(declarer), "level": "M", "tricks": chance.choice("0012")}
    whister = f"w{chance.choice([seat for seat in range(3) if seat != declarer])}"
    level = chance.choice("66778")
    contract = {"declarer": str(declarer), "level": level, "answers": chance.choice(("pp", whister, whister, "ww"))}
    return said | contract | {"tricks": chance.choice("56789"), "first_tricks": chance.choice("01")}


HANDS: Final[Mapping[str, Callable[[Random], dict[str, str]]]] = {
    "asszorti": _asszorti,
    "tarokk": _tarokk,
    "preference": _preference,
}


def next_form(form: dict[str, str], game: str = "asszorti") -> dict[str, str]:
    """The form as it would be opened after this one was saved."""
    players, onwards = TABLES[game]
    number, dealer = str(int(form["number"]) + 1), str((int(form["dealer"]) + onwards) % players)
    renewed = {"token": str(uuid4()), "number": number, "meant": number, "dealer": dealer, "offered": dealer}
    return form | {name: text for name, text in renewed.items() if name in form}


def answered(answer: Answer, status: int) -> Answer:
    assert answer.status == status, f"{answer.status}: {answer.text[-2000:]}"
    return answer
