"""The words of Tarokk's referee. Nothing is counted here."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scorekeeper.games.errors import Message
from scorekeeper.games.payment_game import Kontra
from scorekeeper.games.tarokk import Pagat, Side
from scorekeeper.games.tarokk.announcing import Item
from scorekeeper.games.tarokk.auction import Auction, Call, Card, Invitation
from scorekeeper.games.tarokk.hand_in_play import KINGS, HandState, Honour, Taken
from sessions_app.faces import referee
from sessions_app.faces.hand_words import KONTRAS
from sessions_app.faces.referee import REFUSALS, Names, refusal_params
from sessions_app.faces.tarokk import words
from sessions_app.faces.tarokk.words import BONUSES, CONTRACTS, PAGATS, SHORT_SIDES, SIDES
from sessions_app.words.wording import Words, isolated

CALLS: Final[Mapping[Call, Words]] = {
    Call.THREE: pgettext_lazy("call", "három"),
    Call.TWO: pgettext_lazy("call", "kettő"),
    Call.ONE: pgettext_lazy("call", "egy"),
    Call.SOLO: pgettext_lazy("call", "szóló"),
    Call.PROBA_THREE: pgettext_lazy("call", "próbahárom"),
    Call.PROBA_TWO: pgettext_lazy("call", "próbakettő"),
    Call.PROBA_ONE: pgettext_lazy("call", "próbaegy"),
    Call.HOLD: pgettext_lazy("call", "tartom"),
    Call.PASS: pgettext_lazy("call", "passz"),
}
#: The words of a refusal's parameters.
_SAID: Final[Mapping[str, Callable[[str], Words]]] = {
    **dict.fromkeys(("call", "bid"), lambda value: CALLS[Call(value)]),
    "item": lambda value: item_words(Item.of(value)),
    "kontra": lambda value: KONTRAS[Kontra(int(value))],
}


def item_words(item: Item) -> str:
    """Return the words of an item: 'game', 'tuletroá', 'opponents: tuletroá'."""
    if item.bonus is None:
        return pgettext("item", "game")
    bonus = str(BONUSES[item.bonus])
    if item.side is Side.DECLARERS:
        return bonus
    return _("%(side)s: %(bonus)s") % {"side": SIDES[item.side], "bonus": bonus}


def step_words(item: Item, kontra: Kontra) -> str:
    """Return the words in which a player speaks of an item: 'tuletroá' for the own side's, or with a step 'kontra:
    tuletroá'.
    """
    if item.bonus and not kontra:
        return str(BONUSES[item.bonus])
    return _("%(kontra)s: %(item)s") % {"kontra": KONTRAS[kontra], "item": item_words(item)}


def why_turn(auction: Auction) -> str:
    """Explain the calls that are legal over the present bid."""
    if auction.bid is None:
        return _("The fourth can bid without an honour: that is a próba.") if len(auction.passed) == 3 else ""
    bid = {"bid": CALLS[auction.bid]}
    if Call.HOLD in auction.legal_calls:
        return _("The bid is %(bid)s: hold it (tartom), bid higher, or pass.") % bid
    return _("The bid is %(bid)s: bid higher, or pass.") % bid


def promise(card: Card) -> str:
    """Return the promise of a call in a word."""
    return _("promises the %(card)s") % {"card": card}


def invitation_words(found: Invitation, names: Names) -> str:
    """Return the promise of a call, and its consequence."""
    said = {"name": isolated(names[found.seat]), "card": found.card}
    if found.card is Card.XX:
        return _("Engedés: %(name)s promises the XX and a high honour. Anybody else who plays must call the XX.") % said
    return _("%(name)s promises the %(card)s: anybody else who plays must call it.") % said


def must_call(hand: HandState, names: Names) -> str:
    """Return a sentence on the card that the declarer must call, and its holder; '' if the call is free."""
    auction = hand.auction
    if not auction or auction.partner is None or auction.declarer is None:
        return ""
    said = {"card": auction.must_call, "name": isolated(names[auction.partner])}
    return _("The %(card)s must be called; %(name)s has it.") % said


def inviters_duty(hand: HandState, names: Names) -> str:
    """Return the duty that only the inviting player knows of, '' if nobody invited."""
    found = hand.auction.invitation if hand.auction else None
    if found is None or found.card is Card.XX:
        return ""
    return _("Without a high honour %(name)s must announce pagátultimó on the first turn.") % {
        "name": isolated(names[found.seat])
    }


def headline(hand: HandState, names: Names) -> str:
    """Return declarer and contract: 'Béla, kettes'."""
    if hand.declarer is None or hand.contract is None:
        return ""
    return f"{isolated(names[hand.declarer])}, {CONTRACTS[hand.contract]}"


def announced_words(hand: HandState, names: Names) -> str:
    """Return the announcements in words: 'Béla, kettes, tuletroá, nyolc tarokk'; '' if nothing was."""
    said = headline(hand, names)
    return ", ".join([said, *(mark.words for mark in words.open_marks(hand, names=names))]) if said else ""


def partner_mark(hand: HandState, names: Names) -> str:
    """Return the partner after the contract: ' (Cili)', ' alone', '+?' while nobody may know."""
    if hand.partner is None or hand.announcing is None:
        return "+?"
    return f" ({isolated(names[hand.announcing.seats[hand.partner]])})" if hand.partner else f" {_('alone')}"


def partner_words(hand: HandState, names: Names) -> str:
    if hand.partner is None or hand.announcing is None:
        return _("partner not known yet")
    if not hand.partner:
        return _("alone")
    return _("with %(partner)s") % {"partner": isolated(names[hand.announcing.seats[hand.partner]])}


def so_far(hand: HandState, names: Names) -> str:
    """Return the notes before the contract is known."""
    return referee.so_far(hand.auction, hand.declarer, CALLS, names)


# --- Refusals ---


#: The sentences of refusals by their codes.
_REFUSALS: Final[Mapping[str, Words]] = {
    **REFUSALS,
    "hold_bid_first": gettext_lazy("Only a player who has bid before can say tartom."),
    "held_once": gettext_lazy("A bid can be held once: go higher, or pass."),
    "proba_after_three": gettext_lazy("Only the fourth can bid a próba, after three passes."),
    "proba_solo": gettext_lazy("There is no próba at szóló."),
    "raise_or_play": gettext_lazy("The others have passed: raise to a higher bid, or play három."),
    "announcing_over": gettext_lazy("The announcements are over."),
    "announced_already": gettext_lazy("A side announces a bonus once: %(item)s is already announced."),
    "double_and_volat": gettext_lazy("Duplajáték and volát are not announced in the same turn."),
    "double_after_volat": gettext_lazy("After volát the same side announces no duplajáték."),
    "not_announced_yet": gettext_lazy("Only what was announced can be doubled: %(item)s was not."),
    "step_out_of_order": gettext_lazy("It is not the turn for %(kontra)s yet: %(item)s."),
    "not_his_side": gettext_lazy("%(kontra)s, %(item)s: only the other side can say it, not %(seat)s."),
    "tarokks_declared": gettext_lazy("%(seat)s has already declared tarokks."),
    "tarokks_three": gettext_lazy("Of 22 tarokks at most two players can have eight."),
    "office_at_once": gettext_lazy(
        "A player who finds the called card in their skart says kontra as soon as it is called."
    ),
    "no_place": gettext_lazy("Nobody sits there."),
    "no_proba": gettext_lazy("This was not a próba."),
    "points_unanswered": gettext_lazy("How did it end?"),
}


def refusal(message: Message, names: Names) -> str:
    """Return the sentence for a move that the rules do not allow."""
    if message.code == "kontra_too_high":
        return words.refusal(message)
    return str(_REFUSALS[message.code]) % refusal_params(message.params, names, _SAID)


# --- Questions at the end ---


class CardAnswer(NamedTuple):
    """An answer, and the value that a tap on it posts: '' unsets the answer that is chosen."""

    tap: str
    words: Words
    is_chosen: bool


class CardQuestion(NamedTuple):
    """The question about one card, and its answers."""

    what: str
    words: str
    answers: tuple[CardAnswer, ...]


def cards_asked(taken: Taken) -> Iterator[CardQuestion]:
    """Yield the questions in whose tricks the cards lie, with the answers given so far."""
    tricks = {side.value: SHORT_SIDES[side] for side in Side}
    fogas = {f"{side}!": _("fogás: %(side)s") % {"side": SHORT_SIDES[side]} for side in Side}
    xxi = f"{taken.xxi}!" if taken.xxi and taken.caught else taken.xxi or ""
    yield _row(Honour.SKIZ, _("In whose tricks is the skíz?"), tricks, taken.skiz or "")
    yield _row(Honour.XXI, _("In whose tricks is the XXI?"), {**tricks, **fogas}, xxi)
    yield _row(Honour.PAGAT, _("In whose tricks is the pagát?"), tricks, taken.pagat or "")
    kings = {str(number): str(number) for number in range(KINGS + 1)}
    yield _row("kings", _("Kings in the declarers' tricks"), kings, "" if taken.kings is None else str(taken.kings))
    last = {pagat.value: words for pagat, words in PAGATS.items() if pagat is not Pagat.NONE}
    yield _row("last", _("pagát in the last trick"), last, "" if taken.last is Pagat.NONE else taken.last)


def _row(what: str, words: str, answers: Mapping[str, Words], chosen: str) -> CardQuestion:
    taps = (CardAnswer("" if value == chosen else value, said, value == chosen) for value, said in answers.items())
    return CardQuestion(what, words, tuple(taps))
