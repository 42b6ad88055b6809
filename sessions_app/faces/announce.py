"""The forms of an announcement, and of a contract that the declarer names, as far as every game has the same."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from sessions_app.base_forms import BoundedForm, choice_field
from sessions_app.faces.hand_form import HandForm
from sessions_app.models import Evening, HandInPlay
from sessions_app.readers.evening import seating


class AnnouncementForm(HandForm):
    """The hand form before the hand is played: without the result.

    A game's own form inherits from this class and from the game's hand form. A valid form has the announcement in
    `announcement`, as the game's referee takes it.
    """

    #: Set by the game's own form: the fields that are asked only after the hand.
    RESULT: ClassVar[tuple[str, ...]]

    @property
    def is_thrown_in(self) -> bool:
        """Always False: an announced hand is played."""
        return False

    @property
    def has_line(self) -> bool:
        """Always False: a line has the result, too."""
        return False

    def full_clean(self) -> None:
        super().full_clean()
        # A result that is typed already may still be wrong.
        for name in self.RESULT:
            self.errors.pop(name, None)

    @property
    def announcement(self) -> Any:
        """The announcement; for a valid form only."""
        raise NotImplementedError

    @classmethod
    def noted_fields(cls, hand: Any, evening: Evening) -> dict[str, str]:
        """Return the fields of the hand form that the announcement of a hand fills in."""
        raise NotImplementedError

    @classmethod
    def kept(cls, row: HandInPlay, noted: Mapping[str, Any], typed: Mapping[str, Any]) -> Iterable[str]:
        """Return the typed fields that stay beside the noted ones: the result, as far as it is filled in."""
        return (name for name in cls.RESULT if typed.get(name))

    @classmethod
    def values_in_play(cls, row: HandInPlay) -> dict[str, Any]:
        """Return a hand in play as fields of the hand form, to finish or correct it there."""
        hand = seating.read_in_play(row.evening, row)
        values: dict[str, Any] = {"token": row.token, "number": row.number, "seen": row.version}
        values |= {"dealer": str(row.dealer), "offered": str(row.dealer)}
        if hand.declarer is not None:
            values["declarer"] = str(hand.declarer)
        return values | cls.noted_fields(hand, row.evening)

    @classmethod
    def with_noted(cls, row: HandInPlay, typed: Mapping[str, Any]) -> dict[str, Any]:
        """Return the typed fields, overridden by those that are noted of the hand in play."""
        noted = cls.values_in_play(row)
        own = {"token": typed.get("token"), "number": typed.get("number"), "redeal": ""}
        values = {**typed, **noted, **own, **{name: typed.get(name, "") for name in cls.kept(row, noted, typed)}}
        return {name: str(value) for name, value in values.items() if value is not None}


class NamingForm(BoundedForm):
    """The contract of a declarer whom the referee knows already."""

    contract = choice_field(_("Contract"), missing=_("Which contract?"))

    def __init__(self, *args: Any, offered: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["contract"].choices = offered  # type: ignore[attr-defined]
