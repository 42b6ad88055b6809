"""The page that takes a book in JSON, and its review: what comes in, into which circle, and what is refused."""

import json
from datetime import timedelta
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from sessions_app import rate_limits
from sessions_app.models import Circle, Evening, HandInPlay, Import, Member, User
from sessions_app.readers.book import document
from sessions_app.views import imports
from sessions_app.writers import evenings, import_rows, import_undo, players
from sessions_app.writers.import_kinds import KINDS
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import assert_verified, everything, nothing_written
from tests.views.page import ENGLISH, HUNGARIAN, Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]


def written(circle: Circle) -> bytes:
    return b"".join(document.of_circle(circle))


def brought(data: bytes, user: User) -> str:
    """The address of the review of a book that this user has brought."""
    stored = KINDS["book"].stored(BytesIO(data), lambda: True)
    row = import_rows.open_import(user, stored, file_name="book.json", circle=None)
    assert KINDS["book"].read(row, lambda: True)
    return f"/import/{row.token}/"


def into(evening: Evening) -> dict[str, Any]:
    """The fields of a review by which the book comes into the circle of this evening."""
    return {"circle": evening.circle_id, "of_circle": evening.circle_id}


def bring(client: Client, data: bytes, **fields: Any) -> Any:
    return client.post("/import/", {"file": SimpleUploadedFile("könyv.json", data), **fields})


@pytest.mark.parametrize("role", [None, "viewer"])
def test_review_that_names_a_circle_in_which_one_may_not_write_is_answered_404_and_writes_nothing(
    owners: Client, owner: User, book: bytes, role: str | None
) -> None:
    foreign, address = evening_of(UserFactory()).circle, brought(book, owner)
    if role:
        MemberFactory(circle=foreign, user=owner, role=role)
    with nothing_written():
        for key in (foreign.pk, f" {foreign.pk}", 10**9, -1, "x"):
            for posted in ("take", "look"):
                assert owners.post(address, {"circle": key, "of_circle": key, posted: "yes"}).status_code == 404
            assert bring(owners, book, circle=key).status_code == 404
    Import.objects.update(circle=foreign)
    owners.post(address, {"take": "yes"})
    assert foreign.evenings.count() == 1


@pytest.mark.django_db(transaction=True)
def test_book_of_a_stranger_is_taken_into_a_circle_of_his_own_and_out_beside_the_snapshots_of_its_pages(
    client: Client, book: bytes
) -> None:
    """Outside of a test's transaction: a page's snapshot takes no write."""
    address = bring(client, book)["Location"]
    assert "könyv.json" in client.get(address).text
    assert not Circle.objects.exists()
    for _tap in range(2):
        assert client.post(address, {"circle": "", "take": "yes"})["Location"] == address
        circle = Circle.objects.get()
        assert written(circle) == book
    assert Member.objects.get(circle=circle).role == "owner"
    assert_verified()
    assert client.post(f"{address}undo/").status_code == 302
    assert not Circle.objects.exists()


@pytest.mark.parametrize("stop", ["viewer", "archived", "deleted"])
def test_import_is_its_user_s_alone_and_stops_when_he_may_write_no_more(
    owners: Client, outsiders: Client, owner: User, evening: Evening, book: bytes, stop: str
) -> None:
    address = brought(book, owner)
    owners.post(address, into(evening) | {"look": "yes"})
    assert outsiders.get(address).status_code == 404
    if stop == "viewer":
        Member.objects.filter(user=owner).update(role="viewer")
    else:
        closing = {"archived": "archived_at", "deleted": "deleted_from"}[stop]
        Circle.objects.filter(pk=evening.circle_id).update(**{closing: timezone.now() + timedelta(hours=1)})
    assert owners.post(address, {"take": "yes"}).status_code == 409
    assert evening.circle.evenings.count() == 1


