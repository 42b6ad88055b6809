"""The words of the lines of a count: account, amount and reason. Only the displayed sum is counted here.

The codes and their parameters are listed in scorekeeper/games/preference/counting.py.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from scorekeeper.games.base import Account, ScoreLine, place_of
from scorekeeper.games.preference.deal import ACCOUNTS, DUMP
from scorekeeper.games.preference.scoring import account_of
from sessions_app.faces.preference.words import place_words, short_place
from sessions_app.hand_facts import Rewritten
from sessions_app.words.wording import Words, isolated, signed

_LONE: Final = gettext_lazy("%(whister)s is %(lack)s short: %(terms)s")
#: The sentences of lines by item and code; `_sentence` has those of a few more cases.
_SENTENCES: Final[dict[tuple[str, str], Words]] = {
    ("made", "won"): ngettext_lazy(
        "%(name)s has made it with %(tricks)s trick", "%(name)s has made it with %(tricks)s tricks", "tricks"
    ),
    ("passed_out", "won"): gettext_lazy("Nobody whists: %(name)s has made it"),
    ("half", "won"): gettext_lazy("Half whist, nothing played: %(name)s has made it"),
    ("mizer", "won"): gettext_lazy("%(name)s took no trick: the mizer is made"),
    ("raspasy_zero", "won"): gettext_lazy("%(name)s took no trick"),
    ("aid", "received"): gettext_lazy("Aid from %(donor)s, whose pool is full, to the highest pool with room"),
    ("aid", "written"): gettext_lazy("For the aid to %(against)s: %(terms)s"),
    ("surplus", "off_dump"): gettext_lazy("All pools are full: off their own dump, %(terms)s"),
    ("half", "half"): gettext_lazy("Half of the quota: %(terms)s"),
    ("undertricks", "down"): gettext_lazy("%(name)s is down %(down)s: %(terms)s"),
    ("consolation", "value"): gettext_lazy("Consolation: %(terms)s"),
    ("consolation", "flat"): gettext_lazy("Consolation: %(terms)s"),
    ("consolation", "retrieved"): gettext_lazy("%(name)s's half was taken over: no consolation"),
    ("whist", "tricks"): gettext_lazy("%(name)s whisted, tricks: %(terms)s"),
    ("whist", "forfeited"): gettext_lazy("%(name)s is short: nothing for the tricks taken (%(tricks)s)"),
    ("whist", "passed"): gettext_lazy("%(name)s passed: %(whister)s writes the tricks"),
    ("whist", "retrieved"): gettext_lazy("%(name)s's half was taken over: %(whister)s writes the tricks"),
    ("shared", "passer"): gettext_lazy("Half of the tricks, %(other)s writes the other half: %(terms)s"),
    ("shared", "pair"): gettext_lazy("Half of the tricks, %(other)s writes the other half: %(terms)s"),
    ("shared", "forfeited"): gettext_lazy("Somebody is short: %(name)s writes nothing for the tricks"),
    ("short", "lone"): _LONE,
    ("short", "side"): gettext_lazy("%(whister)s is %(own)s short, the side %(lack)s: %(terms)s"),
    ("short", "own"): _LONE,
    ("short", "strict"): _LONE,
    ("short", "second"): gettext_lazy("The defence has too few tricks, and the second answers: %(terms)s"),
    ("short", "both"): gettext_lazy("The defence has too few tricks, and both answer: %(terms)s"),
    ("short", "second_strict"): gettext_lazy("The second needs a trick, and answers for it: %(terms)s"),
    ("short", "pair"): gettext_lazy("%(whister)s answers for half of what the two are short of: %(terms)s"),
    ("short", "covered"): gettext_lazy("%(whister)s has less than half, but the two have enough"),
    ("mizer", "caught"): gettext_lazy("The mizer is caught: %(terms)s"),
    ("mizer", "written"): gettext_lazy("The mizer is caught: %(terms)s"),
    ("raspasy", "tricks"): gettext_lazy("Own tricks: %(terms)s"),
    ("raspasy", "amnesty"): gettext_lazy("Own tricks, less those of whoever has the fewest: %(terms)s"),
    ("raspasy", "lowest"): gettext_lazy("%(name)s has the fewest; tricks of %(against)s: %(terms)s"),
    ("raspasy", "two_lowest"): gettext_lazy("Two have the fewest; tricks of %(against)s: %(terms)s"),
    ("raspasy", "none"): gettext_lazy("%(name)s took no trick"),
    ("given_up", "given_up"): gettext_lazy("%(name)s gives up the contract: %(terms)s"),
    ("agreed", "agreed"): gettext_lazy("As agreed"),
    ("agreed", "pool_above"): gettext_lazy(
        "As agreed, but no longer possible: the pool is at %(pool)s, past %(target)s"
    ),
    ("agreed", "pool_below"): gettext_lazy("As agreed, but no longer possible: the pool is at %(pool)s, below zero"),
    ("agreed", "after_end"): gettext_lazy("The game was over: %(said)s in the pool does not count"),
    ("after_end", "after_end"): gettext_lazy("The game was over: this hand does not count"),
}
SENTENCES: Final = frozenset(_SENTENCES)
_PEOPLE: Final = ("against", "whister", "donor", "other")


def step(line: ScoreLine, names: Sequence[str]) -> str:
    """Return why a line of the count is written."""
    said: dict[str, object] = {**line.params, "amount": line.amount, "terms": terms(line)}
    said |= {key: isolated(names[int(line.params[key])]) for key in _PEOPLE if key in line.params}
    if "seat" in line.params:
        said["name"] = isolated(names[int(line.params["seat"])])
    if line.code == "pool_below":
        said["pool"] = signed(int(line.params["pool"]))
    why = _sentence(line, said) % said
    if line.code == "won" and said["won"] != said["amount"]:
        return _("%(why)s; %(amount)s of the %(won)s points fit into their own pool") % {**said, "why": why}
    if line.item == "raspasy" and line.code != "none" and said["row"] != 1:
        return _("%(why)s (no. %(row)s in a row)") % {**said, "why": why}
    return why


def _sentence(line: ScoreLine, said: Mapping[str, object]) -> Words:
    if line.code == "cleared":  # pool points that clear a dump, for which no reason is named
        return _("Own dump is cleared first: %(terms)s")
    if line.code == "received" and said["equal"]:
        return _("Aid from %(donor)s, whose pool is full; of the highest pools with room the first clockwise")
    if line.code == "side" and said["own"] == said["lack"]:
        return _LONE
    return _SENTENCES[line.item, line.code]


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


def rewritten(entries: Iterable[Rewritten], names: Sequence[str]) -> tuple[tuple[str, int, int], ...]:
    """Return the accounts of a hand that a correction changes, with both amounts, in the order of the notation."""
    there = sorted(entries, key=lambda each: place_of(each.account, ACCOUNTS))
    return tuple((short_place(*each.account, names), each.was, each.will_be) for each in there)


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
