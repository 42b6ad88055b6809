"""Houses, standings and hands at random, mostly next to a threshold."""

from random import Random

from tests.games.preference.by_the_book.paper import Before, Paper
from tests.games.preference.by_the_book.seating import dealer_plays_talon, three_who_play
from tests.games.preference.by_the_book.switches import BOOK, CHOICES, LENINGRAD, ROSTOV, SOCHI, Switches, clash


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
