"""The hand form, as far as it is the same for every game: a deal, and the state that the form was opened with."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.games.base import Place
from scorekeeper.games.errors import GameError, InvalidDeal, Message, NotationError, NotPlaying
from sessions_app.base_forms import HIDDEN_FIELD, Choice, SeatingForm
from sessions_app.faces.hand_words import Marks
from sessions_app.hand_facts import Facts, FormState, Seen
from sessions_app.models import Hand
from sessions_app.readers.evening.seating import in_order_of_play
from sessions_app.words.wording import Words, isolated, uncapitalized


class Difference(NamedTuple):
    """A row in which two readings of a hand differ: its name, and what each of them says, in words."""

    row: str
    theirs: str
    mine: str


class HandForm(SeatingForm):
    """One deal; a game's own form adds its fields. A valid form has the result in `facts`.

    A deal that was thrown in has only a dealer and `redeal`. A hand typed as one `line` needs none of the game's
    fields. Hidden fields detect the writes of other phones meanwhile: `seen` is the version of the hand in play that
    was shown, `announced` whether it had an announcement; `seating` the version of the seats; `meant` the number that
    the hand was to have, `offered` the dealer that was offered, `another` that it is another hand than theirs.
    `tapped_for` names the player whose figures were asked for: another dealer or declarer makes them another player's.
    """

    token = forms.UUIDField(**HIDDEN_FIELD)
    number = forms.IntegerField(min_value=1, max_value=10**6, **HIDDEN_FIELD)
    revision = forms.IntegerField(required=False, **HIDDEN_FIELD)
    seen = forms.IntegerField(required=False, min_value=0, max_value=10**9, **HIDDEN_FIELD)
    announced = forms.BooleanField(required=False, **HIDDEN_FIELD)
    seating = forms.IntegerField(required=False, min_value=0, max_value=10**9, **HIDDEN_FIELD)
    meant = forms.IntegerField(required=False, min_value=1, max_value=10**6, **HIDDEN_FIELD)
    offered = forms.CharField(required=False, max_length=9, **HIDDEN_FIELD)
    another = forms.BooleanField(required=False, **HIDDEN_FIELD)
    tapped_for = forms.CharField(required=False, max_length=200, **HIDDEN_FIELD)
    replace = forms.IntegerField(required=False, min_value=0, max_value=10**9, **HIDDEN_FIELD)
    redeal = forms.ChoiceField(
        required=False, choices=[("stays", ""), ("passes", "")], error_messages=HIDDEN_FIELD["error_messages"]
    )
    line = forms.CharField(label=_("Type it as one line"), required=False, max_length=200)

    HIDDEN = ("token", "number", "revision", "redeal", "seating", "meant", "offered", "replace", "tapped_for")
    #: Set by the game's own form: its fields; the choices of a new form; the fields that a deal needs.
    FIELDS: ClassVar[tuple[str, ...]]
    PRESETS: ClassVar[Mapping[str, str]] = {}
    NEEDED: ClassVar[tuple[str, ...]] = ()
    #: Whether agreed entries are corrected by this form, and not by a form of their own.
    TAKES_AGREED: ClassVar[bool] = False
    #: The fields that name players: after a swap of seats they name others.
    OF_PEOPLE: ClassVar[tuple[str, ...]] = ("declarer",)
    #: The fields that make two hands the same, in the order in which a hand in play is described.
    SAYS: ClassVar[tuple[str, ...]] = ()
    #: The fields that name the game in a few words: shown as one sentence instead of row by row.
    HEADLINE: ClassVar[tuple[str, ...]] = ("declarer",)
    #: The words of a field that a hand in play leaves open; the fields whose choices are worded by their note first.
    OPEN: ClassVar[Mapping[str, Words]] = {}
    NOTED_FIRST: ClassVar[tuple[str, ...]] = ()
    #: An example of a line.
    EXAMPLE: ClassVar[str] = ""
    #: The beginning of a line that is no hand, after which the deal stays; '' if the game has no such line.
    STAYS_WITH: ClassVar[str] = ""
    #: The choices that exclude each other, besides those that each choice names: 'field=value&field=value|value', with
    #: spaces between them. All parts of one hold in no hand.
    exclusions: str = ""
    REDEALS: ClassVar[Mapping[str, Words]] = {"stays": _("same dealer again"), "passes": _("deal passes on")}
    SITS_OUT: ClassVar[Words] = _("The dealer sits out and cannot play.")
    #: The letters of the game's marks on the sheet, with their words.
    LETTERS_ON_SHEET: ClassVar[Sequence[tuple[Words, Words]]] = ()
    #: The game's names of the facts that it refuses.
    refused: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        #: True if figures were dropped because they were tapped for another player.
        self.has_dropped_figures = self._drop_figures_of_another()

    def _drop_figures_of_another(self) -> bool:
        """Drop figures that were tapped for another player than is asked about now; return whether there were any."""
        said = self.data if self.is_bound else self.initial
        asked_of = self.asked_of if self.BY_PLACE else ""
        if not asked_of:
            return False
        moved = str(said.get("tapped_for") or asked_of) != asked_of
        dropped = moved and said.get(self.BY_PLACE) not in (None, "")
        said = {**said, "tapped_for": asked_of} | ({self.BY_PLACE: ""} if dropped else {})
        if self.is_bound:
            self.data: Any = said
        else:
            self.initial = said
        return dropped

    def asks_by_place(self, cleaned: Mapping[str, Any]) -> bool:
        """Return whether the row of BY_PLACE is asked."""
        return True

    # --- In words ---

    def row_words(self, name: str, value: str) -> str:
        """Return the note of a row in words."""
        return f"{self.row_name(name)}: {self.value_words(name, value)}"

    def row_name(self, name: str) -> str:
        """Return the name of a row."""
        return str(self[name].label)

    def value_words(self, name: str, value: str) -> str:
        """Return the value of a row in words."""
        offered = self._offered(name)
        choice = offered.get(value)
        if choice is None:
            return value if value and not offered else str(self.OPEN.get(name, "—"))
        note = f"{choice.note} " if choice.note and name in self.NOTED_FIRST else ""
        return f"{note}{isolated(str(choice))}"

    def _offered(self, name: str) -> dict[str, Choice]:
        """Return the choices of a row by their values; {} for a row of numbers."""
        choices = getattr(self.fields[name], "choices", ())
        return {str(value): choice for value, choice in choices if isinstance(choice, Choice)}

    def differences(self, theirs: Mapping[str, Any]) -> list[Difference]:
        """Return the rows in which a recorded hand, given as fields of the form, says something else than this form.

        A half-filled form says only what is not as in a new one.
        """
        said = self._said
        rows = (
            Difference(self.row_name(name), self._words(name, str(theirs.get(name, ""))), self._words(name, said[name]))
            for name in ("declarer", *self.FIELDS, "dealer")
            if name in said and said[name] != str(theirs.get(name, ""))
        )
        return [row for row in rows if row.theirs != row.mine]

    @property
    def _said(self) -> dict[str, str]:
        """The fields that say something of the hand. The dealer only says it if chosen by hand."""
        asked = ("declarer", *self.FIELDS)
        typed = {name: str(value) for name, value in self.spelled_out.items() if name in ("dealer", *asked)}
        if self.data.get("offered") == typed.get("dealer"):
            typed.pop("dealer", None)
        if self.deal is None:
            return {name: value for name, value in typed.items() if value not in ("", self.PRESETS.get(name))}
        playing = self.players_of(self.deal, self.sitting, self.cleaned_data["dealer"], self.cleaned_data["declarer"])
        said = dict.fromkeys(asked, "") | dict(self.PRESETS)
        said |= {name: value for name, value in typed.items() if name in ("declarer", "dealer")}
        return said | self.fields_of(self.deal, playing)

    def _words(self, name: str, value: str) -> str:
        """Return a value in the words of a hand's line, if it has some, else in those of its row."""
        choice = self._offered(name).get(value)
        return str(choice.line_words) if choice and choice.line_words else self.value_words(name, value)

    def called(self, name: str) -> str:
        """Return a row's name in the list of rows that are still empty."""
        field = self.fields[name]
        # Such a name is a phrase, which may begin with a player's name.
        return str(field.called) if hasattr(field, "called") else uncapitalized(str(field.label))

    @property
    def hidden_values(self) -> list[tuple[str, Any]]:
        """The names and values of the hidden fields, without the number."""
        hidden = (name for name, field in self.fields.items() if field.widget.is_hidden and name != "number")
        return [(name, self[name].value()) for name in hidden]

    @property
    def state(self) -> FormState:
        """The state that the form was opened with, to detect other phones' writes; for a valid form only."""
        cleaned = self.cleaned_data
        return FormState(cleaned["seen"] or 0, cleaned["meant"], cleaned["another"], cleaned["seating"])

    @property
    def hand_seen(self) -> Seen:
        """The number and the version of the hand in play that was shown; for a valid form only."""
        return Seen(self.cleaned_data["number"], self.cleaned_data["seen"] or 0)

    @property
    def is_unfinished(self) -> bool:
        """True if nothing is wrong with the form but what is still missing."""
        return all(error.code == "required" for errors in self.errors.as_data().values() for error in errors)

    @property
    def has_moved(self) -> bool:
        """True if hands were recorded since that the writer was not asked about yet; for a valid form only."""
        cleaned = self.cleaned_data
        number: int = cleaned["number"]
        return (cleaned["meant"] or number) < number and not cleaned["another"]

    @property
    def redeals(self) -> tuple[tuple[str, Words], ...]:
        """The ways in which a thrown-in hand may be dealt again, with their words."""
        return tuple((way, self.REDEALS[way]) for way in self.GAME.redeals)

    def clean_redeal(self) -> str:
        way: str = self.cleaned_data["redeal"]
        if not way or way in self.GAME.redeals:
            return way
        refused = {
            "stays": _("In this game the deal passes on after a thrown-in hand."),
            "passes": _("In this game the same dealer deals again after a thrown-in hand."),
        }
        raise ValidationError(refused[way], code="redeal")

    @property
    def is_thrown_in(self) -> bool:
        return bool(self.data.get("redeal")) if self.is_bound else False

    @property
    def has_line(self) -> bool:
        return self.is_bound and bool(str(self.data.get("line", "")).strip())

    def full_clean(self) -> None:
        # A thrown-in hand has only a dealer; a typed line has all of the game's fields.
        if self.is_thrown_in:
            for name in ("declarer", *self.FIELDS):
                self.fields[name].required = False
        elif self.has_line:
            for name in self.FIELDS:
                self.fields[name].required = False
        super().full_clean()

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if self.is_thrown_in:
            return cleaned
        self._ask_for_needed(cleaned)
        if not cleaned.keys() >= {"dealer", "declarer"}:
            return cleaned
        declarer, playing = cleaned["declarer"], self.GAME.playing_seats(self.sitting, cleaned["dealer"])
        if declarer is not None and declarer not in playing:
            self.add_error("declarer", ValidationError(str(self.SITS_OUT), code="sits_out"))
        if self.has_dropped_figures and not self.has_line and self.asks_by_place(cleaned):
            sentence = _("The players have changed: tap again what %(name)s took.") % {"name": self.asked_of}
            self.add_error(self.BY_PLACE, ValidationError(sentence, code="tapped_for"))
        if self.has_line:
            cleaned["deal"] = self._of_line(cleaned.get("line", ""))
        elif cleaned.keys() >= set(self.NEEDED):
            cleaned["deal"] = self.deal_of(cleaned)
        if cleaned.get("deal") is not None and not self.HAS_DECLARER and declarer in (None, *playing):
            self._check_declarer(cleaned["deal"], Place(self.sitting, cleaned["dealer"], declarer))
        return cleaned

    def _check_declarer(self, deal: Any, place: Place) -> None:
        """Add an error if such a deal needs a declarer or has none: only the game knows."""
        try:
            self.GAME.count(deal, place, self.GAME.start(self.rules), self.rules)
        except InvalidDeal as invalid:
            self.refuse(invalid)
        except NotPlaying:
            if place.declarer is None:
                self.add_error("declarer", ValidationError(_("Who plays?"), code="required"))
            else:
                self.add_error("declarer", ValidationError(_("This hand has no single declarer."), code="nobody"))

    def _of_line(self, text: str) -> Any:
        try:
            return self.GAME.deal_from_text(text, self.rules)
        except NotationError:
            self.add_error("line", ValidationError(_("This cannot be read as a hand."), code="notation"))
        except InvalidDeal as invalid:
            self.refuse(invalid)
        return None

    def _ask_for_needed(self, cleaned: Mapping[str, Any]) -> None:
        needed = {} if self.has_line else dict(self.needed(cleaned))
        for name, sentence in needed.items():
            if name not in self.errors:
                self.add_error(name, ValidationError(sentence, code="required"))

    def needed(self, cleaned: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield the fields that other fields make required and that are empty, with a sentence for each.

        Other missing fields make no difference. Fields that every deal needs are required by themselves.
        """
        yield from ()

    @property
    def unsaid(self) -> tuple[str, ...]:
        """Fields besides NEEDED that count as empty as long as nothing is noted in them."""
        return ()

    def deal_of(self, cleaned: Mapping[str, Any]) -> Any:
        """Return the deal of the game's fields, or None with errors added."""
        raise NotImplementedError

    def refusal(self, message: Message) -> str:
        """Return the sentence for a refusal by the rules."""
        raise NotImplementedError

    def refuse(self, invalid: InvalidDeal) -> None:
        """Add to the fields the reasons why the evening does not take the deal."""
        self.refused = tuple(invalid.errors)
        for name, message in invalid.errors.items():
            field = "line" if self.has_line else name if name in self.fields else None
            self.add_error(field, ValidationError(self.refusal(message), code=message.code))

    @property
    def spelled_out(self) -> dict[str, Any]:
        """The data field by field: a line that can be read is replaced by the fields of its deal."""
        typed = dict(self.data)
        try:
            deal = self.GAME.deal_from_text(str(typed.get("line", "")).strip(), self.rules)
        except GameError:
            return typed
        playing = self.players_of(deal, self.sitting, self.seat("dealer"), self.seat("declarer"))
        return typed | dict.fromkeys(self.FIELDS, "") | {"line": ""} | self.fields_of(deal, playing)

    @property
    def place(self) -> Place:
        """The place of the hand; for a valid form only."""
        return Place(self.sitting, self.cleaned_data["dealer"], self.cleaned_data["declarer"])

    @property
    def facts(self) -> Facts:
        """The facts for the ledger; for a valid form only."""
        cleaned = self.cleaned_data
        if self.is_thrown_in:
            return Facts(cleaned["dealer"], deal_stays=cleaned["redeal"] == "stays")
        deal = cleaned["deal"]
        stays = self.GAME.is_agreed(deal)
        return Facts(cleaned["dealer"], cleaned["declarer"], self.GAME.deal_to_text(deal), stays)

    @classmethod
    def values_of(cls, hand: Hand, deal: Any) -> dict[str, Any]:
        """Return a recorded hand as fields of the form, to correct it; `deal` is None if it was thrown in."""
        values: dict[str, Any] = {"number": hand.number, "token": hand.token, "revision": hand.revision_count}
        values |= {**cls.PRESETS, "dealer": str(hand.dealer), "offered": str(hand.dealer)}
        if deal is None:
            return values
        playing = cls.players_of(deal, hand.sitting, hand.dealer, hand.declarer)
        return values | {"declarer": "" if hand.declarer is None else str(hand.declarer)} | cls.fields_of(deal, playing)

    @classmethod
    def players_of(
        cls, deal: Any, sitting: tuple[int, ...], dealer: int | None, declarer: int | None
    ) -> tuple[int, ...]:
        """Return the players of such a deal, the declarer first; () as long as no declarer is known."""
        return in_order_of_play(cls.GAME, sitting, dealer, declarer)

    @classmethod
    def marks_of(cls, deal: Any, players: Sequence[str], before: str) -> Marks:
        """Return the marks of a hand on the sheet; `before` is the standing before it in the game's notation."""
        return Marks()

    @classmethod
    def fields_of(cls, deal: Any, playing: tuple[int, ...]) -> dict[str, str]:
        """Return a deal as the game's own fields; `playing` are its players, () if not known."""
        raise NotImplementedError
