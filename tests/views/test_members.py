"""The phones at a table: who they are, what they may do, and who runs it when its owner's phone is lost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone, translation

from sessions_app.models import GameSession, Invite, Member, OwnershipClaim, Player, Removal, Role, User
from sessions_app.templatetags.people import ago
from sessions_app.writers import evenings, invitations, members
from tests.factories import MemberFactory, evening_of
from tests.views.page import HTMX_BODY, Node, Page

DAY = timedelta(hours=24)
SECOND = timedelta(seconds=1)
#: Every write there is, with fields that it would take.
WRITES = {
    "me/": {"player": ""},
    "leave/": {},
    "claim/": {},
    "claim/object/": {"claim": "1"},
    "claim/take/": {},
    "{member}/role/": {"role": "viewer"},
    "{member}/remove/": {},
}


def url(evening: GameSession, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/members/{rest}"


def named(evening: GameSession, name: str, role: Role, **facts: Any) -> Member:
    """A member who holds this player's phone."""
    return MemberFactory(
        table=evening.table, role=role, player=Player.objects.get(table=evening.table, name=name), **facts
    )


def line_of(page: Page, name: str) -> Node:
    (found,) = [line for line in page.of_class("member") if line.of_class("whose-it-is")[0].text == name]
    return found


def roles(evening: GameSession) -> list[str]:
    return sorted(Member.objects.filter(table=evening.table).values_list("role", flat=True))


def version(evening: GameSession) -> int:
    return GameSession.objects.get(pk=evening.pk).version


def rows() -> list[Any]:
    """All that these pages may write."""
    return [list(model.objects.order_by("pk").values()) for model in (Member, Removal, Invite, OwnershipClaim, User)]


@pytest.fixture
def bela(evening: GameSession) -> Member:
    return named(evening, "Béla", Role.KEEPER)


@pytest.fixture
def cili(evening: GameSession) -> Member:
    return named(evening, "Cili", Role.VIEWER)


@pytest.fixture
def belas(client_of: Callable[..., Client], bela: Member) -> Client:
    return client_of(bela.user)


@pytest.fixture
def cilis(client_of: Callable[..., Client], cili: Member) -> Client:
    return client_of(cili.user)


@pytest.fixture
def me(owner: User, evening: GameSession) -> Member:
    """The owner."""
    return Member.objects.get(user=owner, table=evening.table)


# Who sees what


def test_the_owner_sees_who_is_there_what_each_may_do_and_when_he_was_last_seen(
    owners: Client, evening: GameSession, bela: Member, cili: Member
):
    Member.objects.filter(pk=bela.pk).update(last_seen_at=timezone.now() - timedelta(minutes=5, seconds=2))
    page = Page.of(owners.get(url(evening)))
    lines = [line.of_class("line-of")[0].text for line in page.of_class("member")]
    assert lines == [
        "unnamed phone owner this phone",
        "Béla can score last seen: 5 minutes ago",
        "Cili watches last seen: never",
    ]


def test_a_viewer_sees_names_and_roles_and_no_form_but_the_way_out(cilis: Client, evening: GameSession, bela: Member):
    page = Page.of(cilis.get(url(evening)))
    assert [line.text for line in page.of_class("member")] == [
        "unnamed phone owner", "Béla can score", "Cili watches this phone",
    ]  # fmt: skip
    assert [form.attrs["action"] for form in page.all("form")] == [url(evening, "leave/"), "/language/"]
    assert "Invite" not in page.links


def test_a_keeper_says_who_he_is_and_may_ask_to_run_the_table_but_changes_nobody(
    belas: Client, evening: GameSession, cili: Member
):
    page = Page.of(belas.get(url(evening)))
    assert {form.attrs["action"] for form in page.all("form")} == {
        "/language/", url(evening, "me/"), url(evening, "leave/"), url(evening, "claim/"),
    }  # fmt: skip


def test_the_session_page_leads_there_from_those_who_follow(
    owners: Client, evening: GameSession, bela: Member, cili: Member
):
    Member.objects.update(last_seen_at=timezone.now())
    session = Page.of(owners.get(f"/sessions/{evening.pk}/"))
    assert session.of_class("following")[0].one("a").attrs["href"] == url(evening)
    assert Page.of(owners.get(f"/sessions/{evening.pk}/invite/")).links["Members"] == url(evening)


