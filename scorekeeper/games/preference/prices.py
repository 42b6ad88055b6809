"""Prices of a trick in each account, by contract and house rules (docs/rules/preference.md §4 and §11)."""

from fractions import Fraction

from scorekeeper.games.preference.deal import MIZER_VALUE, quota, value
from scorekeeper.games.preference.house_rules import BY_VALUE, Rules


def trick(level: int, rules: Rules) -> int:
    """Return the amount in the bank against the declarer for a trick."""
    return value(level) * rules.bank_factor


def half(level: int, rules: Rules) -> int:
    """Return the amount in the bank for a half that stands; the hand is not played."""
    return trick(level, rules) * half_tricks(level)


def half_tricks(level: int) -> int:
    """Return the number of tricks that a half is paid for."""
    return quota(level) // 2


def undertrick(level: int, rules: Rules) -> int:
    """Return the amount in the declarer's dump for each trick down."""
    return value(level) * rules.dump_factor


def consolation(level: int, rules: Rules) -> int:
    """Return the amount in each opponent's bank for a trick down; 0 if the house has no consolation."""
    return trick(level, rules) if rules.consolation == BY_VALUE else rules.consolation


def missing(level: int, rules: Rules) -> int | Fraction:
    """Return the price of a missing trick for the whister who answers for it."""
    return value(level) * rules.short_factor


def given_up(level: int, rules: Rules) -> int:
    """Return the price of conceding a contract before play; 0 if that is not allowed."""
    return undertrick(level, rules) * rules.give_up


def caught(rules: Rules) -> int:
    """Return the amount in the declarer's dump for a trick in a mizer."""
    return MIZER_VALUE * rules.dump_factor


def caught_bank(rules: Rules) -> int:
    """Return the amount in each opponent's bank for a trick in a mizer; 0 if the house has none."""
    return MIZER_VALUE * rules.bank_factor if rules.mizer_bank else 0
