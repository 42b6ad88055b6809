"""The words of Preference's referee. Nothing is counted here."""

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from scorekeeper.games.errors import Message
from scorekeeper.games.preference import Strain
from scorekeeper.games.preference.announcing import Answer, Defender, Named
from scorekeeper.games.preference.auction import BIDS, Auction, Call
from scorekeeper.games.preference.deal import quota
from scorekeeper.games.preference.hand_in_play import HandState
from sessions_app.faces import referee
from sessions_app.faces.hand_words import tricks_words
from sessions_app.faces.preference import words
from sessions_app.faces.preference.words import MIZER, RASPASOVKA, SIGNS
from sessions_app.faces.referee import REFUSALS, Names, refusal_params
from sessions_app.words.wording import Words, isolated


def contract_sign(contract: Named) -> Words:
    """Return a contract: '6♠', '7 NT', '8' without its strain, 'mizer'."""
    if contract.level is None:
        return MIZER
    if contract.strain is Strain.NO_TRUMPS:
        return format_lazy("{} {}", contract.level, pgettext_lazy("short", "NT"))
    return f"{contract.level}{SIGNS[contract.strain] if contract.strain else ''}"


CALLS: Final[Mapping[Call, Words]] = {
    **{bid: contract_sign(Named.from_text(bid)) for bid in BIDS},
    Call.HERE: pgettext_lazy("call", "here"),
    Call.PASS: pgettext_lazy("call", "pass"),
}
ANSWERS: Final[Mapping[Answer, Words]] = {
    Answer.WHIST: pgettext_lazy("answer", "whist"),
    Answer.HALF: pgettext_lazy("answer", "half"),
    Answer.PASS: pgettext_lazy("answer", "pass"),
}
_DEFENDERS: Final[Mapping[str, Words]] = {
    Defender.FIRST.value: pgettext_lazy("opponent", "the first"),
    Defender.SECOND.value: pgettext_lazy("opponent", "the second"),
}
_PLACES: Final[Mapping[int, Words]] = {
    2: pgettext_lazy("in a row", "second"),
    3: pgettext_lazy("in a row", "third"),
    4: pgettext_lazy("in a row", "fourth"),
    5: pgettext_lazy("in a row", "fifth"),
    6: pgettext_lazy("in a row", "sixth"),
}


def _sign_of(value: str) -> Words:
    """Return the sign of a call or contract in the rules' notation."""
    return CALLS[Call(value)] if value in tuple(Call) else contract_sign(Named.from_text(value))


#: The words of a refusal's parameters.
_SAID: Final[Mapping[str, Callable[[str], Words]]] = {
    **dict.fromkeys(("call", "bid", "contract", "least"), _sign_of),
    "due": lambda value: _DEFENDERS[value],
}


# --- The announcements ---


def headline(hand: HandState, names: Names) -> str:
    """Return declarer and contract, 'Béla, 6♠', or 'raspasovka'; '' as long as nothing is announced."""
    if hand.is_raspasovka:
        return str(RASPASOVKA)
    if hand.declarer is None or hand.contract is None:
        return ""
    return f"{isolated(names[hand.declarer])}, {contract_sign(hand.contract)}"


def announced_words(hand: HandState, names: Names) -> str:
    """Return the announcement in words: 'Béla, 6♠, pass, half'; '' if nothing was."""
    said = headline(hand, names)
    given_up = [_("given up")] if hand.given_up else []
    return ", ".join([said, *(str(ANSWERS[each]) for each in hand.answers), *given_up]) if said else ""


def so_far(hand: HandState, names: Names) -> str:
    """Return the notes before the contract is known."""
    return referee.so_far(hand.auction if hand.let is None else None, hand.declarer, CALLS, names)


def price_words(row: int, price: int) -> str:
    """Return the price of a raspasovka's trick after so many: '1 a trick', 'third in a row: 3 a trick'."""
    said = {"which": _PLACES.get(row + 1, ""), "number": row + 1, "price": price}
    if not row:
        return _("%(price)s a trick") % said
    if row + 1 in _PLACES:
        return _("%(which)s in a row: %(price)s a trick") % said
    return _("number %(number)s in a row: %(price)s a trick") % said


def missing_words(missing: int, contract: Named) -> str:
    """Return a possible end of a hand: 'made with 6 tricks', 'down 2'; of a mizer 'made', '2 tricks'."""
    if not missing and contract.level is not None:
        return _("made with %(level)s tricks") % {"level": contract.level}
    if not missing:
        return pgettext("result", "made")
    if contract.level is None:
        return tricks_words(missing)
    return _("down %(down)s") % {"down": missing}