def test_the_open_links_can_be_taken_back_there(owners: Client, belas: Client, evening: GameSession, owner: User):
    invitations.make(evening.table_id, Role.VIEWER, by=owner)
    action = f"/sessions/{evening.pk}/invite/viewer/revoke/"
    assert (
        Page.of(owners.get(url(evening))).form(action).one("button").attrs["aria-label"] == "Revoke the watching link"
    )
    page = Page.of(belas.get(url(evening)))
    assert "To watch" in page.links
    assert not page.all("form", action=action)
    owners.post(action, {"members": "1"})
    assert "To watch" not in Page.of(owners.get(url(evening))).links


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (timedelta(0), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(minutes=5), "5 minutes ago"),
        (timedelta(minutes=59, seconds=59), "59 minutes ago"),
        (timedelta(minutes=60), "1 hour ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (-timedelta(seconds=5), "now"),
    ],
)
def test_when_somebody_was_seen_is_said_in_words(monkeypatch: pytest.MonkeyPatch, before: timedelta, words: str):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    with translation.override("en"):
        assert ago(now - before) == words


def test_after_a_day_it_is_the_date_at_the_table_and_without_a_time_never():
    with translation.override("en"):
        assert ago(datetime.fromisoformat("2026-01-31T23:30:00+00:00")) == "1 Feb 2026"
        assert ago(None) == "never"


# Who I am


def test_the_maker_says_who_he_is(owners: Client, evening: GameSession, me: Member):
    anna = Player.objects.get(name="Anna")
    page = Page.of(owners.get(url(evening)))
    assert "Whose is this phone?" in page.text
    assert page.form(url(evening, "me/")).one("button", value=str(anna.pk)).text == "Anna"
    before = version(evening)
    assert owners.post(url(evening, "me/"), {"player": str(anna.pk)})["Location"] == url(evening)
    me.refresh_from_db()
    assert (me.player, me.role) == (anna, Role.OWNER)
    assert "This phone is: Anna" in Page.of(owners.get(url(evening))).text
    assert version(evening) == before + 1
    owners.post(url(evening, "me/"), {"player": ""})
    me.refresh_from_db()
    assert me.player is None


@pytest.mark.parametrize("said", [None, "x", "0", "999999"])
def test_who_is_not_among_the_players_is_asked_again(owners: Client, evening: GameSession, said: str | None):
    before = rows()
    response = owners.post(url(evening, "me/"), {} if said is None else {"player": said})
    assert response.status_code == 422
    assert "Choose one of the options." in Page.of(response).text
    assert rows() == before


# Roles


def test_a_role_holds_from_the_next_request_on(
    owners: Client, belas: Client, cilis: Client, evening: GameSession, bela: Member, cili: Member
):
    form = f"/sessions/{evening.pk}/hands/new/"
    assert (belas.get(form).status_code, cilis.get(form).status_code) == (200, 403)
    before = version(evening)
    assert owners.post(url(evening, f"{bela.pk}/role/"), {"role": "viewer"})["Location"] == url(evening)
    owners.post(url(evening, f"{cili.pk}/role/"), {"role": "keeper"})
    assert (belas.get(form).status_code, cilis.get(form).status_code) == (403, 200)
    assert version(evening) == before + 2


def test_the_role_it_has_is_the_button_that_is_pressed(owners: Client, evening: GameSession, bela: Member):
    form = Page.of(owners.get(url(evening))).form(url(evening, f"{bela.pk}/role/"))
    assert {button.text: "aria-pressed" in button.attrs for button in form.all("button")} == {
        "watches": False, "can score": True, "owner": False,
    }  # fmt: skip


def test_the_role_it_has_already_changes_nothing(owners: Client, evening: GameSession, bela: Member):
    before, rows_before = version(evening), rows()
    assert owners.post(url(evening, f"{bela.pk}/role/"), {"role": "keeper"}).status_code == 302
    assert (version(evening), rows()) == (before, rows_before)


