"""Many members come in pages, each of bounded size, and the number of queries does not grow with them."""

import pytest
from django.test import Client

from sessions_app.models import Evening, Member, Role, User
from sessions_app.readers.people.members import MEMBERS_PER_PAGE
from tests.views.members.membership import url
from tests.views.page import Page


@pytest.fixture
def crowd(evening: Evening) -> list[Member]:
    """Viewers that fill three pages with the owner, the last with three."""
    count = 2 * MEMBERS_PER_PAGE + 2
    circle = evening.circle_id
    users = User.objects.bulk_create(User(username=f"crowd-{n}") for n in range(count))
    return Member.objects.bulk_create(Member(circle_id=circle, user=user, role=Role.VIEWER) for user in users)


def actions(page: Page) -> list[str]:
    return [form.attrs["action"] for form in page.all("form") if "/role/" in form.attrs["action"]]


def test_many_phones_come_in_pages_who_runs_the_table_first(
    owners: Client, evening: Evening, bela: Member, crowd: list[Member]
):
    first = Page.of(owners.get(url(evening)))
    shown = [line.of_class("line-of")[0].text for line in first.of_class("member")]
    assert len(shown) == MEMBERS_PER_PAGE
    assert shown[0].startswith("unnamed phone owner this phone")
    assert shown[1].startswith("Béla can score")
    assert "A circle needs an owner" in first.text
    assert [first.links.get(way) for way in ("Earlier phones", "More phones")] == [None, "?page=2"]
    last = Page.of(owners.get(url(evening, "?page=3")))
    assert len(last.of_class("member")) == 4
    assert [last.links.get(way) for way in ("Earlier phones", "More phones")] == ["?page=2", None]
    assert actions(last) == [url(evening, f"{member.pk}/role/?page=3") for member in crowd[-4:]]
    assert "There are no more phones." in Page.of(owners.get(url(evening, "?page=4"))).text
    for odd in ("?page=0", "?page=-1", "?page=x", "?page=99999999999999999999"):
        assert "Béla" in Page.of(owners.get(url(evening, odd))).text


def test_a_change_leads_back_to_the_page_it_was_made_on(owners: Client, evening: Evening, crowd: list[Member]):
    answer = owners.post(url(evening, f"{crowd[-1].pk}/role/?page=3"), {"role": "owner"})
    assert answer["Location"] == url(evening, "?page=3")
    first = Page.of(owners.get(url(evening)))
    assert "A circle needs an owner" not in first.text, "there are two"
    assert len(actions(first)) == MEMBERS_PER_PAGE
    assert owners.post(url(evening, f"{crowd[0].pk}/remove/"))["Location"] == url(evening)


def test_where_more_run_a_table_than_a_page_holds_none_of_them_is_the_last(
    owners: Client, evening: Evening, crowd: list[Member]
):
    Member.objects.filter(circle=evening.circle).update(role=Role.OWNER)
    for number in (1, 2, 3):
        page = Page.of(owners.get(url(evening, f"?page={number}")))
        assert "A circle needs an owner" not in page.text
        assert len(actions(page)) == len(page.of_class("member"))


@pytest.mark.parametrize(("who", "most"), [("owner", 70_000), ("viewer", 20_000)])
def test_a_page_is_bounded(cast: dict[str, Client], evening: Evening, crowd: list[Member], who: str, most: int):
    assert len(cast[who].get(url(evening)).content) < most
