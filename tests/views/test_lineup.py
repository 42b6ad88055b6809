"""Late and leaving players on the pages."""

import pytest
from django.test import Client

from sessions_app.hand_facts import Seen
from sessions_app.models import Evening, Player, User
from sessions_app.writers import evening_edit, evenings
from tests import moves
from tests.factories import record
from tests.ledger.books import assert_verified, nothing_written
from tests.views.page import Page, at, filled


def goes_home(page: Page, name: str) -> dict[str, str]:
    """The fields that the button beside this player would post."""
    (form,) = [form for form in page.all("form") if form.text == f"{name} goes home"]
    return filled(form)


def sits_down(page: Page, **typed: str) -> dict[str, str]:
    return filled(page.one("form", id="sit-down")) | typed


def sitting(evening: Evening) -> str:
    evening.refresh_from_db()
    return evening.lineup


def test_a_fourth_sits_down_in_three_taps(owners: Client, owner: User, evening: Evening) -> None:
    record(evening, owner)
    Player.objects.create(circle=evening.circle, name="Dóra")
    links = Page.of(owners.get(f"/sessions/{evening.pk}/")).links
    page = Page.of(owners.get(links["Edit"]))
    form = page.one("form", id="sit-down")
    assert [option.text for option in form.all("option")] == [
        "after Anna, before Béla", "after Béla, before Cili", "after Cili, before Anna",
    ]  # fmt: skip
    assert [chip.text for chip in form.of_class("chip")] == ["Dóra"]

    picked = owners.post(form.attrs["action"], sits_down(page, pick="Dóra", after="1"))
    assert (picked.status_code, sitting(evening)) == (200, "0-1-2")
    filled_in = sits_down(Page.of(picked))
    assert (filled_in["name"], filled_in["after"]) == ("Dóra", "1")

    answer = owners.post(at(evening, "lineup/"), filled_in)
    assert (answer.status_code, answer["Location"]) == (302, f"/sessions/{evening.pk}/")
    assert sitting(evening) == "0-1-3-2"
    page = Page.of(owners.get(answer["Location"]))
    assert page.balances == {0: -6, 1: 12, 2: -6, 3: 0}
    assert [cell.text for cell in page.line(1).all("td")] == ["−6", "+12", "−6", "·"]
    assert_verified()


def test_player_goes_home_and_balance_and_history_stay(owners: Client, owner: User, evening_of_four: Evening) -> None:
    evening = evening_of_four
    record(evening, owner)
    page = Page.of(owners.get(at(evening, "edit/")))
    fold = page.of_class("goes-home")[1]
    assert "From hand 2 on Béla is not dealt in. The balance stays on the sheet" in fold.text
    answer = owners.post(at(evening, "lineup/home/"), goes_home(page, "Béla"))
    assert (answer.status_code, answer["Location"]) == (302, f"/sessions/{evening.pk}/")
    assert sitting(evening) == "0-2-3"

    page = Page.of(owners.get(answer["Location"]))
    (gone,) = page.of_class("gone")
    assert (gone.attrs["data-seat"], gone.attrs["data-balance"]) == ("1", "12")
    assert "gone home" in gone.text
    assert "Cili deals · Dóra speaks first" in page.one(id="turn").text
    history = Page.of(owners.get(at(evening, "edit/"))).of_class("history")[0].text
    assert "Who is at the table" in history
    assert "was: Anna, Béla, Cili, Dóra" in history
    assert "now: Anna, Cili, Dóra" in history


@pytest.mark.parametrize(
    ("is_over", "sentence"),
    [
        (False, "Hand 1 is being played. Save it or take it back first."),
        (True, "This session has ended, so players can no longer come or go."),
    ],
)
def test_lineup_says_why_nobody_can_come_or_go(
    owners: Client, owner: User, evening_of_four: Evening, is_over: bool, sentence: str
) -> None:
    evening = evening_of_four
    opened = Page.of(owners.get(at(evening, "lineup/")))
    if is_over:
        evenings.end(evening.pk)
    else:
        moves.let_play(evening.pk, 1, seen=Seen(1, 0), by=owner)
    with nothing_written():
        answer = owners.post(at(evening, "lineup/home/"), goes_home(opened, "Dóra"))
    assert answer.status_code == 409
    for each in (answer, *(owners.get(at(evening, path)) for path in ("edit/", "lineup/"))):
        page = Page.of(each)
        assert sentence in page.one("main").text
        assert not page.of_class("goes-home")
        assert not [form for form in page.all("form") if form.attrs.get("id") == "sit-down"]


def test_wrong_newcomer_is_refused_beside_the_field(owners: Client, evening: Evening) -> None:
    form = sits_down(Page.of(owners.get(at(evening, "lineup/"))))
    for typed, field, sentence in (
        ({"name": ""}, "sits-down", "Enter a name."),
        ({"name": "x" * 41}, "sits-down", "A name has at most 40 characters."),
        ({"name": "béla"}, "sits-down", "This player is already at the table."),
        ({"name": "Dóra", "after": "7"}, "after", "Nobody sits there now."),
        ({"name": "Dóra", "after": ""}, "after", "Where at the table?"),
    ):
        with nothing_written():
            page = Page.of(owners.post(at(evening, "lineup/"), form | typed), 422)
        assert page.error(field) == sentence
        assert sits_down(page)["name"] == typed["name"]


def test_a_stale_form_is_asked_to_look_again_and_keeps_the_name(
    owners: Client, owner: User, evening_of_four: Evening
) -> None:
    evening = evening_of_four
    record(evening, owner)
    stale = Page.of(owners.get(at(evening, "lineup/")))
    evening_edit.leave_lineup(evening.pk, 3, by=owner)
    answer = owners.post(at(evening, "lineup/home/"), goes_home(stale, "Béla"))
    assert (answer.status_code, sitting(evening)) == (409, "0-1-2")
    assert "Somebody came or left since you opened this page" in Page.of(answer).one("main").text
    answer = owners.post(at(evening, "lineup/"), {"seen": "0", "name": "Edit", "after": "3"})
    assert answer.status_code == 422  # nobody sits there now
    answer = owners.post(at(evening, "lineup/"), {"seen": "0", "name": "Edit", "after": "1"})
    assert answer.status_code == 409
    again = sits_down(Page.of(answer))
    assert again["name"] == "Edit"
    assert owners.post(at(evening, "lineup/"), again).status_code == 302
    assert owners.post(at(evening, "lineup/"), {"name": "Feri", "after": "1"}).status_code == 409