# --- The legal calls and answers, and why ---


def why_turn(auction: Auction) -> str:
    """Return the calls that are legal over the present bid, and why."""
    if auction.bid is None:
        return ""
    bid = {"bid": CALLS[auction.bid]}
    if Call.HERE in auction.legal_calls:
        return _("The bid is %(bid)s: take it over (here), bid higher, or pass.") % bid
    return _("The bid is %(bid)s: bid higher, or pass.") % bid


def why_named(hand: HandState, names: Names) -> str:
    """Return the declarer, and the lowest contract that may be named."""
    if hand.declarer is None:
        return ""
    said = {"name": isolated(names[hand.declarer])}
    if hand.let is not None or not hand.contracts_allowed:
        return _("%(name)s plays.") % said
    return _("%(name)s plays: %(least)s or higher.") % {**said, "least": CALLS[hand.contracts_allowed[0]]}


def why_answered(hand: HandState, second: str, *, may_half: bool) -> str:
    """Return the consequence of each answer for the player who gives it; `second` is the name of the second."""
    if hand.contract is None or hand.contract.level is None:
        return ""
    needed = quota(hand.contract.level)
    if Answer.HALF in hand.answers:
        said = {"name": isolated(second)}
        return _("%(name)s says half: whist after all, or pass and leave it at half.") % said
    if may_half:
        return _("Half: counts for %(tricks)s, and nothing is played.") % {"tricks": tricks_words(needed // 2)}
    return _("Whisting commits the two to %(tricks)s.") % {"tricks": tricks_words(needed)}


def why_unasked(hand: HandState) -> str:
    """Return why nobody is asked to answer, '' without a contract."""
    if hand.contract is None:
        return ""
    code = {None: "", 10: "ten_checked"}.get(hand.contract.level, "must_whist")
    return words.refusal(Message(code, {})) if code else _("A mizer is not whisted.")


def exit_words(row: int, lowest: int) -> str:
    """Return the lowest level of the exit ladder after so many raspasovkas."""
    return ngettext(
        "After %(row)s raspasovka the lowest contract is %(lowest)s. A lower one only gets a warning.",
        "After %(row)s raspasovkas in a row the lowest contract is %(lowest)s. A lower one only gets a warning.",
        row,
    ) % {"row": row, "lowest": lowest}


def below_words(contract: Named, lowest: int) -> str:
    """Return that a contract is below the exit ladder."""
    said = {"contract": contract_sign(contract), "lowest": lowest}
    return _("%(contract)s is below the exit ladder, which now starts at %(lowest)s.") % said


# --- Refusals ---


#: The sentences of refusals by their codes.
_REFUSALS: Final[Mapping[str, Words]] = {
    **REFUSALS,
    "mizer_first": gettext_lazy("Mizer can only be a player's first bid."),
    "nothing_to_take": gettext_lazy("Nobody has bid yet: there is nothing to take over."),
    "here_of_two": gettext_lazy("You can say here only when two bidders are left."),
    "here_by_earlier": gettext_lazy("Only the player who speaks before the bidder can say here."),
    "here_over_mizer": gettext_lazy("A mizer cannot be taken over."),
    "nobody_declares": gettext_lazy("All have passed, so nobody names a contract."),
    "mizer_bid": gettext_lazy("A player who has bid mizer must play it."),
    "mizer_not_bid": gettext_lazy("Only a player who has bid mizer can play it."),
    "nobody_asked": gettext_lazy("Nobody answers here."),
    "given_up": gettext_lazy("The contract is given up, so there is nothing to answer."),
    "not_defending": gettext_lazy("%(seat)s is not one of the two who answer."),
    "not_his_answer": gettext_lazy("It is %(due)s's turn to answer."),
    "answers_over": gettext_lazy("Both have answered already."),
    "answers_impossible": gettext_lazy("The house rules do not allow these answers."),
    "give_up_game": gettext_lazy("Only contracts of six to ten can be given up."),
    "nothing_played": gettext_lazy("There is nothing to give up: this hand is not played."),
    "answers_unanswered": gettext_lazy("%(due)s still has to answer."),
    "tricks_unanswered": gettext_lazy("How many tricks?"),
    "split_unanswered": gettext_lazy("Both played: how many tricks did the first of them take?"),
}


def refusal(message: Message, names: Names) -> str:
    """Return the sentence for a move that the rules do not allow."""
    if message.code not in _REFUSALS:
        return words.refusal(message)
    return str(_REFUSALS[message.code]) % refusal_params(message.params, names, _SAID)