def test_who_loses_the_pen_does_not_take_it_again_by_the_link_he_knows(
    owners: Client, belas: Client, evening: GameSession, owner: User, bela: Member
):
    address = f"/join/{invitations.token_of(invitations.make(evening.table_id, Role.KEEPER, by=owner))}/"
    invitations.make(evening.table_id, Role.VIEWER, by=owner)
    owners.post(url(evening, f"{bela.pk}/role/"), {"role": "viewer"})
    assert belas.post(address, {"player": ""}).status_code == 410
    assert [one.role for one in Invite.objects.filter(revoked_at=None)] == [Role.VIEWER]


@pytest.mark.parametrize("role", ["", "admin", None])
def test_there_is_no_other_role(owners: Client, evening: GameSession, bela: Member, role: str | None):
    response = owners.post(url(evening, f"{bela.pk}/role/"), {} if role is None else {"role": role})
    assert response.status_code == 400
    bela.refresh_from_db()
    assert bela.role == Role.KEEPER


@pytest.mark.parametrize("rest", ["role/", "remove/"])
def test_the_last_owner_stays_and_a_sentence_says_why(owners: Client, evening: GameSession, me: Member, rest: str):
    page = Page.of(owners.get(url(evening)))
    assert not page.all("form", action=url(evening, f"{me.pk}/{rest}"))
    before = rows()
    response = owners.post(url(evening, f"{me.pk}/{rest}"), {"role": "viewer"})
    assert response.status_code == 409
    assert "A circle needs an owner" in Page.of(response).one("p", role="alert").text
    assert rows() == before


def test_with_two_owners_either_may_go(owners: Client, belas: Client, evening: GameSession, bela: Member, me: Member):
    owners.post(url(evening, f"{bela.pk}/role/"), {"role": "owner"})
    assert roles(evening) == ["owner", "owner"]
    assert belas.post(url(evening, f"{me.pk}/role/"), {"role": "keeper"}).status_code == 302
    assert belas.post(url(evening, f"{bela.pk}/role/"), {"role": "keeper"}).status_code == 409
    assert roles(evening) == ["keeper", "owner"]


# Off the table


def test_who_is_removed_is_out_and_what_he_wrote_stays(
    owners: Client, belas: Client, evening: GameSession, bela: Member, post_hand: Callable[..., Any]
):
    post_hand(belas, evening)
    before = version(evening)
    page = Page.of(owners.get(url(evening)))
    assert page.form(url(evening, f"{bela.pk}/remove/")).one("button").text == "Remove"
    assert owners.post(url(evening, f"{bela.pk}/remove/"))["Location"] == url(evening)
    assert belas.get(f"/sessions/{evening.pk}/").status_code == 404
    assert post_hand(belas, evening).status_code == 404
    assert "Béla" not in {
        line.of_class("whose-it-is")[0].text for line in Page.of(owners.get(url(evening))).of_class("member")
    }
    removal = Removal.objects.get()
    assert (removal.user, removal.player, removal.table) == (bela.user, bela.player, evening.table)
    assert version(evening) == before + 1
    assert evening.hands.get().revisions.get().made_by == bela.user


def test_the_open_links_are_revoked_with_it(owners: Client, evening: GameSession, owner: User, bela: Member):
    for role in invitations.ROLES:
        invitations.make(evening.table_id, role, by=owner)
    owners.post(url(evening, f"{bela.pk}/remove/"))
    assert not Invite.objects.filter(revoked_at=None).exists()


def test_who_is_removed_a_second_time_is_removed_from_then_on(evening: GameSession, bela: Member):
    members.remove(evening.table_id, bela.pk)
    first = Removal.objects.get().at
    again = MemberFactory(table=evening.table, user=bela.user)
    members.remove(evening.table_id, again.pk)
    assert Removal.objects.get().at > first


def test_an_owner_who_removes_himself_is_led_home(owners: Client, evening: GameSession, bela: Member, me: Member):
    members.change_role(evening.table_id, bela.pk, Role.OWNER)
    assert owners.post(url(evening, f"{me.pk}/remove/"))["Location"] == "/"
    assert roles(evening) == ["owner"]


# Of his own will


