"""Corrections in a game whose hands depend on earlier ones: the preview, and the result."""

from typing import Any

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandMark, Revision, User
from sessions_app.readers.evening import recount
from sessions_app.views.hand_form import recount_preview
from sessions_app.writers import ledger
from tests.factories import evening_of, hand_fields, strike_out
from tests.factories import record as record_hand
from tests.toy.pages import BALANCES, at, opened, played_evening
from tests.toy.playing import record, shared, toy_evening, toy_fields
from tests.views.page import HTMX_COUNT, Node, Page, hand_form, saved

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def played(owner: User) -> Evening:
    return played_evening(owner)


CHANGED = "2 was +4 +2 was −8 −4 was +4 +2 3 was +12 +6 was −6 −3 was −6 −3"


def test_preview_of_a_correction_shows_later_hands(owners: Client, played: Evening):
    """Hand 1 becomes one that is won: hands 2 and 3 count once, and hand 4 stays."""
    page = opened(owners, played, "hands/1/edit/")
    path = page.one(id="count").attrs["hx-post"]
    assert path == at(played, "hands/preview/?hand=1")
    assert "later hand" not in page.text
    edited = {**hand_form(page), "way": "won", "points": "5", "declarer": "2"}
    answer = owners.post(path, edited, headers=HTMX_COUNT)
    (part,) = Page.of(answer).all("hx-partial")
    assert part.attrs["hx-target"] == "#forward"
    assert part.text.startswith("Later hands")
    assert CHANGED in part.text
    assert Page.of(answer).of_class("further")[0].text == "This changes 2 later hands"
    assert part.all("a") == []
    assert part.text.endswith("In all was +10⅔ 0 was −16⅓ −15 was +5⅔ +15")
    assert CHANGED in Page.of(owners.post(at(played, "hands/1/edit/"), edited | {"count": "1"})).text
    kept = Page.of(owners.post(path, hand_form(page), headers=HTMX_COUNT))
    assert kept.one("hx-partial").text == ""
    assert "later hand" not in Page.of(owners.post(at(played, "hands/preview/?hand=4"), edited)).text
    assert owners.post(at(played, "hands/preview/?hand=99"), toy_fields(played)).status_code == 404
    assert Revision.objects.filter(action="amend").count() == 0


def test_a_correction_counts_the_later_hands_again_and_says_so(owners: Client, keepers: Client, played: Evening):
    """Hand 1 becomes one that is won: nothing counts twice any more, until the first that is won anyway."""
    for number in (2, 4):
        keepers.post(at(played, f"hands/{number}/mark/"), {"mark": "ok"})
    assert [len(opened(owners, played).line(number).of_class("agreed")) for number in (2, 4)] == [1, 1]
    version = opened(owners, played).one(id="state").attrs["data-version"]
    edited = {**hand_form(opened(owners, played, "hands/1/edit/")), "way": "won", "points": "5", "declarer": "2"}
    assert saved(owners.post(at(played, "hands/1/edit/"), edited)) == at(played, "?saved=1#hand-1")
    page = Page.of(keepers.get(at(played, f"live/?v={version}")))
    assert page.balances == {0: 0, 1: -15, 2: 15}
    assert page.line(2).text == "2 Béla -2 recounted counted again +2 −4 +2"
    assert page.line(3).of_class("amended")
    assert not page.line(4).of_class("amended")
    assert [len(page.line(number).of_class("agreed")) for number in (2, 4)] == [0, 1]
    assert "corrected hand 1: Cili +5" in page.text
    assert "2 later hands were counted again." in page.text
    recounts = Revision.objects.filter(action="recount").values_list("hand__number", "cause__hand__number")
    assert list(recounts) == [(2, 1), (3, 1)]
    assert Revision.objects.filter(version=played.version + 3).count() == 3
    change = opened(owners, played, "hands/3/").of_class("history")[0].all("li")[0]
    assert "Counted again because hand 1 was corrected" in change.text
    assert change.one("a").attrs["href"] == at(played, "hands/1/")
    assert [node.text for node in change.all("b", class_="plus")] == ["+12", "+6"]


def test_void_and_restore_count_the_later_hands_again_and_end_a_doubt(owners: Client, played: Evening):
    owners.post(at(played, "hands/2/mark/"), {"mark": "hm"})
    assert "See the count" in opened(owners, played).links
    owners.post(at(played, "hands/1/void/"))
    assert "See the count" not in opened(owners, played).links
    assert HandMark.objects.count() == 1
    assert opened(owners, played).balances == {0: 5, 1: -10, 2: 5}
    page = opened(owners, played, "hands/2/")
    assert "Counted again because hand 1 was made void" in page.text
    assert page.of_class("hand-card")[0].attrs["data-amounts"] == "2 -4 2"
    owners.post(at(played, "hands/1/restore/"))
    assert opened(owners, played).balances == BALANCES
    assert "Counted again because hand 1 was restored" in opened(owners, played, "hands/2/").text


