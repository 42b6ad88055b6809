"""The form of agreed entries: penalties, a paid talon, a sheet that is carried over (§5.8)."""

import re
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from scorekeeper.games import preference
from scorekeeper.games.base import Game
from scorekeeper.games.errors import Message
from scorekeeper.games.preference import Agreed, sheet_from_text
from scorekeeper.games.preference.deal import BANK
from sessions_app.faces import entries_form as entries
from sessions_app.faces.preference.words import ACCOUNTS, refusal
from sessions_app.words.wording import isolated


class EntriesForm(entries.EntriesForm):
    """Agreed entries into pools, dumps and whists."""

    GAME: ClassVar[Game[Any, Any, Any]] = preference.GAME
    ACCOUNTS = ACCOUNTS
    OF_TWO = frozenset({BANK})
    EXAMPLE = "P0+3 D1-2 B2>0+20"

    @property
    def line_help(self) -> str:
        seats = ", ".join(f"{seat} {isolated(self.names[seat])}" for seat in sorted(self.sitting))
        return _("P pool, D dump, B whists; %(seats)s") % {"seats": seats}

    def amounts_from_text(self, text: str) -> tuple[entries.Amount, ...]:
        """Return the entries of a line in any order, as a paper sheet may be copied. Raise NotationError."""
        words = re.sub("[−–]", "-", text.upper()).removeprefix("=").split()
        return tuple(amount for word in words for amount in sheet_from_text(word).items())

    def deal_of(self, amounts: tuple[entries.Amount, ...]) -> Agreed:
        return Agreed(amounts)

    @classmethod
    def amounts_of(cls, deal: Agreed) -> tuple[entries.Amount, ...]:
        return deal.amounts

    def refusal(self, message: Message) -> str:
        return refusal(message)