def test_who_leaves_is_led_home_and_sees_nothing_more_but_what_he_wrote_stays(
    owners: Client, belas: Client, evening: GameSession, bela: Member, post_hand: Callable[..., Any]
):
    post_hand(belas, evening)
    before = version(evening)
    form = Page.of(belas.get(url(evening))).form(url(evening, "leave/"))
    assert form.one("button").text == "Leave the circle"
    assert belas.post(url(evening, "leave/"))["Location"] == "/"
    assert f"/sessions/{evening.pk}/" not in Page.of(belas.get("/")).links
    assert belas.get(f"/sessions/{evening.pk}/").status_code == 404
    assert version(evening) == before + 1
    assert evening.hands.get().revisions.get().made_by == bela.user
    history = Page.of(owners.get(f"/sessions/{evening.pk}/"))
    assert "Béla recorded" in history.text


def test_by_a_link_that_is_open_he_comes_again(belas: Client, evening: GameSession, owner: User, bela: Member):
    invite = invitations.make(evening.table_id, Role.VIEWER, by=owner)
    belas.post(url(evening, "leave/"))
    assert Invite.objects.get().revoked_at is None
    assert belas.post(f"/join/{invitations.token_of(invite)}/", {"player": ""}).status_code == 302
    assert Member.objects.get(user=bela.user).role == Role.VIEWER
    assert not Removal.objects.exists()


def test_the_last_owner_does_not_leave_but_one_of_two_does(
    owners: Client, evening: GameSession, bela: Member, me: Member
):
    assert "Leave this circle" not in Page.of(owners.get(url(evening))).text
    response = owners.post(url(evening, "leave/"))
    assert response.status_code == 409
    assert "make somebody else owner first" in Page.of(response).text
    members.change_role(evening.table_id, bela.pk, Role.OWNER)
    assert owners.post(url(evening, "leave/")).status_code == 302
    assert list(Member.objects.filter(role=Role.OWNER)) == [bela]


@pytest.mark.parametrize("who", ["outsider", "stranger"])
def test_who_is_not_there_cannot_leave(cast: dict[str, Client], evening: GameSession, who: str):
    before = rows()
    assert cast[who].post(url(evening, "leave/")).status_code == 404
    assert rows() == before


def test_a_viewer_leaves_by_himself(cilis: Client, evening: GameSession, cili: Member):
    form = Page.of(cilis.get(url(evening))).form(url(evening, "leave/"))
    assert form.one("button").text == "Leave the circle"
    assert cilis.post(url(evening, "leave/"))["Location"] == "/"
    assert cilis.get(f"/sessions/{evening.pk}/").status_code == 404
    assert f"/sessions/{evening.pk}/" not in Page.of(cilis.get("/")).html
    assert Removal.objects.get().by_choice


def test_the_only_owner_is_told_why_he_cannot_leave_and_one_of_two_is_offered_it(
    owners: Client, evening: GameSession, bela: Member
):
    assert "It can leave once another phone is owner too" in Page.of(owners.get(url(evening))).text
    members.change_role(evening.table_id, bela.pk, Role.OWNER)
    assert Page.of(owners.get(url(evening))).all("form", action=url(evening, "leave/"))


@pytest.mark.parametrize("rest", ["role/", "remove/"])
def test_a_member_of_another_table_is_not_there(owners: Client, evening: GameSession, rest: str):
    other = MemberFactory(role=Role.KEEPER)
    before = rows()
    for member in (other.pk, 999_999):
        assert owners.post(url(evening, f"{member}/{rest}"), {"role": "viewer"}).status_code == 404
    assert rows() == before


# The owner's phone is lost


def claimed(evening: GameSession, ago: timedelta) -> OwnershipClaim:
    """Let the open claim have been made so long ago."""
    claim = OwnershipClaim.objects.get(table=evening.table, closed_at=None)
    claim.made_at = timezone.now() - ago
    claim.save()
    return claim


