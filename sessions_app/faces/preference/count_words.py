"""The words of the lines of a count: account, amount and reason. Only the displayed sum is counted here.

The codes and their parameters are listed in scorekeeper/games/preference/counting.py.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.games.base import Account, ScoreLine, place_of
from scorekeeper.games.preference.deal import ACCOUNTS, DUMP
from scorekeeper.games.preference.scoring import account_of
from sessions_app.faces.preference.words import place_words, short_place
from sessions_app.hand_facts import Rewritten
from sessions_app.words.wording import isolated, signed

type Said = Mapping[str, object]
type Sentence = Callable[[Said], str]


def _won(sentence: Sentence) -> Sentence:
    """Add to a sentence on won points how many were won, if not all of them fit into the own pool."""

    def say(said: Said) -> str:
        if said["won"] == said["amount"]:
            return sentence(said)
        return _("%(why)s; %(amount)s of the %(won)s points fit into their own pool") % {**said, "why": sentence(said)}

    return say


def _in_row(sentence: Sentence) -> Sentence:
    """Add to a sentence on a raspasovka its number in the row, which decides its price."""

    def say(said: Said) -> str:
        if said["row"] == 1:
            return sentence(said)
        return _("%(why)s (no. %(row)s in a row)") % {**said, "why": sentence(said)}

    return say


def _aided(said: Said) -> str:
    if said["equal"]:
        return _("Aid from %(donor)s, whose pool is full; of the highest pools with room the first clockwise") % said
    return _("Aid from %(donor)s, whose pool is full, to the highest pool with room") % said


def _lone(said: Said) -> str:
    return _("%(whister)s is %(lack)s short: %(terms)s") % said


def _side(said: Said) -> str:
    if said["own"] == said["lack"]:
        return _lone(said)
    return _("%(whister)s is %(own)s short, the side %(lack)s: %(terms)s") % said


def _halved(said: Said) -> str:
    return _("%(whister)s answers for half of what the two are short of: %(terms)s") % said


_SENTENCES: Final[dict[tuple[str, str], Sentence]] = {
    ("made", "won"): _won(
        lambda said: (
            ngettext(
                "%(name)s has made it with %(tricks)s trick",
                "%(name)s has made it with %(tricks)s tricks",
                int(str(said["tricks"])),
            )
            % said
        )
    ),
    ("passed_out", "won"): _won(lambda said: _("Nobody whists: %(name)s has made it") % said),
    ("half", "won"): _won(lambda said: _("Half whist, nothing played: %(name)s has made it") % said),
    ("mizer", "won"): _won(lambda said: _("%(name)s took no trick: the mizer is made") % said),
    ("raspasy_zero", "won"): _won(lambda said: _("%(name)s took no trick") % said),
    ("aid", "received"): _aided,
    ("aid", "written"): lambda said: _("For the aid to %(against)s: %(terms)s") % said,
    ("surplus", "off_dump"): lambda said: _("All pools are full: off their own dump, %(terms)s") % said,
    ("half", "half"): lambda said: _("Half of the quota: %(terms)s") % said,
    ("undertricks", "down"): lambda said: _("%(name)s is down %(down)s: %(terms)s") % said,
    ("consolation", "value"): lambda said: _("Consolation: %(terms)s") % said,
    ("consolation", "flat"): lambda said: _("Consolation: %(terms)s") % said,
    ("consolation", "retrieved"): lambda said: _("%(name)s's half was taken over: no consolation") % said,
    ("whist", "tricks"): lambda said: _("%(name)s whisted, tricks: %(terms)s") % said,
    ("whist", "forfeited"): lambda said: _("%(name)s is short: nothing for the tricks taken (%(tricks)s)") % said,
    ("whist", "passed"): lambda said: _("%(name)s passed: %(whister)s writes the tricks") % said,
    ("whist", "retrieved"): lambda said: _("%(name)s's half was taken over: %(whister)s writes the tricks") % said,
    ("shared", "passer"): lambda said: _("Half of the tricks, %(other)s writes the other half: %(terms)s") % said,
    ("shared", "pair"): lambda said: _("Half of the tricks, %(other)s writes the other half: %(terms)s") % said,
    ("shared", "forfeited"): lambda said: _("Somebody is short: %(name)s writes nothing for the tricks") % said,
    ("short", "lone"): _lone,
    ("short", "side"): _side,
    ("short", "own"): _lone,
    ("short", "strict"): _lone,
    ("short", "second"): lambda said: _("The defence has too few tricks, and the second answers: %(terms)s") % said,
    ("short", "both"): lambda said: _("The defence has too few tricks, and both answer: %(terms)s") % said,
    ("short", "second_strict"): lambda said: _("The second needs a trick, and answers for it: %(terms)s") % said,
    ("short", "pair"): _halved,
    ("short", "covered"): lambda said: _("%(whister)s has less than half, but the two have enough") % said,
    ("mizer", "caught"): lambda said: _("The mizer is caught: %(terms)s") % said,
    ("mizer", "written"): lambda said: _("The mizer is caught: %(terms)s") % said,
    ("raspasy", "tricks"): _in_row(lambda said: _("Own tricks: %(terms)s") % said),
    ("raspasy", "amnesty"): _in_row(
        lambda said: _("Own tricks, less those of whoever has the fewest: %(terms)s") % said
    ),
    ("raspasy", "lowest"): _in_row(lambda said: _("%(name)s has the fewest; tricks of %(against)s: %(terms)s") % said),
    ("raspasy", "two_lowest"): _in_row(lambda said: _("Two have the fewest; tricks of %(against)s: %(terms)s") % said),
    ("raspasy", "none"): lambda said: _("%(name)s took no trick") % said,
    ("given_up", "given_up"): lambda said: _("%(name)s gives up the contract: %(terms)s") % said,
    ("agreed", "agreed"): lambda said: _("As agreed") % said,
    ("agreed", "pool_above"): lambda said: (
        _("As agreed, but no longer possible: the pool is at %(pool)s, past %(target)s") % said
    ),
    ("agreed", "pool_below"): lambda said: (
        _("As agreed, but no longer possible: the pool is at %(pool)s, below zero")
        % {"pool": signed(int(str(said["pool"])))}
    ),
    ("agreed", "after_end"): lambda said: _("The game was over: %(said)s in the pool does not count") % said,
    ("after_end", "after_end"): lambda said: _("The game was over: this hand does not count"),
}
#: Pool points that clear a dump. For these no reason is named.
_CLEARED: Final[Sentence] = lambda said: _("Own dump is cleared first: %(terms)s") % said  # noqa: E731
SENTENCES: Final = frozenset(_SENTENCES)
_PEOPLE: Final = ("against", "whister", "donor", "other")


def step(line: ScoreLine, names: Sequence[str]) -> str:
    """Return why a line of the count is written."""
    said: dict[str, object] = {**line.params, "amount": line.amount, "terms": terms(line)}
    said |= {key: isolated(names[int(line.params[key])]) for key in _PEOPLE if key in line.params}
    if "seat" in line.params:
        said["name"] = isolated(names[int(line.params["seat"])])
    sentence = _CLEARED if line.code == "cleared" else _SENTENCES[line.item, line.code]
    return sentence(said)


def place(line: ScoreLine, names: Sequence[str]) -> str:
    """Return the place of a line on the sheet: 'Anna: pool'; '' for a hand that does not count."""
    return place_words(*account_of(line), names) if "account" in line.params else ""


def gain(line: ScoreLine) -> int:
    """Return a line's amount as a gain of its seat: an entry into the dump is a loss, one off it a gain."""
    return _gain(str(line.params.get("account", "")), line.amount)


