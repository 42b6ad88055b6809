"""The words of the house rules on raspasovkas: the price of a trick, amnesty, and rows of them."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from sessions_app.faces.house_words import SwitchWords, always, by_value, numbered


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