def test_interrupted_import_is_taken_out_again_or_goes_on_where_it_stopped(
    monkeypatch: pytest.MonkeyPatch, owners: Client, owner: User, book: bytes
) -> None:
    before, address = without_imports(), brought(book, owner)
    monkeypatch.setattr(imports, "SECONDS", -1)
    for done in (1, 2):
        owners.post(address, {"take": "yes"})
        assert Evening.objects.count() == done
    assert "Go on" in owners.get(address).text
    while Evening.objects.exists():
        owners.post(f"{address}undo/")
    owners.post(f"{address}undo/")
    assert without_imports() == before
    assert "It was taken out again." in owners.get(address).text
    address = bring(owners, book)["Location"]
    while Import.objects.latest("pk").state != Import.State.TAKEN:
        owners.post(address, {"take": "yes"})
    assert written(Circle.objects.get()) == book


def test_second_tap_that_finds_the_file_taken_in_is_led_to_the_review(
    monkeypatch: pytest.MonkeyPatch, owners: Client, owner: User, book: bytes
) -> None:
    address, begin = brought(book, owner), import_rows.begin_to_take

    def overtaken(row: Import) -> bool:
        goes_on = begin(row)
        with monkeypatch.context() as patched:
            patched.setattr(import_rows, "begin_to_take", begin)
            owners.post(address, {"take": "yes"})
        return goes_on

    monkeypatch.setattr(import_rows, "begin_to_take", overtaken)
    assert owners.post(address, {"take": "yes"})["Location"] == address
    assert written(Circle.objects.get()) == book


def test_player_is_matched_by_name_unless_the_review_says_otherwise(
    owners: Client, owner: User, evening: Evening, book: bytes
) -> None:
    address, fields = brought(book, owner), into(evening)
    owners.post(address, fields | {"look": "yes"})
    first = json.loads(book)["players"][0]
    anna = evening.circle.players.get(name=first["name"])
    select = Page.of(owners.get(address)).one("select", name="player-1")
    assert select.one("option", selected="").attrs["value"] == str(anna.pk)
    owners.post(address, fields | {"player-1": "0", "take": "yes"})
    assert evening.circle.players.filter(token=first["id"]).get().name == f"{anna.name} 2"
    assert anna.seats.count() == 1


def test_review_of_a_thousand_players_posts_no_more_fields_than_are_taken(
    owners: Client, owner: User, evening: Evening, book: bytes
) -> None:
    value = json.loads(book)
    new = {"merged_into": None, "changes": [], "mark": None, "plays_no_more": False}
    value["players"] += [new | {"id": str(uuid4()), "name": f"Player {number}"} for number in range(1000)]
    address, fields = brought(document.packed(value), owner), into(evening)
    owners.post(address, fields | {"look": "yes"})
    names = [select.attrs["name"] for select in Page.of(owners.get(address)).all("select")]
    assert owners.post(address, fields | dict.fromkeys(names, "") | {"drop": "yes"}).status_code == 302


def test_session_that_cannot_be_counted_keeps_the_file_out_until_it_is_left_out_with_its_payments_alone(
    owners: Client, owner: User, book: bytes
) -> None:
    value = json.loads(book)
    value["sessions"][1]["hands"][2]["number"] = 9
    address, lost = brought(document.packed(value), owner), value["sessions"][1]["id"]
    for headers, said in ((HUNGARIAN, "játszma 2, leosztás 3: "), (ENGLISH, "session 2, hand 3: its number")):
        page = Page.of(owners.get(address, headers=headers))
        assert said in page.text
    assert not page.all(name="take")
    assert "Leave out the session" in page.text
    assert owners.post(address, {"take": "yes"}).status_code == 409
    assert not Evening.objects.exists()
    of_lost = [payment for payment in value["payments"] if lost in payment["sessions"]]
    assert of_lost, "the book has a payment for it"
    owners.post(address, {"circle": "", "leave": "unreadable"})
    shown = Page.of(owners.get(address)).text
    assert "1 left out" in shown
    assert f"{len(of_lost)} payment" in shown
    owners.post(address, {"take": "yes"})
    circle = Circle.objects.get()
    assert circle.evenings.count() == 2
    assert circle.repayments.count() == len(value["payments"]) - len(of_lost)
    assert_verified()
    whole = brought(book, owner)
    owners.post(whole, {"take": "yes"})
    assert (circle.evenings.count(), circle.repayments.count()) == (3, len(value["payments"]))
    assert_verified()


