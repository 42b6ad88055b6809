"""The raspasovka, paragraph 6: the price of a trick, the entries, and the end of a row."""

from tests.games.preference.by_the_book.paper import Paper
from tests.games.preference.by_the_book.pools import win
from tests.games.preference.by_the_book.reading import Hand
from tests.games.preference.by_the_book.seating import dealer_plays_talon, three_who_play
from tests.games.preference.by_the_book.switches import Switches


def price(switches: Switches, row: int) -> int:
    """The price r of a trick after so many raspasovkas in a row."""
    times, cap = 1, int(switches["raspasy_cap"])
    for _ in range(row):
        if switches["raspasy_growth"] == "add":
            times += 1
        if switches["raspasy_growth"] == "double":
            times = min(times * 2, 1024)
        if cap:
            times = min(times, cap)
    return int(switches["raspasy_base"]) * times


def write_raspasovka(paper: Paper, hand: Hand, dealer: int, r: int) -> None:
    """The tricks of all who take part, then the entries for no trick, eldest first."""
    three = three_who_play(paper.n, dealer)
    participants = [*three, dealer] if dealer_plays_talon(paper.switches, paper.n) else three
    tricks = dict(zip(participants, hand.numbers, strict=True))
    lowest = min(tricks.values())
    if paper.switches["raspasy_to"] == "bank":
        write_to_lowest(paper, tricks, r)
    else:
        forgiven = lowest if paper.switches["raspasy_amnesty"] == "yes" else 0
        for seat, taken in tricks.items():
            for _ in range(taken - forgiven):
                paper.dump(seat, r)
    for seat in three:
        if tricks[seat] == 0:
            zero = paper.switches["raspasy_zero"]
            win(paper, seat, r if zero == "rate" else int(zero))


def write_to_lowest(paper: Paper, tricks: dict[int, int], r: int) -> None:
    """Every trick of each who has more; two lowest share the whole of it."""
    lowest = [seat for seat, taken in tricks.items() if taken == min(tricks.values())]
    for seat, taken in tricks.items():
        if seat not in lowest:
            for writer in lowest:
                paper.bank(writer, seat, r * taken // len(lowest))


def row_after(switches: Switches, hand: Hand, row: int) -> int:
    """The number of raspasovkas in a row by now."""
    if hand.kind == "raspasovka":
        return row + 1
    is_played = hand.answers not in ("pp", "ph", "g")
    if hand.kind == "mizer":
        is_made = hand.numbers[0] == 0
    else:
        is_made = hand.answers in ("pp", "ph") or (is_played and hand.numbers[0] >= hand.level)
    ends = {
        "any": True,
        "played": is_played,
        "made": is_made,
        "whisted": is_made and hand.answers in ("wp", "pw", "ww", "rh"),
    }
    return 0 if ends[str(switches["raspasy_reset"])] else row
