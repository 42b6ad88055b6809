"""Count a session of a document as the ledger counts hands, and compare it with what the document says.

Nothing is read from the database, and nothing written: what comes out are rows that `writers.imports` saves. The
checks are those of `verify`, so a session that came in has no fault.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_noop as _

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games.base import Place
from sessions_app.errors import DAMAGE, DocumentRefused
from sessions_app.hand_facts import Facts
from sessions_app.models import (
    CORRECTIONS,
    LARGEST_RESULT,
    Action,
    Circle,
    Evening,
    Hand,
    HandEntry,
    Revision,
    lineup_from_text,
    lineup_to_text,
)
from sessions_app.readers.book.document import Value, stake_text
from sessions_app.readers.book.document_reading import check_rules, time_of
from sessions_app.readers.evening.figures import Record, StoredEntry, StoredHand, stored_figures
from sessions_app.readers.evening.recount import (
    Counted,
    EveningSums,
    counted,
    deal_of,
    in_fixed_order,
    kind_of,
    state_of,
)
from sessions_app.readers.money.balances import counted_result
from sessions_app.readers.money.repayments import is_currency
from sessions_app.readers.verify.evenings import KEYS, history_faults, lineup_faults, state_faults

#: The most parts of a unit that the database takes.
MOST_PARTS: Final = 2**15 - 1


@dataclass(frozen=True, slots=True)
class CountedHand:
    """A hand with its entries, and its history with the causes of its revisions: (hand, revision), or None."""

    hand: Hand
    entries: tuple[HandEntry, ...]
    revisions: tuple[Revision, ...]
    causes: tuple[tuple[int, int] | None, ...]
    authors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountedSession:
    """An evening without its circle, and its hands, by number."""

    evening: Evening
    hands: tuple[CountedHand, ...]


def counted_session(value: Value, number: int) -> CountedSession:
    """Return the session with this number in its document. Raise DocumentRefused."""
    where = ["sessions", str(number)]
    try:
        evening = _evening(value)
        _check_evening(evening, value)
        hands = tuple(_hands(evening, value["hands"]))
        _check_writes(hands)
        _check_results(value, len(value["seats"]))
        if evening.has_ended:
            _check_end(evening, value)
            stored_figures(_record(evening, hands, len(value["seats"])))
    except DocumentRefused as refused:
        refused.path[:0] = where
        raise
    except (*DAMAGE, ArithmeticError) as error:
        raise DocumentRefused(_("it cannot be counted: %s"), where, str(error)) from error
    return CountedSession(evening, hands)


def _evening(value: Value) -> Evening:
    check_rules(value["game"], value["house_rules"], ["house_rules"])
    return Evening(
        token=UUID(value["id"]),
        game_key=value["game"],
        rules=value["house_rules"],
        stake=None if value["stake"] is None else Decimal(value["stake"]),
        currency=value["currency"],
        in_chips=value["in_chips"],
        first_dealer=value["first_dealer"],
        lineup=lineup_to_text(value["lineup"]),
        started_at=time_of(value["started_at"], "started_at"),
        ended_at=time_of(value["ended_at"], "ended_at") if value["ended_at"] else None,
        title=value["title"],
        note=value["note"],
        last_number=len(value["hands"]),
    )


def _check_evening(evening: Evening, value: Value) -> None:
    """Raise DocumentRefused unless the stake, the times, the lineup and the changes of a session fit together."""
    is_spelled = evening.stake is None or (evening.stake > 0 and stake_text(evening.stake) == value["stake"])
    has_currency = evening.currency != "" or evening.stake is not None
    if not is_spelled or (has_currency and evening.currency not in CURRENCIES):
        raise DocumentRefused(_("the stake cannot be read"), ["stake"])
    is_ended_before = evening.ended_at is not None and evening.ended_at < evening.started_at
    if is_ended_before or (evening.in_chips and not evening.game.pays_per_hand):
        raise DocumentRefused(_("it ended before it began, or is paid in chips and cannot be"))
    if evening.first_dealer not in value["lineup"]:
        raise DocumentRefused(_("the first dealer is not at the table"), ["first_dealer"])
    _require_none(lineup_faults(evening, evening.lineup, frozenset(range(len(value["seats"])))), "lineup")
    for at, change in enumerate(value["changes"], start=1):
        time_of(change["at"], "changes")
        for when, keys in zip(("before", "after"), KEYS[change["kind"]], strict=True):
            if set(change[when]) != keys:
                raise DocumentRefused(_("it is no change of its kind"), ["changes", str(at)])


def _hands(evening: Evening, values: Sequence[Value]) -> Iterator[CountedHand]:
    """Yield the hands, and set the sums of the evening."""
    sums = EveningSums(0, {}, "")
    for number, value in enumerate(values, start=1):
        try:
            counted_one, sums = _hand(evening, value, number, sums)
        except DocumentRefused as refused:
            refused.path[:0] = ["hands", str(number)]
            raise
        except DAMAGE as error:
            raise DocumentRefused(_("it cannot be counted: %s"), ["hands", str(number)], str(error)) from error
        yield counted_one
    evening.hand_count, evening.sheet, evening.standing = sums.hand_count, sums.sheet, sums.standing


def _hand(evening: Evening, value: Value, number: int, sums: EveningSums) -> tuple[CountedHand, EveningSums]:
    """Return a hand, and the sums with it."""
    if not value["revisions"]:
        raise DocumentRefused(_("it has no history"))
    now = value["revisions"][-1]["after"]
    hand = Hand(token=UUID(value["id"]), number=number, kind=value["kind"], lineup=lineup_to_text(value["lineup"]))
    hand.recorded_at, hand.is_void = time_of(value["at"], "at"), now["is_void"]
    hand.revision_count = len(value["revisions"])
    for name, fact in now["facts"].items():
        setattr(hand, name, fact)
    _require_none(lineup_faults(evening, hand.lineup, frozenset(range(8))), "lineup")
    count = _count(evening, hand, value, sums.standing)
    hand.standing = count.standing
    revisions = tuple(_revisions(evening, hand, value))
    _require_none(state_faults(revisions))
    _require_none(history_faults(hand, count.entries, revisions))
    causes = tuple(each["cause"] and (each["cause"]["hand"], each["cause"]["revision"]) for each in value["revisions"])
    authors = tuple(each["by"] for each in value["revisions"])
    sums = replace(sums.with_hand(hand, count.entries, 1), standing=count.standing)
    return CountedHand(hand, count.entries, revisions, causes, authors), sums


def _count(evening: Evening, hand: Hand, value: Value, standing: str) -> Counted:
    """Count a hand after this standing. Raise DocumentRefused unless the document says the same."""
    count, said = counted(evening, hand, standing), value["revisions"][-1]["after"]["entries"]
    is_as_said = state_of(hand, count.entries)["entries"] == said
    if hand.is_void:
        # It keeps the entries that it had; later hands may have been counted otherwise since.
        kept = tuple(HandEntry(**dict(zip(_ENTRY, row, strict=True)), hand=hand) for row in said)
        count = count._replace(entries=count.entries if is_as_said else kept, standing=standing)
    elif not is_as_said:
        raise DocumentRefused(_("its entries are not those that the game counts"))
    spelled = evening.game.deal_to_text(deal_of(evening, hand)) if hand.deal else ""
    if (count.kind, spelled, hand.number) != (hand.kind, hand.deal, value["number"]):
        raise DocumentRefused(_("its number, its kind or its deal is not written as it should be"))
    return count


_ENTRY: Final = ("account", "seat", "against", "amount", "reason")


def _revisions(evening: Evening, hand: Hand, value: Value) -> Iterator[Revision]:
    for number, each in enumerate(value["revisions"], start=1):
        for state in filter(None, (each["before"], each["after"])):
            _check_state(evening, hand, state)
        yield Revision(
            hand=hand,
            number=number,
            action=each["action"],
            made_at=time_of(each["at"], "revisions", str(number)),
            before=each["before"],
            after=each["after"],
            version=each["version"],
        )


def _check_state(evening: Evening, hand: Hand, state: Value) -> None:
    """Raise DocumentRefused, or one of DAMAGE, for a state that a page could not show."""
    facts = Facts(**state["facts"])
    was = Hand(lineup=hand.lineup, deal=facts.deal)
    is_by_somebody = facts.declarer is not None
    kind = kind_of(evening.game, deal_of(evening, was))
    at_the_table = set(hand.sitting)
    rows = [tuple(row) for row in state["entries"]]
    are_entries = all(
        account in evening.game.accounts
        and seat in at_the_table
        and (against is None or (against in at_the_table and against != seat))
        and (amount > 0 if account == "paid" and against is not None else amount and account != "paid")
        for account, seat, against, amount, _reason in rows
    )
    is_once = len({(account, seat, against, reason) for account, seat, against, _amount, reason in rows}) == len(rows)
    is_sorted = rows == in_fixed_order(rows)
    is_of_a_kind = kind is Hand.Kind.PLAYED or not is_by_somebody
    is_seated = facts.dealer in at_the_table and (not is_by_somebody or facts.declarer in at_the_table)
    if not (are_entries and is_sorted and is_of_a_kind and is_seated and is_once):
        raise DocumentRefused(_("its history has a state that cannot be"))


def _check_writes(hands: Sequence[CountedHand]) -> None:
    """Raise DocumentRefused unless the writes have one order, and each recount a cause before it."""
    known = {(each.hand.number, revision.number): revision for each in hands for revision in each.revisions}
    writes: dict[int, int] = {}
    for each in hands:
        for revision, cause in zip(each.revisions, each.causes, strict=True):
            where = ["hands", str(each.hand.number), "revisions", str(revision.number)]
            is_recount = revision.action == Action.RECOUNT
            is_caused = cause is not None and cause[0] < each.hand.number and _is_caused(revision, known.get(cause))
            if not (is_caused if is_recount else cause is None):
                raise DocumentRefused(_("its cause is no earlier correction"), where)
            is_of_one = is_recount or writes.setdefault(revision.version or 0, each.hand.number) == each.hand.number
            if revision.version is not None and not is_of_one:
                raise DocumentRefused(_("two writes have one number"), where)
        _check_order(each)


def _is_caused(recount: Revision, cause: Revision | None) -> bool:
    """Return whether a recount comes of this revision: a correction by the same write, or at the time or before."""
    if cause is None or cause.action not in CORRECTIONS or cause.version != recount.version:
        return False
    return recount.version is not None or cause.made_at <= recount.made_at


def _check_order(each: CountedHand) -> None:
    """Raise DocumentRefused unless the versions of a hand's history grow, those without one first."""
    versions = [revision.version or 0 for revision in each.revisions]
    numbered = [version for version in versions if version]
    if versions != sorted(versions) or len(set(numbered)) < len(numbered):
        raise DocumentRefused(_("two writes have one number"), ["hands", str(each.hand.number)])


