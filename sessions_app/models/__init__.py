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
    lineup_from_text,
    lineup_to_text,
    search_text,
)
from sessions_app.models.hands import CORRECTIONS, Action, Hand, HandEntry, HandInPlay, HandMark, Revision
from sessions_app.models.imports import FILE_NAME_LENGTH, Import, ImportMade, ImportPart
from sessions_app.models.installation import Installation, ProbeRow, RateCount, RateKey
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
    UserMerge,
)
from sessions_app.models.phones import Passkey, Phone, PhoneLink, SpareKey, SpentChallenge, UserHandle
from sessions_app.models.repayments import MOST_UNITS, POINTS, REPAYMENT_NOTE_LENGTH, Repayment, RepaymentEvening
