"""The hand form: one deal as the table says it."""

from dataclasses import dataclass, field
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scorekeeper.games.asszorti import (
    EXCLUDED,
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Trump,
    base,
    deal_to_text,
    next_dealer,
    opponents,
    playing_seats,
)
from scorekeeper.games.base import InvalidDeal, Message
from sessions_app.models import Hand
from sessions_app.said import who_deals
from sessions_app.wording import ARRIVAZS, CONTRACTS, SHORT_KONTRAS, TRUMPS, Words, isolated, refusal
from sessions_app.writers.ledger import Facts
from sessions_app.writers.pens import Knows


@dataclass(frozen=True)
class Offer:
    """The face of one choice: its words, a smaller note, and the choices that it cannot stand with.

    Of a dealer, `summary` says what follows when this seat deals, and `next_dealer` which seat deals after it: for a
    phone that goes on without the server.
    """

    words: Words
    note: Words = ""
    other_note: Words = ""
    kind: str = ""
    opponents: str = ""
    summary: str = ""
    next_dealer: str = ""
    excluded: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return str(self.words)


def _excluded(name: str, value: str) -> tuple[str, ...]:
    """The choices of the other fields that no deal holds together with this one, as 'field=value'.

    The kontra of an arrivázs that is not announced is not among them: its whole row is not offered.
    """
    one = (name, value)
    others = (b if a == one else a for a, b in EXCLUDED if one in (a, b))
    return tuple("=".join(other) for other in others if other[0] != "arrivazs_kontra")


def _arrivazs(outcome: Arrivazs) -> Offer:
    excluded = _excluded("arrivazs", outcome.value)
    words = ARRIVAZS[outcome]
    return Offer("—", words, excluded=excluded) if outcome is Arrivazs.NONE else Offer(words, excluded=excluded)


def _kontra(value: str) -> Kontra:
    return Kontra(int(value))


def _kontras() -> list[tuple[str, Offer]]:
    return [
        (str(kontra.value), Offer("—" if kontra is Kontra.NONE else f"×{kontra.factor}", SHORT_KONTRAS[kontra]))
        for kontra in Kontra
    ]


