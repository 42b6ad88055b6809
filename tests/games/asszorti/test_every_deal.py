"""Every deal that can be written down, possible or not, against docs/rules/asszorti.md read a second time.

Nothing here uses the rules' own tables: the game is looked up in the rows that §5.1 makes, the bounds are those of §6.
"""

from collections.abc import Iterator
from itertools import combinations, product

import pytest

from scorekeeper.games.asszorti import EXCLUDED, Arrivazs, Contract, Deal, Kontra, Trump, payments, score
from scorekeeper.games.base import Payment
from scorekeeper.games.errors import InvalidDeal

POSSIBLE = 123_120

# The undoubled game with trumps, by the tricks of the side that won: 6 7 8 9 10 11.
ROWS = {
    "3": (2, 3, 4, 5, 6, 7),
    "2": (4, 6, 8, 10, 12, 14),
    "1": (6, 9, 12, 15, 18, 21),
    "hand": (8, 12, 16, 20, 24, 28),
}
TIMES = (1, 2, 4, 8, 16, 32)
SPLITS = [(d, a, 11 - d - a) for d in range(12) for a in range(12 - d)]

type Parts = tuple[Contract, Trump, tuple[int, int, int], Kontra, Arrivazs, Kontra]


def every_combination() -> Iterator[Parts]:
    return product(Contract, Trump, SPLITS, Kontra, Arrivazs, Kontra)


def fields_at_fault(parts: Parts) -> set[str]:
    _, trump, (declarer, _, _), _, arrivazs, arrivazs_kontra = parts
    at_fault = set()
    if arrivazs in ("won", "idegen") and declarer < 3:
        at_fault.add("arrivazs")
    if arrivazs == "lost" and declarer == 11:
        at_fault.add("arrivazs")
    if arrivazs == "idegen" and trump == "none":
        at_fault.add("arrivazs")
    if arrivazs == "none" and arrivazs_kontra > 0:
        at_fault.add("arrivazs_kontra")
    return at_fault


def counted_again(parts: Parts) -> tuple[int, int]:
    contract, trump, (declarer, left, right), game_kontra, arrivazs, arrivazs_kontra = parts
    dear = 2 if trump == "none" else 1
    if declarer > left + right:
        game = ROWS[contract][declarer - 6] * dear * TIMES[game_kontra]
    else:
        game = -ROWS[contract][left + right - 6] * dear * TIMES[game_kontra]
    if declarer == 6 and 5 in (left, right):
        game -= ROWS[contract][0] * dear
    extra = {"none": 0, "won": 8, "lost": -8, "idegen": 16}[arrivazs] * dear * TIMES[arrivazs_kontra]
    return game, extra


def refused_fields(parts: Parts) -> set[str]:
    try:
        Deal(*parts)
    except InvalidDeal as refusal:
        return set(refusal.errors)
    return set()


def test_every_deal_is_refused_or_counted_and_paid_as_the_rules_page_says() -> None:
    possible = 0
    for parts in every_combination():
        at_fault = fields_at_fault(parts)
        assert refused_fields(parts) == at_fault, parts
        if at_fault:
            continue
        possible += 1
        deal = Deal(*parts)
        counted = score(deal)
        assert (counted.game, counted.arrivazs) == counted_again(parts), parts
        assert counted.points == counted.game + counted.arrivazs
        assert sum(line.amount for line in counted.lines) == counted.points
        assert payments(deal, declarer=1, opponents=(2, 0)) == paid_again(counted.points)
    assert possible == POSSIBLE


def paid_again(points: int) -> tuple[Payment, ...]:
    """Both opponents pay the declarer, or he pays both."""
    if points > 0:
        return Payment(2, 1, points), Payment(0, 1, points)
    return (Payment(1, 2, -points), Payment(1, 0, -points)) if points else ()


def test_tricks_are_eleven() -> None:
    for tricks in product(range(13), range(13), range(13)):
        if sum(tricks) == 11:
            assert Deal(Contract.TWO, Trump.CLUBS, tricks).tricks == tricks
            continue
        with pytest.raises(InvalidDeal) as refusal:
            Deal(Contract.TWO, Trump.CLUBS, tricks)
        expected = "tricks_range" if 12 in tricks else "tricks_sum"
        assert [(name, message.code) for name, message in refusal.value.errors.items()] == [("tricks", expected)]


def form_values(parts: Parts) -> list[tuple[str, str]]:
    contract, trump, (declarer, _, _), game_kontra, arrivazs, arrivazs_kontra = parts
    return [
        ("arrivazs", arrivazs.value),
        ("arrivazs_kontra", str(arrivazs_kontra.value)),
        ("contract", contract.value),
        ("game_kontra", str(game_kontra.value)),
        ("tricks", str(declarer)),
        ("trump", trump.value),
    ]


def test_excluded_is_what_no_possible_deal_holds_together() -> None:
    thinkable, possible = set(), set()
    for parts in every_combination():
        pairs = list(combinations(form_values(parts), 2))
        thinkable.update(pairs)
        if not fields_at_fault(parts):
            possible.update(pairs)
    stated = [tuple(sorted(pair)) for pair in EXCLUDED]
    assert set(stated) == thinkable - possible
    assert len(stated) == len(set(stated))
