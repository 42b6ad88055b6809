"""The hand form of Asszorti, the forms of its announcement, and the hand in play as fields of the hand form."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Final, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scorekeeper.games import asszorti
from scorekeeper.games.asszorti import (
    BOOK,
    EXCLUDED,
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Rules,
    Trump,
    base,
    opponents,
    playing_seats,
)
from scorekeeper.games.asszorti.announcing import Announcement, Auction, Item
from scorekeeper.games.asszorti.deal import TO_WIN
from scorekeeper.games.asszorti.hand_in_play import Announced, HandState
from scorekeeper.games.base import Game
from scorekeeper.games.errors import InvalidDeal, Message
from sessions_app.base_forms import Choice, Choices, choice_field, figure_key
from sessions_app.faces import announce, balances_form
from sessions_app.faces import hand_form as hand
from sessions_app.faces.asszorti import words
from sessions_app.faces.asszorti.words import ARRIVAZS, CONTRACTS, ENDED, SUITS, TRUMPS, refusal
from sessions_app.faces.hand_words import kontra_choices, kontra_line, lazy_tricks_words
from sessions_app.models import Evening, HandInPlay
from sessions_app.words.wording import isolated

TEMPLATES = "games/asszorti/face.html"
#: The keys of a keyboard that choose an outcome. No kontra has one of these.
ARRIVAZS_KEYS = {Arrivazs.LOST: "l", Arrivazs.WON: "w", Arrivazs.IDEGEN: "g"}


def _excluded(name: str, value: str) -> tuple[str, ...]:
    """Return the choices of the other fields that exclude this one, as 'field=value'.

    The kontra of an arrivázs that is not announced is not among them: its whole row is hidden.
    """
    one = (name, value)
    others = (b if a == one else a for a, b in EXCLUDED if one in (a, b))
    return tuple("=".join(other) for other in others if other[0] != "arrivazs_kontra")


def rows(rules: Rules) -> Mapping[str, Choices]:
    """Return the choices of each row by house rules. They are cached: no choice depends on a hand."""
    # Cached by these two rules alone: all of them together have countless combinations.
    return _offers(Rules(no_trump_arrivazs=rules.no_trump_arrivazs, ladder=rules.ladder))


@cache
def _offers(rules: Rules) -> Mapping[str, Choices]:
    kontras = Choices(kontra_choices(rules.ladder, kontra_line))
    return MappingProxyType(
        {
            "contract": Choices((contract.value, _contract(contract)) for contract in Contract),
            "trump": Choices((trump.value, _trump(trump, rules)) for trump in Trump),
            "game_kontra": kontras,
            "arrivazs": Choices((outcome.value, _arrivazs(outcome, rules)) for outcome in Arrivazs),
            "arrivazs_kontra": kontras,
            "tricks": Choices((str(number), _tricks(number)) for number in range(12)),
            "opponent_tricks": Choices((str(number), _split(number)) for number in range(12)),
        }
    )


def _contract(contract: Contract) -> Choice:
    with_trumps, without = (str(base(contract, trump)) for trump in (Trump.HEARTS, Trump.NONE))
    words = CONTRACTS[contract]
    return Choice(
        words,
        with_trumps,
        without,
        template=f"{TEMPLATES}#choice_contract",
        key="0" if contract is Contract.HAND else contract.value,
        line_words=words,
    )


def _trump(trump: Trump, rules: Rules) -> Choice:
    excluded = _excluded("trump", trump.value)
    if trump is Trump.NONE and not rules.no_trump_arrivazs:
        excluded = tuple(f"arrivazs={outcome}" for outcome in Arrivazs if outcome is not Arrivazs.NONE)
    return Choice(
        TRUMPS[trump],
        kind=trump.value,
        template="games/suit_key.html",
        key=trump.value[0],
        line_words=SUITS.get(trump) or TRUMPS[trump],
        excluded=excluded,
    )


def _arrivazs(outcome: Arrivazs, rules: Rules) -> Choice:
    excluded = _excluded("arrivazs", outcome.value)
    if outcome is not Arrivazs.NONE and not rules.no_trump_arrivazs:
        excluded = (*(each for each in excluded if each != "trump=none"), "trump=none")
    return Choice(
        ARRIVAZS[outcome],
        line_words=ENDED.get(outcome, ""),
        key=ARRIVAZS_KEYS.get(outcome, ""),
        excluded=excluded,
    )


def _kontra(value: str) -> Kontra:
    return Kontra(int(value))


def _tricks(number: int) -> Choice:
    return Choice(
        str(number),
        key=figure_key(number),
        line_words=lazy_tricks_words(number),
        excluded=_excluded("tricks", str(number)),
    )


def _split(number: int) -> Choice:
    """Return the choice of one opponent's tricks, with the other's where the declarer has six."""
    left_by = tuple(f"tricks={tricks}" for tricks in range(12) if tricks + number > 11)
    return Choice(
        str(number),
        str(5 - number) if number <= 5 else "",
        kind="bare" if number in (0, 5) else "",
        key=figure_key(number),
        template=f"{TEMPLATES}#choice_split",
        # The split of the other five tricks: it counts only then.
        line_words=f"{number} : {5 - number}" if number <= 5 else "",
        excluded=left_by,
    )


_NO_SUCH_TRICKS: Final = _("There are eleven tricks: a number from 0 to 11.")


class HandForm(hand.HandForm):
    """The fields of a deal, in the order of their rows: those of a plain hand first.

    The split is needed only where it counts: see `needed`.
    """

    contract = choice_field(_("Contract"), coerce=Contract, missing=_("Which contract?"))
    trump = choice_field(_("Trumps"), coerce=Trump, missing=_("Which trumps, or none?"))
    tricks = choice_field(
        _("Tricks"), coerce=int, missing=_("How many tricks did the declarer take?"), wrong=_NO_SUCH_TRICKS
    )
    opponent_tricks = choice_field(_("Split"), coerce=int, empty=None, wrong=_NO_SUCH_TRICKS)
    game_kontra = choice_field(_("Kontra on the game"), coerce=_kontra, empty="0")
    arrivazs = choice_field(_("Arrivázs"), coerce=Arrivazs, empty=Arrivazs.NONE, missing=_("How did the arrivázs end?"))
    arrivazs_kontra = choice_field(_("Arrivázs kontra"), coerce=_kontra, empty="0")

    GAME: ClassVar[Game[Any, Any, Any]] = asszorti.GAME
    FIELDS = ("contract", "trump", "tricks", "opponent_tricks", "game_kontra", "arrivazs", "arrivazs_kontra")
    NEEDED = ("contract", "trump", "tricks", "game_kontra", "arrivazs", "arrivazs_kontra")
    SAYS = ("declarer", "contract", "trump", "game_kontra", "arrivazs", "arrivazs_kontra", "tricks")
    OF_PEOPLE = ("declarer", "opponent_tricks")
    BY_PLACE = "opponent_tricks"
    SITS_OUT = _("With four players the dealer sits out and cannot be declarer.")
    HEADLINE = ("declarer", "contract", "trump")
    OPEN = MappingProxyType({"arrivazs": _("announced")})
    EXAMPLE = "2H 7 K"
    LETTERS_ON_SHEET = words.LETTERS
    marks_of = staticmethod(words.marks_of)
    refusal = staticmethod(refusal)
    NOTED_FIRST = ("game_kontra", "arrivazs_kontra")
    PRESETS = MappingProxyType({"game_kontra": "0", "arrivazs": "none", "arrivazs_kontra": "0"})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, offered in rows(self.rules).items():
            self._choices(name).choices = offered
        # An announced arrivázs needs its outcome.
        self.fields["arrivazs"].required = bool((self.data if self.is_bound else self.initial).get("announced"))

    @property
    def split_counts_at(self) -> str:
        """The declarer's tricks that need the opponents' split, as 'field=value'."""
        return "tricks=6" if self.rules.six_five_nil else ""

    def hint_of(self, dealer: int, declarer: int) -> str:
        """Return the names of the opponents, left and right of this declarer; '' for one who sits out."""
        if declarer not in playing_seats(self.sitting, dealer):
            return ""
        return " : ".join(isolated(self.names[seat]) for seat in opponents(self.sitting, dealer, declarer))

    @property
    def split_hint(self) -> str:
        """The opponents by name, in the order of the split; by their places until the declarer is chosen."""
        return self.asked_of or gettext("declarer's left : right")

    def needed(self, cleaned: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        if self.rules.six_five_nil and cleaned.get("tricks") == TO_WIN and cleaned.get("opponent_tricks") is None:
            yield "opponent_tricks", refusal(Message("split_needed", {}))

    def deal_of(self, cleaned: Mapping[str, Any]) -> Deal | None:
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
                self.rules,
            )
        except InvalidDeal as invalid:
            for name, message in invalid.errors.items():
                field, sentence = self._beside(name, message, split)
                # A missing split is not wrong yet.
                code = "required" if message.code == "split_needed" else message.code
                if code != "required" or field not in self.errors:
                    self.add_error(field, ValidationError(sentence, code=code))
            return None

    @staticmethod
    def _beside(name: str, message: Message, split: tuple[int | None, int | None]) -> tuple[str, str]:
        """Return the field of this form that a rule's message belongs to, and its sentence."""
        if name == "tricks" and message.code == "tricks_range" and split != (None, None):
            return "opponent_tricks", gettext("That is too many: there are 11 tricks in all.")
        return ("opponent_tricks" if message.code.startswith("split") else name), refusal(message)

    @classmethod
    def fields_of(cls, deal: Deal, playing: tuple[int, ...]) -> dict[str, str]:
        return {
            "contract": deal.contract.value,
            "trump": deal.trump.value,
            "game_kontra": str(deal.game_kontra.value),
            "arrivazs": deal.arrivazs.value,
            "arrivazs_kontra": str(deal.arrivazs_kontra.value),
            "tricks": str(deal.tricks[0]),
            "opponent_tricks": "" if deal.tricks[1] is None else str(deal.tricks[1]),
        }