def _check_results(value: Value, seats: int) -> None:
    """Raise DocumentRefused for results that no session has ended with."""
    result = value["result"]
    if result is not None:
        amounts = [Fraction(amount) for amount in result["amounts"]]
        is_whole = len(amounts) == seats and not sum(amounts) and is_currency(result["currency"])
        is_whole = is_whole and all(map(_is_storable, amounts))
        if not is_whole or [str(amount) for amount in amounts] != result["amounts"]:
            raise DocumentRefused(_("its result does not sum to zero"), ["result"])
    for number, former in enumerate(value["former_results"], start=1):
        where = ["former_results", str(number)]
        time_of(former["at"], *where)
        is_one = former["seat"] < seats and is_currency(former["currency"]) and _is_storable(Fraction(former["amount"]))
        if not is_one or str(Fraction(former["amount"])) != former["amount"]:
            raise DocumentRefused(_("it is no result of a seat"), where)


def _is_storable(amount: Fraction) -> bool:
    return abs(amount.numerator) <= LARGEST_RESULT and amount.denominator <= MOST_PARTS


def _check_end(evening: Evening, value: Value) -> None:
    """Raise DocumentRefused unless a session that has ended has the result that its sheet comes to."""
    evening.circle = Circle()
    result, said = counted_result(evening, range(len(value["seats"]))), value["result"]
    comes_to = {"currency": result.currency, "amounts": [str(amount) for amount in result.amounts.values()]}
    if not result.is_storable or (said is not None and said != comes_to):
        raise DocumentRefused(_("its result is not what its sheet comes to"), ["result"])


def _record(evening: Evening, hands: Sequence[CountedHand], seats: int) -> Record:
    """Return what the statistics are counted from when the session is written."""
    stand = [each for each in hands if not each.hand.is_void and each.hand.kind != Hand.Kind.THROWN_IN]
    rows = tuple(
        StoredHand(
            each.hand.number,
            each.hand.kind,
            Place(lineup_from_text(each.hand.lineup), each.hand.dealer, each.hand.declarer),
            each.hand.deal,
            tuple(StoredEntry(*(getattr(entry, name) for name in _ENTRY)) for entry in each.entries),
        )
        for each in stand
    )
    return Record(evening, tuple(range(seats)), rows)


def _require_none(faults: Any, *where: str) -> None:
    for fault in faults:
        raise DocumentRefused("%s", where, fault)
