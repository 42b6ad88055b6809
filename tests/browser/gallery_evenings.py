"""The screens of other evenings: in chips, edited, by house rules, of other games, with another line-up, entries."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from playwright.sync_api import Page

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Member, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.writers import evening_edit, evenings, ledger
from tests.browser.gallery import FOUR, LONG, Screen, played, save, unfold
from tests.browser.phones import tap, url
from tests.factories import UserFactory, begun, evening_of, record, record_all, strike_out
from tests.views import agreed_entries

OF_TAROKK = (
    "lost_silent_ultimo=nothing tarokks_paid_by=opponents ladder=4 tie_47=last_kontra_loses after_throw_in=double"
)
OF_ASSZORTI = "six_five_nil=no no_trump_arrivazs=no ladder=3 hands=2 points=9999"
#: The widest that can be written of the longest names.
WIDEST = "= P0+10 D0-99 D1+199 B0>2+999 B2>0-999"


def screens() -> Iterator[Screen]:
    yield from _in_chips()
    yield from _edited()
    yield from _house_rules()
    yield from _games()
    yield from _lineups()
    yield from _entries()


def _in_chips() -> Iterator[Screen]:
    keeper = UserFactory()
    new, long, corrected = evening_of(keeper), played(keeper, 4, names=FOUR), played(keeper, 3, names=LONG)
    Evening.objects.filter(circle__members__user=keeper).update(in_chips=True)
    ledger.amend(corrected.pk, 1, facts=Facts(0, 1, "2H 5"), by=keeper)
    yield Screen("session in chips, begun", keeper, url(new))
    yield Screen("session in chips, a hand saved", keeper, url(long, "?saved=4"))
    yield Screen("session in chips, corrected", keeper, url(corrected, "?saved=1"))
    yield Screen("hand in chips, corrected", keeper, url(corrected, "hands/1/"))
    yield Screen("settle, paid in chips", keeper, url(long, "settle/"))


def _edited() -> Iterator[Screen]:
    keeper, maker = UserFactory(), UserFactory()
    asking = evening_of(maker, FOUR)
    Member.objects.filter(user=maker).update(to_be_asked=True)
    new, names = evening_of(keeper), evening_of(keeper, FOUR, stake=Decimal("0.05"), currency="EUR")
    of_two = played(keeper, 2, names=("Xénia", "Yvett", "Zita"))
    _mend_all(names, keeper)
    yield Screen("session, asks whose phone it is", maker, url(asking))
    yield Screen("edit, errors", keeper, url(new, "edit/"), _edit_to_nonsense)
    yield Screen("edit, four long names and a history", keeper, url(names, "edit/"))
    yield Screen("edit, after the first hand", keeper, url(of_two, "edit/"))
    yield Screen("take away, it stays", keeper, url(of_two, "remove/"))
    yield Screen("take away, four long names", keeper, url(names, "remove/"))


def _house_rules() -> Iterator[Screen]:
    keeper = UserFactory()
    many = begun(keeper, rules=OF_ASSZORTI, names=LONG)
    for _hand in range(2):
        record(many, keeper)
    yield Screen("session, many house rules and a reminder", keeper, url(many), unfold)
    yield Screen("edit, house rules", keeper, url(many, "edit/"))


def _games() -> Iterator[Screen]:
    """Yield pages of circles that play more than one game."""
    keeper = UserFactory()
    settled = begun(keeper, "tarokk", names=FOUR)
    four = begun(keeper, "tarokk", OF_TAROKK, FOUR)  # its second hand counts twice because the first was thrown in
    record_all(four, keeper, Facts(0, deal_stays=True), Facts(0, 2, "2+1 61"))
    evenings.end(settled.pk)
    yield Screen("home, evenings of two games", keeper, "/")
    yield Screen("another game, another", keeper, url(four, "next/"))
    yield Screen("session, house rules of another game", keeper, url(four), unfold)
    yield Screen("hand form, thrown in one way", keeper, url(four, "hands/new/"), _unfold_head)
    yield Screen("hand form, what a correction changes", keeper, url(four, "hands/1/edit/"), _play_first)
    yield Screen("settle, ended, another game", keeper, url(settled, "settle/"))


def _lineups() -> Iterator[Screen]:
    """Yield pages of evenings to which somebody came late and from which somebody went home."""
    keeper = UserFactory()
    five = evening_of(keeper, FOUR, stake=Decimal("12.5"), currency="EUR")
    for declarer in (1, 2):
        record(five, keeper, "3N 10 M A+M", dealer=0, declarer=declarer)
    _change(five, keeper, goes=2, comes="Wilhelmine-Karolina II.")
    record(five, keeper, "hC 8 M A+M", dealer=1, declarer=4)
    ended = evening_of(keeper, ("Anna", "Béla", "Cili", "Edit"))
    record(ended, keeper)
    _change(ended, keeper, goes=0, comes="Feri")
    evenings.end(ended.pk)
    three = played(keeper, 2, names=("Xénia", "Yvett", "Zita"))
    for name, path in (("session", ""), ("table view", "table/"), ("settle", "settle/"), ("edit", "edit/")):
        yield Screen(f"{name}, one came and one has gone", keeper, url(five, path))
    yield Screen("session, ended, one came and one has gone", keeper, url(ended))
    yield Screen("who sits there, nobody has room", keeper, url(five, "lineup/"), unfold)
    yield Screen("who sits there, errors", keeper, url(three, "lineup/"), _seat_nobody)


def _entries() -> Iterator[Screen]:
    keeper = UserFactory()
    evening, four = agreed_entries.pulka(keeper), agreed_entries.pulka(keeper, names=FOUR)
    for of, deal in ((evening, "= D1+5"), (evening, "= P0+3 D1-2 B2>0+20"), (four, WIDEST), (four, "= B1>0+7")):
        agreed_entries.played(of, keeper, deal)
    ledger.amend(evening.pk, 2, facts=Facts(0, None, "= P0+4 D1-2 B2>0+20", True), by=keeper)
    strike_out(four, 2, keeper)
    new = url(evening, "entries/new/")
    yield Screen("agreed: form, empty", keeper, new)
    yield Screen("agreed: form, several places", keeper, new, _fill_two)
    yield Screen("agreed: form, refused", keeper, new, _save_what_cannot_be)
    yield Screen("agreed: form, conflict", keeper, new, _save_stale)
    yield Screen("agreed: form of four, long names", keeper, url(four, "entries/new/"), _fill)
    yield Screen("agreed: form, correcting", keeper, url(four, "entries/1/edit/"))
    yield Screen("agreed: way from the hand form", keeper, url(evening, "hands/new/"), _unfold_head)
    for name, table in (("three", evening), ("four, long names", four)):
        yield Screen(f"agreed: session of {name}", keeper, url(table, "?saved=2"))
        yield Screen(f"agreed: page, {name}", keeper, url(table, "hands/1/"))


def _mend_all(evening: Evening, by: User) -> None:
    was, order = shape_of(evening), (1, 0, 2, 3)
    names = ("Ödönke", *(was.names[seat] for seat in order[1:]))
    wanted = replace(was, players=tuple(was.players[seat] for seat in order), names=names, stake=None, currency="")
    evening_edit.edit(evening.pk, wanted, seen=0, by=by)


def _change(evening: Evening, by: User, goes: int, comes: str) -> None:
    evening_edit.leave_lineup(evening.pk, goes, by=by)
    evening.refresh_from_db()
    evening_edit.join_lineup(evening.pk, comes, evening.sitting[0], seen=evening.seating, by=by)


# Steps on the page. Field names and classes, as words are of one language.


def _edit_to_nonsense(page: Page) -> None:
    for name, text in (("player_1", ""), ("player_2", "Cili"), ("stake", "0")):
        page.locator(f"[name={name}]").fill(text)
    save(page)


def _unfold_head(page: Page) -> None:
    page.locator(".deal-head > summary").tap()


def _play_first(page: Page) -> None:
    tap(page, declarer=2, contract=2, partner=1, result="+")
    page.locator(".forward").scroll_into_view_if_needed()


def _seat_nobody(page: Page) -> None:
    page.locator("#sit-down > .button").tap()
    page.locator(".error:visible").first.wait_for()


def _say(page: Page, index: int, amount: str, **said: str) -> None:
    tap(page, **{f"{name}_{index}": value for name, value in said.items()})
    page.locator(f"[name=amount_{index}]").fill(amount)
    page.locator(f"[name=amount_{index}]").blur()


def _fill(page: Page) -> None:
    _say(page, 0, "9999", account="bank", seat="2", against="0")
    page.locator("#count .won-lost").wait_for()


def _fill_two(page: Page) -> None:
    _fill(page)
    page.locator("[name=more]").tap()
    page.locator("[name=amount_1]").wait_for()
    _say(page, 1, "3", account="dump", seat="1", sign="-")
    page.locator("#count", has_text="−3").wait_for()


def _save_entry(page: Page, status: int) -> None:
    with page.expect_response(lambda response: response.status == status):
        page.locator(".bar .button.primary").tap()


def _save_what_cannot_be(page: Page) -> None:
    _say(page, 0, "99", account="pool", seat="1")
    page.locator(".whole-sheet > summary").tap()
    page.locator("[name=line]").fill("B1>1+4")
    _save_entry(page, 422)
    page.locator("#error-amount_0").wait_for()


def _save_stale(page: Page) -> None:
    _say(page, 0, "5", account="dump", seat="1")
    page.locator("#entries-form").evaluate("(form) => { form.number.value = form.meant.value = 1 }")
    _save_entry(page, 409)
    page.locator(".conflict").wait_for()
