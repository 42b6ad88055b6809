"""Hands as a phone posts them one after the other, from a form that was opened once."""

from random import Random
from uuid import uuid4

from tests.soak.phones import Answer
from tests.views.page import session_form


def names(opened: Answer) -> dict[str, str]:
    """The form of a new evening, filled in for three."""
    players = {f"player_{number}": name for number, name in enumerate(("Anna", "Béla", "Cili"), 1)}
    return session_form(opened.page) | players | {"first_dealer": "1"}


def tapped(chance: Random) -> dict[str, str]:
    """A hand unlike the one before: what is remembered of one helps little with the next."""
    pick = chance.choice
    return {
        "declarer": pick("012"),
        "contract": pick(("3", "2", "1", "hand")),
        "trump": pick(("hearts", "diamonds", "clubs", "spades", "none")),
        "tricks": pick(("3", "4", "5", "7", "8", "9")),
        "game_kontra": pick("00001"),
    }


def next_form(form: dict[str, str]) -> dict[str, str]:
    """The form as it would be opened after this one was saved."""
    number, dealer = str(int(form["number"]) + 1), str((int(form["dealer"]) + 1) % 3)
    renewed = {"token": str(uuid4()), "number": number, "meant": number, "dealer": dealer, "offered": dealer}
    return form | {name: text for name, text in renewed.items() if name in form}


def answered(answer: Answer, status: int) -> Answer:
    assert answer.status == status, f"{answer.status}: {answer.text[-2000:]}"
    return answer