class HandForm(forms.Form):
    """One deal as the table says it. `facts` is what it comes to, once it is valid.

    `names` are the players by seat. A deal that was thrown in has only a dealer and `redeal`. Of an open hand the form
    knows which version it has `seen`, and whether its arrivázs was `announced`; of the seats which `seating` they are;
    of the others' hands, which number it was `meant` to have, which one it has been `told` to have by now, which dealer
    it was `offered`, and whether it is `another` than theirs.
    """

    token = forms.UUIDField(widget=forms.HiddenInput)
    number = forms.IntegerField(min_value=1, max_value=10**6, widget=forms.HiddenInput)
    revision = forms.IntegerField(required=False, widget=forms.HiddenInput)
    seen = forms.IntegerField(required=False, min_value=0, max_value=10**9, widget=forms.HiddenInput)
    announced = forms.BooleanField(required=False, widget=forms.HiddenInput)
    seating = forms.IntegerField(required=False, min_value=0, max_value=10**9, widget=forms.HiddenInput)
    meant = forms.IntegerField(required=False, min_value=1, max_value=10**6, widget=forms.HiddenInput)
    told = forms.IntegerField(required=False, min_value=1, max_value=10**6, widget=forms.HiddenInput)
    offered = forms.CharField(required=False, max_length=9, widget=forms.HiddenInput)
    another = forms.BooleanField(required=False, widget=forms.HiddenInput)
    replace = forms.IntegerField(required=False, min_value=0, max_value=10**9, widget=forms.HiddenInput)
    redeal = forms.ChoiceField(required=False, choices=[("stays", ""), ("passes", "")])
    dealer = forms.TypedChoiceField(label=_("Dealer"), coerce=int)
    declarer = forms.TypedChoiceField(label=_("Declarer"), coerce=int)
    contract = forms.TypedChoiceField(
        label=_("Contract"),
        coerce=Contract,
        choices=[
            (contract.value, Offer(words, str(base(contract, Trump.HEARTS)), str(base(contract, Trump.NONE))))
            for contract, words in CONTRACTS.items()
        ],
    )
    trump = forms.TypedChoiceField(
        label=_("Trumps"),
        coerce=Trump,
        choices=[
            (trump.value, Offer(words, kind=trump.value, excluded=_excluded("trump", trump.value)))
            for trump, words in TRUMPS.items()
        ],
    )
    game_kontra = forms.TypedChoiceField(
        label=_("Game kontra"),
        coerce=_kontra,
        choices=_kontras(),
        required=False,
        empty_value="0",
    )
    arrivazs = forms.TypedChoiceField(
        label=_("Arrivázs"),
        coerce=Arrivazs,
        choices=[(outcome.value, _arrivazs(outcome)) for outcome in Arrivazs],
        required=False,
        empty_value=Arrivazs.NONE,
    )
    arrivazs_kontra = forms.TypedChoiceField(
        label=_("Arrivázs kontra"),
        coerce=_kontra,
        choices=_kontras(),
        required=False,
        empty_value="0",
    )
    tricks = forms.TypedChoiceField(
        label=_("Tricks"),
        coerce=int,
        choices=[(str(n), Offer(str(n), excluded=_excluded("tricks", str(n)))) for n in range(12)],
        error_messages={
            "required": _("How many tricks did the declarer take?"),
            "invalid_choice": _("There are eleven tricks: a number from 0 to 11."),
        },
    )
    opponent_tricks = forms.TypedChoiceField(
        label=_("Split"),
        coerce=int,
        choices=[(str(n), Offer(str(n), str(5 - n) if n <= 5 else "")) for n in range(12)],
        required=False,
        empty_value=None,
        error_messages={"invalid_choice": _("There are eleven tricks: a number from 0 to 11.")},
    )

    HIDDEN = ("token", "number", "revision", "redeal", "seating", "meant", "told", "offered", "replace")
    PRESETS = {"game_kontra": "0", "arrivazs": "none", "arrivazs_kontra": "0"}

    def __init__(self, *args: Any, names: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = names
        seats = range(len(names))
        self._choices("dealer").choices = [(str(seat), self._dealer(seat)) for seat in seats]
        self._choices("declarer").choices = [(str(seat), self._declarer(seat)) for seat in seats]
        self.fields["declarer"].error_messages["required"] = _("Who plays?")
        self.fields["contract"].error_messages["required"] = _("Which contract?")
        self.fields["trump"].error_messages["required"] = _("Which trumps, or none?")
        # Of an arrivázs that was announced it has to be said what became of it.
        self.fields["arrivazs"].required = bool((self.data if self.is_bound else self.initial).get("announced"))
        self.fields["arrivazs"].error_messages["required"] = _("What became of the arrivázs?")
        for name in ("dealer", "declarer"):
            self.fields[name].error_messages["invalid_choice"] = _("Nobody sits there this evening.")
        for name in ("contract", "trump", "game_kontra", "arrivazs", "arrivazs_kontra"):
            self.fields[name].error_messages["invalid_choice"] = _("Choose one of the choices offered.")
        self.fields["dealer"].error_messages["required"] = _("Who deals?")
        for name in self.HIDDEN:
            self.fields[name].error_messages = {
                code: _("This form was not opened here. Go back to the evening and open it again.")
                for code in ("required", "invalid", "invalid_choice", "min_value", "max_value")
            }

    def _dealer(self, seat: int) -> Offer:
        count = len(self.names)
        summary = who_deals(self.names[seat], self.names[playing_seats(count, seat)[0]])
        return Offer(self.names[seat], kind="name", summary=summary, next_dealer=str(next_dealer(count, seat)))

    def _declarer(self, seat: int) -> Offer:
        """The offer to let a seat play; at a table of four the dealer sits out, so the two exclude each other."""
        excluded = (f"dealer={seat}",) if len(self.names) > 3 else ()
        against = self._against(self["dealer"].value(), seat)
        text = " : ".join(isolated(self.names[opponent]) for opponent in against) if against else ""
        return Offer(self.names[seat], kind="name", opponents=text, excluded=excluded)

    def _against(self, dealer: Any, declarer: Any) -> tuple[int, int] | None:
        """The declarer's opponents, left and right, if these values are seats and the declarer plays."""
        seats = {str(seat): seat for seat in range(len(self.names))}
        dealing, playing = seats.get(str(dealer)), seats.get(str(declarer))
        if dealing is None or playing not in playing_seats(len(seats), dealing):
            return None
        return opponents(len(seats), dealing, playing)

    def _choices(self, name: str) -> forms.ChoiceField:
        return cast(forms.ChoiceField, self.fields[name])

    @property
    def hidden_errors(self) -> list[str]:
        """What is wrong with the fields that nobody sees, each sentence once."""
        return list(dict.fromkeys(str(error) for name in self.HIDDEN for error in self[name].errors))

    @property
    def knows(self) -> Knows:
        """What it knows of the other pens; for a valid form only."""
        cleaned = self.cleaned_data
        return Knows(cleaned["seen"] or 0, cleaned["meant"], cleaned["another"], cleaned["seating"])

    @property
    def has_moved(self) -> bool:
        """Whether hands were recorded while it was filled in of which its writer was not asked yet; if it is valid."""
        cleaned = self.cleaned_data
        number: int = cleaned["number"]
        known = max(cleaned["meant"] or number, cleaned["told"] or 0)
        return known < number and not cleaned["another"]

    @property
    def thrown_in(self) -> bool:
        return bool(self.data.get("redeal")) if self.is_bound else False

    def full_clean(self) -> None:
        # Of a deal that was thrown in nothing is known but who dealt it.
        if self.thrown_in:
            for name in ("declarer", "contract", "trump", "tricks", "arrivazs"):
                self.fields[name].required = False
        super().full_clean()

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if self.thrown_in or not cleaned.keys() >= {"dealer", "declarer"}:
            return cleaned
        if cleaned["declarer"] not in playing_seats(len(self.names), cleaned["dealer"]):
            self.add_error("declarer", _("Who deals sits out at a table of four, and cannot play."))
        if cleaned.keys() >= {
            "contract",
            "trump",
            "tricks",
            "game_kontra",
            "arrivazs",
            "arrivazs_kontra",
            "opponent_tricks",
        }:
            cleaned["deal"] = self._deal(cleaned)
        return cleaned

    def _deal(self, cleaned: dict[str, Any]) -> Deal | None:
        tricks, first = cleaned["tricks"], cleaned.get("opponent_tricks")
        split = (None, None) if first is None else (first, 11 - tricks - first)
        try:
            return Deal(
                cleaned["contract"],
                cleaned["trump"],
                (tricks, *split),
                _kontra(cleaned["game_kontra"]),
                cleaned["arrivazs"],
                _kontra(cleaned["arrivazs_kontra"]),
            )
        except InvalidDeal as invalid:
            for name, message in invalid.errors.items():
                field, sentence = self._beside(name, message, split)
                # A split that is asked for is not wrong yet, only missing.
                code = "required" if message.code == "split_needed" else message.code
                self.add_error(field, ValidationError(sentence, code=code))
            return None

    @staticmethod
    def _beside(name: str, message: Message, split: tuple[int | None, int | None]) -> tuple[str, str]:
        """The field of this form that a rule's message belongs to, and its sentence."""
        if name == "tricks" and message.code == "tricks_range" and split != (None, None):
            return "opponent_tricks", gettext("That is more than the declarer's tricks leave: there are 11 in all.")
        return ("opponent_tricks" if message.code.startswith("split") else name), refusal(message)

    @property
    def deal(self) -> Deal | None:
        """The deal, or None while something is missing or wrong."""
        return self.cleaned_data.get("deal") if self.is_bound and self.is_valid() else None

    @property
    def facts(self) -> Facts:
        """What the ledger takes; for a valid form only."""
        cleaned = self.cleaned_data
        if self.thrown_in:
            return Facts(cleaned["dealer"], deal_stays=cleaned["redeal"] == "stays")
        return Facts(cleaned["dealer"], cleaned["declarer"], deal_to_text(cleaned["deal"]))

    def seats_in_play(self) -> tuple[int, int, int] | None:
        """Declarer and opponents, left and right, as far as this form knows them: for its labels."""
        declarer = self["declarer"].value()
        against = self._against(self["dealer"].value(), declarer)
        return (int(declarer), *against) if against else None


def values_of(hand: Hand, deal: Deal | None) -> dict[str, Any]:
    """A recorded hand as the fields of the form, to correct it by."""
    values: dict[str, Any] = {"number": hand.number, "token": hand.token, "revision": hand.revision_count}
    values |= HandForm.PRESETS | {"dealer": str(hand.dealer), "offered": str(hand.dealer)}
    if deal is None:
        return values
    return values | {
        "declarer": str(hand.declarer),
        "contract": deal.contract.value,
        "trump": deal.trump.value,
        "game_kontra": str(deal.game_kontra.value),
        "arrivazs": deal.arrivazs.value,
        "arrivazs_kontra": str(deal.arrivazs_kontra.value),
        "tricks": str(deal.tricks[0]),
        "opponent_tricks": "" if deal.tricks[1] is None else str(deal.tricks[1]),
    }
