"""What a trick is worth where a hand writes it, by contract and house (docs/rules/preference.md §4 and §11)."""

from fractions import Fraction

from scorekeeper.games.preference.deal import MIZER_VALUE, quota, value
from scorekeeper.games.preference.house_rules import BY_VALUE, Rules


def trick(level: int, rules: Rules) -> int:
    """What is written against the declarer for a trick."""
    return value(level) * rules.bank_factor


def half(level: int, rules: Rules) -> int:
    """What a half writes, which is played by nobody."""
    return trick(level, rules) * half_tricks(level)


def half_tricks(level: int) -> int:
    """For how many tricks a half stands."""
    return quota(level) // 2


def undertrick(level: int, rules: Rules) -> int:
    """What a trick that the declarer is down writes into his dump."""
    return value(level) * rules.dump_factor


def consolation(level: int, rules: Rules) -> int:
    """What each opponent writes for such a trick; 0 in a house that has no consolation."""
    return trick(level, rules) if rules.consolation == BY_VALUE else rules.consolation


def missing(level: int, rules: Rules) -> int | Fraction:
    """What a trick costs the whister who answers for it."""
    return value(level) * rules.short_factor


def given_up(level: int, rules: Rules) -> int:
    """What it costs to concede a contract before play; 0 where that is not allowed."""
    return undertrick(level, rules) * rules.give_up


def caught(rules: Rules) -> int:
    """What a trick in a mizer writes into the declarer's dump."""
    return MIZER_VALUE * rules.dump_factor


def caught_bank(rules: Rules) -> int:
    """What each opponent writes for such a trick; 0 in a house in which he writes nothing."""
    return MIZER_VALUE * rules.bank_factor if rules.mizer_bank else 0
