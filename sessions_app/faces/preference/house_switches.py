"""The words of Preference's house rules on contracts, mizers and raspasovkas."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from sessions_app.faces.house_words import SwitchWords, always, by_value, numbered

# --- Contracts and mizers ---


def _consolation(value: str) -> str:
    return _("no consolation") if value == "0" else _("consolation of %(number)s a trick") % {"number": value}


CONTRACT_SWITCHES: Final = {
    "dump_factor": SwitchWords(
        gettext_lazy("Dump of a declarer down"),
        gettext_lazy(
            "For each trick down, the declarer writes the value of the contract into the dump this many times. By "
            "the book 1, in Leningrad 2."
        ),
        numbered(gettext_lazy("a declarer down writes ×%(number)s into the dump")),
    ),
    "bank_factor": SwitchWords(
        gettext_lazy("Whists against the declarer"),
        gettext_lazy(
            "A trick, a half and consolation count the value of the contract this many times. By the book 1, in "
            "Leningrad 2."
        ),
        numbered(gettext_lazy("whists against the declarer count ×%(number)s")),
    ),
    "consolation": SwitchWords(
        gettext_lazy("Consolation"),
        gettext_lazy(
            "What every opponent writes for each trick the declarer is down. By the book the value of the "
            "contract, in Rostov always 10; some play without it."
        ),
        _consolation,
        {
            "value": pgettext_lazy("consolation", "value of the contract"),
            "0": pgettext_lazy("consolation", "none"),
            **{str(points): str(points) for points in range(1, 21)},
        },
    ),
    "mizer_bank": SwitchWords(
        gettext_lazy("Failed mizer"),
        gettext_lazy(
            "Its tricks go into the declarer's dump. By the book every opponent also writes as much against the "
            "declarer; in the other profiles nothing."
        ),
        always(gettext_lazy("nothing to the opponents for a failed mizer")),
        {
            "yes": pgettext_lazy("failed mizer", "opponents write"),
            "no": pgettext_lazy("failed mizer", "only the dump"),
        },
    ),
    "whist_style": SwitchWords(
        gettext_lazy("One whists, declarer down"),
        gettext_lazy(
            "By the book and in Sochi the whister writes all tricks of the defence (zhlob); in Leningrad and "
            "Rostov the whister and the passer write half each (gentleman)."
        ),
        always(gettext_lazy("a passer writes half the tricks when the declarer is down")),
        {
            "zhlob": pgettext_lazy("one whists", "whister: all"),
            "gentleman": pgettext_lazy("one whists", "half each"),
        },
    ),
    "retrieved": SwitchWords(
        gettext_lazy("Retrieved half"),
        gettext_lazy(
            "The first whists after the second's half. By the book and in Sochi the second then counts as a "
            "passer; in Leningrad and Rostov the second writes nothing, not even consolation."
        ),
        always(gettext_lazy("after a retrieved half the second writes nothing")),
        {
            "pass": pgettext_lazy("retrieved half", "like a passer"),
            "nothing": pgettext_lazy("retrieved half", "writes nothing"),
        },
    ),
    "pair_shares": SwitchWords(
        gettext_lazy("Two whist"),
        gettext_lazy(
            "By the book and in every profile each writes their own tricks. Or they halve the tricks and their "
            "shared shortfall, whatever is chosen below for two who are short: Parlett's gentleman's whist."
        ),
        always(gettext_lazy("two whisters halve their tricks and what they lack")),
        {
            "no": pgettext_lazy("two whist", "each their own"),
            "yes": pgettext_lazy("two whist", "halved"),
        },
    ),
    "short_to": SwitchWords(
        gettext_lazy("Missing tricks of a whister"),
        gettext_lazy(
            "By the book the declarer writes them against the whister; in the other profiles they go into the "
            "whister's own dump."
        ),
        always(gettext_lazy("a whister's missing tricks go into the whister's own dump")),
        {
            "bank": pgettext_lazy("missing tricks", "declarer writes"),
            "dump": pgettext_lazy("missing tricks", "into own dump"),
        },
    ),
    "short_factor": SwitchWords(
        gettext_lazy("Price of a missing trick"),
        gettext_lazy("By the book, in Sochi and Leningrad the value of the contract; in Rostov half of it."),
        always(gettext_lazy("a missing trick costs a whister half the value")),
        {
            "1": pgettext_lazy("missing trick", "the value"),
            "½": pgettext_lazy("missing trick", "half the value"),
        },
    ),
    "short_keeps": SwitchWords(
        gettext_lazy("Tricks of a short whister"),
        gettext_lazy("By the book the whister writes none of the tricks taken; in the other profiles all of them."),
        always(gettext_lazy("a whister who is short still writes the tricks taken")),
        {
            "no": pgettext_lazy("tricks of who is short", "not written"),
            "yes": pgettext_lazy("tricks of who is short", "written"),
        },
    ),
    "short_share": SwitchWords(
        gettext_lazy("Two short at six and seven"),
        gettext_lazy(
            "By the book each answers for their own shortfall, at most for the shared one; in the other profiles "
            "for all of it, if both are short together. Always: even if they are not."
        ),
        by_value(
            {
                "own": gettext_lazy("at six and seven each whister answers for all of their own shortfall"),
                "strict": gettext_lazy("at six and seven each whister needs half of the quota"),
            }
        ),
        {
            "side": pgettext_lazy("six and seven", "shared shortfall"),
            "own": pgettext_lazy("six and seven", "own shortfall"),
            "strict": pgettext_lazy("six and seven", "own, always"),
        },
        idle_at=("pair_shares", "yes"),
    ),
    "short_one": SwitchWords(
        gettext_lazy("Two short from eight up"),
        gettext_lazy(
            "If two whisters have no trick, the second answers by the book, in Sochi and Rostov; in Leningrad "
            "both, in full. “Whoever has none” and “the second”: even if the other has one."
        ),
        by_value(
            {
                "both": gettext_lazy("from eight up both whisters answer in full"),
                "strict": gettext_lazy("from eight up each whister needs a trick"),
                "second_strict": gettext_lazy("from eight up only the second whister needs a trick"),
            }
        ),
        {
            "second": pgettext_lazy("eight and up", "the second"),
            "both": pgettext_lazy("eight and up", "both"),
            "strict": pgettext_lazy("eight and up", "whoever has none"),
            "second_strict": pgettext_lazy("eight and up", "the second, without a trick"),
        },
        idle_at=("pair_shares", "yes"),
    ),
    "ten": SwitchWords(
        gettext_lazy("Contract of ten"),
        gettext_lazy(
            "By the book and in every profile it is whisted. Some in Sochi check it: it is played open, nobody "
            "answers or is liable, and each writes their own tricks."
        ),
        always(gettext_lazy("a ten is checked instead of whisted")),
        {
            "whisted": pgettext_lazy("ten", "whisted"),
            "checked": pgettext_lazy("ten", "checked"),
        },
    ),
    "half_whist": SwitchWords(
        gettext_lazy("Half whist"),
        gettext_lazy(
            "At six and seven the second can say half after the first passes. This is so by the book and in every "
            "profile."
        ),
        always(gettext_lazy("no half whist")),
        {
            "yes": pgettext_lazy("half whist", "allowed"),
            "no": pgettext_lazy("half whist", "not allowed"),
        },
    ),
    "stalingrad": SwitchWords(
        gettext_lazy("Stalingrad"),
        gettext_lazy(
            "Both must whist 6♠ and answer for what they lack as usual. By the book and in every profile they need not."
        ),
        always(gettext_lazy("6♠ must be whisted by both (Stalingrad)")),
        {
            "no": pgettext_lazy("Stalingrad", "not played"),
            "yes": pgettext_lazy("Stalingrad", "both must whist"),
        },
    ),
    "give_up": SwitchWords(
        gettext_lazy("Giving up"),
        gettext_lazy(
            "The declarer can give up before play: the value goes into the dump this many times, and nobody "
            "writes anything. Usually 3. 0: not allowed, as in the book and every profile."
        ),
        numbered(gettext_lazy("a contract can be given up for ×%(number)s its value")),
    ),
}


# --- Raspasovkas ---


def _zero(value: str) -> str:
    if value == "rate":
        return _("the price of a trick into the pool for taking none in a raspasovka")
    return _("%(number)s into the pool for taking no trick in a raspasovka") % {"number": value}


def _exit(value: str) -> str:
    return _("exit ladder %(ladder)s") % {"ladder": value.replace("-", "–")}


RASPASOVKA_SWITCHES: Final = {
    "raspasy_to": SwitchWords(
        gettext_lazy("Tricks of a raspasovka"),
        gettext_lazy(
            "By the book, in Sochi and Leningrad they go into one's own dump. In Rostov whoever has fewest writes "
            "whists for the others' tricks; only where the dealer sits out."
        ),
        always(gettext_lazy("in a raspasovka whoever has fewest writes whists for the others' tricks")),
        {
            "dump": pgettext_lazy("tricks of a raspasovka", "into the dump"),
            "bank": pgettext_lazy("tricks of a raspasovka", "as whists"),
        },
    ),
    "raspasy_base": SwitchWords(
        gettext_lazy("Price of a raspasovka"),
        gettext_lazy("For each trick in the first of a row. By the book and in Sochi 1, in Leningrad 2, in Rostov 5."),
        numbered(gettext_lazy("first raspasovka at %(number)s a trick")),
    ),
    "raspasy_growth": SwitchWords(
        gettext_lazy("Raspasovkas in a row"),
        gettext_lazy(
            "How the price rises. By the book, in Sochi and Leningrad by the same amount each time; in Rostov it "
            "stays the same. Or it doubles."
        ),
        by_value(
            {
                "double": gettext_lazy("raspasovkas in a row double the price"),
                "none": gettext_lazy("raspasovkas in a row do not rise in price"),
            }
        ),
        {
            "add": "×1 ×2 ×3",
            "double": "×1 ×2 ×4",
            "none": pgettext_lazy("raspasovkas in a row", "stays the same"),
        },
    ),
    "raspasy_cap": SwitchWords(
        gettext_lazy("Highest price in a row"),
        gettext_lazy(
            "This many times the price of the first. By the book there is no limit; in the other profiles 3. 0: "
            "no limit."
        ),
        numbered(gettext_lazy("raspasovkas cost ×%(number)s at most")),
    ),
    "raspasy_reset": SwitchWords(
        gettext_lazy("What ends a row"),
        gettext_lazy(
            "By the book and in every profile any other hand. Or only one that is played; a game that is made, "
            "also if nobody whists; or one that is whisted and made, as some in Leningrad have it."
        ),
        by_value(
            {
                "played": gettext_lazy("only a hand that is played ends a row of raspasovkas"),
                "made": gettext_lazy("only a game that is made ends a row of raspasovkas"),
                "whisted": gettext_lazy("only a game whisted and made ends a row of raspasovkas"),
            }
        ),
        {
            "any": pgettext_lazy("ends a row", "any hand"),
            "played": pgettext_lazy("ends a row", "played"),
            "made": pgettext_lazy("ends a row", "made"),
            "whisted": pgettext_lazy("ends a row", "whisted and made"),
        },
    ),
    "raspasy_zero": SwitchWords(
        gettext_lazy("No trick in a raspasovka"),
        gettext_lazy(
            "Pool points for a player who takes no trick. By the book nothing, in Rostov 1, in Sochi and "
            "Leningrad the price of a trick."
        ),
        _zero,
        {
            "0": pgettext_lazy("no trick", "nothing"),
            **{str(points): str(points) for points in range(1, 11)},
            "rate": pgettext_lazy("no trick", "price of a trick"),
        },
    ),
    "raspasy_dealer": SwitchWords(
        gettext_lazy("Dealer in a raspasovka of four"),
        gettext_lazy("By the book, in Sochi and Leningrad the dealer plays the talon; in Rostov the dealer sits out."),
        always(gettext_lazy("the dealer of four sits out in a raspasovka")),
        {
            "yes": pgettext_lazy("dealer in a raspasovka", "plays the talon"),
            "no": pgettext_lazy("dealer in a raspasovka", "sits out"),
        },
    ),
    "raspasy_amnesty": SwitchWords(
        gettext_lazy("Amnesty"),
        gettext_lazy(
            "In a raspasovka the fewest tricks anybody has are deducted from everybody. Not by the book or in any "
            "profile; some in Sochi play it. With three players it makes no difference in the end."
        ),
        always(gettext_lazy("amnesty in a raspasovka")),
        {
            "no": pgettext_lazy("amnesty", "none"),
            "yes": pgettext_lazy("amnesty", "deducted from all"),
        },
    ),
    "raspasy_exit": SwitchWords(
        gettext_lazy("Exit ladder"),
        gettext_lazy(
            "The lowest contract after none, one, two … raspasovkas in a row; it is only a warning. By the book, "
            "in Sochi and Rostov always 6, in Leningrad 6–7–8."
        ),
        _exit,
        {
            "6": pgettext_lazy("exit ladder", "always 6"),
            "6-7": "6–7",
            "6-7-8": "6–7–8",
        },
    ),
}
