"""Template filters of a hand in play: its referee and its worth; a part of {% load tarokk %}."""

from django.template import Library

from scorekeeper.games.tarokk import Kontra
from scorekeeper.games.tarokk.auction import Call
from scorekeeper.games.tarokk.hand_in_play import HandState
from scorekeeper.games.tarokk.scoring import ItemWorth
from sessions_app.faces import kontra_words
from sessions_app.faces.tarokk import card_questions, referee_words, undo, words
from sessions_app.faces.tarokk.open_hand import Announceable, View
from sessions_app.words import wording


def call(said: Call) -> wording.Words:
    return referee_words.CALLS[said]


def kontra_word(level: Kontra) -> wording.Words:
    return kontra_words.KONTRAS[level]


def told_words(told: Announceable) -> str:
    return referee_words.step_words(told.item, told.kontra)


def open_mark(hand: HandState) -> str:
    """Return the contract of a hand in play as the sheet writes it."""
    return words.CONTRACT_MARKS[hand.contract] if hand.contract else ""


def open_words(hand: HandState) -> wording.Words:
    return words.CONTRACTS[hand.contract] if hand.contract else ""


def worth_items(view: View) -> tuple[ItemWorth, ...]:
    """Return the items of a hand in play, for a lone declarer once that is known."""
    if view.worth is None:
        return ()
    return view.worth.alone if view.is_alone else view.worth.items


FILTERS = (
    card_questions.cards_asked,
    call,
    kontra_word,
    open_mark,
    open_words,
    referee_words.invitation_words,
    referee_words.inviters_duty,
    referee_words.item_words,
    referee_words.announced_words,
    referee_words.must_call,
    referee_words.partner_mark,
    referee_words.partner_words,
    referee_words.promise,
    referee_words.so_far,
    referee_words.tarokks_words,
    referee_words.why_turn,
    undo.latest_step,
    told_words,
    kontra_words.kontra_words,
    worth_items,
)


def add_to(register: Library) -> None:
    for each in FILTERS:
        register.filter(each)
