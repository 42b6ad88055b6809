"""The words of Asszorti's referee: calls, turns, ends of the tricks, and a sentence for every code of `IllegalMove`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from scorekeeper.games.asszorti import Contract, Kontra
from scorekeeper.games.asszorti.announcing import Auction, Call, Item
from scorekeeper.games.asszorti.hand_in_play import HandState
from scorekeeper.games.asszorti.play import Play, Ruling
from scorekeeper.games.errors import Message
from sessions_app.faces import referee
from sessions_app.faces.asszorti import words
from sessions_app.faces.asszorti.words import CONTRACTS
from sessions_app.faces.hand_words import KONTRAS
from sessions_app.faces.referee import REFUSALS, Names, refusal_params
from sessions_app.words.wording import Words, isolated, listed

CALLS: dict[Call, Words] = {
    Call.THREE: "3",
    Call.TWO: "2",
    Call.ONE: "1",
    Call.HAND: CONTRACTS[Contract.HAND],
    Call.HOLD: pgettext_lazy("call", "hold"),
    Call.PASS: pgettext_lazy("call", "pass"),
}
ITEMS: dict[Item, Words] = {
    Item.GAME: gettext_lazy("Game"),
    Item.ARRIVAZS: gettext_lazy("Arrivázs"),
}
#: The words of a refusal's parameters.
_SAID: Final[Mapping[str, Callable[[str], Words]]] = {
    **dict.fromkeys(("call", "bid", "next", "contract", "least"), lambda value: CALLS[Call(value)]),
    "kontra": lambda value: KONTRAS[Kontra(int(value))],
}


#: The sentences of refusals by their codes.
_REFUSALS: Final[Mapping[str, Words]] = {
    **REFUSALS,
    "not_your_turn": gettext_lazy("It is %(turn)s's turn to call, not %(seat)s's."),
    "hold_or_pass": gettext_lazy("A player who speaks before the bidder can only hold (%(bid)s) or pass."),
    "raise_or_pass": gettext_lazy("A player who speaks after the bidder bids the next one up (%(next)s) or passes."),
    "not_the_next_bid": gettext_lazy("No jumps: the next bid is %(next)s."),
    "arrivazs_not_announced": gettext_lazy("Only an arrivázs that was announced can be doubled."),
    "ladder_end": gettext_lazy("There is nothing above mordkontra."),
    "szubkontra_same_opponent": gettext_lazy("%(seat)s said the kontra: only the other opponent can say szubkontra."),
    "not_his_kontra": gettext_lazy("%(seat)s cannot say %(kontra)s."),
    "hand_over": gettext_lazy("The hand is over: there are no more tricks."),
    "claim_open": gettext_lazy("Answer the claim first: do you accept it or dispute it?"),
    "claim_disputed": gettext_lazy("The claim is disputed: play on, or give up."),
    "no_claim": gettext_lazy("Nothing was claimed."),
    "split_not_asked": gettext_lazy("The rules decide whose tricks these are."),
    "split_sum": gettext_lazy("The opponents share %(needed)s tricks, not %(sum)s."),
    "split_unanswered": gettext_lazy("How do the opponents share the tricks?"),
    "idegen_unanswered": gettext_lazy("Did the declarer play a trump in the last three tricks?"),
    "idegen_not_asked": gettext_lazy("There was no idegen arrivázs."),
}


def refusal(message: Message, names: Names) -> str:
    """Return the sentence for a move that the rules do not allow."""
    if message.code in ("kontra_too_high", "arrivazs_no_trumps"):
        return words.refusal(message)
    sentence = _REFUSALS.get(message.code) or _unfinished(int(message.params["tricks"]))
    return str(sentence) % refusal_params(message.params, names, _SAID)


def _unfinished(tricks: int) -> str:
    return ngettext(
        "Only %(tricks)s of the eleven tricks is played.", "Only %(tricks)s of the eleven tricks are played.", tricks
    )


def turn(auction: Auction, names: Names) -> str:
    """Explain the calls that are legal over the present bid; '' before the first bid."""
    if auction.bid is None or auction.to_call is None or auction.holder is None:
        return ""
    said = {
        "name": isolated(names[auction.to_call]),
        "holder": isolated(names[auction.holder]),
        "bid": CALLS[auction.bid],
    }
    if Call.HOLD in auction.legal_calls:
        return _("%(name)s speaks before %(holder)s: hold the bid (%(bid)s) or pass.") % said
    return _("%(name)s speaks after %(holder)s: bid the next one up, or pass.") % said


def so_far(hand: HandState, names: Names) -> str:
    """Return the notes before an announcement: the calls and whose turn it is, or the declarer."""
    return referee.so_far(hand.auction, hand.declarer, CALLS, names)


def announced_words(hand: HandState, names: Names) -> str:
    """Return the declarer and the announcement: 'Béla, 2, hearts'; '' if there is none."""
    if hand.announcement is None or hand.declarer is None:
        return ""
    said = words.announcement(hand.announcement.contract, hand.announcement.trump)
    return f"{isolated(names[hand.declarer])}, {said}"


def auction_ended(auction: Auction, names: Names) -> str:
    """Return the end of the auction in words: the declarer, and the contracts that may be named."""
    if auction.declarer is None:
        return ""
    name = isolated(names[auction.declarer])
    if auction.is_forced:
        passed = listed(isolated(names[seat]) for seat in auction.passed)
        return _("%(passed)s passed without a bid: %(name)s must play and can name any contract.") % {
            "passed": passed,
            "name": name,
        }
    least = auction.contracts_allowed[0]
    if least is Contract.HAND:
        return _("%(name)s plays: the contract is %(least)s.") % {"name": name, "least": CONTRACTS[least]}
    return _("%(name)s plays: %(least)s or higher.") % {"name": name, "least": CONTRACTS[least]}


def tricks_ended(play: Play, names: Names) -> str:
    """Return the end of the tricks in words, with the rule by which the rest was given away."""
    name, claimed = isolated(names[play.sides.declarer]), play.claimed
    if claimed is None:
        return _("All eleven tricks are played.")
    if claimed.ruling is Ruling.STANDS:
        return _("%(name)s claimed the rest, and the claim was accepted.") % {"name": name}
    if claimed.ruling is Ruling.DISPUTED and not play.has_failed:
        return _("The claim was disputed, and %(name)s lost no trick after it.") % {"name": name}
    how = {
        Ruling.CONCEDED: _("%(name)s conceded the rest."),
        Ruling.GIVEN_UP: _("%(name)s claimed and then gave up: all tricks after the claim go to the opponents."),
        Ruling.DISPUTED: _("%(name)s lost a trick after the claim: all tricks after it go to the opponents."),
    }[claimed.ruling]
    return how % {"name": name} + " " + _rest(play, names)


def _rest(play: Play, names: Names) -> str:
    """Return the name of the opponent with the tricks that the declarer did not win."""
    before = zip(play.sides, play.before_claim.split, strict=True)
    had = [seat for seat, won in before if won and seat != play.sides.declarer]
    if len(had) == 1:
        return _("They go to %(name)s, the only opponent with a trick.") % {"name": isolated(names[had[0]])}
    if play.outcome and play.outcome.must_ask_split:
        return _("Neither opponent had one, and the rules do not say who gets them: agree among yourselves.")
    return _("It does not matter how the opponents share them.")


def item_kontras(said: Sequence[tuple[int, Kontra]], names: Names) -> str:
    """Return the steps of an item with their speakers, in order: 'Béla kontra, Anna rekontra'."""
    pattern = pgettext("kontra", "%(name)s %(kontra)s")
    return ", ".join(pattern % {"name": isolated(names[seat]), "kontra": KONTRAS[kontra]} for seat, kontra in said)
