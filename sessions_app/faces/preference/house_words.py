"""The words of Preference's house rules: switches, profiles, and values that exclude each other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from scorekeeper.games import preference
from scorekeeper.games.errors import Message
from scorekeeper.games.preference import Rules
from scorekeeper.games.preference.house_rules import PoolEnd
from sessions_app.faces.house_words import HouseWords, ProfileWords, SwitchWords, always, by_value, numbered
from sessions_app.faces.preference.house_switches import CONTRACT_SWITCHES, RASPASOVKA_SWITCHES
from sessions_app.faces.preference.words import refusal as of_a_deal
from sessions_app.words.wording import Words, isolated, signed

# --- The pool ---


POOL_SWITCHES: Final = {
    "target": SwitchWords(
        gettext_lazy("Pool target"),
        gettext_lazy("A pool is full at this many points. Players agree on 10 or 20; the book mostly has 50."),
        numbered(gettext_lazy("pool to %(number)s")),
        usual=("10", "20", "50"),
    ),
    "pool_point": SwitchWords(
        gettext_lazy("Pool point"),
        gettext_lazy("Its worth when you settle. By the book 10, in Leningrad 20."),
        numbered(gettext_lazy("a pool point is worth %(number)s")),
    ),
    "dump_point": SwitchWords(
        gettext_lazy("Dump point"),
        gettext_lazy("Its cost when you settle. By the book and in every profile 10."),
        numbered(gettext_lazy("a dump point costs %(number)s")),
    ),
    "made_to": SwitchWords(
        gettext_lazy("Pool points won"),
        gettext_lazy(
            "By the book and in every profile they go into the pool. Some in Rostov first clear their own dump "
            "with them, in whole points."
        ),
        always(gettext_lazy("pool points won first clear one's own dump")),
        {
            "pool": pgettext_lazy("points won", "into the pool"),
            "dump_first": pgettext_lazy("points won", "dump first"),
        },
    ),
    "aid": SwitchWords(
        gettext_lazy("Aid"),
        gettext_lazy(
            "Points beyond a full pool fill the others' pools, and the giver writes whists for them. Played by "
            "the book, in Sochi and Rostov; not in Leningrad."
        ),
        always(gettext_lazy("pools run past the target without aid")),
        {
            "yes": pgettext_lazy("aid", "given"),
            "no": pgettext_lazy("aid", "pools run on"),
        },
    ),
    "aid_rate": SwitchWords(
        gettext_lazy("Price of aid"),
        gettext_lazy(
            "Whists the giver writes for each point. By the book, in Sochi and Rostov 10; in Leningrad 20, if "
            "there is aid."
        ),
        numbered(gettext_lazy("%(number)s whists a point of aid")),
        idle_at=("aid", "no"),
    ),
    "pool_end": SwitchWords(
        gettext_lazy("End of the game"),
        gettext_lazy(
            "By the book, in Sochi and Rostov when each pool is full; in Leningrad when all together have as "
            "much. Never: you stop when you like."
        ),
        by_value(
            {
                "sum": gettext_lazy("the game ends when all pools together are full"),
                "never": gettext_lazy("full pools do not end the game"),
            }
        ),
        {
            "each": pgettext_lazy("end of the game", "each is full"),
            "sum": pgettext_lazy("end of the game", "all together"),
            "never": pgettext_lazy("end of the game", "never"),
        },
    ),
}


# --- All rules ---


#: The headings under which switches are folded; the usual ones have none.
GROUPS: Final[Sequence[tuple[Words, Sequence[str]]]] = (
    (gettext_lazy("Settlement"), ("pool_point", "dump_point")),
    (
        gettext_lazy("Contract and whists"),
        (
            *("dump_factor", "bank_factor", "consolation", "mizer_bank", "whist_style", "retrieved"),
            *("pair_shares", "ten", "half_whist", "stalingrad", "give_up"),
        ),
    ),
    (gettext_lazy("Short whisters"), ("short_to", "short_factor", "short_keeps", "short_share", "short_one")),
    (gettext_lazy("Raspasovka"), tuple(RASPASOVKA_SWITCHES)),
    (gettext_lazy("Pool, aid, end"), ("made_to", "aid", "aid_rate", "pool_end")),
)
_SWITCHES: Final = POOL_SWITCHES | CONTRACT_SWITCHES | RASPASOVKA_SWITCHES
_GROUPED: Final = {name: replace(_SWITCHES[name], group=heading) for heading, names in GROUPS for name in names}
#: In the order of the game's SWITCHES.
SWITCHES: Final[Mapping[str, SwitchWords]] = {
    switch.name: (_SWITCHES | _GROUPED)[switch.name] for switch in preference.GAME.SWITCHES
}

PROFILE_WORDS: Final[Mapping[str, ProfileWords]] = {
    "book": ProfileWords(
        gettext_lazy("By the book (Parlett)"),
        gettext_lazy(
            "A whister who is short pays the declarer and gets nothing for the tricks taken, and raspasovkas in a "
            "row cost more and more without limit."
        ),
    ),
    "sochi": ProfileWords(
        gettext_lazy("Sochi"),
        gettext_lazy(
            "What a whister lacks goes into the whister's own dump and the tricks still count, a lone whister "
            "writes all of them, and taking no trick in a raspasovka fills the pool."
        ),
    ),
    "leningrad": ProfileWords(
        gettext_lazy("Leningrad"),
        gettext_lazy(
            "Pool, whists and the dump of a declarer down count double, a passer shares in a lone whister's success, "
            "and without aid the game goes on until all pools together are full."
        ),
    ),
    "rostov": ProfileWords(
        gettext_lazy("Rostov"),
        gettext_lazy(
            "A game of whists: a raspasovka is settled in whists, consolation is 10 a trick, and a missing trick "
            "costs a whister only half."
        ),
    ),
}


def refusal(message: Message) -> str:
    """Return why a house rule cannot stand beside another, or the refusal of a deal."""
    if message.code == "not_with":
        return _beside(str(message.params["switch"]), str(message.params["value"]))
    return of_a_deal(message)


def _beside(switch: str, value: str) -> str:
    """Return a switch with its value, beside which another value is impossible."""
    words = SWITCHES[switch]
    said = _("Cannot be combined with %(rule)s: %(value)s.") % {
        "rule": words.label,
        "value": words.values.get(value, value),
    }
    if switch != "dump_point":
        return said
    why = _("A pool point taken off the dump must be worth a whole number of dump points.")
    return f"{said} {why}"


def reminder(message: Message, names: Sequence[str]) -> str:
    """Return a reminder that the game is over, and the entries that still count."""
    return str(_END[message.code]) % {"target": message.params["target"]}


def objection(message: Message, names: Sequence[str]) -> str:
    """Return why an agreed entry could no longer be recorded: the pool that it would lead to."""
    said: dict[str, int | str] = {**message.params, "name": isolated(names[int(message.params["seat"])])}
    if message.code == "pool_below":
        said["pool"] = signed(int(message.params["pool"]))
    return str(_OBJECTIONS[message.code]) % said


_OBJECTIONS: Final[Mapping[str, Words]] = {
    "pool_above": gettext_lazy("%(name)s's pool would be at %(pool)s, past %(target)s"),
    "pool_below": gettext_lazy("%(name)s's pool would be at %(pool)s, below zero"),
}
_END: Final[Mapping[str, Words]] = {
    "game_over": gettext_lazy(
        "The pool to %(target)s is full: the game is over. Later hands do not count; agreed entries outside "
        "the pool still do."
    ),
    "game_over_together": gettext_lazy(
        "All pools together have reached %(target)s: the game is over. Later hands do not count; agreed "
        "entries outside the pool still do."
    ),
}


def settled(rules: Rules, is_over: bool) -> str:
    """Return a sentence on the end of the game, or on its settlement if it is broken off ("Pool, aid, end", 4)."""
    target = {"target": rules.target}
    if is_over and rules.pool_end is PoolEnd.SUM:
        return _("The game is over: all pools together have reached %(target)s a player.") % target
    if is_over:
        return _("The game is over: the pool to %(target)s is full.") % target
    prices = {"pool": rules.pool_point, "dump": rules.dump_point}
    as_it_stands = _(
        "Settled at the current score: a pool point is worth %(pool)s, a dump point costs %(dump)s, compared "
        "with the table's average."
    )
    broken_off = _(
        "Broken off before the end, settled at the current score: a pool point is worth %(pool)s, a dump "
        "point costs %(dump)s, compared with the table's average."
    )
    return (as_it_stands if rules.pool_end is PoolEnd.NEVER else broken_off) % prices


WORDS: Final = HouseWords(SWITCHES, refusal, reminder, settled, PROFILE_WORDS, objection, asks_profile_first=True)
