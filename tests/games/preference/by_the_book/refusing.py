"""Impossible hands: the codes of a line, its seats, its answers and its tricks."""

from tests.games.preference.by_the_book.reading import Hand, read
from tests.games.preference.by_the_book.seating import dealer_plays_talon
from tests.games.preference.by_the_book.switches import Switches


def refusals(switches: Switches, n: int, dealer: int, declarer: int | None, line: str) -> set[str]:
    """Every code that is true of it, without the standing; `malformed` where the line is none. Empty: it can be."""
    try:
        hand = read(line)
    except ValueError:
        return {"malformed"}
    wrong = wrong_seats(n, dealer, declarer, hand)
    match hand.kind:
        case "contract":
            return wrong | wrong_answers(switches, hand) | wrong_tricks(hand)
        case "mizer":
            return wrong | wrong_numbers(hand.numbers, 1)
        case "raspasovka":
            return wrong | wrong_raspasovka(switches, n, hand.numbers)
    for (_, seat, against), _ in hand.places:
        wrong |= {"seat_unknown"} if max(seat, against or 0) >= n else set()
        wrong |= {"bank_self"} if seat == against else set()
    return wrong


def wrong_seats(n: int, dealer: int, declarer: int | None, hand: Hand) -> set[str]:
    """Dealer and declarer."""
    wrong = set() if 0 <= dealer < n else {"dealer_unknown"}
    if hand.kind in ("raspasovka", "agreed"):
        return wrong if declarer is None else wrong | {"declarer_extra"}
    if declarer is None:
        return wrong | {"declarer_needed"}
    if not 0 <= declarer < n:
        return wrong | {"declarer_unknown"}
    return wrong | {"declarer_sits_out"} if n == 4 and declarer == dealer else wrong


def wrong_answers(switches: Switches, hand: Hand) -> set[str]:
    """The errors in the answers to a contract: each sentence of the page's paragraph, by itself."""
    level, said, is_six = hand.level, hand.answers, hand.level == 6
    has_half, is_checked = "h" in said or "r" in said, level == 10 and switches["ten"] == "checked"
    stalingrad = switches["stalingrad"] == "yes"
    applies = {
        "half_level": has_half and level >= 8,
        "half_second": said[0] == "h",
        "half_after_pass": said == "wh" or ("r" in said and said != "rh"),
        "half_off": has_half and switches["half_whist"] == "no",
        "ten_checked": is_checked and said not in ("cc", "g"),
        "ten_whisted": not is_checked and said == "cc",
        "must_whist": stalingrad and is_six and hand.strain == "S" and said not in ("ww", "g"),
        "strain_needed": stalingrad and is_six and hand.strain == "",
        "give_up_off": said == "g" and switches["give_up"] == 0,
    }
    return {code for code, is_so in applies.items() if is_so}


def wrong_tricks(hand: Hand) -> set[str]:
    """The errors in the tricks of a contract; where nothing was played none may be given."""
    if hand.answers in ("pp", "ph", "g"):
        return {"tricks_extra"} if hand.numbers else set()
    if hand.answers in ("wp", "pw", "rh"):
        return wrong_numbers(hand.numbers, 1)
    if hand.answers in ("ww", "cc"):
        if len(hand.numbers) == 1:
            return {"split_needed"} | wrong_numbers(hand.numbers, 1)
        return wrong_numbers(hand.numbers, 3)
    return set()


def wrong_numbers(numbers: tuple[int, ...], expected: int) -> set[str]:
    """The errors in the numbers: their count, none above 10, and 10 in all where all are given."""
    if not numbers:
        return {"tricks_needed"}
    if len(numbers) != expected:
        return {"malformed"}
    if max(numbers) > 10:
        return {"tricks_range"}
    return {"tricks_sum"} if expected > 1 and sum(numbers) != 10 else set()


def wrong_raspasovka(switches: Switches, n: int, numbers: tuple[int, ...]) -> set[str]:
    """Three numbers, or four where the dealer plays the talon, who has at most two."""
    expected = 4 if dealer_plays_talon(switches, n) else 3
    if len(numbers) in (3, 4) and len(numbers) != expected:
        return {"raspasy_count"}
    wrong = wrong_numbers(numbers, expected)
    return wrong | {"talon_tricks"} if len(numbers) == expected == 4 and numbers[3] > 2 else wrong