class BalancesForm(balances_form.BalancesForm):
    GAME: ClassVar[Game[Any, Any, Any]] = asszorti.GAME


# --- The announcement ---


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
            return _taken(hand)
        return {
            "contract": hand.announcement.contract.value,
            "trump": hand.announcement.trump.value,
            "game_kontra": str(hand.doubling.level(Item.GAME).value),
            "arrivazs": _outcome(hand),
            "arrivazs_kontra": str(hand.doubling.level(Item.ARRIVAZS).value),
            "announced": "1" if hand.announcement.arrivazs else "",
        } | _taken(hand)

    @classmethod
    def kept(cls, row: HandInPlay, noted: Mapping[str, Any], typed: Mapping[str, Any]) -> Iterable[str]:
        """Return the tricks, if they are typed, and the outcome of an arrivázs that is announced."""
        if typed.get("tricks"):
            yield from ("tricks", "opponent_tricks")
        if noted.get("announced") and typed.get("arrivazs") not in (None, "", Arrivazs.NONE.value):
            yield "arrivazs"


class NamingForm(announce.NamingForm):
    """The announcement of a declarer: no contract below the last bid of `auction`, if there was one."""

    trump = choice_field(_("Trumps"), missing=_("Which trumps, or none?"))
    announced = choice_field(
        _("Arrivázs"), Choices([("", Choice(ARRIVAZS[Arrivazs.NONE])), ("announced", Choice(_("announced")))])
    )

    def __init__(self, *args: Any, auction: Auction | None = None, rules: Rules = BOOK, **kwargs: Any) -> None:
        allowed = auction.contracts_allowed if auction else tuple(Contract)
        offered = rows(rules)
        contracts = [(value, choice) for value, choice in offered["contract"] if Contract(value) in allowed]
        super().__init__(*args, offered=contracts, **kwargs)
        cast(forms.ChoiceField, self.fields["trump"]).choices = cast(Any, offered["trump"])

    @property
    def announcement(self) -> Announcement:
        """The announcement; for a valid form only."""
        cleaned = self.cleaned_data
        return Announcement(Contract(cleaned["contract"]), Trump(cleaned["trump"]), bool(cleaned["announced"]))


def _outcome(hand: HandState) -> str:
    """Return the outcome of the arrivázs, '' as long as it is undecided."""
    if not hand.announcement or not hand.announcement.arrivazs:
        return Arrivazs.NONE.value
    outcome = hand.play.arrivazs_outcome if hand.play else None
    if outcome is Arrivazs.WON and hand.announcement.trump is not Trump.NONE:
        return ""
    return outcome.value if outcome else ""


def _taken(hand: HandState) -> dict[str, str]:
    """Return the fields of the tricks, once all are played or given away."""
    outcome = hand.play.outcome if hand.play else None
    if outcome is None:
        return {}
    left = outcome.tricks[1]
    return {"tricks": str(outcome.declarer), "opponent_tricks": "" if left is None else str(left)}
