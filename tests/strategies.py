"""The Hypothesis strategies that the tests share."""

from hypothesis import strategies as st

from scorekeeper.games.asszorti import Arrivazs, Contract, Deal, Kontra, Trump

type Tricks = tuple[int, int | None, int | None]

kontras = st.sampled_from(Kontra)


@st.composite
def tricks(draw: st.DrawFn) -> Tricks:
    """Eleven tricks, the split noted or, where it may be, not."""
    declarer = draw(st.integers(0, 11))
    if declarer != 6 and draw(st.booleans()):
        return declarer, None, None
    left = draw(st.integers(0, 11 - declarer))
    return declarer, left, 11 - declarer - left


def _arrivazs_choices(declarer: int, trump: Trump) -> list[Arrivazs]:
    choices = [Arrivazs.NONE]
    if declarer < 11:
        choices.append(Arrivazs.LOST)
    if declarer >= 3:
        choices.append(Arrivazs.WON)
        if trump is not Trump.NONE:
            choices.append(Arrivazs.IDEGEN)
    return choices


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Any possible deal."""
    trump = draw(st.sampled_from(Trump))
    taken = draw(tricks())
    arrivazs = draw(st.sampled_from(_arrivazs_choices(taken[0], trump)))
    return Deal(
        contract=draw(st.sampled_from(Contract)),
        trump=trump,
        tricks=taken,
        game_kontra=draw(kontras),
        arrivazs=arrivazs,
        arrivazs_kontra=Kontra.NONE if arrivazs is Arrivazs.NONE else draw(kontras),
    )
