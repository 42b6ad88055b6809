"""Models and constraints, in the words of the design: a circle, its players, its evenings, their hands.

The database enforces the rules of the ledger against any writer: no hand twice under a number or a token, no payment
to oneself, no seat taken twice.
"""

from sessions_app.models.evenings import (
    LARGEST_RESULT,
    NOTE_LENGTH,
    TITLE_LENGTH,
    Evening,
    EveningChange,
    EveningRollup,
    FormerResult,
    Seat,
    Total,
    house_rules_of,
    lineup_from_text,
    lineup_to_text,
    search_text,
)
from sessions_app.models.hands import Action, Hand, HandEntry, HandInPlay, HandMark, Revision
from sessions_app.models.imports import FILE_NAME_LENGTH, Import, ImportMade, ImportPart
from sessions_app.models.installation import Installation, ProbeRow, RateCount, RateKey
from sessions_app.models.keys import Passkey, SpareKey, SpentChallenge, UserHandle
from sessions_app.models.merges import UserMerge
from sessions_app.models.people import (
    CIRCLE_NAME_LENGTH,
    CODE_KEY_LENGTH,
    MARK_COLOURS,
    MARK_SHAPES,
    NAME_LENGTH,
    OPEN,
    SETTINGS,
    Circle,
    HouseProfile,
    Invite,
    Member,
    OwnershipClaim,
    Player,
    Removal,
    Role,
    User,
)
from sessions_app.models.phones import Phone, PhoneLink
from sessions_app.models.repayments import MOST_UNITS, POINTS, REPAYMENT_NOTE_LENGTH, Repayment, RepaymentEvening

__all__ = [
    "CIRCLE_NAME_LENGTH",
    "CODE_KEY_LENGTH",
    "FILE_NAME_LENGTH",
    "LARGEST_RESULT",
    "MARK_COLOURS",
    "MARK_SHAPES",
    "MOST_UNITS",
    "NAME_LENGTH",
    "NOTE_LENGTH",
    "OPEN",
    "POINTS",
    "REPAYMENT_NOTE_LENGTH",
    "SETTINGS",
    "TITLE_LENGTH",
    "Action",
    "Circle",
    "Evening",
    "EveningChange",
    "EveningRollup",
    "FormerResult",
    "Hand",
    "HandEntry",
    "HandInPlay",
    "HandMark",
    "HouseProfile",
    "Import",
    "ImportMade",
    "ImportPart",
    "Installation",
    "Invite",
    "Member",
    "OwnershipClaim",
    "Passkey",
    "Phone",
    "PhoneLink",
    "Player",
    "ProbeRow",
    "RateCount",
    "RateKey",
    "Removal",
    "Repayment",
    "RepaymentEvening",
    "Revision",
    "Role",
    "Seat",
    "SpareKey",
    "SpentChallenge",
    "Total",
    "User",
    "UserHandle",
    "UserMerge",
    "house_rules_of",
    "lineup_from_text",
    "lineup_to_text",
    "search_text",
]
