"""The form of agreed entries, as far as it is the same for every game: entries that the players write without a hand.

An entry has an account, a seat, in some accounts another seat, and an amount. The form has as many rows as were asked
for; an empty row and one of amount 0 are left out. All entries may be typed as one line besides.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from scorekeeper.db.cache import LRUCache
from scorekeeper.games.base import Account, Place
from scorekeeper.games.errors import InvalidDeal, Message, NotationError
from sessions_app.base_forms import HIDDEN_FIELD, Choice, Choices, SeatedForm
from sessions_app.faces.hand_form import Difference
from sessions_app.hand_facts import Facts
from sessions_app.models import Hand
from sessions_app.words.wording import Words, isolated, whole_number

type NewField = Callable[[], forms.Field]

_SIGNS: Final = Choices((("+", Choice("+")), ("-", Choice("−"))))
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


def fields_of(accounts: Mapping[str, Words], names: Sequence[str], sitting: tuple[int, ...]) -> Mapping[str, NewField]:
    """Return a factory for each field of a row, by its name; `accounts` in words, `names` by seat."""
    words = tuple((account, str(words)) for account, words in accounts.items())
    where, who = _offered.get_or_make((words, tuple(names), sitting), lambda: _offers(accounts, names, sitting))

    def choice(label: Words, offers: Choices, **more: Any) -> NewField:
        return lambda: forms.ChoiceField(label=label, choices=offers, required=False, **more)  # type: ignore[arg-type]

    def seat(label: Words) -> NewField:
        said: Any = {"coerce": int, "empty_value": None, "required": False, "error_messages": _NOBODY}
        return lambda: _Seat(choices=who, **said | {"label": label})

    return {
        "account": choice(gettext_lazy("Where?"), where),
        "seat": seat(gettext_lazy("Whose?")),
        "against": seat(gettext_lazy("Against whom?")),
        "sign": sign_field,
        "amount": amount_field,
    }


def sign_field() -> forms.Field:
    label: Any = pgettext_lazy("amount", "Plus or minus")
    return forms.ChoiceField(label=label, choices=_SIGNS, required=False, initial="+")


def amount_field(**more: Any) -> forms.Field:
    return forms.CharField(label=gettext_lazy("How much?"), required=False, max_length=20, **more)


def _offers(accounts: Mapping[str, Words], names: Sequence[str], sitting: tuple[int, ...]) -> tuple[Choices, Choices]:
    where = Choices((account, Choice(words, line_words=words)) for account, words in accounts.items())
    who = Choices(
        (str(seat), Choice(names[seat], kind="name", line_words=isolated(names[seat]))) for seat in sorted(sitting)
    )
    return where, who


#: Phones write a minus in three ways: hyphen, minus sign, en dash.
_NUMBER: Final = re.compile(r"([+−–-]?)([0-9]{1,15})", re.ASCII)
#: An amount that leaves its row out: a chosen radio button cannot be unset.
_NOTHING: Final = re.compile(r"[+−–-]?0+", re.ASCII)

type Amount = tuple[Account, int]


class TypedEntry(NamedTuple):
    """An entry, and the field that shows its errors."""

    beside: str
    amount: Amount


class EntriesForm(SeatedForm):
    """Agreed entries; a valid form has them in `deal`.

    Three hidden
    fields detect the writes of other phones: `seating`, the version of the seats that the form was built for; `meant`,
    the number that the entries were to have; `another`, that the writer means them besides the others' hand.
    """

    token = forms.UUIDField(**HIDDEN_FIELD)
    number = forms.IntegerField(min_value=1, max_value=10**6, **HIDDEN_FIELD)
    revision = forms.IntegerField(required=False, **HIDDEN_FIELD)
    seating = forms.IntegerField(required=False, min_value=0, max_value=10**9, **HIDDEN_FIELD)
    meant = forms.IntegerField(required=False, min_value=1, max_value=10**6, **HIDDEN_FIELD)
    another = forms.BooleanField(required=False, **HIDDEN_FIELD)
    line = forms.CharField(label=gettext_lazy("A whole sheet as one line"), required=False, max_length=200)

    HIDDEN = ("token", "number", "revision", "seating", "meant")
    #: Set by the game's own form: its accounts in words; the accounts between two seats; an example line.
    ACCOUNTS: ClassVar[Mapping[str, Words]]
    OF_TWO: ClassVar[frozenset[str]] = frozenset()
    EXAMPLE: ClassVar[str] = ""
    is_thrown_in: ClassVar[bool] = False
    #: The template of a row, and that of the count; '' for the game's own.
    ROW: ClassVar[str] = "entries/_row.html"
    COUNT: ClassVar[str] = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        said = self.data if self.is_bound else self.initial
        self.row_count = min(max(_whole(said.get("rows")), 1), self.most_rows)
        #: True if the page had all these rows. A language switch posts the form, too, and may add a row.
        self.has_all_rows = all(f"sign_{index}" in said for index in range(self.row_count))
        self._said: tuple[TypedEntry, ...] = ()
        asked = fields_of(self.ACCOUNTS, self.names, self.sitting)
        for index in range(self.row_count):
            for part, field in asked.items():
                self.fields[f"{part}_{index}"] = field()

    # --- Places ---

    @property
    def most_rows(self) -> int:
        """The number of different entries that these seats can have."""
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
        """The names and values of the hidden fields."""
        hidden = ((name, self[name].value()) for name, field in self.fields.items() if field.widget.is_hidden)
        return [*hidden, ("rows", self.row_count)]

    # --- In words ---

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
        """Return the entry of a row, or None with errors added to its incomplete fields."""
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
        """Return a signed amount, or None with an error added. A typed minus wins over the plus chosen at first."""
        found = _NUMBER.fullmatch(text)
        if not found:
            self.add_error(f"amount_{index}", ValidationError(_("Enter a whole number."), code="no_number"))
            return None
        if found[1] == "+" and sign == "-":
            asked = _("Plus or minus? Type the number without a sign.")
            self.add_error(f"amount_{index}", ValidationError(asked, code="two_signs"))
            return None
        return int(found[2]) if (found[1] or sign or "+") == "+" else -int(found[2])

    def _of_line(self) -> Iterator[TypedEntry]:
        try:
            for amount in self.amounts_from_text(self.cleaned_data.get("line", "")):
                yield TypedEntry("line", amount)
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
                self._check(self.deal_of(tuple(before)))
            except InvalidDeal as invalid:
                self._say(beside, invalid)
                before.pop()

    def _say(self, beside: str, invalid: InvalidDeal) -> None:
        if beside not in self.errors:
            message = next(iter(invalid.errors.values()))
            self.add_error(beside, ValidationError(self.refusal(message), code=message.code))

    def refuse_each(self, ask: Callable[[Any], object]) -> None:
        """Check each entry by itself and add its error to its field: `ask` raises InvalidDeal."""
        for beside, amount in self._said:
            try:
                ask(self.deal_of((amount,)))
            except InvalidDeal as invalid:
                self._say(beside, invalid)

    def refuse(self, invalid: InvalidDeal, ask: Callable[[Any], object]) -> None:
        """Add the reason why the evening does not take these entries to the fields of those at fault."""
        self.refuse_each(ask)
        if not self.errors:
            self._say(self._said[0].beside, invalid)

    # --- Amounts ---

    def facts(self, dealer: int) -> Facts:
        """Return the ledger's facts of these entries, which leave the deal with `dealer`; for a valid form only."""
        return Facts(dealer, None, self.GAME.deal_to_text(self.cleaned_data["deal"]), True)

    @classmethod
    def values_of(cls, hand: Hand, deal: Any) -> dict[str, Any]:
        """Return recorded entries as fields of the form, to correct them."""
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

    def differences(self, theirs: Mapping[str, Any]) -> list[Difference]:
        """Return (): entries have no rows to compare, and are shown whole."""
        return []

    # --- Of the game ---

    @property
    def line_help(self) -> str:
        """A few words on the notation of a line for these seats."""
        raise NotImplementedError

    def amounts_from_text(self, text: str) -> tuple[Amount, ...]:
        """Return the entries of a line, none of an empty one. Raise NotationError."""
        raise NotImplementedError

    def deal_of(self, amounts: tuple[Amount, ...]) -> Any:
        """Return the game's deal of these entries, without checking it."""
        raise NotImplementedError

    @classmethod
    def amounts_of(cls, deal: Any) -> tuple[Amount, ...]:
        """Return the entries of the game's deal."""
        raise NotImplementedError

    def refusal(self, message: Message) -> str:
        """Return the sentence for a refusal by the rules."""
        raise NotImplementedError


def _whole(value: Any) -> int:
    return whole_number(str(value), digits=3) or 0