def test_session_is_left_out_as_long_as_its_box_is_ticked_and_nothing_is_undone_after_a_day(
    owners: Client, owner: User, book: bytes
) -> None:
    address = brought(book, owner)
    for posted, out in (
        ({"listed": "1 2", "out-2": "1"}, [2]),
        ({"listed": "3", "out-3": "1"}, [2, 3]),
        ({"listed": "1 2 3 x 99 ² " + "9" * 999, "out-3": "1", "out-99": "1", "out-x": "1"}, [3]),
        ({}, [3]),
    ):
        assert owners.post(address, {"circle": "", "page": "1"} | posted)["Location"] == f"{address}?page=1#sessions"
        assert Import.objects.get().answers["out"] == out
    owners.post(address, {"circle": "", "take": "yes"})
    assert Evening.objects.count() == 2
    assert_verified()
    Import.objects.update(closed_at=timezone.now() - timedelta(hours=25))
    assert owners.post(f"{address}undo/").status_code == 409, "a day later"
    assert Evening.objects.count() == 2
    assert import_rows.expired(timezone.now()) == list(Import.objects.values_list("pk", flat=True))


def without_imports() -> dict[str, list[Any]]:
    return {name: rows for name, rows in everything().items() if not name.startswith("Import") and name != "User"}


def test_undo_takes_out_all_that_came_by_the_import_and_nothing_else(
    owners: Client, owner: User, evening: Evening, book: bytes
) -> None:
    record(evening, owner)
    before, address, fields = without_imports(), brought(book, owner), into(evening)
    owners.post(address, fields | {"look": "yes"})
    owners.post(address, fields | {"take": "yes"})
    assert evening.circle.evenings.count() == 4
    assert owners.post(f"{address}undo/")["Location"] == address
    after = without_imports()
    [circle], [was] = after["Circle"], before["Circle"]
    versions = ("ended_version", "repayment_version")
    assert {key: value for key, value in circle.items() if key not in versions} | {k: was[k] for k in versions} == was
    assert after | {"Circle": []} == before | {"Circle": []}
    assert_verified()


def test_undo_leaves_what_was_changed_since_and_says_so(owners: Client, owner: User, book: bytes) -> None:
    """A session that was reopened, and the one that was paid together with it; but a new name is no change."""
    address = brought(book, owner)
    owners.post(address, {"take": "yes"})
    circle = Circle.objects.get()
    changed = circle.evenings.filter(ended_at__isnull=False)[0]
    evenings.reopen(changed.pk)
    player = circle.players.filter(merged_into=None)[0]
    players.rename(circle.pk, player.pk, "Renamed", by=owner)
    assert "stay, with their players: 2" in Page.of(owners.get(address)).text
    owners.post(f"{address}undo/")
    assert changed in circle.evenings.all()
    assert circle.evenings.count() == 2
    assert "stay, with their players: 2" in Page.of(owners.get(address)).text
    assert_verified()


def test_undo_leaves_a_session_that_is_played_since_it_was_planned(
    monkeypatch: pytest.MonkeyPatch, owners: Client, owner: User, book: bytes
) -> None:
    address, planned = brought(book, owner), import_undo.planned
    owners.post(address, {"take": "yes"})

    def overtaken(row: Import) -> import_undo.Undo:
        plan = planned(row)
        HandInPlay.objects.get_or_create(
            evening_id=plan.evenings[0], defaults={"number": 1, "dealer": 0, "state": {"bid": 1}}
        )
        return plan

    monkeypatch.setattr(import_undo, "planned", overtaken)
    owners.post(f"{address}undo/")
    assert list(Evening.objects.values_list("hand_in_play__state", flat=True)) == [{"bid": 1}]


def test_file_that_cannot_be_read_is_counted_too(monkeypatch: pytest.MonkeyPatch, owners: Client, owner: User) -> None:
    monkeypatch.setattr(rate_limits, "IMPORTS", rate_limits.Limit("import", 2))
    assert [bring(owners, b"{").status_code for _time in range(3)] == [422, 422, 429]
