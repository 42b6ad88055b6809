"""The worked hands of Preference's rules, counted by house rules (docs/rules/preference.md §12).

The words of a hand depend on the house rules. It is left out if it shows nothing, or if the house does not have it.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.preference import GAME, Rules, Standing, deal_from_text, next_price, standing_to_text
from scorekeeper.games.preference.house_rules import BY_VALUE, Liable, RaspasyTo, Retrieved, ShortOne, ShortShare, Style
from scorekeeper.games.preference.scoring import zero_points
from sessions_app.faces.base import WorkedHand

FOUR: Final = 4
#: The points that each pool lacks of the target in the hand that shows aid.
_LACKING: Final = (1, 6, 3)


class _Hand(NamedTuple):
    """A worked hand; `why` returns the point it shows by these rules, '' if none, `before` the standing before it."""

    line: str
    why: Callable[[Rules], str]
    seats: int = 0
    before: Callable[[Rules], Standing] = lambda rules: Standing()


def worked_hands(rules: Rules) -> tuple[WorkedHand, ...]:
    """Return the worked hands that this house has, with its rules."""
    return tuple(_worked(rules))


def _worked(rules: Rules) -> Iterator[WorkedHand]:
    for hand in _HANDS:
        why = hand.why(rules)
        if why and _can_be(hand.line, rules):
            before = standing_to_text(hand.before(rules))
            yield WorkedHand(
                hand.line, why, GAME.rules_to_text(rules), before, hand.seats, not hand.line.startswith("R")
            )


def _can_be(line: str, rules: Rules) -> bool:
    try:
        deal_from_text(line, rules)
    except InvalidDeal:
        return False
    return True


# --- The reasons ---


def _short_of_four(rules: Rules) -> str:
    if rules.short_keeps:
        return _("One short of four; the three are still written.")
    return _("One short of four, so nothing for the three.")


def _four_between_them(rules: Rules) -> str:
    if rules.pair_shares:
        return _("Four between them: they share.")
    if rules.short_share is ShortShare.STRICT:
        return _("Four between them, but the second has less than half.")
    return _("Four between them: nobody is short.")


def _three_between_them(rules: Rules) -> str:
    if rules.pair_shares:
        return _("Three between them: the two answer together.")
    if rules.short_share is ShortShare.SIDE:
        return _("The second lacks two, both together one: the second answers for one.")
    return _("The second lacks two, and answers for both.")


def _one_between_them(rules: Rules) -> str:
    if rules.pair_shares:
        return _("One between them: the two answer together.")
    return _("One between them: the first answers for one, the second for two.")


def _none_from_eight_up(rules: Rules) -> str:
    if rules.pair_shares:
        return _("No trick where one was needed: the two answer together.")
    if rules.short_one in (ShortOne.SECOND, ShortOne.SECOND_STRICT):
        return _("No trick where one was needed: the second answers.")
    return _("No trick where one was needed: both answer.")


def _caught(rules: Rules) -> str:
    if rules.mizer_bank:
        return _("Down two: the opponents write it too.")
    return _("Down two: into the dump only.")


def _zhlob(rules: Rules) -> str:
    if rules.whist_style is not Style.ZHLOB:
        return ""
    return _("Down three, and the whister writes all five tricks.")


def _gentleman(rules: Rules) -> str:
    if rules.whist_style is not Style.GENTLEMAN or rules.consolation != BY_VALUE:
        return ""
    return _("Down two: whister and passer write half of the five tricks each.")


def _flat_gentleman(rules: Rules) -> str:
    if rules.whist_style is not Style.GENTLEMAN or rules.consolation == BY_VALUE:
        return ""
    return _("Down two: whister and passer write half of the four tricks each.")


def _third_in_a_row(rules: Rules) -> str:
    return _("The third raspasovka in a row: %(price)s a trick.") % {"price": next_price(_row(2)(rules), rules)}


def _fifth_in_a_row(rules: Rules) -> str:
    price = next_price(_row(4)(rules), rules)
    zero = zero_points(price, rules)
    said = _("The fifth in a row, at %(price)s a trick; whoever took none gets %(zero)s into the pool.")
    return said % {"price": price, "zero": zero} if zero else ""


def _talon(rules: Rules) -> str:
    if rules.raspasy_amnesty:
        return _("The dealer, D, took one with the talon; one is deducted from all four.")
    return _("The dealer, D, took one with the talon.")


def _of_four(rules: Rules) -> str:
    return _("The dealer, D, writes consolation too.") if rules.consolation else ""


def _aid(rules: Rules) -> str:
    pools = _nearly_full(rules).pools
    said = _("Pools are at %(pools)s, to %(target)s: the own pool takes one, then C's, the higher one, then B's.")
    can_be = rules.aid and min(pools, default=-1) >= 0
    return said % {"pools": ", ".join(map(str, pools)), "target": rules.target} if can_be else ""


def _in_his_dump(rules: Rules) -> str:
    if rules.short_to is not Liable.DUMP:
        return ""
    if rules.short_keeps:
        return _("One of two: the missing one goes into the whister's own dump, and the trick is still written.")
    return _("One of two: the missing one goes into the whister's own dump, and the trick is not written.")


def _own_half(rules: Rules) -> str:
    if rules.pair_shares or rules.short_share is ShortShare.SIDE:
        return ""
    return _("The first lacks both of their half, and answers for them.")


def _silent(rules: Rules) -> str:
    return _("The half was taken over: C writes nothing at all.") if rules.retrieved is Retrieved.NOTHING else ""


def _two_lowest(rules: Rules) -> str:
    return _("Two have the fewest: each writes half.") if rules.raspasy_to is RaspasyTo.BANK else ""


def _conceded(rules: Rules) -> str:
    return _("Given up before play: %(points)s, and nobody writes anything.") % {"points": rules.given_up_price(8)}


# --- The standing before ---


def _row(raspasovkas: int) -> Callable[[Rules], Standing]:
    return lambda rules: Standing(row=raspasovkas)


def _nearly_full(rules: Rules) -> Standing:
    return Standing(pools=tuple(rules.target - lacking for lacking in _LACKING))


_HANDS: Final = (
    _Hand("6H ph", lambda rules: _("A half: half of the quota, without play.")),
    _Hand("6S wp 6", lambda rules: _("A lone whister writes the passer's tricks too.")),
    _Hand("6S wp 7", _short_of_four),
    _Hand("6S ww 6-3-1", _four_between_them),
    _Hand("6S ww 7-3-0", _three_between_them),
    _Hand("6S ww 7-0-3", _own_half),
    _Hand("6S ww 9-1-0", _one_between_them),
    _Hand("7S wp 9", _in_his_dump),
    _Hand("7D rh 9", lambda rules: _("The half was taken over: the first answers alone, for one.")),
    _Hand("8H ww 10-0-0", _none_from_eight_up),
    _Hand("8H wp 5", _zhlob),
    _Hand("7H wp 5", _gentleman),
    _Hand("8H wp 6", _flat_gentleman),
    _Hand("10N ww 9-1-0", lambda rules: _("A ten, down one; the second has no trick.")),
    _Hand("10S cc 9-0-1", lambda rules: _("A ten is played open: each writes their own tricks.")),
    _Hand("8N g", _conceded),
    _Hand("M 2", _caught),
    _Hand("R 5-0-5", _third_in_a_row, before=_row(2)),
    _Hand("R 0-4-6", _fifth_in_a_row, before=_row(4)),
    _Hand("R 2-2-6", _two_lowest),
    _Hand("6C pw 5", _of_four, FOUR),
    _Hand("7S rh 6", _silent, FOUR),
    _Hand("R 3-5-1-1", _talon, FOUR),
    _Hand("8S pp", _aid, before=_nearly_full),
)
