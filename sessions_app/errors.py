"""The errors that writers raise and views catch: each means that nothing was written. Also those of damaged rows."""

from collections.abc import Mapping, Sequence
from decimal import InvalidOperation
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from scorekeeper.games.errors import GameError
from sessions_app.models import (
    Circle,
    Evening,
    EveningChange,
    Hand,
    HandInPlay,
    HouseProfile,
    Member,
    Passkey,
    Player,
    Repayment,
)

#: Errors that reading or counting damaged data may raise.
DAMAGE: Final = (GameError, ValueError, TypeError, LookupError, AttributeError, InvalidOperation)
#: A row is missing that an address or a form names: another circle has it, or another phone has removed it meanwhile.
MISSING: Final = tuple(
    model.DoesNotExist for model in (Circle, Evening, Hand, HouseProfile, Member, Passkey, Player, Repayment)
)


class WriteRefused(Exception):
    """Base class: a writer refused, and nothing was written."""


class DocumentRefused(WriteRefused):
    """A document cannot be read; `path` leads to the part that is wrong, and the message says how.

    The message is marked for translation, and translated when it is read: it may be stored with what it is `said` of.
    """

    def __init__(self, message: str, path: Sequence[str] = (), said: str | Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message, self.path, self.said = message, list(path), said

    @property
    def what(self) -> str:
        return gettext(self.message) % (() if self.said is None else self.said)

    def __str__(self) -> str:
        return f"{' '.join(self.path)}: {self.what}" if self.path else self.what


class ImportRefused(WriteRefused):
    """An import cannot be stored, or not be taken in as it is: the message says why, in the caller's language."""


class ImportBusy(WriteRefused):
    """The user has another import that is being taken in."""


# --- Circles ---


class CircleClosed(WriteRefused, PermissionDenied):
    """Nobody writes to a circle that is archived or soon deleted."""


class CircleInUse(WriteRefused):
    """A circle with a running session is not archived."""


# --- Hands ---


class LedgerError(WriteRefused):
    """Base class: the ledger, or the writer of the hand in play, refused."""


class EveningEnded(LedgerError):
    """An ended evening takes no hand and no correction until it is reopened."""


class NumberTaken(LedgerError):
    """Another member has recorded a hand under this number; `next_number` is the next free one."""

    def __init__(self, next_number: int) -> None:
        super().__init__(f"the next hand is {next_number}")
        self.next_number = next_number


class TokenSpent(LedgerError):
    """This form has already recorded `hand`, with other facts."""

    def __init__(self, hand: Hand) -> None:
        super().__init__(f"already recorded as hand {hand.number}")
        self.hand = hand


class SeatsSwapped(LedgerError):
    """The players have changed places since the caller read the evening: a seat may mean another player now."""


class SameHand(LedgerError):
    """Another member has just recorded `hand`, which reads the same. The caller must confirm that this is another."""

    def __init__(self, hand: Hand) -> None:
        super().__init__(f"reads as hand {hand.number}")
        self.hand = hand


class StaleHand(LedgerError):
    """The hand, or the hand in play, was changed since the caller read it."""


class UnseenHandInPlay(LedgerError):
    """The hand in play says something else, and the form has not shown it: `row`, None if it was taken back."""

    def __init__(self, row: HandInPlay | None) -> None:
        super().__init__("something else is noted of this hand")
        self.row = row


class ReplacesHandInPlay(LedgerError):
    """The announcement would replace moves of the hand in play, and the caller has not confirmed it."""


# --- Evenings ---


class EveningTokenTaken(WriteRefused):
    """Another user has started an evening with this form's token."""


class EveningUsed(WriteRefused):
    """The evening cannot be removed: a hand of it is not void, one is in play, or a payment was booked for it."""


class StaleEvening(WriteRefused):
    """The evening was edited since the caller read it: `changes`, the oldest first."""

    def __init__(self, changes: Sequence[EveningChange]) -> None:
        super().__init__(f"{len(changes)} changes since")
        self.changes = tuple(changes)


class PlayerNameTaken(WriteRefused):
    """Another player of the circle, `other`, has the new name of this `player`."""

    def __init__(self, player: int, other: int) -> None:
        super().__init__(f"of player {player}, by {other}")
        self.player, self.other = player, other


class SeatsFixed(WriteRefused):
    """The seats can no longer be swapped: a hand is on the sheet or in play, or the evening has ended."""


class StakeTooHigh(WriteRefused):
    """The stake times the points of the sheet is more than can be stored."""


class LineupRefused(WriteRefused):
    """A change of the players at the table is refused, for a reason by `code`:

    `ended`, `seats_fixed` (the game allows no change), `being_played` (a hand is), `too_many` or `too_few` players,
    `sheet_full`, `stale` (the lineup was changed since the caller read it), `not_sitting`, `sits_already`.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


# --- Circles ---


class NewCircleRefused(WriteRefused):
    """The user may not start a circle on this server, for a reason by `code`:

    `code` (he has not entered the server's), `wrong_code`, `members` (only they may), `operator` (only he may), `demo`
    (there are none).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class MembershipRefused(WriteRefused):
    """Base class: a change of a circle's members was refused."""


class LinkRevoked(MembershipRefused):
    """The invite link was revoked."""


class RemovedFromCircle(MembershipRefused):
    """The user was removed from the circle after this invite link was made."""


class LastOwner(MembershipRefused):
    """The circle would be left without an owner."""


class ClaimOpen(MembershipRefused):
    """Another claim is open in the circle."""


class ClaimNotDue(MembershipRefused):
    """The member has no open claim, or the time to object to it is not over."""


class NotLinkMaker(WriteRefused):
    """The member neither made the invite link nor is an owner, and may not revoke it."""


class MarkTaken(WriteRefused):
    """Another player of the circle has this mark."""


class SamePerson(WriteRefused):
    """Two names of a new evening, `first` and `second`, are merged into one person."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__("two names of one person")
        self.first, self.second = first, second


class MergeRefused(WriteRefused):
    """Two names cannot be merged, for a reason by `code`:

    `itself`, `merged_already` (one of them is another name of somebody), `has_names` (the one to be merged has other
    names itself), `own_name` (the other is a name of the player already), `one_table` (both sat in `evening`), `paid`
    (one of them has paid or owed the other).
    """

    def __init__(self, code: str, evening: Evening | None = None) -> None:
        super().__init__(code)
        self.code, self.evening = code, evening


class HouseProfileRefused(WriteRefused):
    """Base class: saving or renaming house rules was refused."""


class ProfileNameTaken(HouseProfileRefused):
    """Other house rules of this game have the name in the circle."""


class TooManyProfiles(HouseProfileRefused):
    """The circle has as many saved house rules of this game as it may."""


# --- Payments that were made ---


class RepaymentRefused(WriteRefused):
    """A payment cannot be booked, for a reason by `code`, and the `field` that it is about:

    `himself` (nobody pays himself), `no_player` (not of this circle), `nothing` (less than one unit), `too_much`,
    `currency` (the circle never played for it), `evening` (not of this circle, or without a hand), `chips` (paid in
    chips), `no_result` (has never ended), `two_currencies`, `not_its_currency` (the evenings count in `currency`),
    `not_there` (one of the two sat in none of these evenings).
    """

    def __init__(self, code: str, field: str, currency: str = "") -> None:
        super().__init__(f"{code}: {field}")
        self.code, self.field, self.currency = code, field, currency


class RepaymentTokenSpent(WriteRefused):
    """This form has already booked the payment `row`, which says something else."""

    def __init__(self, row: Repayment) -> None:
        super().__init__(f"already booked as {row.pk}")
        self.row = row


class OverpaidSince(WriteRefused):
    """Payments were booked since the caller's page was made, and this one would be more than `payer` owes by now.

    `left` is what he still owes in whole coins, `paid` what he has paid since, `seen` the number of payments by now.
    """

    def __init__(self, payer: Player, payee: Player, left: int, paid: int, seen: int) -> None:
        super().__init__(f"only {left} are left")
        self.payer, self.payee, self.left, self.paid, self.seen = payer, payee, left, paid, seen


class SameRepayment(WriteRefused):
    """Another member has meanwhile booked `row`, which says the same. The caller must confirm that this is another."""

    def __init__(self, row: Repayment) -> None:
        super().__init__(f"says the same as {row.pk}")
        self.row = row


# --- Passkeys and spare keys ---


class PasskeyRefused(WriteRefused):
    """A ceremony is refused, for a reason by `code`, which tells a stranger nothing of anybody's passkeys:

    `late` (its options were not given just now to this browser, or were answered already), `wrong`.
    """

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(why or code)
        self.code = code


class PasskeyKnown(WriteRefused):
    """The passkey is a row already."""


class LastPasskey(WriteRefused):
    """The user has no other passkey, and the caller has not confirmed that it goes."""


class NobodyCouldOpen(WriteRefused):
    """Undoing a merge would leave one of the two users without a phone and without a key."""


class WrongSpareKey(WriteRefused):
    """The words are no spare key, or it was used already."""
