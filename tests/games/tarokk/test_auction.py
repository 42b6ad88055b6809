"""The auction, against the examples of docs/rules/tarokk.md §3 and against a model that is written another way."""

from itertools import product

import pytest

from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.tarokk import Contract
from scorekeeper.games.tarokk.auction import Auction, Call
from scorekeeper.games.tarokk.enums import TALON, drawn
from tests.games.auction_model import AuctionModel, Said, has_the_bid
from tests.games.refusals import code, refusal
from tests.games.vectors import referee_vectors

SEATS = (3, 2, 1, 0)
NAMES = dict(zip("ABCD", SEATS, strict=True))
SEAT_OF = {seat: name for name, seat in NAMES.items()}


def played(calls: str) -> Auction:
    auction = Auction(SEATS)
    for spoken in filter(None, calls.split(", ")):
        name, call = spoken.split(" ")
        auction = auction.call(NAMES[name], Call(call))
    return auction


def playing(auction: Auction) -> list[str]:
    """The declarer and his contract, the card that he must call, and the player who promised it."""
    assert auction.declarer is not None
    assert auction.contract is not None
    called = [] if auction.partner is None else [str(auction.must_call), SEAT_OF[auction.partner]]
    return [SEAT_OF[auction.declarer], "plays", auction.contract.value, *called]


@pytest.mark.parametrize(("given_calls", "expected"), referee_vectors("tarokk", "auction.txt"))
def test_auction_follows_the_vectors(given_calls: str, expected: str) -> None:
    try:
        auction = played(given_calls)
    except IllegalMove:
        pytest.fail(f"{given_calls} was refused")
    words = expected.split()
    match words:
        case [name, call, "refused", why]:
            assert refusal(lambda: auction.call(NAMES[name], Call(call))).code == why
        case ["thrown", "in"]:
            assert (auction.is_thrown_in, auction.declarer, auction.contract) == (True, None, None)
        case [name, "raises", *bids]:
            assert (auction.declarer, auction.raises) == (NAMES[name], tuple(map(Call, bids)))
        case [_name, "plays", *_rest]:
            assert (playing(auction), auction.raises) == (words, ())
        case [name, *calls]:
            assert auction.to_call == NAMES[name.removesuffix(":")]
            assert set(auction.legal_calls) == set(map(Call, calls))


# --- every sequence of calls, against a model ---

LADDER = "321s"


def bids(said: Said) -> list[tuple[str, str]]:
    return [(name, call[0]) for name, call in said if call not in ("hold", "pass")]


def was_held(said: Said) -> bool:
    return "hold" in [call for _name, call in said if call != "pass"][-1:]


class Model(AuctionModel):
    names = "ABCD"

    def allowed(self, said: Said, name: str) -> set[str]:
        if not bids(said):
            return {*LADDER, "pass", *(("3?", "2?", "1?") if len(self.still_in(said)) == 1 else ())}
        higher = LADDER[LADDER.index(bids(said)[-1][1]) + 1 :]
        may_hold = name in dict(bids(said)) and not was_held(said)
        return {"pass", *higher, *(["hold"] if may_hold else [])}


MODEL = Model()


def raises(said: Said) -> set[str]:
    calls = [call for _name, call in said if call != "pass"]
    return {"3": {"2", "1", "s"}, "3?": {"2", "1"}}.get(calls[0], set()) if len(calls) == 1 else set()


def promised(said: Said) -> tuple[str, str] | None:
    """The first player to promise each card."""
    for at, (name, call) in enumerate(said):
        before = said[:at]
        if len(MODEL.still_in(before)) == 1:
            continue
        on_table = bids(before)[-1][1] if bids(before) else ""
        if call == "pass" and on_table == "2" and bids(before)[0] == (name, "3"):
            return name, "XX"
        if call in ("pass", "hold") or (call == "s" and not on_table):
            continue
        may_hold = "hold" in MODEL.allowed(before, name)
        free = LADDER[LADDER.index(on_table) + (not may_hold) :] if on_table else LADDER
        if 1 <= free.index(call) <= 2:
            return name, ("XIX", "XVIII")[free.index(call) - 1]
    return None


ALL = list(MODEL.every_auction(Call))


def test_every_auction_is_as_in_the_model_at_every_point() -> None:
    ended = 0
    for said, calls in ALL:
        auction = Auction.from_text(" ".join(("3-2-1-0", *calls)))
        name, made = MODEL.speaks_next(said), bids(said)
        expected = {(NAMES[name], call) for call in MODEL.allowed(said, name)} if name else set()
        if name is None and made:
            expected = {(NAMES[has_the_bid(said)], call) for call in raises(said)}
        taken = {(seat, call.value) for seat, call in product(SEATS, Call) if not code(auction.call, seat, call)}
        assert taken == expected, calls
        assert {call.value for call in auction.legal_calls} == (MODEL.allowed(said, name) if name else set()), calls
        assert auction.is_over == (name is None), calls
        assert (auction.bid and auction.bid.value) == (made[-1][1] if made else None)
        found = auction.invitation and (SEAT_OF[auction.invitation.seat], auction.invitation.card.value)
        assert found == promised(said), calls
        require_promises_and_texts(auction, calls)
        if not auction.is_over:
            assert (auction.declarer, auction.contract, auction.must_call) == (None, None, None)
        elif made:
            declarer, must = has_the_bid(said), promised(said)
            assert (auction.declarer, auction.contract) == (NAMES[declarer], Contract(made[-1][1]))
            assert auction.must_call == (must[1] if must and must[0] != declarer else None)
            assert auction.is_proba == any("?" in call for _name, call in said)
            ended += 1
        else:
            assert auction.is_thrown_in
    assert ended > 100


def require_promises_and_texts(auction: Auction, calls: tuple[str, ...]) -> None:
    """The promise of a call is known before it is made; an auction is read back from its text and from a call less."""
    assert Auction.from_text(auction.to_text()) == auction
    assert not calls or auction.undo() == Auction.from_text(" ".join(("3-2-1-0", *calls[:-1])))
    for call in auction.legal_calls:
        assert auction.to_call is not None
        after = auction.call(auction.to_call, call).invitation
        assert auction.promises(call) == (after.card if after and auction.invitation is None else None)


@pytest.mark.parametrize(
    ("contract", "cards"), [("3", (3, 1, 1, 1)), ("2", (2, 2, 1, 1)), ("1", (1, 2, 2, 1)), ("s", (0, 2, 2, 2))]
)
def test_rest_of_the_talon_goes_round_as_evenly_as_it_can(contract: str, cards: tuple[int, ...]) -> None:
    assert drawn(Contract(contract)) == cards
    assert sum(cards) == TALON
