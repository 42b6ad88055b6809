"""The form of agreed entries into pools, dumps and whists.

An entry has an account, a seat, in the account of whists another seat, and an amount. The form has as many rows as were
asked for; an empty row and one of amount 0 are left out. All entries may be typed as one line besides.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scorekeeper.db.cache import LRUCache
from scorekeeper.games import preference
from scorekeeper.games.base import Account, Game, Place
from scorekeeper.games.errors import InvalidDeal, NotationError
from scorekeeper.games.preference import Agreed, sheet_from_text
from scorekeeper.games.preference.deal import BANK
from sessions_app.base_forms import Choice, Choices
from sessions_app.faces.agreed_form import AgreedForm, amount_field, sign_field
from sessions_app.faces.preference.words import ACCOUNTS, refusal
from sessions_app.models import Hand
from sessions_app.words.wording import isolated, whole_number

_NOBODY: Final = {"invalid_choice": gettext_lazy("Nobody sits there.")}
#: Choices shared by all forms of the same seats: drawn rows are cached by the identity of their choices.
_offered: LRUCache[tuple[Choices, Choices]] = LRUCache()


class Row(NamedTuple):
    """A row of the form, numbered from 1, with its bound fields."""

    number: int
    account: forms.BoundField
    seat: forms.BoundField
    against: forms.BoundField
    sign: forms.BoundField
    amount: forms.BoundField


#: A sign is always chosen, so it does not count as filled in.
PARTS: Final = Row._fields[1:]
SAYING: Final = tuple(part for part in PARTS if part != "sign")


class _Seat(forms.TypedChoiceField):
    """A seat. The game checks that the seat is taken."""

    def valid_value(self, value: Any) -> bool:
        return whole_number(str(value), digits=2) is not None


def row_fields(where: Any, who: Any) -> dict[str, forms.Field]:
    """Return the fields of a row, by name; `where` are the choices of an account, `who` those of a seat."""
    seat: Any = {"choices": who, "coerce": int, "empty_value": None, "required": False, "error_messages": _NOBODY}
    return {
        "account": forms.ChoiceField(label=gettext_lazy("Where?"), choices=where, required=False),
        "seat": _Seat(label=gettext_lazy("Whose?"), **seat),
        "against": _Seat(label=gettext_lazy("Against whom?"), **seat),
        "sign": sign_field(),
        "amount": amount_field(),
    }


def _offers(names: Sequence[str], sitting: tuple[int, ...]) -> tuple[Choices, Choices]:
    where = Choices((account, Choice(words, line_words=words)) for account, words in ACCOUNTS.items())
    who = Choices(
        (str(seat), Choice(names[seat], kind="name", line_words=isolated(names[seat]))) for seat in sorted(sitting)
    )
    return where, who


#: An amount that leaves its row out: a chosen radio button cannot be unset.
_NOTHING: Final = re.compile(r"[+−–-]?0+", re.ASCII)

type Amount = tuple[Account, int]
#: An entry, after the field that shows its errors.
type TypedEntry = tuple[str, Amount]


class EntriesForm(AgreedForm):
    """Agreed entries, in rows and on a line."""

    line = forms.CharField(label=gettext_lazy("A whole sheet as one line"), required=False, max_length=200)

    GAME: ClassVar[Game[Any, Any, Any]] = preference.GAME
    EXAMPLE = "P0+3 D1-2 B2>0+20"
    ROW = "entries/_row.html"
    refusal = staticmethod(refusal)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        said = self.data if self.is_bound else self.initial
        self.row_count = min(max(_whole(said.get("rows")), 1), self.most_rows)
        self.has_all_rows = all(f"sign_{index}" in said for index in range(self.row_count))
        self._said: tuple[TypedEntry, ...] = ()
        key = (get_language(), tuple(self.names), self.sitting)
        where, who = _offered.get_or_make(key, lambda: _offers(self.names, self.sitting))
        for index in range(self.row_count):
            self.fields |= {f"{part}_{index}": field for part, field in row_fields(where, who).items()}

    # --- Places ---

    @property
    def most_rows(self) -> int:
        """The number of different entries that these seats can have."""
        seats = len(self.sitting)
        return sum(seats * (seats - 1 if account == BANK else 1) for account in ACCOUNTS)

    @property
    def has_room(self) -> bool:  # type: ignore[override]
        return self.row_count < self.most_rows

    @property
    def rows(self) -> list[Row]:
        return [Row(n + 1, *(self[f"{part}_{n}"] for part in PARTS)) for n in range(self.row_count)]

    @property
    def line_help(self) -> str:
        """A few words on the notation of a line for these seats."""
        seats = ", ".join(f"{seat} {isolated(self.names[seat])}" for seat in sorted(self.sitting))
        return _("P pool, D dump, B whists; %(seats)s") % {"seats": seats}

    def clean(self) -> dict[str, Any]:
        self._said = (*self._of_rows(), *self._of_line())
        if not self._said and not self.errors:
            self.add_error("account_0", ValidationError(_("What did the players agree on?"), code="required"))
        self.refuse_each(self._check)
        if not self.errors:
            self._refuse_twice()
        if not self.errors:
            self.cleaned_data["deal"] = Agreed(tuple(amount for _beside, amount in self._said))
        return self.cleaned_data

    def _of_rows(self) -> Iterator[TypedEntry]:
        for index in range(self.row_count):
            said: dict[str, Any] = {part: self.cleaned_data.get(f"{part}_{index}") for part in PARTS}
            if _NOTHING.fullmatch(said["amount"] or ""):
                continue
            if any(said[part] not in (None, "") or f"{part}_{index}" in self.errors for part in SAYING):
                amount = self._of_row(index, **said)
                if amount:
                    yield f"amount_{index}", amount

    def _of_row(self, index: int, account: str, seat: Any, against: Any, sign: str, amount: str) -> Amount | None:
        """Return the entry of a row, or None with errors added to its incomplete fields."""
        of_two = account == BANK
        asked = {
            "account": not account,
            "seat": seat is None,
            "against": of_two and against is None,
            "amount": not amount,
        }
        for part in (part for part, is_missing in asked.items() if is_missing):
            name = f"{part}_{index}"
            if name not in self.errors:
                self.add_error(name, ValidationError(self._question(part, index), code="required"))
        number = self.read_amount(index, sign, amount) if amount else None
        if number is None or any(f"{part}_{index}" in self.errors for part in PARTS):
            return None
        return (account, seat, against if of_two else None), number

    def _question(self, part: str, index: int) -> str:
        if part == "amount" and self.row_count > 1:
            return _("How much? 0 leaves it out.")
        return str(self.fields[f"{part}_{index}"].label)

    def _of_line(self) -> Iterator[TypedEntry]:
        try:
            for amount in amounts_from_text(self.cleaned_data.get("line", "")):
                yield "line", amount
        except NotationError:
            wrong = _("An entry looks like this: %(example)s") % {"example": self.EXAMPLE}
            self.add_error("line", ValidationError(wrong, code="notation"))

    # --- Errors ---

    def _check(self, deal: Any) -> None:
        place = Place(self.sitting, self.sitting[0])
        self.GAME.count(deal, place, self.GAME.start(self.rules), self.rules)

    def _refuse_twice(self) -> None:
        """Add the errors of entries that exclude each other to the later of the two."""
        before: list[Amount] = []
        for beside, amount in self._said:
            before.append(amount)
            try:
                self._check(Agreed(tuple(before)))
            except InvalidDeal as invalid:
                self.say(beside, invalid)
                before.pop()

    def refuse_each(self, ask: Callable[[Any], object]) -> None:
        for beside, amount in self._said:
            try:
                ask(Agreed((amount,)))
            except InvalidDeal as invalid:
                self.say(beside, invalid)

    def refuse(self, invalid: InvalidDeal, ask: Callable[[Any], object]) -> None:
        self.refuse_each(ask)
        if not self.errors:
            self.say(self._said[0][0], invalid)

    @classmethod
    def values_of(cls, hand: Hand, deal: Agreed) -> dict[str, Any]:
        values = super().values_of(hand, deal) | {"rows": len(deal.amounts)}
        for index, ((account, seat, against), amount) in enumerate(deal.amounts):
            said = (
                account,
                str(seat),
                "" if against is None else str(against),
                "-" if amount < 0 else "+",
                abs(amount),
            )
            values |= {f"{part}_{index}": value for part, value in zip(PARTS, said, strict=True)}
        return values


def amounts_from_text(text: str) -> tuple[Amount, ...]:
    """Return the entries of a line in any order, as a paper sheet may be copied. Raise NotationError."""
    words = re.sub("[−–]", "-", text.upper()).removeprefix("=").split()
    return tuple(amount for word in words for amount in sheet_from_text(word).items())


def _whole(value: Any) -> int:
    return whole_number(str(value), digits=3) or 0