def test_hand_s_page_says_what_a_void_changes_later(owners: Client, viewers: Client, played: Evening):
    page = opened(owners, played, "hands/1/")
    assert page.of_class("further")[0].text == "Making it void changes 2 later hands"
    box = page.one(id="forward")
    assert CHANGED in box.text
    assert box.text.endswith("In all was +10⅔ +5 was −16⅓ −10 was +5⅔ +5")
    assert not opened(viewers, played, "hands/1/").of_class("forward")
    assert not opened(owners, played, "hands/4/").of_class("further")
    owners.post(at(played, "hands/1/void/"))
    assert opened(owners, played, "hands/1/").of_class("further")[0].text == "Restoring it changes 2 later hands"
    owners.post(at(played, "end/"))
    assert not opened(owners, played, "hands/1/").of_class("further")


def test_after_a_change_it_names_the_hands_that_were_counted_again(owners: Client, played: Evening, owner: User):
    owners.post(at(played, "hands/1/void/"), {"sheet": "1"})
    told = opened(owners, played, "?saved=1").of_class("undo")[0]
    assert "Hands counted again because of it: 2, 3" in told.text
    links = [link.attrs["href"] for link in told.of_class("recounted")[0].all("a")]
    assert links == [at(played, f"hands/{number}/") for number in (2, 3)]
    ledger.restore(played.pk, 1, by=owner)
    ledger.amend(played.pk, 1, facts=Facts(0, 2, "+5"), by=owner)
    said = [change.text for change in opened(owners, played, "hands/1/").of_class("history")[0].all("li")]
    assert ["counted again because of it: 2, 3" in change for change in said] == [True, True, True, False]
    assert "counted again" not in opened(owners, played, "?saved=4").of_class("undo")[0].text


def test_restored_hand_is_not_marked_as_recounted(owners: Client, played: Evening, owner: User):
    for number in (4, 1):
        ledger.void(played.pk, number, by=owner)
        ledger.restore(played.pk, number, by=owner)
    assert not opened(owners, played).of_class("amended")
    strike_out(played, 1, owner)
    ledger.amend(played.pk, 3, facts=Facts(2, 0, "+2"), by=owner)
    page = opened(owners, played)
    marks = [[tag.text for tag in page.line(number).of_class("amended")] for number in (1, 2, 3, 4)]
    assert marks == [["void"], ["recounted counted again"], ["corr. corrected"], []]


def test_preview_shows_a_dozen_later_hands(owners: Client, owner: User):
    evening = toy_evening(owner)
    record(evening, owner, "+1", 0)
    for _ in range(15):
        record(evening, owner, "-2", 1)
    marks = toy_fields(evening, **shared(4, 1, 0)) | {"count": "1"}
    text = Page.of(owners.post(at(evening, "hands/1/edit/"), marks)).text
    assert text.count("This changes 15 later hands") == 1
    assert "and 3 more In all" in text


def test_preview_names_no_hand_of_another_state(
    owners: Client, played: Evening, owner: User, monkeypatch: pytest.MonkeyPatch
):
    """Somebody writes between the evening and its hands being read: the two do not go together."""

    def count_forward(evening: Evening, hand: Hand, **change: Any) -> Any:
        ledger.void(played.pk, 4, by=owner)
        return recount.count_forward(evening, hand, **change)

    monkeypatch.setattr(recount_preview, "count_forward", count_forward)
    answer = owners.post(at(played, "hands/preview/?hand=1"), toy_fields(played, declarer=2), headers=HTMX_COUNT)
    assert "Cili +6 · Anna −3 · Béla −3" in Page.of(answer).text
    assert Page.of(answer).one("hx-partial").text == ""


# --- In a game whose hands are independent only the agreed end may change ---


def test_preview_of_a_correction_says_the_end_that_it_brings_or_takes_away_and_not_the_one_that_stays(
    owners: Client, owner: User
):
    """To 14 points; Béla's 6 and Cili's 4 stand there."""
    evening = evening_of(owner)
    Evening.objects.filter(pk=evening.pk).update(rules="points=14")
    for declarer in (1, 2):
        record_hand(evening, owner, "2H 7", declarer)

    def preview(line: str, hand: int) -> Node:
        fields = hand_fields(evening, declarer="2", line=line)
        answer = owners.post(at(evening, f"hands/preview/?hand={hand}"), fields, headers=HTMX_COUNT)
        return Page.of(answer).one("hx-partial")

    part = preview("2H 11", 2)
    assert "Cili has reached 14 points" in part.text
    assert "later hand" not in part.text
    assert part.all("table") == []
    evening.refresh_from_db()
    record_hand(evening, owner, "2H 11", 2)
    assert "The game is no longer over." in preview("2H 5", 3).text
    assert preview("2H 12", 3).text == ""
