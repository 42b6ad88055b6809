"""The switches of a house for the second count of Preference: the page's four columns, the values, what excludes."""

type Switches = dict[str, str | int]

PAGE = """
pool_point       10      10    20       10
dump_point       10      10    10       10
dump_factor      1       1     2        1
bank_factor      1       1     2        1
consolation      value   value value    10
mizer_bank       yes     no    no       no
whist_style      zhlob   zhlob gentleman gentleman
retrieved        pass    pass  nothing  nothing
pair_shares      no      no    no       no
short_to         bank    dump  dump     dump
short_factor     1       1     1        ½
short_keeps      no      yes   yes      yes
short_share      side    own   own      own
short_one        second  second both    second
ten              whisted whisted whisted whisted
half_whist       yes     yes   yes      yes
stalingrad       no      no    no       no
give_up          0       0     0        0
raspasy_to       dump    dump  dump     bank
raspasy_base     1       1     2        5
raspasy_growth   add     add   add      none
raspasy_cap      0       3     3        3
raspasy_reset    any     any   any      any
raspasy_zero     0       rate  rate     1
raspasy_dealer   yes     yes   yes      no
raspasy_amnesty  no      no    no       no
raspasy_exit     6       6     6-7-8    6
made_to          pool    pool  pool     pool
aid              yes     yes   no       yes
aid_rate         10      10    20       10
pool_end         each    each  sum      each
target           20      20    20       20
"""


def _column(number: int) -> Switches:
    rows = [row.split() for row in PAGE.split("\n") if row]
    return {row[0]: _plain(row[0], row[number]) for row in rows}


def _plain(name: str, word: str) -> str | int:
    return int(word) if word.isdigit() and name != "raspasy_exit" else word


BOOK, SOCHI, LENINGRAD, ROSTOV = (_column(number) for number in (1, 2, 3, 4))
CHOICES: dict[str, tuple[str | int, ...]] = {
    "pool_point": (10, 20),
    "dump_point": (10, 5, 20),
    "dump_factor": (1, 2),
    "bank_factor": (1, 2),
    "consolation": ("value", 0, 5, 10),
    "mizer_bank": ("yes", "no"),
    "whist_style": ("zhlob", "gentleman"),
    "retrieved": ("pass", "nothing"),
    "pair_shares": ("yes", "no"),
    "short_to": ("bank", "dump"),
    "short_factor": (1, "½"),
    "short_keeps": ("yes", "no"),
    "short_share": ("side", "own", "strict"),
    "short_one": ("second", "both", "strict", "second_strict"),
    "ten": ("whisted", "checked"),
    "half_whist": ("yes", "no"),
    "stalingrad": ("yes", "no"),
    "give_up": (0, 3),
    "raspasy_to": ("dump", "bank"),
    "raspasy_base": (1, 2, 5),
    "raspasy_growth": ("add", "double", "none"),
    "raspasy_cap": (0, 1, 3),
    "raspasy_reset": ("any", "played", "made", "whisted"),
    "raspasy_zero": (0, 1, 5, "rate"),
    "raspasy_dealer": ("yes", "no"),
    "raspasy_amnesty": ("yes", "no"),
    "raspasy_exit": ("6", "6-7", "6-7-8"),
    "made_to": ("pool", "dump_first"),
    "aid": ("yes", "no"),
    "aid_rate": (10, 20, 5),
    "pool_end": ("each", "sum", "never"),
    "target": (1, 2, 8, 10, 20, 50),
}


def clash(switches: Switches) -> bool:
    """Switches that exclude each other."""
    takes_off_dump = switches["aid"] == "yes" or switches["made_to"] == "dump_first"
    is_bank = switches["raspasy_to"] == "bank"
    return (
        (switches["pair_shares"] == "yes" and switches["short_factor"] == "½")
        or (is_bank and (switches["raspasy_dealer"] == "yes" or switches["raspasy_amnesty"] == "yes"))
        or (takes_off_dump and int(switches["pool_point"]) % int(switches["dump_point"]) != 0)
    )
