"""Houses, standings and hands at random, and the errors of an illegal hand, for the second count of Preference."""

from random import Random

from tests.games.preference.by_the_book import Before, Paper
from tests.games.preference.by_the_book_house import BOOK, CHOICES, LENINGRAD, ROSTOV, SOCHI, Switches, clash
from tests.games.preference.by_the_book_reading import Hand, dealer_plays_talon, read, three_who_play

# --- Houses, standings and hands at random, mostly next to a threshold. ---


def random_switches(chance: Random) -> Switches:
    """A profile with some switches turned, from none to all of them, that go together."""
    while True:
        switches = dict(chance.choice((BOOK, SOCHI, LENINGRAD, ROSTOV)))
        for name in chance.sample(sorted(CHOICES), chance.choice((0, 1, 3, 10, len(CHOICES)))):
            switches[name] = chance.choice(CHOICES[name])
        if not clash(switches):
            return switches


def random_before(chance: Random, switches: Switches, n: int) -> Before:
    """A standing that can be: pools often next to T, above it only without aid."""
    target = int(switches["target"])
    top = target if switches["aid"] == "yes" else target + 12
    pools = [min(top, max(0, chance.choice((target, target - 1, chance.randint(0, top))))) for _ in range(n)]
    dumps = [chance.choice((0, 1, chance.randint(-8, 60))) for _ in range(n)]
    row = chance.choice((0, 1, 2, 3, chance.randint(4, 14)))
    return Before(pools, dumps, row, Paper(switches, n, Before(pools, dumps, row, False)).full())


def random_line(chance: Random, switches: Switches, n: int, dealer: int | None = None) -> tuple[int | None, str]:
    """A declarer (None where there is none) and a hand that can be. Unless told, the last seat deals."""
    match chance.choice(("contract",) * 6 + ("mizer", "raspasovka", "raspasovka", "agreed")):
        case "raspasovka":
            return None, random_raspasovka(chance, dealer_plays_talon(switches, n))
        case "agreed":
            return None, random_agreed(chance, n)
        case "mizer":
            line = f"M {chance.choice((0, 0, 1, 2, chance.randint(0, 10)))}"
        case _:
            line = random_contract(chance, switches)
    return chance.choice(three_who_play(n, n - 1 if dealer is None else dealer)), line


def random_contract(chance: Random, switches: Switches) -> str:
    """Tricks mostly next to the bid, or all."""
    level = chance.choice((6, 6, 6, 7, 7, 8, 9, 10))
    is_stalingrad = level == 6 and switches["stalingrad"] == "yes"
    strain = chance.choice("SCDHN" if is_stalingrad else ("", *"SCDHN"))
    said = ["pp", "wp", "pw", "ww", "ww", "ww"]
    if level < 8 and switches["half_whist"] == "yes":
        said += ["ph", "rh"]
    if level == 10 and switches["ten"] == "checked":
        said = ["cc"]
    if is_stalingrad and strain == "S":
        said = ["ww"]
    if switches["give_up"] != 0:
        said.append("g")
    answers = chance.choice(said)
    declarers = min(10, max(0, chance.choice((level + chance.randint(-2, 3), 10, chance.randint(0, 10)))))
    firsts = chance.randint(0, 10 - declarers)
    if answers in ("pp", "ph", "g"):
        return f"{level}{strain} {answers}"
    if answers in ("ww", "cc"):
        return f"{level}{strain} {answers} {declarers}-{firsts}-{10 - declarers - firsts}"
    return f"{level}{strain} {answers} {declarers}"


def random_raspasovka(chance: Random, with_dealer: bool) -> str:
    """Often somebody without a trick, or two with as many."""
    dealers = chance.randint(0, 2) if with_dealer else 0
    eldest = chance.choice((0, 1, 3, chance.randint(0, 10 - dealers)))
    next_one = chance.choice((0, eldest, chance.randint(0, 10 - dealers - eldest)))
    if eldest + next_one + dealers > 10:
        next_one = 0
    numbers = [eldest, next_one, 10 - dealers - eldest - next_one]
    chance.shuffle(numbers)
    return "R " + "-".join(str(number) for number in ([*numbers, dealers] if with_dealer else numbers))


def random_agreed(chance: Random, n: int) -> str:
    """One to four places in the page's order."""
    every = [f"{account}{seat}" for account in "PD" for seat in range(n)]
    every += [f"B{seat}>{against}" for seat in range(n) for against in range(n) if seat != against]
    chosen = sorted(chance.sample(range(len(every)), chance.choice((1, 1, 2, 4))))
    return "= " + " ".join(f"{every[each]}{chance.choice((-20, -3, -1, 1, 2, 5, 30)):+d}" for each in chosen)


# --- Impossible hands: the codes of a line, its seats, its answers and its tricks. ---


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
