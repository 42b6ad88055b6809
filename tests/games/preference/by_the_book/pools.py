"""The way of a pool point that is won: dump, own pool, or another's as aid."""

from tests.games.preference.by_the_book.paper import Paper


def win(paper: Paper, seat: int, points: int) -> None:
    """Pool points won, one by one: off the own dump if that is first, the own pool, the others', the own dump."""
    for _ in range(points):
        receiver = who_is_aided(paper, seat)
        if paper.switches["made_to"] == "dump_first" and paper.dumps[seat] >= off_the_dump(paper):
            paper.dump(seat, -off_the_dump(paper))
        elif paper.switches["aid"] == "no" or paper.pools[seat] < paper.number("target"):
            paper.pool(seat, 1)
        elif receiver is not None:
            paper.pool(receiver, 1)
            paper.bank(seat, receiver, paper.number("aid_rate"))
        else:
            paper.dump(seat, -off_the_dump(paper))


def off_the_dump(paper: Paper) -> int:
    """The points that one pool point takes off a dump."""
    return paper.number("pool_point") // paper.number("dump_point")


def who_is_aided(paper: Paper, donor: int) -> int | None:
    """The seat below T with the highest pool; of equals the first clockwise from the donor."""
    best = None
    for step in range(1, paper.n):
        seat = (donor + step) % paper.n
        has_room = paper.pools[seat] < paper.number("target")
        if has_room and (best is None or paper.pools[seat] > paper.pools[best]):
            best = seat
    return best
