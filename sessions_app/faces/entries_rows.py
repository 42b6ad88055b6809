"""The fields of a row of the form of agreed entries: account, seat, other seat, sign and amount."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from scorekeeper.db.cache import LRUCache
from sessions_app.faces.choices import Choice, Choices
from sessions_app.words.parsing import whole_number
from sessions_app.words.wording import Words, isolated

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
        "sign": choice(pgettext_lazy("amount", "Plus or minus"), _SIGNS, initial="+"),
        "amount": lambda: forms.CharField(label=gettext_lazy("How much?"), required=False, max_length=20),
    }


def _offers(accounts: Mapping[str, Words], names: Sequence[str], sitting: tuple[int, ...]) -> tuple[Choices, Choices]:
    where = Choices((account, Choice(words, line_words=words)) for account, words in accounts.items())
    who = Choices(
        (str(seat), Choice(names[seat], kind="name", line_words=isolated(names[seat]))) for seat in sorted(sitting)
    )
    return where, who
