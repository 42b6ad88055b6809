"""The screens of Preference's rules by its profiles, which differ the most, and of a hand counted by one."""

from collections.abc import Iterator
from urllib.parse import quote

from playwright.sync_api import Page

from tests.browser.gallery import Screen

#: Switches of a house besides the profiles: rows that no other has, and the widest figures.
ALL_OTHERWISE = (
    "rostov target=50 dump_point=5 dump_factor=9 bank_factor=9 consolation=20 pair_shares=yes short_factor=1 "
    "short_keeps=no short_share=strict short_one=strict ten=checked stalingrad=yes give_up=10 raspasy_base=50 "
    "raspasy_growth=double raspasy_cap=0 raspasy_reset=whisted raspasy_exit=6-7 made_to=dump_first aid_rate=100 "
    "pool_end=never"
)
HOUSES = {"leningrad": "leningrad", "rostov": "rostov", "all otherwise": ALL_OTHERWISE}


def screens() -> Iterator[Screen]:
    for name, house in HOUSES.items():
        yield Screen(f"Preference's rules, {name}", None, f"/games/preference/rules/?rules={quote(house)}", _unfold)
    hand = "?rules=leningrad&declarer=0&line=7H+wp+5"
    yield Screen("Preference, what a hand is worth in Leningrad", None, f"/games/preference/worth/{hand}", _counted)


def _unfold(page: Page) -> None:
    """All that is folded, the worked hands too."""
    page.locator("details:not([open])").first.wait_for()
    page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")


def _counted(page: Page) -> None:
    page.locator("#count [data-points]").wait_for()