def _gain(account: str, amount: int) -> int:
    return -amount if account == DUMP else amount


# --- The sum of a line ---


def terms(line: ScoreLine) -> str:
    """Return the multiplication of a line: '3 × 2'; '' if there is none."""
    return _TERMS.get((line.item, line.code), _of_nothing)({key: _number(value) for key, value in line.params.items()})


def _number(value: int | str) -> int:
    """Return a parameter as a number, 0 for a text: a short factor is `1` or `half`."""
    return int(value) if str(value).removeprefix("-").isdigit() else 0


def _of_nothing(said: Mapping[str, int]) -> str:
    return ""


def _tricks(said: Mapping[str, int]) -> str:
    return _of_value(said["tricks"], said)


def _of_value(times: int, said: Mapping[str, int]) -> str:
    """Return the product with the contract's value and, if the house has one, its factor."""
    return f"{times} × {said['value']}" + (f" × {said['factor']}" if said["factor"] > 1 else "")


def _halves(said: Mapping[str, int]) -> str:
    return f"{_tricks(said)} ÷ 2"


def _points(said: Mapping[str, int]) -> str:
    return f"{said['points']} × {said.get('each') or said['rate']}"


def _missing(said: Mapping[str, int]) -> str:
    half = "" if said["factor"] else " ÷ 2"
    return f"{said['lack']} × {said['value']}{half}{' ÷ 2' if said['halved'] else ''}"


def _down(said: Mapping[str, int]) -> str:
    return _of_value(said["down"], said)


