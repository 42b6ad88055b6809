"""One hand of any kind, from the line to the entries and the standing after it."""

from tests.games.preference.by_the_book.declared import write_declared
from tests.games.preference.by_the_book.paper import After, Before, Paper
from tests.games.preference.by_the_book.raspasovka import price, row_after, write_raspasovka
from tests.games.preference.by_the_book.reading import Hand, read
from tests.games.preference.by_the_book.seating import seats
from tests.games.preference.by_the_book.switches import Switches


def count(switches: Switches, n: int, dealer: int, declarer: int | None, line: str, before: Before) -> After:
    """The entries of one legal hand (or agreed entry) at a table of n, and the standing after it."""
    hand, paper = read(line), Paper(switches, n, before)
    row = before.row
    if hand.kind == "agreed":
        write_agreed(paper, hand, before.over)
    elif not before.over:
        if hand.kind == "raspasovka":
            write_raspasovka(paper, hand, dealer, price(switches, before.row))
        else:
            assert declarer is not None
            write_declared(paper, hand, seats(n, dealer, declarer))
        row = row_after(switches, hand, before.row)
    entries = {place: amount for place, amount in paper.entries.items() if amount}
    return After(entries, paper.pools, paper.dumps, row, before.over or paper.full())


def write_agreed(paper: Paper, hand: Hand, over: bool) -> None:
    """Paragraph 8: as they are said; after the end those outside the pool."""
    for (account, seat, against), amount in hand.places:
        if account == "pool" and not over:
            paper.pool(seat, amount)
        elif account == "dump":
            paper.dump(seat, amount)
        elif against is not None:
            paper.bank(seat, against, amount)
