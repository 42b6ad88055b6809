"""Check figures: a printed sheet or a picture bears one, and by it a member sees whether the book still says the same.

A figure is two numbers of 30 bits in Crockford's base 32. The first is the beginning of the evening's token, by which
the evening is found. The second is a sum of keyed hashes, one for the stake and one for each hand as it stood. Walking
back through the history replaces one summand a revision, until the sum is that of the figure: so the book of that time
is found without being stored, and a correction that was corrected back is none.

The key is the evening's token. It is known to members only and goes along with an export: whoever can make a figure may
see the evening anyway, and figures stay good after a new secret key, and on another server.
"""

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import F

from scorekeeper.games.amounts import Amount
from sessions_app.models import Evening, EveningChange, Hand, Revision, User
from sessions_app.readers.evening.edit import stake_as_stored
from sessions_app.readers.evening.hand_history import entries_then, row_then
from sessions_app.readers.evening.seating import names_of
from sessions_app.readers.evening.sheets import HandRow

DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
#: As a figure is typed: letters that look like a digit are that digit.
_READ_AS: Final = str.maketrans("OIL", "011", "- ")
#: Characters of each of the two numbers, of the groups in which they are written, and of the longest figure read.
HALF: Final = 6
GROUP: Final = 4
LONGEST: Final = 20
_MODULUS: Final = 32**HALF
_TOKEN_BITS: Final = 128 - 5 * HALF
#: The most evenings of a member that begin alike and are compared.
_MOST_ALIKE: Final = 8

#: A hand's state as its history stores it (`recount.state_of`).
type State = Mapping[str, Any]
#: A stake as the history stores it (`edit.stake_as_stored`).
type Stake = dict[str, str]


class Difference(NamedTuple):
    """A hand that the figure's book had otherwise."""

    number: int
    was: HandRow
    now: HandRow

    @property
    def changes_dealer(self) -> bool:
        return self.was.dealer != self.now.dealer


class Balance(NamedTuple):
    """A player's balance in the figure's book, and now."""

    name: str
    was: Amount
    now: Amount


@dataclass(frozen=True, slots=True)
class Checked:
    """An evening's book at the time of a figure, beside the book of now.

    `last` is the number of its last hand, `since` are the first and the last number of the hands recorded since, None
    for none. `stakes` are the stake then and now if they differ.
    """

    last: int
    differences: tuple[Difference, ...]
    since: tuple[int, int] | None
    stakes: tuple[Stake, Stake] | None
    balances: tuple[Balance, ...]

    @property
    def is_corrected(self) -> bool:
        return bool(self.differences or self.stakes)

    @property
    def since_count(self) -> int:
        return self.since[1] - self.since[0] + 1 if self.since else 0

    @property
    def has_moved(self) -> bool:
        """Return whether any balance is another one by now."""
        return any(each.was != each.now for each in self.balances)


def figure_of(evening: Evening) -> str:
    """Return the check figure of the evening as it stands, 'ABCD-EFGH-JKMN': one query."""
    latest = Revision.objects.filter(hand__evening=evening, number=F("hand__revision_count"))
    states = latest.order_by().values_list("hand__number", "after")
    total = _of_stake(evening.token, stake_as_stored(evening)) + _of_hands(evening.token, states)
    digits = _digits(evening.token.int >> _TOKEN_BITS) + _digits(total % _MODULUS)
    return "-".join(digits[at : at + GROUP] for at in range(0, len(digits), GROUP))


def evening_of(figure: str, user: User) -> int | None:
    """Return the key of the evening that a figure is of, None unless the user is a member there: one query.

    Two of his evenings may begin alike, since a phone may choose the token: then the one whose book has said so.
    """
    numbers = _numbers(figure)
    if numbers is None:
        return None
    first = numbers[0] << _TOKEN_BITS
    alike = Evening.objects.filter(
        circle__members__user=user, token__gte=UUID(int=first), token__lte=UUID(int=first + 2**_TOKEN_BITS - 1)
    )
    found = list(alike.order_by("pk")[:_MOST_ALIKE])
    if len(found) > 1:
        found = [evening for evening in found if check(evening, figure)] or found
    return found[0].pk if found else None


