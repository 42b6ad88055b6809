"""Hands as a phone posts them one after the other, from a form that was opened once."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final
from uuid import uuid4

from tests.soak.phones import Answer
from tests.views.page import session_form

NAMES: Final = ("Anna", "Béla", "Cili", "Dani")
#: How many play, and which way the deal goes round.
TABLES: Final[Mapping[str, tuple[int, int]]] = {"asszorti": (3, 1), "tarokk": (4, -1)}


def names(opened: Answer, game: str = "asszorti") -> dict[str, str]:
    """The form of a new evening, filled in for as many as play."""
    players = {f"player_{number}": name for number, name in enumerate(NAMES[: TABLES[game][0]], 1)}
    return session_form(opened.page) | players | {"first_dealer": "1", "game": game}


def tapped(chance: Random, game: str = "asszorti") -> dict[str, str]:
    """A hand unlike the one before: what is remembered of one helps little with the next."""
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


HANDS: Final[Mapping[str, Callable[[Random], dict[str, str]]]] = {"asszorti": _asszorti, "tarokk": _tarokk}


def next_form(form: dict[str, str], game: str = "asszorti") -> dict[str, str]:
    """The form as it would be opened after this one was saved."""
    players, onwards = TABLES[game]
    number, dealer = str(int(form["number"]) + 1), str((int(form["dealer"]) + onwards) % players)
    renewed = {"token": str(uuid4()), "number": number, "meant": number, "dealer": dealer, "offered": dealer}
    return form | {name: text for name, text in renewed.items() if name in form}


def answered(answer: Answer, status: int) -> Answer:
    assert answer.status == status, f"{answer.status}: {answer.text[-2000:]}"
    return answer
