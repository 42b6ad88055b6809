"""The words of the house rules on a contract and a mizer: made or down, the tricks of whisters, what they lack."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from sessions_app.faces.switches import SwitchWords, always, by_value, numbered


def _consolation(value: str) -> str:
    return _("no consolation") if value == "0" else _("consolation of %(number)s a trick") % {"number": value}


CONTRACT_SWITCHES: Final = {
    "dump_factor": SwitchWords(
        gettext_lazy("Dump of a declarer down"),
        gettext_lazy(
            "For each trick down he writes the value of the contract into his dump, so many times. By the book 1, in "
            "Leningrad 2."
        ),
        numbered(gettext_lazy("a declarer down writes ×%(number)s into his dump")),
    ),
    "bank_factor": SwitchWords(
        gettext_lazy("Whists against the declarer"),
        gettext_lazy(
            "For a trick, a half and in consolation the value of the contract, so many times. By the book 1, in "
            "Leningrad 2."
        ),
        numbered(gettext_lazy("whists against the declarer count ×%(number)s")),
    ),
    "consolation": SwitchWords(
        gettext_lazy("Consolation"),
        gettext_lazy(
            "What every opponent writes for each trick that the declarer is down. By the book the value of the "
            "contract, in Rostov always 10; some have none."
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
            "Its tricks go into the declarer's dump. By the book every opponent writes as much against him; in the "
            "other profiles nothing."
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
            "By the book and in Sochi the whister writes all tricks of the defence (zhlob); in Leningrad and Rostov he "
            "and the passer half each (gentleman)."
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
            "The first whists after the second's half. By the book and in Sochi the second is then a passer; in "
            "Leningrad and Rostov he writes nothing, not even consolation."
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
            "By the book and in every profile each writes his own tricks. Or they halve them, and what both together "
            "lack, whatever is chosen below for two who are short: Parlett's gentleman's whist."
        ),
        always(gettext_lazy("two whisters halve their tricks and what they lack")),
        {
            "no": pgettext_lazy("two whist", "each his own"),
            "yes": pgettext_lazy("two whist", "halved"),
        },
    ),
    "short_to": SwitchWords(
        gettext_lazy("Missing tricks of a whister"),
        gettext_lazy(
            "By the book the declarer writes them against him; in the other profiles they go into the whister's own "
            "dump."
        ),
        always(gettext_lazy("a whister who is short writes into his own dump")),
        {
            "bank": pgettext_lazy("missing tricks", "declarer writes"),
            "dump": pgettext_lazy("missing tricks", "into his dump"),
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
        gettext_lazy("By the book he writes none of those that he has; in the other profiles all of them."),
        always(gettext_lazy("a whister who is short still writes his tricks")),
        {
            "no": pgettext_lazy("tricks of who is short", "not written"),
            "yes": pgettext_lazy("tricks of who is short", "written"),
        },
    ),
    "short_share": SwitchWords(
        gettext_lazy("Two short at six and seven"),
        gettext_lazy(
            "By the book each answers for what he lacks, at most for what both lack together; in the other profiles "
            "for all of it, if both are short together. Always: even if they are not."
        ),
        by_value(
            {
                "own": gettext_lazy("at six and seven each whister answers for all that he lacks"),
                "strict": gettext_lazy("at six and seven each whister needs his own half of the quota"),
            }
        ),
        {
            "side": pgettext_lazy("six and seven", "what both lack"),
            "own": pgettext_lazy("six and seven", "his own"),
            "strict": pgettext_lazy("six and seven", "his own, always"),
        },
    ),
    "short_one": SwitchWords(
        gettext_lazy("Two short from eight up"),
        gettext_lazy(
            "If two whisters have no trick, the second answers by the book, in Sochi and Rostov; in Leningrad both, in "
            "full. Who has none, and the second alone: even if the other has one."
        ),
        by_value(
            {
                "both": gettext_lazy("from eight up both whisters answer in full"),
                "strict": gettext_lazy("from eight up each whister needs a trick of his own"),
                "second_strict": gettext_lazy("from eight up the second whister alone needs a trick of his own"),
            }
        ),
        {
            "second": pgettext_lazy("eight and up", "the second"),
            "both": pgettext_lazy("eight and up", "both"),
            "strict": pgettext_lazy("eight and up", "who has none"),
            "second_strict": pgettext_lazy("eight and up", "the second, if he has none"),
        },
    ),
    "ten": SwitchWords(
        gettext_lazy("Contract of ten"),
        gettext_lazy(
            "By the book and in every profile it is whisted; some in Sochi check it: it is played open, nobody answers "
            "or is liable, and each writes his own tricks."
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
            "At six and seven the second may say half after the first's pass. So it is by the book and in every "
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
            "Both must whist 6♠, and answer for what they lack as ever. By the book and in every profile they need not."
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
            "The declarer may give up before play: so many times the value into his dump, and nobody writes anything. "
            "The usual is 3. 0: not allowed, as in the book and every profile."
        ),
        numbered(gettext_lazy("a contract may be given up for ×%(number)s its value")),
    ),
}
