"""Permissions: every URL, by every method, for every role."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.db import connection
from django.test import Client

from sessions_app import transactions
from sessions_app.errors import LastOwner, NumberTaken
from sessions_app.models import Evening, Member, Role, User
from tests.factories import evening_of, hand_fields, record
from tests.ledger.books import everything
from tests.views.every_url import REFUSED, TABLE, address, is_members_only, name_of, paths, patterns, row_of
from tests.views.page import HTMX_BODY, Page
from tests.views.scene import scenes

WHO = ("owner", "keeper", "viewer", "outsider", "stranger")
METHODS = ("GET", "POST")
NOT_WRITERS = ("viewer", "outsider", "stranger")
#: The requests that a member may always make: go.
LEAVE = ("member-leave", "circle-leave")
#: A viewer may ask to be another member, whose phone is lost, and withdraw; nothing else of a claim.
CLAIMS = ("owner-claim", "owner-object", "owner-take")
#: Forms that htmx sends, and whose answer is another page.
SENT_BY_HTMX = (
    *("evening-edit", "announce", "hand-new", "hand-edit", "hand-void", "hand-restore", "hand-mark"),
    *("entries-new", "entries-edit", "repayments", "repayment-undo", "cash-coins"),
)
#: A page, a live part, a file and a write, of an evening and of a circle.
ONE_OF_EACH_KIND = (
    *("evening", "evening-live", "evening-json", "hand-new", "hand-void"),
    *("circle", "circle-live", "circle-json", "repayments", "circle-rename"),
)
#: The key of a payment in an address.
KEY = re.compile(r"(?<=booked=)\d+")
AS_PAGE_PART_OR_OUTBOX: tuple[dict[str, str], ...] = ({}, HTMX_BODY, {"Accept": "application/json"})


@pytest.fixture
def written_in_a_snapshot(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The statements that write within a page's snapshot, as a database refuses; here it is in their transaction."""
    found: list[str] = []

    def note(execute: Callable[..., Any], statement: str, *args: Any) -> Any:
        if transactions.is_open() and not statement.startswith("SELECT"):
            found.append(statement)
        return execute(statement, *args)

    monkeypatch.setattr(transactions, "_joins", transactions.is_open)
    for name in ("_begin", "_end"):
        monkeypatch.setattr(transactions, name, lambda: None)
    with connection.execute_wrapper(note):
        yield found


def test_every_url_answers_every_role_as_the_table_says_and_writes_outside_of_its_snapshot(
    cast: dict[str, Client], owner: User, evening: Evening, written_in_a_snapshot: list[str]
):
    """But for the posts that the next test makes."""
    wanted, answered = {}, {}
    for scene in scenes((path for path, _pattern in patterns()), evening, owner):
        rows, refused = row_of(scene.path), refused_posts(scene.path)
        for method, who in product(METHODS, WHO):
            row = rows.get(method, REFUSED)
            # Where all are answered the same, one who may everything else and one who may nothing stand for all.
            if (method == "POST" and who in refused) or (len({*row}) == 1 and who not in ("owner", "stranger")):
                continue
            asked = scene.path, method, who
            wanted[asked] = getattr(row, who)
            response = scene.ask(cast[who], method)
            answered[asked] = response.status_code
            if method == "GET" and is_members_only(scene.path):
                assert response["Cache-Control"] == "private, no-store", "no version is named"
        assert not written_in_a_snapshot, scene.path
    assert answered == wanted


def test_refused_post_changes_and_tells_nothing(cast: dict[str, Client], owner: User, evening: Evening):
    """Post each as a page, a part of one or from the outbox, in turn; then again with a failed CSRF check."""
    for nth, scene in enumerate(scenes(paths("POST"), evening, owner)):
        before, body, refused = everything(), scene.body(), refused_posts(scene.path)
        for way, (who, status) in enumerate(refused.items(), start=nth):
            headers = AS_PAGE_PART_OR_OUTBOX[way % len(AS_PAGE_PART_OR_OUTBOX)]
            response = cast[who].post(scene.address, body, headers=headers)
            assert response.status_code == status, (scene.path, who, headers)
            assert b"Anna" not in response.content
            assert b"is closed" not in response.content, scene.path
        for who in ("owner", *refused):
            cast[who].handler.enforce_csrf_checks = True
            response = cast[who].post(scene.address, body)
            cast[who].handler.enforce_csrf_checks = False
            assert response.status_code in (403, refused.get(who)), (scene.path, who)
            assert who == "owner" or b"Anna" not in response.content, "a form is filled in again for writers only"
        assert everything() == before, scene.path


def refused_posts(path: str) -> dict[str, int]:
    """Those who may not write, and what a post of a circle answers them."""
    row = row_of(path).get("POST") if is_members_only(path) else None
    return {who: status for who in NOT_WRITERS if (status := getattr(row, who, 200)) in (403, 404)}


def test_page_offers_a_viewer_no_post_and_is_whole_for_htmx(cast: dict[str, Client], owner: User, evening: Evening):
    pages = [path for path in paths("GET") if not re.search(r"/export\.|\.png$", path)]
    for scene in scenes(pages, evening, owner):
        response = scene.ask(cast["viewer"], "GET", HTMX_BODY)
        page = Page.of(response)
        assert page.is_whole is (response.status_code == 403 or not scene.path.endswith("live/")), scene.path
        posts = {form.attrs["action"] for form in page.all("form", method="post")} - {"/language/"}
        assert posts <= {f"/sessions/{evening.pk}/members/leave/", f"/circles/{evening.circle_id}/leave/"}