def test_a_keeper_asks_to_run_the_table_and_all_see_it(
    owners: Client, belas: Client, cilis: Client, evening: GameSession, bela: Member
):
    before = version(evening)
    assert belas.post(url(evening, "claim/"))["Location"] == url(evening)
    assert version(evening) == before + 1
    assert roles(evening) == ["keeper", "owner", "viewer"]
    for phone, words, buttons in (
        (owners, "Béla asks to become owner", ["Object"]),
        (belas, "You have asked to become owner", ["Withdraw"]),
        (cilis, "Béla asks to become owner", []),
    ):
        (claim,) = Page.of(phone.get(url(evening))).of_class("claim")
        assert words in claim.text
        assert [button.text for button in claim.all("button")] == buttons
    claim = members.open_claim(evening)
    assert claim
    assert (claim.member_id, claim.name, claim.is_due) == (bela.pk, "Béla", False)
    assert claim.due_at == OwnershipClaim.objects.get().made_at + DAY


def test_asking_twice_is_asking_once(belas: Client, evening: GameSession):
    belas.post(url(evening, "claim/"))
    made_at, before = OwnershipClaim.objects.get().made_at, version(evening)
    assert belas.post(url(evening, "claim/")).status_code == 302
    assert OwnershipClaim.objects.get().made_at == made_at
    assert version(evening) == before


def test_an_owner_has_nothing_to_ask_for(owners: Client, evening: GameSession):
    assert owners.post(url(evening, "claim/")).status_code == 302
    assert not OwnershipClaim.objects.exists()


def test_while_one_asks_another_cannot(
    client_of: Callable[..., Client], belas: Client, evening: GameSession, bela: Member
):
    belas.post(url(evening, "claim/"))
    other = client_of(named(evening, "Cili", Role.KEEPER).user)
    assert url(evening, "claim/") not in {form.attrs["action"] for form in Page.of(other.get(url(evening))).all("form")}
    response = other.post(url(evening, "claim/"))
    assert response.status_code == 409
    assert "Somebody else has asked" in Page.of(response).one("p", role="alert").text
    assert OwnershipClaim.objects.get().member == bela


@pytest.mark.parametrize("who", ["owner", "keeper", "claimer"])
def test_the_owner_another_keeper_or_who_asked_closes_it(
    cast: dict[str, Client], belas: Client, evening: GameSession, bela: Member, who: str
):
    belas.post(url(evening, "claim/"))
    claim = claimed(evening, DAY)
    phone = belas if who == "claimer" else cast[who]
    form = Page.of(phone.get(url(evening))).form(url(evening, "claim/object/"))
    assert form.one("input", name="claim").attrs["value"] == str(claim.pk)
    before = version(evening)
    assert phone.post(url(evening, "claim/object/"), {"claim": claim.pk})["Location"] == url(evening)
    assert version(evening) == before + 1
    assert members.open_claim(evening) is None
    assert belas.post(url(evening, "claim/take/")).status_code == 409
    bela.refresh_from_db()
    assert bela.role == Role.KEEPER


def test_from_the_session_page_objecting_leads_back_there(owners: Client, belas: Client, evening: GameSession):
    belas.post(url(evening, "claim/"))
    fields = {"claim": OwnershipClaim.objects.get().pk, "session": "1"}
    assert owners.post(url(evening, "claim/object/"), fields)["Location"] == f"/sessions/{evening.pk}/"


def test_who_objects_to_one_claim_has_not_objected_to_the_next(owners: Client, belas: Client, evening: GameSession):
    belas.post(url(evening, "claim/"))
    first = OwnershipClaim.objects.get().pk
    belas.post(url(evening, "claim/object/"), {"claim": first})
    belas.post(url(evening, "claim/"))
    before = rows()
    owners.post(url(evening, "claim/object/"), {"claim": first})
    assert rows() == before
    assert members.open_claim(evening)


@pytest.mark.parametrize("claim", [None, "", "x", "9" * 40])
def test_what_was_objected_to_must_be_said(owners: Client, evening: GameSession, claim: str | None):
    fields = {} if claim is None else {"claim": claim}
    assert owners.post(url(evening, "claim/object/"), fields).status_code == 400