def check(evening: Evening, figure: str) -> Checked | None:
    """Return the evening's book at the time of the figure; None if its book has never been so. Three queries."""
    numbers = _numbers(figure)
    if numbers is None or numbers[0] != evening.token.int >> _TOKEN_BITS:
        return None
    token, history = evening.token, _history(evening)
    now = {number: after for number, _before, after in history}
    stakes = {_of_stake(token, stake) % _MODULUS: stake for stake in _stakes(evening)}
    was, wanted = dict(now), numbers[1] - _of_hands(token, now.items())
    for number, before, after in reversed(history):
        if wanted % _MODULUS in stakes:
            break
        wanted += _of_hand(token, number, after)
        if before is None:
            del was[number]
        else:
            was[number] = before
            wanted -= _of_hand(token, number, before)
    stake = stakes.get(wanted % _MODULUS)
    return None if stake is None else _checked(evening, was, now, stake)


def _checked(evening: Evening, was: Mapping[int, State], now: Mapping[int, State], stake: Stake) -> Checked:
    names = names_of(evening)
    changed = [number for number, state in sorted(was.items()) if _said(number, state) != _said(number, now[number])]
    hands = {hand.number: hand for hand in Hand.objects.filter(evening=evening, number__in=changed)} if changed else {}
    differences = tuple(
        Difference(number, *(row_then(evening, hands[number], names, book[number]) for book in (was, now)))
        for number in changed
    )
    since = [number for number in now if number not in was]
    balances = zip(names, _balances(evening, was, len(names)), _balances(evening, now, len(names)), strict=True)
    return Checked(
        max(was, default=0),
        differences,
        (min(since), max(since)) if since else None,
        None if stake == stake_as_stored(evening) else (stake, stake_as_stored(evening)),
        tuple(Balance(*each) for each in balances),
    )


def _balances(evening: Evening, book: Mapping[int, State], seats: int) -> list[Amount]:
    sums: dict[Any, int] = {}
    for state in book.values():
        for account, amount in ({} if state["is_void"] else entries_then(state)).items():
            sums[account] = sums.get(account, 0) + amount
    balances = evening.game.balances(sums, tuple(range(seats)), evening.house)
    return [balances[seat] for seat in range(seats)]


def _history(evening: Evening) -> list[tuple[int, State | None, State]]:
    """Return the changes of all hands, in the order in which they were written: number, state before, state after.

    A revision from before the evening's version was stored has its time only.
    """
    found = Revision.objects.filter(hand__evening=evening).order_by("made_at", "hand__number", "number")
    rows = found.values_list("version", "hand__number", "before", "after")
    return [(number, before, after) for _version, number, before, after in sorted(rows, key=lambda row: row[0] or 0)]


def _stakes(evening: Evening) -> list[Stake]:
    """Return the stakes that the evening has had."""
    changes = EveningChange.objects.filter(evening=evening, kind=EveningChange.Kind.STAKE)
    return [*changes.values_list("before", flat=True), stake_as_stored(evening)]


# --- The numbers of a figure ---


def _of_hands(token: UUID, states: Iterable[tuple[int, State]]) -> int:
    return sum(_of_hand(token, number, state) for number, state in states)


def _of_hand(token: UUID, number: int, state: State) -> int:
    return _hashed(token, _said(number, state))


def _of_stake(token: UUID, stake: Stake) -> int:
    return _hashed(token, [stake["stake"], stake["currency"]])


def _said(number: int, state: State) -> list[Any]:
    """Return what a sheet says of a hand. Figures that were printed depend on it."""
    facts = state["facts"]
    sums = {} if state["is_void"] else entries_then(state)
    written = sorted(([*account, amount] for account, amount in sums.items()), key=str)
    return [number, state["is_void"], facts["dealer"], facts["declarer"], facts["deal"], written]


def _hashed(token: UUID, said: list[Any]) -> int:
    text = json.dumps(said, separators=(",", ":"))
    return int.from_bytes(hmac.digest(token.bytes, f"check figure {text}".encode(), "sha256")[:8])


def _digits(number: int) -> str:
    return "".join(DIGITS[number >> 5 * place & 31] for place in reversed(range(HALF)))


def _numbers(figure: str) -> tuple[int, int] | None:
    """Return the two numbers of a figure, None for a text that is no figure."""
    digits = figure.upper().translate(_READ_AS) if len(figure) <= LONGEST else ""
    if len(digits) != 2 * HALF or not set(digits) <= set(DIGITS):
        return None
    return _number(digits[:HALF]), _number(digits[HALF:])


def _number(digits: str) -> int:
    number = 0
    for digit in digits:
        number = number << 5 | DIGITS.index(digit)
    return number
