"""A second, deliberately naive count of one hand of Hungarian Tarokk, to hold against the program's own.

It is written from docs/rules/tarokk.md alone and shares nothing with the program: no import, no constant, no reader of
the line. It goes through §6 as a careful person with paper does: first the bonuses of each side, then the paragraphs 1
to 5 one after another, each adding to v, which is always the declarers'. It expects a legal hand and checks nothing.
"""

from typing import NamedTuple

DECLARERS = "D"
OPPONENTS = "O"
SIDES = (DECLARERS, OPPONENTS)

DEFAULTS = {
    "lost_silent_ultimo": "half",
    "tarokks_paid_by": "all",
    "trull": "2",
    "kings": "2",
    "ultimo": "10",
    "xxi": "42",
    "tie_47": "opponents",
    "proba": "value",
    "kings_beside_silent_double": "yes",
    "alone_counts": "bid",
    "volat_swallows": "made",
}

GAME_VALUE = {"3": 1, "2": 2, "1": 3, "s": 4}
KONTRA = {"": 1, "K": 2, "R": 4, "S": 8, "H": 16, "M": 32}
ANNOUNCED = {"D": "double", "V": "volat", "T": "trull", "N": "kings", "U": "ultimo", "X": "xxi"}
DONE = {"v": "volat", "t": "trull", "n": "kings", "u": "ultimo", "b": "beaten pagat", "x": "xxi"}
# Some number from the middle of each band: no rule tells the numbers of one band apart, but for 47, which asks exactly.
BAND = {"--": 10, "-": 35, "+": 60, "++": 85}


class Paper(NamedTuple):
    """The notes on the paper before anything is counted."""

    contract: str
    partner: int | None  # a place; None: alone
    proba: bool
    points: int  # D's card points
    game_kontra: str  # "" or a letter
    announced: dict[str, dict[str, str]]  # side -> bonus -> letter of its kontra, "" for none
    made: dict[str, set[str]]  # side -> its bonuses, announced or not
    tarokks: dict[int, int]  # place -> 8 or 9
    times: int  # 1, 2 or 4: doubled rounds


def by_the_book(line: str, **switches: str) -> tuple[int, int, int, int]:
    """The amounts of the declarer and of places 1, 2, 3."""
    amounts = [0, 0, 0, 0]
    for (payer, payee), points in who_pays(line, **switches).items():
        amounts[payer] -= points
        amounts[payee] += points
    declarer, first, second, third = amounts
    return declarer, first, second, third


def who_pays(line: str, **switches: str) -> dict[tuple[int, int], int]:
    """Payments between the players: (payer, payee) -> points; every pair netted, none of zero."""
    paper, rules = read(line), DEFAULTS | switches
    if paper.proba:
        slips = [(0, other, proba_costs(paper, rules)) for other in (1, 2, 3)]
    else:
        v = declarers_v(paper, rules)
        slips = [(loser, winner, v) for loser, winner in pairs(paper.partner)] + tarokk_payments(paper, rules)
    netted: dict[tuple[int, int], int] = {}
    for one in range(4):
        for other in range(4):
            pays = sum(value for payer, payee, value in slips if (payer, payee) == (one, other))
            receives = sum(value for payer, payee, value in slips if (payer, payee) == (other, one))
            if pays > receives:
                netted[one, other] = (pays - receives) * paper.times
    return netted


def pairs(partner: int | None) -> list[tuple[int, int]]:
    """The pairs that settle: the first opponent and the declarer, the other and the partner; alone, all and him."""
    if partner is None:
        return [(1, 0), (2, 0), (3, 0)]
    first, other = (place for place in (1, 2, 3) if place != partner)
    return [(first, 0), (other, partner)]


# --- The paper: reading the line, and the bonuses of each side ---


def read(line: str) -> Paper:
    """One line, one spelling: contract partner points kontra announced… done… tarokks… *2."""
    words = line.split()
    times = int(words.pop()[1:]) if words[-1].startswith("*") else 1
    head = words.pop(0)
    contract, rest = head[0], head[1:]
    if rest == "?":
        return Paper(contract, None, True, 0, "", {}, {}, {}, times)
    partner = None if rest == "=" else int(rest.removeprefix("+"))
    shown = words.pop(0)
    points = BAND[shown] if shown in BAND else int(shown)
    game_kontra = words.pop(0) if words and words[0] in KONTRA else ""
    tarokks = {int(word[2:]): int(word[0]) for word in words if "@" in word}
    notes = [word for word in words if "@" not in word]
    made = who_made_what(points, notes)
    return Paper(contract, partner, False, points, game_kontra, who_announced_what(notes), made, tarokks, times)