@pytest.mark.parametrize(("passed", "status"), [(timedelta(0), 409), (DAY - 5 * SECOND, 409), (DAY, 302)])
def test_after_a_day_without_objection_it_is_his(
    belas: Client, evening: GameSession, bela: Member, passed: timedelta, status: int
):
    belas.post(url(evening, "claim/"))
    claimed(evening, passed)
    offered = "Take over now" in Page.of(belas.get(url(evening))).buttons
    before = version(evening)
    response = belas.post(url(evening, "claim/take/"))
    assert response.status_code == status
    assert offered == (status == 302)
    assert roles(evening) == (["owner", "owner"] if status == 302 else ["keeper", "owner"])
    assert version(evening) == before + (status == 302)
    if status == 409:
        assert "Not yet" in Page.of(response).one("p", role="alert").text
    else:
        assert members.open_claim(evening) is None


def test_nobody_but_who_asked_takes_over(cast: dict[str, Client], belas: Client, evening: GameSession):
    belas.post(url(evening, "claim/"))
    claimed(evening, DAY)
    before = rows()
    for who, status in (("owner", 409), ("keeper", 409), ("viewer", 403)):
        assert cast[who].post(url(evening, "claim/take/")).status_code == status
    for who in ("owner", "keeper"):
        assert "Take over now" not in Page.of(cast[who].get(url(evening))).buttons
    assert [list(row) for row in rows()] == before


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OWNER])
def test_who_is_no_keeper_any_more_asks_no_more(belas: Client, evening: GameSession, bela: Member, role: Role):
    belas.post(url(evening, "claim/"))
    members.change_role(evening.table_id, bela.pk, role)
    assert members.open_claim(evening) is None


def test_who_is_removed_asks_no_more(belas: Client, evening: GameSession, bela: Member):
    belas.post(url(evening, "claim/"))
    members.remove(evening.table_id, bela.pk)
    assert members.open_claim(evening) is None


# Everybody else


@pytest.mark.parametrize("headers", [{}, HTMX_BODY])
@pytest.mark.parametrize("rest", sorted(WRITES.keys() - {"leave/"}))
@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404), ("stranger", 404)])
def test_who_may_not_write_changes_nothing(
    cast: dict[str, Client], evening: GameSession, bela: Member, rest: str, who: str, status: int, headers: Any
):
    members.claim(bela)
    before = rows()
    path = url(evening, rest.format(member=bela.pk))
    assert cast[who].post(path, WRITES[rest], headers=headers).status_code == status
    assert rows() == before


@pytest.mark.parametrize("rest", ["{member}/role/", "{member}/remove/"])
def test_a_keeper_changes_and_removes_nobody(belas: Client, evening: GameSession, cili: Member, rest: str):
    before = rows()
    assert belas.post(url(evening, rest.format(member=cili.pk)), {"role": "owner"}).status_code == 403
    assert rows() == before


@pytest.mark.parametrize(("who", "status"), [("viewer", 200), ("outsider", 404), ("stranger", 404)])
def test_only_members_see_the_page(cast: dict[str, Client], evening: GameSession, who: str, status: int):
    assert cast[who].get(url(evening)).status_code == status


@pytest.mark.parametrize("rest", WRITES)
def test_looking_at_the_address_of_a_write_changes_nothing(
    owners: Client, evening: GameSession, bela: Member, rest: str
):
    before = rows()
    assert owners.get(url(evening, rest.format(member=bela.pk))).status_code == 405
    assert rows() == before


def test_an_ended_evening_keeps_its_version(owners: Client, evening: GameSession, owner: User, bela: Member):
    other = evening_of(owner)
    evenings.end(evening.pk)
    before = (version(evening), version(other))
    owners.post(url(evening, f"{bela.pk}/role/"), {"role": "viewer"})
    assert (version(evening), version(other)) == (before[0], before[1] + 1)


@pytest.mark.parametrize("others", [0, 30])
@pytest.mark.parametrize(("who", "queries"), [("owner", 9), ("viewer", 4)])
def test_it_asks_a_fixed_number_of_queries(
    cast: dict[str, Client],
    evening: GameSession,
    owner: User,
    others: int,
    who: str,
    queries: int,
    django_assert_num_queries: Callable[..., Any],
):
    invitations.make(evening.table_id, Role.VIEWER, by=owner)
    for _one in range(others):
        named(evening, "Béla", Role.VIEWER)
    with django_assert_num_queries(queries):
        cast[who].get(url(evening))


