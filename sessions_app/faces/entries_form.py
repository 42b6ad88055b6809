"""The form of what a table agrees to write without a hand, as far as it is the same for every game: places and amounts.

A place is an account of somebody, in some accounts against somebody else. The form has so many places as were asked
for; one in which nothing is said is none, nor is one of 0. All of it may be typed as one line besides.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, NamedTuple, Self

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.games.base import Account, Game, InvalidDeal, Message, NotationError, Place
from sessions_app.bounded_form import HIDDEN_FIELD, BoundedForm
from sessions_app.faces.entries_rows import PARTS, SAYING, Row, fields_of
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand
from sessions_app.parsing import whole_number
from sessions_app.wording import Words

_NUMBER: Final = re.compile(r"([+−-]?)([0-9]{1,15})", re.ASCII)
#: Leaves its place out: what was tapped cannot be tapped away.
_NOTHING: Final = re.compile(r"[+−-]?0+", re.ASCII)

type Amount = tuple[Account, int]


class TypedEntry(NamedTuple):
    """What is to be written, and the field beside which it is said what is wrong with it."""

    beside: str
    amount: Amount


class EntriesForm(BoundedForm):
    """Entries as the table says them; `deal` is what they come to, if it is valid.

    `names` are the players by seat, `sitting` those who sit at the table, clockwise, and `rules` the house's. Of what
    others write the form knows which `seating` the seats are of, which number it was `meant` to have, and whether it is
    `another` than theirs.
    """

    token = forms.UUIDField(**HIDDEN_FIELD)
    number = forms.IntegerField(min_value=1, max_value=10**6, **HIDDEN_FIELD)
    revision = forms.IntegerField(required=False, **HIDDEN_FIELD)
    seating = forms.IntegerField(required=False, min_value=0, max_value=10**9, **HIDDEN_FIELD)
    meant = forms.IntegerField(required=False, min_value=1, max_value=10**6, **HIDDEN_FIELD)
    another = forms.BooleanField(required=False, **HIDDEN_FIELD)
    line = forms.CharField(label=gettext_lazy("A whole sheet as one line"), required=False, max_length=200)

    HIDDEN = ("token", "number", "revision", "seating", "meant")
    #: Set by the game's own form: its game; its accounts in words; those that somebody has against somebody else; a
    #: line as the game writes it.
    GAME: ClassVar[Game[Any, Any, Any]]
    ACCOUNTS: ClassVar[Mapping[str, Words]]
    OF_TWO: ClassVar[frozenset[str]] = frozenset()
    EXAMPLE: ClassVar[str] = ""

    def __init__(self, *args: Any, names: list[str], sitting: tuple[int, ...], rules: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names, self.sitting, self.rules = names, sitting, rules
        said = self.data if self.is_bound else self.initial
        self.row_count = min(max(_whole(said.get("rows")), 1), self.most_rows)
        #: Whether all of them were on the page that has sent it: who switches the language takes along what he typed.
        self.has_all_rows = all(f"sign_{index}" in said for index in range(self.row_count))
        self._said: tuple[TypedEntry, ...] = ()
        asked = fields_of(self.ACCOUNTS, names, sitting)
        for index in range(self.row_count):
            for part, field in asked.items():
                self.fields[f"{part}_{index}"] = field()

    @classmethod
    def at(cls, evening: Evening, names: list[str], *args: Any, hand: Hand | None = None, **kwargs: Any) -> Self:
        """The form of an evening, for new entries or to correct some, at the table as it was then."""
        sitting = evening.sitting if hand is None else hand.sitting
        return cls(*args, names=names, sitting=sitting, rules=evening.house, **kwargs)

    def again(self, *args: Any, **kwargs: Any) -> Self:
        """A form of the same table with other fields."""
        return type(self)(*args, names=self.names, sitting=self.sitting, rules=self.rules, **kwargs)

    # --- Places ---

    @property
    def most_rows(self) -> int:
        """So many places there are at this table."""
        seats = len(self.sitting)
        return sum(seats * (seats - 1 if account in self.OF_TWO else 1) for account in self.ACCOUNTS)

    @property
    def has_room(self) -> bool:
        return self.row_count < self.most_rows

    @property
    def rows(self) -> list[Row]:
        return [Row(n + 1, *(self[f"{part}_{n}"] for part in PARTS)) for n in range(self.row_count)]

    @property
    def hidden_values(self) -> list[tuple[str, Any]]:
        """What stands in the fields that nobody sees."""
        hidden = ((name, self[name].value()) for name, field in self.fields.items() if field.widget.is_hidden)
        return [*hidden, ("rows", self.row_count)]

    @property
    def hidden_errors(self) -> list[str]:
        """What is wrong with these, each sentence once."""
        return list(dict.fromkeys(str(error) for name in self.HIDDEN for error in self[name].errors))

    # --- What it says ---

    def clean(self) -> dict[str, Any]:
        self._said = (*self._of_rows(), *self._of_line())
        if not self._said and not self.errors:
            self.add_error("account_0", ValidationError(_("What did the players agree on?"), code="required"))
        self.refuse_each(self._check)
        if not self.errors:
            self._refuse_twice()
        if not self.errors:
            self.cleaned_data["deal"] = self.deal_of(tuple(said.amount for said in self._said))
        return self.cleaned_data

    def _of_rows(self) -> Iterator[TypedEntry]:
        for index in range(self.row_count):
            said: dict[str, Any] = {part: self.cleaned_data.get(f"{part}_{index}") for part in PARTS}
            if _NOTHING.fullmatch(said["amount"] or ""):
                continue
            if any(said[part] not in (None, "") or f"{part}_{index}" in self.errors for part in SAYING):
                amount = self._of_row(index, **said)
                if amount:
                    yield TypedEntry(f"amount_{index}", amount)

    def _of_row(self, index: int, account: str, seat: Any, against: Any, sign: str, amount: str) -> Amount | None:
        """One place, or None with errors added beside what is missing in it."""
        of_two = account in self.OF_TWO
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
        number = self._number(index, sign, amount) if amount else None
        if number is None or any(f"{part}_{index}" in self.errors for part in PARTS):
            return None
        return (account, seat, against if of_two else None), number

    def _question(self, part: str, index: int) -> str:
        if part == "amount" and self.row_count > 1:
            return _("How much? 0 leaves it out.")
        return str(self.fields[f"{part}_{index}"].label)

    def _number(self, index: int, sign: str, text: str) -> int | None:
        """An amount above or below zero; a sign that is typed wins over the one that is chosen."""
        found = _NUMBER.fullmatch(text)
        if not found:
            self.add_error(f"amount_{index}", ValidationError(_("Enter a whole number."), code="no_number"))
            return None
        return int(found[2]) if (found[1] or sign or "+") == "+" else -int(found[2])

    def _of_line(self) -> Iterator[TypedEntry]:
        try:
            for amount in self.amounts_from_text(self.cleaned_data.get("line", "")):
                yield TypedEntry("line", amount)
        except NotationError:
            wrong = _("An entry looks like this: %(example)s") % {"example": self.EXAMPLE}
            self.add_error("line", ValidationError(wrong, code="notation"))

    # --- What is refused ---

    def _check(self, deal: Any) -> None:
        place = Place(self.sitting, self.sitting[0])
        self.GAME.count(deal, place, self.GAME.start(self.rules), self.rules)

    def _refuse_twice(self) -> None:
        """What only cannot be together is said beside the later of the two."""
        before: list[Amount] = []
        for beside, amount in self._said:
            before.append(amount)
            try:
                self._check(self.deal_of(tuple(before)))
            except InvalidDeal as invalid:
                self._say(beside, invalid)
                before.pop()

    def _say(self, beside: str, invalid: InvalidDeal) -> None:
        if beside not in self.errors:
            message = next(iter(invalid.errors.values()))
            self.add_error(beside, ValidationError(self.refusal(message), code=message.code))

    def refuse_each(self, ask: Callable[[Any], object]) -> None:
        """Ask of each entry by itself whether it can be, and say beside it why not: `ask` raises InvalidDeal."""
        for beside, amount in self._said:
            try:
                ask(self.deal_of((amount,)))
            except InvalidDeal as invalid:
                self._say(beside, invalid)

    def refuse(self, invalid: InvalidDeal, ask: Callable[[Any], object]) -> None:
        """Say beside its entries why the evening, as it stands, does not take them."""
        self.refuse_each(ask)
        if not self.errors:
            self._say(self._said[0].beside, invalid)

    # --- What it comes to ---

    @property
    def deal(self) -> Any:
        """The entries as the game has them, or None while something is missing or wrong."""
        return self.cleaned_data.get("deal") if self.is_bound and self.is_valid() else None

    def facts(self, dealer: int) -> Facts:
        """What the ledger takes, with who deals before and after it; for a valid form only."""
        return Facts(dealer, None, self.GAME.deal_to_text(self.cleaned_data["deal"]), True)

    @classmethod
    def values_of(cls, hand: Hand, deal: Any) -> dict[str, Any]:
        """Recorded entries as the fields of the form, to correct them by."""
        amounts = cls.amounts_of(deal)
        values: dict[str, Any] = {"number": hand.number, "token": hand.token, "revision": hand.revision_count}
        values["rows"] = len(amounts)
        for index, ((account, seat, against), amount) in enumerate(amounts):
            said = (
                account,
                str(seat),
                "" if against is None else str(against),
                "-" if amount < 0 else "+",
                abs(amount),
            )
            values |= {f"{part}_{index}": value for part, value in zip(PARTS, said, strict=True)}
        return values

    # --- Of the game ---

    @property
    def line_help(self) -> str:
        """How a line is written at this table, in a few words."""
        raise NotImplementedError

    def amounts_from_text(self, text: str) -> tuple[Amount, ...]:
        """Read a line; nothing of an empty one. Raises NotationError."""
        raise NotImplementedError

    def deal_of(self, amounts: tuple[Amount, ...]) -> Any:
        """The entries as the game has them, possible or not."""
        raise NotImplementedError

    @classmethod
    def amounts_of(cls, deal: Any) -> tuple[Amount, ...]:
        """What entries of the game write."""
        raise NotImplementedError

    def refusal(self, message: Message) -> str:
        """A rule's refusal as a sentence."""
        raise NotImplementedError


def _whole(value: Any) -> int:
    return whole_number(str(value), digits=3) or 0