def side_and_letters(note: str) -> tuple[str, str]:
    """O's with a minus."""
    if note.startswith("-"):
        return OPPONENTS, note[1:]
    return DECLARERS, note


def who_announced_what(notes: list[str]) -> dict[str, dict[str, str]]:
    """The capitals: each announced bonus with the letter of its own kontra."""
    announced: dict[str, dict[str, str]] = {side: {} for side in SIDES}
    for note in notes:
        side, letters = side_and_letters(note)
        if letters[0] in ANNOUNCED:
            announced[side][ANNOUNCED[letters[0]]] = letters[1:]
    return announced


def who_made_what(points: int, notes: list[str]) -> dict[str, set[str]]:
    """The small letters, and bonuses that need no letter: dupla from 71 points; a volát has dupla, trull and kings with
    it.
    """
    made: dict[str, set[str]] = {side: set() for side in SIDES}
    for note in notes:
        side, letters = side_and_letters(note)
        if letters in DONE:
            made[side].add(DONE[letters])
    if points >= 71:
        made[DECLARERS].add("double")
    if points <= 23:
        made[OPPONENTS].add("double")
    for side in SIDES:
        if "volat" in made[side]:
            made[side] |= {"double", "trull", "kings"}
    return made


# --- Values ---


def game_value(paper: Paper, rules: dict[str, str]) -> int:
    """g is the game value 1, 2, 3 or 4, also alone (switch alone_counts: alone always 4)."""
    if paper.partner is None and rules["alone_counts"] == "szolo":
        return 4
    return GAME_VALUE[paper.contract]


def announced_value(bonus: str, paper: Paper, rules: dict[str, str]) -> int:
    """The table of §6, column "announced"."""
    if bonus == "double":
        return 4 * game_value(paper, rules)
    if bonus == "volat":
        return 6 * game_value(paper, rules)
    return int(rules[bonus])


def silent_value(bonus: str, rules: dict[str, str]) -> int:
    """The table of §6, column "silent", for trull, kings, ultimo and xxi: half of the announced."""
    return int(rules[bonus]) // 2


def proba_costs(paper: Paper, rules: dict[str, str]) -> int:
    """A próba without an honour: the value of the bid, or the switch's, to each of the other three."""
    if rules["proba"] == "value":
        return GAME_VALUE[paper.contract]
    return int(rules["proba"])


def other_side(side: str) -> str:
    """The side across the table."""
    return OPPONENTS if side == DECLARERS else DECLARERS


def as_declarers(side: str, value: int) -> int:
    """The points of a side, as D's: O's gain is D's loss."""
    return value if side == DECLARERS else -value


def winner(paper: Paper, rules: dict[str, str]) -> str:
    """D wins the game with 48 card points or more, O with 47 or more; 47–47 by the switch tie_47."""
    if paper.points >= 48:
        return DECLARERS
    if paper.points <= 46:
        return OPPONENTS
    if rules["tie_47"] == "kontra_needs_48" and paper.game_kontra != "":
        return DECLARERS
    if rules["tie_47"] == "last_kontra_loses" and paper.game_kontra in ("K", "S", "M"):
        return DECLARERS
    return OPPONENTS


# --- Counting one hand, paragraphs 1 to 5 ---


def declarers_v(paper: Paper, rules: dict[str, str]) -> int:
    """Paragraph 5, first half: v = all of this as D's."""
    v = 0
    v += rule_1_announced(paper, rules)
    v += rule_2_game(paper, rules)
    v += rule_3_silent(paper, rules)
    v += rule_4_lost_silent_ultimo(paper, rules)
    v += rule_5_tarokks_for_the_side(paper, rules)
    return v


def rule_1_announced(paper: Paper, rules: dict[str, str]) -> int:
    """Paragraph 1: each announced bonus, times its kontra, to its side if it was done, else to the other side."""
    v = 0
    for side in SIDES:
        for bonus, kontra in paper.announced[side].items():
            value = announced_value(bonus, paper, rules) * KONTRA[kontra]
            receiver = side if bonus in paper.made[side] else other_side(side)
            v += as_declarers(receiver, value)
    return v