# Many


@pytest.fixture
def crowd(evening: GameSession) -> list[Member]:
    """So many viewers that the owner and they fill three pages, the last with three."""
    count = 2 * members.MEMBERS_PER_PAGE + 2
    table = evening.table_id
    users = User.objects.bulk_create(User(username=f"crowd-{n}") for n in range(count))
    return Member.objects.bulk_create(Member(table_id=table, user=user, role=Role.VIEWER) for user in users)


def actions(page: Page) -> list[str]:
    return [form.attrs["action"] for form in page.all("form") if "/role/" in form.attrs["action"]]


def test_many_phones_come_in_pages_who_runs_the_table_first(
    owners: Client, evening: GameSession, bela: Member, crowd: list[Member]
):
    first = Page.of(owners.get(url(evening)))
    shown = [line.of_class("line-of")[0].text for line in first.of_class("member")]
    assert len(shown) == members.MEMBERS_PER_PAGE
    assert shown[0] == "unnamed phone owner this phone"
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


def test_a_change_leads_back_to_the_page_it_was_made_on(owners: Client, evening: GameSession, crowd: list[Member]):
    answer = owners.post(url(evening, f"{crowd[-1].pk}/role/?page=3"), {"role": "owner"})
    assert answer["Location"] == url(evening, "?page=3")
    first = Page.of(owners.get(url(evening)))
    assert "A circle needs an owner" not in first.text, "there are two"
    assert len(actions(first)) == members.MEMBERS_PER_PAGE
    assert owners.post(url(evening, f"{crowd[0].pk}/remove/"))["Location"] == url(evening)


def test_where_more_run_a_table_than_a_page_holds_none_of_them_is_the_last(
    owners: Client, evening: GameSession, crowd: list[Member]
):
    Member.objects.filter(table=evening.table).update(role=Role.OWNER)
    for number in (1, 2, 3):
        page = Page.of(owners.get(url(evening, f"?page={number}")))
        assert "A circle needs an owner" not in page.text
        assert len(actions(page)) == len(page.of_class("member"))


@pytest.mark.parametrize(("who", "most"), [("owner", 70_000), ("viewer", 20_000)])
def test_a_page_is_bounded(cast: dict[str, Client], evening: GameSession, crowd: list[Member], who: str, most: int):
    assert len(cast[who].get(url(evening)).content) < most


# At once


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """Let all begin together; what each gave, or was refused with."""
    barrier = Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return job()
        except members.Refused as refused:
            return type(refused)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_throw_each_other_out_leave_one(evening: GameSession, bela: Member, me: Member):
    members.change_role(evening.table_id, bela.pk, Role.OWNER)
    said = at_once(
        lambda: members.remove(evening.table_id, me.pk),
        lambda: members.change_role(evening.table_id, bela.pk, Role.VIEWER),
    )
    assert said.count(members.LastOwner) == 1
    assert roles(evening).count("owner") == 1


@pytest.mark.django_db(transaction=True)
def test_eight_who_invite_at_once_show_one_link_and_eight_who_join_are_eight(evening: GameSession, owner: User):
    made = at_once(*[lambda: invitations.make(evening.table_id, Role.KEEPER, by=owner)] * 8)
    assert made == [Invite.objects.get()] * 8
    before = version(evening)
    guests = [User.new_guest() for _one in range(8)]
    at_once(*[lambda guest=guest: members.join(made[0], None, by=guest) for guest in guests])  # type: ignore[misc]
    assert roles(evening) == ["keeper"] * 8 + ["owner"]
    assert version(evening) == before + 8


@pytest.mark.django_db(transaction=True)
def test_of_two_who_claim_at_once_one_does(evening: GameSession, bela: Member):
    other = named(evening, "Cili", Role.KEEPER)
    said = at_once(lambda: members.claim(bela), lambda: members.claim(other))
    assert sorted(map(str, said)) == sorted(map(str, [None, members.ClaimedAlready]))
    assert OwnershipClaim.objects.count() == 1
