"""A second, deliberately naive count of Russian Preference, to hold against the program's own.

It is written from docs/rules/preference.md alone and shares nothing with the program: no import, no constant, no reader
of the line. It counts as a slow person with a pencil does: every trick, every missing trick and every pool point is a
stroke of its own on the paper. `count` expects a legal hand and checks nothing; `refusals` returns the errors of an
illegal hand.
"""

from tests.games.preference.by_the_book.counting import count
from tests.games.preference.by_the_book.drawing import (
    random_agreed,
    random_before,
    random_contract,
    random_line,
    random_raspasovka,
    random_switches,
)
from tests.games.preference.by_the_book.paper import After, Before, Place
from tests.games.preference.by_the_book.raspasovka import price
from tests.games.preference.by_the_book.reading import Hand, read, short_form
from tests.games.preference.by_the_book.refusing import refusals
from tests.games.preference.by_the_book.seating import Table, dealer_plays_talon, seats, three_who_play
from tests.games.preference.by_the_book.settling import pairs, settle, whole
from tests.games.preference.by_the_book.switches import BOOK, CHOICES, LENINGRAD, ROSTOV, SOCHI, Switches, clash

__all__ = [
    "BOOK",
    "CHOICES",
    "LENINGRAD",
    "ROSTOV",
    "SOCHI",
    "After",
    "Before",
    "Hand",
    "Place",
    "Switches",
    "Table",
    "clash",
    "count",
    "dealer_plays_talon",
    "pairs",
    "price",
    "random_agreed",
    "random_before",
    "random_contract",
    "random_line",
    "random_raspasovka",
    "random_switches",
    "read",
    "refusals",
    "seats",
    "settle",
    "short_form",
    "three_who_play",
    "whole",
]
