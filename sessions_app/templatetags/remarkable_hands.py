"""The words for the remarkable hands of an evening: {% load remarkable_hands %}."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from django import template
from django.utils.translation import gettext as _

from scorekeeper.games.feats import Feat
from sessions_app import wording
from sessions_app.faces import FACES
from sessions_app.formatting import signed
from sessions_app.readers.remarkable_hands import RemarkableHand

register = template.Library()


@register.simple_tag
def why_remarkable(hand: RemarkableHand, names: Sequence[str], game_key: str) -> str:
    """Return the reasons to show the hand: 'the biggest: Anna +96 · Anna: a feat, another'."""
    return " · ".join(_reasons(hand, names, game_key))


def _reasons(hand: RemarkableHand, names: Sequence[str], game_key: str) -> Iterator[str]:
    if hand.seat is not None:
        said = {"name": wording.isolated(names[hand.seat]), "amount": signed(hand.amount)}
        yield _("the biggest: %(name)s %(amount)s") % said
    for seats, feats in groupby(hand.feats, key=_seats_of):
        words = ", ".join(FACES[game_key].feat_words(feat) for feat in feats)
        yield f"{wording.listed(wording.isolated(names[seat]) for seat in seats)}: {words}"


def _seats_of(feat: Feat) -> tuple[int, ...]:
    return feat.seats
