"""Evenings as the version before entries stored them: payers and payees, totals of pairs, columns of an open hand."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any
from uuid import uuid4

from scorekeeper.games.asszorti import deal_from_text, score

NAMES = ("Anna", "Béla", "Cili", "Dóra")
type Paid = list[list[int]]


@dataclass(frozen=True)
class Then:
    """A hand as it was at some time; thrown in without a declarer."""

    dealer: int
    declarer: int | None = None
    deal: str = ""
    deal_stays: bool = False
    is_void: bool = False

    def payments(self, seats: int) -> Paid:
        """(payer, payee, points), counted on paper: the declarer and each of the others who played."""
        if self.declarer is None:
            return []
        points = score(deal_from_text(self.deal)).points
        others = [seat for seat in range(seats) if seat != self.declarer and (seats == 3 or seat != self.dealer)]
        pairs = [(other, self.declarer) if points > 0 else (self.declarer, other) for other in others]
        return sorted([payer, payee, abs(points)] for payer, payee in pairs if points)

    def state(self, seats: int) -> dict[str, Any]:
        """The state of the hand as its history had it."""
        facts = {name: getattr(self, name) for name in ("dealer", "declarer", "deal", "deal_stays")}
        return {"facts": facts, "is_void": self.is_void, "payments": self.payments(seats)}


@dataclass(frozen=True)
class Evening:
    """The content of a sheet: each hand as it was from time to time, the cause of each change; and a hand in play."""

    seats: int
    hands: tuple[tuple[tuple[str, Then], ...], ...] = ()
    open_hand: dict[str, Any] = field(default_factory=dict)

    def now(self) -> list[Then]:
        return [times[-1][1] for times in self.hands]

    def totals(self) -> dict[tuple[int, int], tuple[int, int]]:
        """(points, hands) of every ordered pair."""
        points: Counter[tuple[int, int]] = Counter()
        hands: Counter[tuple[int, int]] = Counter()
        for hand in self.now():
            for payer, payee, amount in [] if hand.is_void else hand.payments(self.seats):
                points[payer, payee] += amount
                hands[payer, payee] += 1
        return {pair: (points[pair], hands[pair]) for pair in permutations(range(self.seats), 2)}

    def balances(self) -> list[int]:
        totals = self.totals()
        return [
            sum(points * ((payee == seat) - (payer == seat)) for (payer, payee), (points, _hands) in totals.items())
            for seat in range(self.seats)
        ]


PLAYED, LOST = Then(0, 1, "2H 7-3-1 K"), Then(1, 2, "3S 4 A-")
WON, IN_HAND = Then(2, 0, "1C 9 R A+"), Then(0, 2, "hN 8")

EVENINGS = (
    Evening(
        3,
        (
            (("record", PLAYED),),
            (("record", Then(1, deal_stays=True)),),
            (("record", LOST), ("amend", Then(1, 2, "3S 6-3-2 A*"))),
            (("record", WON), ("void", Then(2, 0, "1C 9 R A+", is_void=True))),
            (("record", IN_HAND), ("void", Then(0, 2, "hN 8", is_void=True)), ("restore", IN_HAND)),
            (("record", Then(1)), ("amend", Then(1, 0, "2D 5"))),
            (("record", Then(2, 1, "2D 5")), ("amend", Then(2))),
        ),
    ),
    Evening(
        4,
        (
            (("record", Then(0, 1, "2H 7")),),
            (("record", Then(1, 3, "1N 3")), ("amend", Then(1, 0, "1N 3")), ("void", Then(1, 0, "1N 3", False, True))),
            (("record", Then(2, 0, "2S 10 K A*")),),
            (("record", Then(3, is_void=False)),),
        ),
        {"dealer": 3, "declarer": 0, "announcement": "2 hearts"},
    ),
    Evening(4),
    Evening(3, open_hand={"dealer": 1}),
    Evening(3, open_hand={"dealer": 0, "auction": "1-2-0 3 2 pass"}),
    Evening(3, open_hand={"dealer": 0, "auction": "1-2-0 3 2 pass pass", "declarer": 2}),
    Evening(
        3,
        ((("record", PLAYED),),),
        {
            "dealer": 1,
            "declarer": 2,
            "announcement": "2 hearts announced",
            "doubling": "2-0-1 announced game:1 game:2 arrivazs:1",
            "play": "2-0-1 2 2 0 1",
            "replaced": {
                "dealer": 0, "declarer": 1, "auction": "", "announcement": "2 spades", "doubling": "", "play": "",
            },
        },
    ),
    Evening(
        3,
        open_hand={
            "dealer": 0,
            "declarer": 0,
            "announcement": "1 clubs",
            "replaced": {
                "dealer": 0, "declarer": 2, "auction": "1-2-0 3 2 pass pass", "announcement": "", "doubling": "",
                "play": "",
            },
        },
    ),
)  # fmt: skip


def lay(models: Any, evening: Evening, owner: Any) -> Any:
    """Write an evening as the version before did, and return its row."""
    table = models("Table").objects.create()
    models("Member").objects.create(table=table, user=owner, role="owner", to_be_asked=False)
    row = models("GameSession").objects.create(
        table=table,
        first_dealer=0,
        stake=10,
        currency="HUF",
        version=1 + sum(map(len, evening.hands)),
        last_number=len(evening.hands),
        hand_count=sum(bool(hand.deal) and not hand.is_void for hand in evening.now()),
    )
    for position, name in enumerate(NAMES[: evening.seats]):
        player = models("Player").objects.create(table=table, name=name)
        models("Seat").objects.create(game_session=row, position=position, player=player)
    models("PairTotal").objects.bulk_create(
        models("PairTotal")(game_session=row, payer=payer, payee=payee, points=points, hands=hands)
        for (payer, payee), (points, hands) in evening.totals().items()
    )
    for number, times in enumerate(evening.hands, start=1):
        _lay_hand(models, row, number, times, evening.seats, owner)
    if evening.open_hand:
        number = row.last_number + 1
        models("OpenHand").objects.create(game_session=row, number=number, changed_by=owner, **evening.open_hand)
    return row


def _lay_hand(models: Any, row: Any, number: int, times: tuple[tuple[str, Then], ...], seats: int, by: Any) -> None:
    now = times[-1][1]
    hand = models("Hand").objects.create(
        game_session=row,
        number=number,
        token=uuid4(),
        dealer=now.dealer,
        declarer=now.declarer,
        deal=now.deal,
        deal_stays=now.deal_stays,
        is_void=now.is_void,
        revision_count=len(times),
    )
    before = None
    for count, (action, then) in enumerate(times, start=1):
        after = then.state(seats)
        models("Revision").objects.create(
            hand=hand, number=count, action=action, made_by=by, before=before, after=after
        )
        before = after
    models("HandPayment").objects.bulk_create(
        models("HandPayment")(hand=hand, payer=payer, payee=payee, points=points)
        for payer, payee, points in now.payments(seats)
    )
