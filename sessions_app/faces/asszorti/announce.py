"""The forms of an announcement, and the hand in play as fields of the hand form."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.games.asszorti import BOOK, Arrivazs, Contract, Kontra, Rules, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Auction, Item
from scorekeeper.games.asszorti.hand_in_play import Announced, HandState
from scorekeeper.games.errors import Message
from sessions_app.bounded_form import BoundedForm
from sessions_app.faces import announce
from sessions_app.faces.asszorti.hand_form import HandForm, rows
from sessions_app.faces.asszorti.words import ARRIVAZS, refusal
from sessions_app.faces.choices import Choice
from sessions_app.models import Evening, HandInPlay


class AnnouncementForm(announce.AnnouncementForm, HandForm):
    """The hand form without tricks, and of the arrivázs only whether it is announced."""

    #: Wrong tricks are refused even here, so that their errors stay.
    RESULT = ()

    def full_clean(self) -> None:
        for name in ("tricks", "opponent_tricks", "arrivazs"):
            self.fields[name].required = False
        super().full_clean()

    def clean(self) -> dict[str, Any]:
        # Without tricks there is no deal to check.
        self.cleaned_data.pop("tricks", None)
        cleaned = super().clean()
        if not self._is_announced(cleaned) and int(cleaned.get("arrivazs_kontra") or 0):
            message = refusal(Message("kontra_unannounced", {}))
            self.add_error("arrivazs_kontra", ValidationError(message, code="kontra_unannounced"))
        no_trumps = cleaned.get("trump") is Trump.NONE and not self.rules.no_trump_arrivazs
        if no_trumps and self._is_announced(cleaned):
            message = refusal(Message("arrivazs_no_trumps", {}))
            self.add_error("arrivazs", ValidationError(message, code="arrivazs_no_trumps"))
        return cleaned

    def _is_announced(self, cleaned: dict[str, Any]) -> bool:
        """Return whether arrivázs is announced: by any outcome, or by the form's own mark if the row is empty."""
        if not self.data.get("arrivazs"):
            return bool(cleaned.get("announced"))
        return cleaned.get("arrivazs") is not Arrivazs.NONE

    @property
    def announcement(self) -> Announced:
        """The announcement for the writer of open hands; for a valid form only."""
        cleaned = self.cleaned_data
        return Announced(
            cleaned["dealer"],
            cleaned["declarer"],
            Announcement(cleaned["contract"], cleaned["trump"], self._is_announced(cleaned)),
            Kontra(int(cleaned["game_kontra"])),
            Kontra(int(cleaned["arrivazs_kontra"])),
        )

    @classmethod
    def noted_fields(cls, hand: HandState, evening: Evening) -> dict[str, str]:
        if not (hand.announcement and hand.doubling):
            return _tricks(hand)
        return {
            "contract": hand.announcement.contract.value,
            "trump": hand.announcement.trump.value,
            "game_kontra": str(hand.doubling.level(Item.GAME).value),
            "arrivazs": _arrivazs(hand),
            "arrivazs_kontra": str(hand.doubling.level(Item.ARRIVAZS).value),
            "announced": "1" if hand.announcement.arrivazs else "",
        } | _tricks(hand)

    @classmethod
    def kept(cls, row: HandInPlay, noted: Mapping[str, Any], typed: Mapping[str, Any]) -> Iterable[str]:
        """Return the tricks, if they are typed, and the outcome of an arrivázs that is announced."""
        if typed.get("tricks"):
            yield from ("tricks", "opponent_tricks")
        if noted.get("announced") and typed.get("arrivazs") not in (None, "", Arrivazs.NONE.value):
            yield "arrivazs"


class NamingForm(BoundedForm):
    """The announcement of a declarer, once the referee knows the declarer."""

    contract = forms.TypedChoiceField(label=_("Contract"), coerce=Contract)
    trump = forms.TypedChoiceField(label=_("Trumps"), coerce=Trump)
    announced = forms.ChoiceField(
        label=_("Arrivázs"),
        choices=[("", Choice(ARRIVAZS[Arrivazs.NONE])), ("announced", Choice(_("announced")))],
        required=False,
    )

    def __init__(self, *args: Any, auction: Auction | None = None, rules: Rules = BOOK, **kwargs: Any) -> None:
        """Offer no contract below the last bid of `auction`, if there was one."""
        super().__init__(*args, **kwargs)
        self.fields["contract"].error_messages["required"] = _("Which contract?")
        self.fields["trump"].error_messages["required"] = _("Which trumps, or none?")
        for name in self.fields:
            self.fields[name].error_messages["invalid_choice"] = _("Choose one of the options.")
        allowed = auction.contracts_allowed if auction else tuple(Contract)
        offered = rows(rules)
        contracts = [(value, choice) for value, choice in offered["contract"] if Contract(value) in allowed]
        cast(forms.TypedChoiceField, self.fields["contract"]).choices = contracts
        cast(forms.TypedChoiceField, self.fields["trump"]).choices = offered["trump"]

    @property
    def announcement(self) -> Announcement:
        """The announcement; for a valid form only."""
        cleaned = self.cleaned_data
        return Announcement(cleaned["contract"], Trump(cleaned["trump"]), bool(cleaned["announced"]))


def _arrivazs(hand: HandState) -> str:
    """Return the outcome of the arrivázs, '' as long as it is undecided."""
    if not hand.announcement or not hand.announcement.arrivazs:
        return Arrivazs.NONE.value
    outcome = hand.play.arrivazs_outcome if hand.play else None
    if outcome is Arrivazs.WON and hand.announcement.trump is not Trump.NONE:
        return ""
    return outcome.value if outcome else ""


def _tricks(hand: HandState) -> dict[str, str]:
    """Return the fields of the tricks, once all are played or given away."""
    outcome = hand.play.outcome if hand.play else None
    if outcome is None:
        return {}
    left = outcome.tricks[1]
    return {"tricks": str(outcome.declarer), "opponent_tricks": "" if left is None else str(left)}