def rule_2_game(paper: Paper, rules: dict[str, str]) -> int:
    """Paragraph 2: the game and the bonuses above it; only W, who won the game, scores here."""
    w = winner(paper, rules)
    said = paper.announced[w]
    if "double" in said or "volat" in said:
        return as_declarers(w, rule_2c(paper, rules, w))
    if paper.game_kontra != "":
        return as_declarers(w, rule_2b(paper, rules, w))
    return as_declarers(w, rule_2a(paper, rules, w))


def rule_2a(paper: Paper, rules: dict[str, str], w: str) -> int:
    """§6.2a: no kontra, W announced neither dupla nor volát: only its highest level."""
    g = game_value(paper, rules)
    if "volat" in paper.made[w]:
        return 3 * g
    if "double" in paper.made[w]:
        return 2 * g
    return g


def rule_2b(paper: Paper, rules: dict[str, str], w: str) -> int:
    """§6.2b: kontra'd, W announced neither: the game times its kontra, and the silent bonuses above unmultiplied."""
    g = game_value(paper, rules)
    game = g * KONTRA[paper.game_kontra]
    if "volat" in paper.made[w]:
        return game + 3 * g
    if "double" in paper.made[w]:
        return game + 2 * g
    return game


def rule_2c(paper: Paper, rules: dict[str, str], w: str) -> int:
    """§6.2c: W announced dupla or volát: the game only if kontra'd, never a silent dupla, but a silent volát."""
    g = game_value(paper, rules)
    scored = 0
    if paper.game_kontra != "":
        scored += g * KONTRA[paper.game_kontra]
    if "volat" in paper.made[w] and "volat" not in paper.announced[w]:
        scored += 3 * g
    return scored


def rule_3_silent(paper: Paper, rules: dict[str, str]) -> int:
    """Paragraph 3: silent trull, négy király, pagátultimó and XXI-fogás, to whichever side did them."""
    v = 0
    for side in SIDES:
        for bonus in ("trull", "kings", "ultimo", "xxi"):
            done_silently = bonus in paper.made[side] and bonus not in paper.announced[side]
            if done_silently and not swallowed(side, bonus, paper, rules):
                v += as_declarers(side, silent_value(bonus, rules))
    return v


def swallowed(side: str, bonus: str, paper: Paper, rules: dict[str, str]) -> bool:
    """Paragraph 3: no silent trull and kings beside volát; and those that switches take away besides."""
    if bonus not in ("trull", "kings"):
        return False
    if "volat" in paper.made[side]:
        return True
    if rules["volat_swallows"] == "made_or_announced" and "volat" in paper.announced[side]:
        return True
    if bonus == "kings" and rules["kings_beside_silent_double"] == "no":
        return paid_a_silent_double(side, paper, rules)
    return False


def paid_a_silent_double(side: str, paper: Paper, rules: dict[str, str]) -> bool:
    """§6.2a and §6.2b: whether this side, as W, has the 2g of a silent dupla on the paper."""
    if side != winner(paper, rules):
        return False
    if "double" in paper.announced[side] or "volat" in paper.announced[side]:
        return False
    return "double" in paper.made[side] and "volat" not in paper.made[side]


def rule_4_lost_silent_ultimo(paper: Paper, rules: dict[str, str]) -> int:
    """Paragraph 4: a pagát beaten in the last trick costs its side half, if that side had not announced ultimó."""
    if rules["lost_silent_ultimo"] == "nothing":
        return 0
    v = 0
    for side in SIDES:
        if "beaten pagat" in paper.made[side] and "ultimo" not in paper.announced[side]:
            v += as_declarers(other_side(side), silent_value("ultimo", rules))
    return v


def rule_5_tarokks_for_the_side(paper: Paper, rules: dict[str, str]) -> int:
    """Paragraph 5 with the switch tarokks_paid_by at `opponents`: eight (1) and nine (2) count into v for the side."""
    if rules["tarokks_paid_by"] != "opponents":
        return 0
    v = 0
    for place, number in paper.tarokks.items():
        side = DECLARERS if place in (0, paper.partner) else OPPONENTS
        v += as_declarers(side, {8: 1, 9: 2}[number])
    return v


def tarokk_payments(paper: Paper, rules: dict[str, str]) -> list[tuple[int, int, int]]:
    """Paragraph 5, second half: each of the other three pays him who declared eight 1, nine 2, in any case."""
    if rules["tarokks_paid_by"] == "opponents":
        return []
    slips: list[tuple[int, int, int]] = []
    for declared_by, number in paper.tarokks.items():
        for other in range(4):
            if other != declared_by:
                slips.append((other, declared_by, {8: 1, 9: 2}[number]))
    return slips