_WHY_SHORT: Final = ("lone", "side", "own", "strict", "second", "both", "second_strict", "pair")
_TERMS: Final[dict[tuple[str, str], Callable[[Mapping[str, int]], str]]] = {
    ("aid", "written"): _points,
    ("surplus", "off_dump"): lambda said: f"{said['points']} × {-said['each']}".replace("-", "−"),
    ("half", "half"): _tricks,
    ("undertricks", "down"): _down,
    ("consolation", "value"): _down,
    ("consolation", "flat"): lambda said: f"{said['down']} × {said['each']}",
    ("whist", "tricks"): _tricks,
    ("shared", "passer"): _halves,
    ("shared", "pair"): _halves,
    **{("short", why): _missing for why in _WHY_SHORT},
    ("mizer", "caught"): _tricks,
    ("mizer", "written"): _tricks,
    ("raspasy", "tricks"): lambda said: f"{said['tricks']} × {said['rate']}",
    ("raspasy", "amnesty"): lambda said: f"({said['tricks']} − {said['off']}) × {said['rate']}",
    ("raspasy", "lowest"): lambda said: f"{said['tricks']} × {said['rate']}",
    ("raspasy", "two_lowest"): lambda said: f"{said['tricks']} × {said['rate']} ÷ 2",
    ("given_up", "given_up"): lambda said: _of_value(said["times"], said),
    **{
        (item, "cleared"): lambda said: f"{said['points']} × {-said['each']}".replace("-", "−")
        for item in ("made", "passed_out", "half", "mizer", "raspasy_zero")
    },
}


# --- In one sentence ---


@dataclass(frozen=True, slots=True)
class AccountSum:
    """The sum that a hand writes in one account: the account in words, the amount, its terms, the account's kind."""

    where: str
    amount: int
    terms: str
    account: str

    @property
    def gain(self) -> int:
        """The amount as a gain of the account's seat."""
        return _gain(self.account, self.amount)

    def __str__(self) -> str:
        return f"{self.where} {signed(self.amount)}" + (f" ({self.terms})" if self.terms else "")


def written(lines: Iterable[ScoreLine], names: Sequence[str]) -> tuple[AccountSum, ...]:
    """Return the amounts that a hand writes, by account in the order of the count."""
    found: dict[Account, list[ScoreLine]] = {}
    for line in lines:
        if line.amount:
            found.setdefault(account_of(line), []).append(line)
    return tuple(
        AccountSum(short_place(*account, names), sum(line.amount for line in of), _sum_of(of), account[0])
        for account, of in found.items()
    )


def in_places(sheet: Iterable[tuple[Account, int]], names: Sequence[str]) -> tuple[AccountSum, ...]:
    """Return a stored sheet of a hand, in the order of the notation."""
    there = sorted(sheet, key=lambda each: place_of(each[0], ACCOUNTS))
    return tuple(
        AccountSum(short_place(*account, names), amount, "", account[0]) for account, amount in there if amount
    )


class ChangedAmount(NamedTuple):
    """An account in which a correction changes a hand's amount."""

    where: str
    was: int
    will_be: int


def rewritten(entries: Iterable[Rewritten], names: Sequence[str]) -> tuple[ChangedAmount, ...]:
    """Return the changed amounts of a hand, in the order of the notation."""
    there = sorted(entries, key=lambda each: place_of(each.account, ACCOUNTS))
    return tuple(ChangedAmount(short_place(*each.account, names), each.was, each.will_be) for each in there)


def _sum_of(lines: Sequence[ScoreLine]) -> str:
    single = [terms(line) or str(line.amount) for line in lines]
    return "" if single == [str(lines[0].amount)] else " + ".join(single)


def besides(lines: Iterable[ScoreLine], names: Sequence[str]) -> tuple[str, ...]:
    """Return the facts that the sums do not show: players who are short or aided, and entries that do not count."""
    return tuple(dict.fromkeys(_besides(lines, names)))


def _besides(lines: Iterable[ScoreLine], names: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if line.item == "short" and line.params["halved"]:
            # Both players have the same phrase; duplicates are dropped.
            if line.params["keeps"]:
                yield _("The two are %(lack)s short, half each") % line.params
            else:
                yield _("The two are %(lack)s short, half each: nothing for the tricks") % line.params
        elif line.item == "short" and line.amount:
            said = {"name": isolated(names[int(line.params["whister"])]), "lack": line.params["lack"]}
            if line.params["tricks"] and not line.params["keeps"]:
                yield _("%(name)s is %(lack)s short: nothing for the tricks") % said
            else:
                yield _("%(name)s is %(lack)s short") % said
        elif line.code in ("received", "off_dump", "after_end", "pool_above", "pool_below"):
            yield step(line, names)
        elif line.item == "raspasy" and int(line.params["row"]) > 1:
            yield _("raspasovka no. %(row)s in a row") % line.params
