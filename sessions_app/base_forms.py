"""The bases of forms: lengths checked before a field reads its value, choices as tiles show them, seats of a hand."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms.forms import DeclarativeFieldsMetaclass
from django.utils.choices import BaseChoiceIterator
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scorekeeper.db.cache import LRUCache
from scorekeeper.games.base import Game
from scorekeeper.http.middleware import MAX_CHARACTERS
from sessions_app.models import Evening, Hand
from sessions_app.readers.evening.seating import in_order_of_play
from sessions_app.words.wording import Words, isolated, who_deals

#: Characters of a field without a `max_length`: a choice, a number.
USUAL: Final = 100
#: NFC makes one character of several: a letter typed in Vietnamese or Korean may have three.
CHARACTERS_OF_A_LETTER: Final = 4
LONGEST: Final = 1_000

_TOO_LONG: Final = _("This is too long: %(limit_value)s characters at most.")
_NOT_OFFERED: Final = _("Choose one of the options.")
_CUT: Final = _("Only the beginning is kept here.")

#: The error of a hidden field, which no user can correct.
OUT_OF_DATE: Final = _("This form is out of date. Go back to the session and open it again.")
#: Arguments of a hidden field.
HIDDEN_FIELD: Final[dict[str, Any]] = {
    "widget": forms.HiddenInput,
    "error_messages": dict.fromkeys(
        ("required", "invalid", "invalid_choice", "min_value", "max_value", "max_length"), OUT_OF_DATE
    ),
}


class BoundedForm(forms.Form):
    """A form that refuses a value longer than its field takes, before anything normalises, matches or parses it.

    scorekeeper.http.middleware has a wider bound for values that are no fields of a form. A hidden field is not
    refused here, since nobody could correct it: its cut value is invalid by itself.
    """

    def _given(self, name: str) -> str:
        """Return the posted value of a field, or the initial one of an unbound form."""
        source: Mapping[str, Any] = self.data if self.is_bound else self.initial
        return str(source.get(name) or "").strip()

    def _clean_fields(self) -> None:
        too_long = {name: refusal(self.fields[name], value) for name, value in self._too_long().items()}
        fields = self.fields
        self.fields = {name: field for name, field in fields.items() if name not in too_long}
        super()._clean_fields()  # type: ignore[misc]  # unknown to the stubs
        self.fields = fields
        for name, error in too_long.items():
            self.add_error(name, error)

    def _too_long(self) -> dict[str, str]:
        """Return the values that are longer than their fields take, by name."""
        # Few values are that long, and a form has dozens of fields.
        long = {name: value for name, value in self.data.items() if isinstance(value, str) and len(value) > USUAL}
        return {
            name: long[key]
            for name, field in (self.fields.items() if long else ())
            if (key := self.add_prefix(name)) in long and not field.widget.is_hidden and len(long[key]) > longest(field)
        }


def longest(field: forms.Field) -> int:
    """Return the number of characters of input that a field reads."""
    most = getattr(field, "max_length", None)
    return USUAL if most is None else max(USUAL, min(CHARACTERS_OF_A_LETTER * most, LONGEST))


def refusal(field: forms.Field, value: str) -> ValidationError:
    """Return the error of a value that is too long, in the field's own words if it has any; it says if it was cut."""
    if isinstance(field, forms.ChoiceField):
        words = {"value": value[:USUAL]}
        return ValidationError(field.error_messages["invalid_choice"], code="invalid_choice", params=words)
    said: Any = field.error_messages.get("max_length", _TOO_LONG)
    limit = getattr(field, "max_length", None) or longest(field)
    sentence = str(said % {"limit_value": limit})
    return ValidationError(f"{sentence} {_CUT}" if len(value) >= MAX_CHARACTERS else sentence, code="max_length")


# --- Choices, as tiles show them ---


@dataclass(frozen=True)
class Choice:
    """One choice of a row: its words, a smaller note, and the choices of other rows that it excludes.

    `template` draws a choice that shows more than words and a note; its context is `choice`. `line_words` are its words
    in the line of a hand that is not saved yet. `excluded` are values of other fields, as 'field=value'; several that
    exclude it only together are 'field=value&field=value'. `cleared_by` names a field that says the same more exactly:
    filling that in clears this choice. `key` is the key of a keyboard that chooses it. A dealer's `summary` names the
    dealer and the first to speak, and `next_dealer` the seat that deals next, for scripts that go on without the
    server. A declarer's `hint` is JSON: by dealer, the hint of another row for this declarer.
    """

    words: Words
    note: Words = ""
    other_note: Words = ""
    kind: str = ""
    template: str = ""
    line_words: Words = ""
    hint: str = ""
    summary: str = ""
    next_dealer: str = ""
    excluded: tuple[str, ...] = field(default=())
    cleared_by: str = ""
    key: str = ""

    @property
    def is_its_own_key(self) -> bool:
        """True if the tile shows its key already, as a figure."""
        return str(self) == self.key

    def __str__(self) -> str:
        return str(self.words)