def test_post_by_htmx_is_led_on_by_a_header(cast: dict[str, Client], owner: User, evening: Evening):
    for scene in scenes((path for path in paths("POST") if name_of(path) in SENT_BY_HTMX), evening, owner):
        plain, htmx = (scene.ask(cast["owner"], "POST", headers) for headers in ({}, HTMX_BODY))
        assert htmx.status_code == 200, scene.path
        # A new row has another key each time: a rolled back one is not given again on PostgreSQL.
        assert KEY.sub("", htmx["HX-Redirect"]) == KEY.sub("", plain["Location"])


def test_table_has_a_row_for_each_url_and_a_write_to_an_evening_or_a_circle_needs_a_keeper():
    views = {pattern.name: set(pattern.callback.methods) - {"HEAD"} for _path, pattern in patterns()}
    assert {name: set(rows) for name, rows in TABLE.items()} == views
    for path, pattern in patterns():
        need = pattern.callback.need
        assert (need in Role) if is_members_only(path) else need is None, path
        if path in paths("POST") and name_of(path) not in LEAVE:
            assert need.covers(Role.KEEPER) or name_of(path) in CLAIMS, path
            row = row_of(path)["POST"]
            assert (row.viewer, row.outsider, row.stranger) == (403, 404, 404), path


def ask(client: Client, path: str, evening: int | str) -> Any:
    method = "get" if "GET" in row_of(path) else "post"
    return getattr(client, method)(address(path, evening))


def test_outsider_number_that_is_none_removed_member_and_deactivated_user_are_answered_404_alike(
    owners: Client, keepers: Client, outsiders: Client, owner: User, evening: Evening
):
    def answered(client: Client, key: int | str, asked: list[str]) -> set[int]:
        return {ask(client, path, key).status_code for path in asked}

    record(evening, owner, "2H 7")
    for path in paths():
        key = evening.circle_id if "circle_id" in path else evening.pk
        there, nowhere = ask(outsiders, path, key), ask(outsiders, path, 987_654)
        assert (there.status_code, nowhere.status_code) == (404, 404), path
        assert Page.of(there).text == Page.of(nowhere).text
        assert sorted(there.headers) == sorted(nowhere.headers)
    assert answered(owners, "9" * 20, paths()) == {404}
    for none, under in product(("0", "9" * 5000, "-1", "x", "1e3", "%00"), ("sessions", "circles")):
        assert owners.get(f"/{under}/{none}/").status_code == 404, none
    some = [path for path in paths() if name_of(path) in ONE_OF_EACH_KIND]
    Member.objects.filter(role=Role.KEEPER).delete()
    assert answered(keepers, evening.pk, some) == {404}
    owner.is_active = False
    owner.save()
    assert answered(owners, evening.pk, some) == {404}


def test_a_hand_of_another_evening_is_not_found_in_this_one(
    owners: Client, outsiders: Client, owner: User, evening: Evening
):
    """The owner has two evenings; hand 2 is of the other one."""
    other = evening_of(owner)
    for each in (evening, other, other):
        record(each, owner, "2H 7")
    before = everything()
    own = Evening.objects.get(circle__members__user=outsiders.session[SESSION_KEY])
    for path in (path for path in paths() if "number" in path):
        for method, mark in product(row_of(path), ("ok", "hm", "settled")):
            fields = hand_fields(evening, mark=mark)
            response = getattr(owners, method.lower())(address(path, evening.pk, number=2), fields)
            assert response.status_code == 404, path
        assert ask(outsiders, path, own.pk).status_code in (404, 400), path
    assert everything() == before


@pytest.mark.usefixtures("written_in_a_snapshot")
@pytest.mark.parametrize(
    ("writer", "refusal", "place"),
    [
        ("ledger.record", NumberTaken(2), "/sessions/{0.pk}/hands/new/"),
        ("members.leave", LastOwner(), "/circles/{0.circle_id}/leave/"),
    ],
)
def test_member_who_is_removed_while_a_writer_refuses_him_gets_the_answer_of_an_outsider(
    keepers: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch, writer: str, refusal: Exception, place: str
):
    def refuse(*args: Any, **kwargs: Any) -> None:
        with transactions.outside_snapshot():
            evening.circle.members.filter(role=Role.KEEPER).delete()
            raise refusal

    monkeypatch.setattr(f"sessions_app.writers.{writer}", refuse)
    assert keepers.post(place.format(evening), hand_fields(evening)).status_code == 404


UNSIGNED = ("x", "a:b:c", ":::", "a:1:c", f"a:{'z' * 3000}:c", "é:é:é", "x" * 5000)


@pytest.mark.parametrize("change", ["deactivated", "password", "deleted", "tampered", *UNSIGNED])
def test_signed_out_user_gets_the_pages_of_a_stranger(owners: Client, owner: User, evening: Evening, change: str):
    cookie = owners.cookies["sessionid"].value
    if change == "deactivated":
        User.objects.update(is_active=False)
    elif change == "password":
        owner.set_password("another")
        owner.save()
    elif change == "deleted":
        owner.delete()
    else:
        forged = cookie[:-2] + ("aa" if cookie[-2:] != "aa" else "bb")
        owners.cookies["sessionid"] = forged if change == "tampered" else change
    assert owners.get("/token/").json()["signed_in"] is False
    for path in ("/", "/sessions/", "/sessions/new/"):
        response = owners.get(path)
        assert response.status_code == 200
        assert b"Anna" not in response.content
    assert owners.get(f"/sessions/{evening.pk}/").status_code == 404
