"""The words of the house rules on the pool: its target, points beyond it, and the value of its points."""

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from sessions_app.faces.house_words import SwitchWords, always, by_value, numbered

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
