"""Template filters of a hand in play: its referee and its worth; a part of {% load preference %}."""

from collections.abc import Sequence

from django.template import Library

from scorekeeper.games.preference import Contract
from scorekeeper.games.preference.announcing import Answer
from scorekeeper.games.preference.auction import Call
from scorekeeper.games.preference.counting import Prospect
from scorekeeper.games.preference.deal import DUMP, POOL
from sessions_app.faces.preference import referee_words, undo, words
from sessions_app.faces.preference.count_words import AccountSum
from sessions_app.faces.preference.open_hand import View, ending
from sessions_app.words.wording import Words


def answer(said: Answer) -> Words:
    return referee_words.ANSWERS[said]


def call(said: Call) -> Words:
    return referee_words.CALLS[said]


def price_now(view: View) -> str:
    """Return the number in the row of the next raspasovka, and its price."""
    return referee_words.price_words(view.row, view.price)


def exit_now(view: View) -> str:
    """Return the warning of the exit ladder, '' if it begins at the bottom."""
    if not view.has_ladder:
        return ""
    if view.low:
        return referee_words.below_words(view.low, view.lowest)
    return referee_words.exit_words(view.row, view.lowest)


def why_answered(view: View, names: Sequence[str]) -> str:
    """Return the consequence of each answer for the player who gives it."""
    may_half = Answer.HALF in view.answers
    return referee_words.why_answered(view.hand, names[view.places[2]], may_half=may_half)


def whisted(view: View, names: Sequence[str]) -> str:
    """Return a sentence that names the whisters, or says that there are none; '' until all answers are given."""
    contract, result = view.hand.contract, view.hand.result(view.evening.house)
    if contract is None or contract.level is None or result is None:
        return ""
    return words.answers_words(Contract(contract.level, result), [names[seat] for seat in view.places])


def may_end(prospect: Prospect, view: View) -> str:
    """Return a possible end of the hand: 'made', 'down 2'."""
    return referee_words.missing_words(prospect.missing, view.hand.contract) if view.hand.contract else ""


def certain(prospect: Prospect, names: Sequence[str]) -> tuple[AccountSum, ...]:
    """Return the entries that such an end writes in any case."""
    found = prospect.written.items()
    return tuple(AccountSum(words.short_place(*account, names), amount, "", account[0]) for account, amount in found)


def own(prospect: Prospect) -> tuple[AccountSum, ...]:
    """Return the first pool or dump amount of such an end, without a name."""
    found = prospect.written.items()
    return tuple(AccountSum(str(words.ACCOUNTS[name]), n, "", name) for (name, *_), n in found if name in (POOL, DUMP))[
        :1
    ]


FILTERS = (
    answer,
    call,
    certain,
    exit_now,
    may_end,
    ending,
    own,
    price_now,
    referee_words.announced_words,
    referee_words.so_far,
    referee_words.why_named,
    referee_words.why_turn,
    referee_words.why_unasked,
    undo.latest_step,
    whisted,
    why_answered,
)


def add_to(register: Library) -> None:
    for each in FILTERS:
        register.filter(each)