def figure_key(figure: int) -> str:
    """Return the key of a figure up to 11: one key also where it has two digits, t for ten and e for eleven."""
    return "0123456789te"[figure]


class Choices(BaseChoiceIterator):
    """The choices of a row, shared by all forms that offer the same. They are compared by identity."""

    def __init__(self, choices: Iterable[tuple[str, Choice]]) -> None:
        self._choices = tuple(choices)

    def __iter__(self) -> Iterator[tuple[str, Choice]]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def choice_field(
    label: Words,
    choices: Choices | None = None,
    *,
    coerce: Callable[[str], Any] = str,
    empty: Any = "",
    missing: Words = "",
    wrong: Words = _NOT_OFFERED,
) -> forms.TypedChoiceField:
    """Return a field of one row of tiles, required if `missing` asks for it; else `empty` is its value for none."""
    said: Any = {"label": label, "choices": choices or (), "error_messages": {"invalid_choice": wrong}}
    if missing:
        said["error_messages"]["required"] = missing
    return forms.TypedChoiceField(coerce=coerce, empty_value=empty, required=bool(missing), **said)


# --- Fields that are copied shallowly ---


class ShallowFields(dict[str, forms.Field]):
    """The fields of a form class, copied shallowly for each form.

    Django copies the choices of each field for each form, one by one, and the attributes of its widgets, which no form
    of ours changes. Only the parts that a form changes are copied: error messages, `required` and the choices
    themselves.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, forms.Field]:
        return {name: _copied(field) for name, field in self.items()}


def _copied(field: forms.Field) -> forms.Field:
    copied = _shallow_copy(field)
    copied.error_messages = field.error_messages.copy()
    if isinstance(field, forms.ChoiceField):  # setting its choices sets its widget's, too
        copied.widget = _shallow_copy(field.widget)
    return copied


def _shallow_copy[Thing](thing: Thing) -> Thing:
    new: Thing = object.__new__(type(thing))
    vars(new).update(vars(thing))
    return new


class ShallowFieldsMetaclass(DeclarativeFieldsMetaclass):
    """Metaclass of forms whose fields are copied shallowly."""

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> Any:
        made: Any = super().__new__(mcs, name, bases, attrs)
        made.base_fields = made.declared_fields = ShallowFields(made.base_fields)
        return made


# --- Forms of a hand, which ask for its seats ---

_offered: LRUCache[Mapping[str, Choices]] = LRUCache()
_NOBODY_THERE: Final = _("Nobody sits there.")


class SeatedForm(BoundedForm):
    """A form of some seats of an evening.

    `names` are the players by seat, `sitting` the seats at the table, clockwise, and `rules` the house's.
    """

    #: The game, set by its own form.
    GAME: ClassVar[Game[Any, Any, Any]]
    #: The hidden fields whose errors are shown.
    HIDDEN: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, *args: Any, names: list[str], sitting: tuple[int, ...] | None = None, rules: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.names = names
        self.sitting = tuple(range(len(names))) if sitting is None else sitting
        self.rules = next(iter(self.GAME.PROFILES.values())) if rules is None else rules

    @classmethod
    def at(cls, evening: Evening, names: list[str], *args: Any, hand: Hand | None = None, **kwargs: Any) -> Self:
        """Return the form of an evening, for a new hand or to correct `hand`, with the seats of that time."""
        sitting = evening.sitting if hand is None else hand.sitting
        return cls(*args, names=names, sitting=sitting, rules=evening.house, **kwargs)

    def again(self, *args: Any, **kwargs: Any) -> Self:
        """Return a form of the same seats with other data."""
        return type(self)(*args, names=self.names, sitting=self.sitting, rules=self.rules, **kwargs)

    @property
    def hidden_errors(self) -> list[str]:
        """The errors of the hidden fields, each sentence once."""
        return list(dict.fromkeys(str(error) for name in self.HIDDEN for error in self[name].errors))

    @property
    def deal(self) -> Any:
        """The deal, or None while the form is incomplete or invalid."""
        return self.cleaned_data.get("deal") if self.is_bound and self.is_valid() else None


class SeatingForm(SeatedForm, metaclass=ShallowFieldsMetaclass):
    """A form of one hand's dealer and declarer."""

    dealer = choice_field(_("Dealer"), coerce=int, missing=_("Who deals?"), wrong=_NOBODY_THERE)
    declarer = choice_field(_("Declarer"), coerce=int, empty=None, missing=_("Who plays?"), wrong=_NOBODY_THERE)

    #: True if every hand of the game has a declarer; if not, the row may be left at NOBODY.
    HAS_DECLARER: ClassVar[bool] = True
    #: The words for no declarer.
    NOBODY: ClassVar[Words] = _("nobody alone")
    #: The words for a hand without one, '' if the deal's own words say it.
    UNDECLARED: ClassVar[Words] = ""
    #: The field of figures of a place in the hand, which is another player's with another dealer or declarer.
    BY_PLACE: ClassVar[str] = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, offered in self._of_people().items():
            self._choices(name).choices = offered
        self.fields["declarer"].required = self.HAS_DECLARER

    def _of_people(self) -> Mapping[str, Choices]:
        """Return the choices that name players, shared by all forms of the same seats."""
        key = (type(self), tuple(self.names), self.sitting, self.rules, get_language())
        return _offered.get_or_make(key, self.choices_of_people)

    def choices_of_people(self) -> dict[str, Choices]:
        """Return the choices of dealer and declarer; a game's own form adds its fields that name players."""
        nobody = () if self.HAS_DECLARER else (("", Choice(self.NOBODY, line_words=self.UNDECLARED, key="p")),)
        return {
            "dealer": Choices((str(seat), self._dealer(seat)) for seat in sorted(self.sitting)),
            "declarer": Choices((*((str(seat), self._declarer(seat)) for seat in sorted(self.sitting)), *nobody)),
        }

    def _dealer(self, seat: int) -> Choice:
        return Choice(
            self.names[seat],
            kind="name",
            line_words=isolated(self.names[seat]),
            key=self._key(seat),
            summary=self.dealing(seat),
            next_dealer=str(self.GAME.next_dealer(self.sitting, seat)),
        )

    def dealing(self, dealer: int) -> str:
        """Return a sentence on the hand that this seat deals: the dealer and the first to speak."""
        first = self.GAME.playing_seats(self.sitting, dealer)[0]
        return who_deals(self.names[dealer], self.names[first])

    @property
    def dealt(self) -> str:
        """The sentence on the chosen dealer, or on the first seat if none is chosen."""
        dealer = self.seat("dealer")
        return self.dealing(self.sitting[0] if dealer is None else dealer)

    def _declarer(self, seat: int) -> Choice:
        """Return the choice of a seat as declarer. A dealer who sits out excludes it."""
        name = self.names[seat]
        hints = {dealer: self.hint_of(dealer, seat) for dealer in sorted(self.sitting)}
        said = json.dumps(hints, ensure_ascii=False) if any(hints.values()) else ""
        return Choice(
            name, kind="name", line_words=isolated(name), key=self._key(seat), hint=said, excluded=self.sits_out(seat)
        )

    def sits_out(self, seat: int) -> tuple[str, ...]:
        """Return the dealers with whom a seat has no part in the hand, as 'field=value'."""
        dealers = (
            dealer for dealer in sorted(self.sitting) if seat not in self.GAME.playing_seats(self.sitting, dealer)
        )
        return tuple(f"dealer={dealer}" for dealer in dealers)

    def _key(self, seat: int) -> str:
        """Return the key that chooses a seat: its place in the row."""
        return str(1 + sorted(self.sitting).index(seat))

    def hint_of(self, dealer: int, declarer: int) -> str:
        """Return the name of the player whose figures the row of BY_PLACE asks for with this declarer, '' if none."""
        return ""

    @property
    def asked_of(self) -> str:
        """The name of the player whose figures the row of BY_PLACE asks for, '' until it is known."""
        dealer, declarer = self.seat("dealer"), self.seat("declarer")
        return "" if dealer is None or declarer is None else self.hint_of(dealer, declarer)

    def seat(self, name: str) -> int | None:
        """Return the seat that is chosen in a field, None if nobody sits there."""
        return {str(seat): seat for seat in self.sitting}.get(str(self[name].value()))

    @property
    def in_order_of_play(self) -> tuple[int, ...]:
        """The seats that play, the chosen declarer first; () as long as no player is chosen."""
        return in_order_of_play(self.GAME, self.sitting, self.seat("dealer"), self.seat("declarer"))

    @property
    def leader(self) -> int | None:
        """The seat that leads, as far as the chosen seats tell; else None."""
        dealer, declarer = self.seat("dealer"), self.seat("declarer")
        leaders = {} if dealer is None else self.GAME.leaders(self.sitting, dealer)
        always = set(leaders.values())
        return always.pop() if len(always) == 1 else None if declarer is None else leaders.get(declarer)

    @property
    def always_leads(self) -> bool:
        """True if the first in the order of play leads with every declarer: then the dealer's words say it."""
        dealer = self.seat("dealer")
        if dealer is None:
            return False
        first = self.GAME.playing_seats(self.sitting, dealer)[0]
        return set(self.GAME.leaders(self.sitting, dealer).values()) == {first}

    def _choices(self, name: str) -> forms.ChoiceField:
        return cast(forms.ChoiceField, self.fields[name])
