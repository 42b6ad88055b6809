"""Tables and constraints, in the words of the design: a circle, its players, its evenings, their hands.

The database refuses what the rules of the ledger forbid, whoever writes: no hand twice under a number or a token, no
payment to oneself, no seat taken twice.
"""

from sessions_app.models.evenings import EveningChange, GameSession, PairTotal, Seat
from sessions_app.models.hands import Action, Hand, HandMark, HandPayment, OpenHand, Revision
from sessions_app.models.people import NAME_LENGTH, Invite, Member, OwnershipClaim, Player, Removal, Role, Table, User

__all__ = [
    "NAME_LENGTH",
    "Action",
    "EveningChange",
    "GameSession",
    "Hand",
    "HandMark",
    "HandPayment",
    "Invite",
    "Member",
    "OpenHand",
    "OwnershipClaim",
    "PairTotal",
    "Player",
    "Removal",
    "Revision",
    "Role",
    "Seat",
    "Table",
    "User",
]
