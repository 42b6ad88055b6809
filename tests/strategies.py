"""The Hypothesis strategies that the tests share."""

from hypothesis import strategies as st

from scorekeeper.games.asszorti import Arrivazs, Contract, Deal, Kontra, Trump
from scorekeeper.games.base import Payment

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


@st.composite
def evenings(draw: st.DrawFn, seats: int) -> list[tuple[int, int, Deal]]:
    """Hands of one evening, (dealer, declarer, deal), the deal going round a table of three or four."""
    hands = []
    for number in range(draw(st.integers(0, 12))):
        dealer = number % seats
        playing = [seat for seat in range(seats) if seats == 3 or seat != dealer]
        hands.append((dealer, draw(st.sampled_from(playing)), draw(deals())))
    return hands


@st.composite
def payment_lists(draw: st.DrawFn, seats: int) -> list[Payment]:
    """Payments between the seats of one table."""
    pairs = [(payer, payee) for payer in range(seats) for payee in range(seats) if payer != payee]
    drawn = draw(st.lists(st.tuples(st.sampled_from(pairs), st.integers(1, 50)), max_size=20))
    return [Payment(payer, payee, points) for (payer, payee), points in drawn]


@st.composite
def even_balances(draw: st.DrawFn, most_seats: int) -> tuple[int, ...]:
    """Balances that sum to zero, small so that subsets often do too."""
    first = draw(st.lists(st.integers(-6, 6), max_size=most_seats - 1))
    last = [-sum(first)] if first else []
    return tuple(draw(st.permutations(first + last)))
