"""Documents of a circle and of a session: valid by the published schema, and imported as the same bytes or refused."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from jsonschema import Draft202012Validator

from scorekeeper.games import GAMES
from sessions_app.errors import DocumentRefused
from sessions_app.models import Circle, Evening, Player, Removal, Repayment, Revision, User
from sessions_app.readers import check_figure
from sessions_app.readers.book import document, document_parts, document_reading, import_plan
from sessions_app.readers.people.new_circles import starter_of
from sessions_app.writers import demo, imports
from sessions_app.writers.imports import AUTHOR
from tests.factories import UserFactory
from tests.games.registered import AnyGame, every_game
from tests.ledger.books import assert_verified, nothing_written, said_by
from tests.ledger.whole_books import spoil, whole_book
from tests.selection import first, first_rows

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy", "english")]

SCHEMA = json.loads(document.SCHEMA.read_text())
#: The validation by which an import reads: it raises DocumentRefused.
VALIDATE = document_reading.compiled(SCHEMA)


def exported(book: Circle | Evening) -> Any:
    parts = document.of_circle(book) if isinstance(book, Circle) else document.of_evening(book)
    found = json.loads(b"".join(parts))
    VALIDATE(found)
    return found


def assert_valid(circle: Circle) -> None:
    """Both the circle's document and those of its sessions are; they name the players needed, and no phone."""
    one = circle.evenings.exclude(result_currency="").order_by("pk")[0]
    documents = [exported(book) for book in (circle, *circle.evenings.all(), one)]
    whole, alone = documents[0], documents[-1]
    Draft202012Validator(SCHEMA).validate(whole)
    for found in documents:
        text = json.dumps(found)
        assert not any(name in text for name in User.objects.values_list("username", flat=True))
    kinds = {change["kind"] for session in whole["sessions"] for change in session["changes"]}
    assert kinds >= {"title", "note", "stake", "seats"}
    [session] = alone["sessions"]
    assert session["id"] == str(one.token)
    known = {player["id"] for player in alone["players"]}
    assert known >= {token for seat in session["seats"] for token in seat.values() if token}
    assert {token for row in alone["payments"] for token in row["sessions"]} == {session["id"]}
    assert len(known) < circle.players.count()


def test_published_schema_is_valid_by_draft_2020_12() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_document_of_a_circle_takes_six_queries_for_each_session(some_book: bytes) -> None:
    circle = imported(some_book).circle
    with CaptureQueriesContext(connection) as asked:
        b"".join(document.of_circle(circle))
    assert len(asked) <= 9 + 6 * circle.evenings.count()


def test_validation_and_jsonschema_judge_spoilt_documents_alike(some_book: bytes) -> None:
    whole, chance = json.loads(some_book), Random(1)  # noqa: S311  no key
    judges, verdicts = Draft202012Validator(SCHEMA), set()
    for _attempt in range(30):
        found = deepcopy(whole)
        spoil(found, chance)
        try:
            VALIDATE(found)
            is_valid = True
        except DocumentRefused:
            is_valid = False
        assert is_valid is judges.is_valid(found)
        verdicts.add(is_valid)
    assert verdicts == {True, False}


#: Games and seeds of books; all but the first of each game are thorough.
BOOKS = first_rows(4, ((game, seed) for seed in range(12) for game in [*every_game.args[1]]))


def written(circle: Circle) -> bytes:
    return b"".join(document.of_circle(circle))


def in_order(circle: Circle) -> list[Evening]:
    return list(circle.evenings.order_by("token"))


def remove(circle: Circle) -> None:
    """Take the circle off this server, as if it were another one."""
    Repayment.objects.filter(circle=circle).delete()
    Evening.objects.filter(circle=circle).delete()
    Circle.objects.get(pk=circle.pk).delete()


def imported(data: bytes, circle: Circle | None = None, by: User | None = None) -> imports.Imported:
    found = document_reading.read(data)
    return imports.write(found, import_plan.planned(found, circle), by=by or (None if circle else UserFactory()))


@pytest.fixture(scope="module")
def some_book(django_db_blocker: Any, django_db_setup: None) -> bytes:
    with django_db_blocker.unblock(), transaction.atomic():
        data = written(whole_book(GAMES["asszorti"], 7))
        transaction.set_rollback(True)
    return data


@pytest.mark.parametrize(("game", "seed"), BOOKS)
def test_exported_book_is_valid_and_once_imported_exports_as_the_same_bytes(game: AnyGame, seed: int) -> None:
    circle = whole_book(game, seed)
    assert_verified()
    assert_valid(circle)
    before, figures = written(circle), [check_figure.figure_of(evening) for evening in in_order(circle)]
    remove(circle)
    came = imported(before)
    assert (came.sessions, came.known) == (3, 0)
    assert written(came.circle) == before
    assert [check_figure.figure_of(evening) for evening in in_order(came.circle)] == figures
    assert_verified()
    with nothing_written():
        again = imported(before, came.circle)
    assert (again.sessions, again.payments) == (0, 0)
    assert again.known == 3 + came.circle.repayments.count()


def test_imported_demo_stays_a_demo_and_exports_as_the_same_bytes() -> None:
    circle = demo.lay(UserFactory())
    before = written(circle)
    remove(circle)
    came = imported(before)
    assert came.circle.is_demo
    assert written(came.circle) == before
    assert_verified()


def test_interrupted_import_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch, some_book: bytes) -> None:
    write, seen = imports.write_session, []

    def breaks(*args: Any) -> Evening | None:
        seen.append(args)
        if len(seen) == 3:
            raise InterruptedError("the power is cut")
        return write(*args)

    with monkeypatch.context() as patched:
        patched.setattr(imports, "write_session", breaks)
        with pytest.raises(InterruptedError, match="power"):
            imported(some_book)
    found = document_reading.read(some_book)
    half = import_plan.circle_of(found)
    assert half is not None
    assert half.evenings.count() == 2
    came = imported(some_book, half)
    assert (came.circle, came.sessions, came.known) == (half, 1, 2)
    assert written(half) == some_book
    assert_verified()


@pytest.mark.parametrize(
    ("names", "same"), [(["ANNA"], "ANNA"), (["Anna", "An\u200bna"], "Anna"), (["An\u200bna", "Anna"], "Anna")]
)
def test_imported_player_is_known_by_name_its_exact_spelling_first(
    some_book: bytes, names: list[str], same: str
) -> None:
    other = Circle.objects.create(name="Ours")
    for name in names:
        Player.objects.create(circle=other, name=name)
    came = imported(some_book, other)
    other.refresh_from_db()
    assert (came.circle, other.name, came.sessions) == (other, "Ours", 3)
    assert other.players.get(name=same).seats.count() == 3
    assert other.players.filter(name__in=("Anna", "ANNA", "An\u200bna")).count() == len(names)


def test_session_exported_alone_is_imported_with_its_payments(some_book: bytes) -> None:
    circle = imported(some_book).circle
    evening = circle.evenings.order_by("pk")[0]
    data = b"".join(document.of_evening(evening))
    remove(circle)
    came = imported(data)
    assert (came.sessions, came.payments) == (1, len(json.loads(data)["payments"]))
    assert b"".join(document.of_evening(came.circle.evenings.get())) == data


def test_imported_authors_are_former_members_without_a_phone_and_its_ids_sign_nobody_in(some_book: bytes) -> None:
    circle = imported(some_book).circle
    assert list(circle.members.values_list("role", flat=True)) == ["owner"]
    authors = Revision.objects.filter(made_by__isnull=False).values_list("made_by", flat=True)
    assert set(authors) <= set(Removal.objects.filter(circle=circle).values_list("user", flat=True))
    assert not any(user.has_usable_password() for user in User.objects.filter(username__startswith=AUTHOR))
    assert [starter_of(evening.token) for evening in circle.evenings.all()] == [None] * 3


def at(*path: str | int) -> Callable[[Any, Any], None]:
    """Return the change of a document that puts a value there."""

    def put(value: Any, new: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = new

    return put


def doubled(*path: str | int) -> Callable[[Any, Any], None]:
    """Return the change of a document that puts the first member of that list in the place of the last."""

    def double(value: Any, _new: Any) -> None:
        for key in path:
            value = value[key]
        value[-1] = value[0]

    return double


NOBODY = "00000000-0000-0000-0000-000000000000"
HAND = ("sessions", 0, "hands", 0)
LATER = ("sessions", 0, "hands", 4, "revisions", 0)
WRONG = [
    pytest.param(at("version"), 2, "it is of version 2, newer", id="newer version"),
    pytest.param(at("format"), "else", "this is no book", id="something else"),
    pytest.param(at("players", 0, "name"), "a" * 41, "players 1 name: it has 41", id="long name"),
    pytest.param(at("players", 0, "name"), "a\x00", "players 1 name: ", id="control character"),
    pytest.param(at("players", 0, "phone"), "x", "players 1: it has “phone”", id="unknown member"),
    pytest.param(doubled("players"), None, "players 9: it is there twice", id="player twice"),
    pytest.param(doubled("sessions", 0, "hands"), None, "sessions 1 hands 9: it is there twice", id="hand twice"),
    pytest.param(at("players", 0, "merged_into"), NOBODY, "its other name", id="merge"),
    pytest.param(at("sessions", 0, "game"), "bridge", "sessions 1 house_rules: the game is not", id="unknown game"),
    pytest.param(at("sessions", 0, "house_rules"), "nonsense", "the house rules are not", id="house rules"),
    pytest.param(at("sessions", 0, "stake"), "0", "sessions 1 stake: ", id="stake of nothing"),
    pytest.param(at("sessions", 0, "seats"), [], "sessions 1 lineup: ", id="nobody at the table"),
    pytest.param(at("sessions", 0, "started_at"), "2999-01-01T00:00:00+00:00", "is still to come", id="time to come"),
    pytest.param(at("sessions", 0, "started_at"), "2024-02-31T00:00:00+00:00", "is no time", id="no such day"),
    pytest.param(at(*HAND, "number"), 2, "sessions 1 hands 1: its number", id="wrong number"),
    pytest.param(at(*HAND, "revisions"), [], "sessions 1 hands 1: it has no history", id="no history"),
    pytest.param(at(*HAND, "revisions", 0, "version"), 1, "it is not a number from 2 to", id="write before the first"),
    pytest.param(at(*HAND, "revisions", 0, "action"), "amend", "does not begin with its only", id="no recording"),
    pytest.param(at(*HAND, "revisions", 0, "cause"), {"hand": 1, "revision": 1}, "its cause", id="its own cause"),
    pytest.param(at(*LATER, "cause"), {"hand": 1, "revision": 99}, "its cause", id="cause that is not there"),
    pytest.param(at("payments", 0, "sessions"), [NOBODY], "payments 1: ", id="link"),
    pytest.param(at("payments", 0, "units"), 0, "payments 1 units: ", id="payment of nothing"),
    pytest.param(at("payments", 0, "currency"), "XYZ", "payments 1: the currency", id="currency"),
]


@pytest.mark.parametrize(("change", "new", "sentence"), WRONG)
def test_wrong_document_is_refused_with_its_place_and_nothing_is_written(
    some_book: bytes, change: Callable[[Any, Any], None], new: Any, sentence: str
) -> None:
    found = json.loads(some_book)
    change(found, new)
    data, user = json.dumps(found).encode(), UserFactory()
    with nothing_written(), pytest.raises(DocumentRefused, match=sentence):
        imported(data, by=user)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        pytest.param(b"\xff\xfe", "UTF-8", id="no UTF-8"),
        pytest.param(b'{"a":1,\n]', "line 2 is no JSON", id="no JSON"),
        pytest.param(b"[" * 1000, "nested too deeply", id="depth"),
        pytest.param(b"[" + b"1" * 5000 + b"]", "too long", id="long number"),
        pytest.param(b'{"a":1,"a":2}', "twice", id="one name twice"),
        pytest.param(b"[1.5]", "cannot stand here", id="fraction"),
        pytest.param(b"[NaN]", "cannot stand here", id="no number"),
        pytest.param(b"," * 5001, "too many values", id="values"),
        pytest.param(b'{"sessions":[' + b"{}," * 101 + b"{}]}", "too many values", id="members"),
        pytest.param(b'{"a":[[' + b"{}," * 501 + b"{}]]}", "too many values", id="values of a member"),
        pytest.param(b'{"a":"' + b"x" * 10**6 + b'"}', "line 1 is no JSON", id="long text"),
        pytest.param(b'{"a":\n"[', "is no JSON", id="open text"),
        pytest.param(b"{}\n" * 1000, "is no JSON", id="two documents"),
        pytest.param(b'{"a":[{}\n{}]}', "is no JSON", id="no comma"),
        pytest.param(b" " * (document_parts.MOST_BYTES + 1), "larger than 50 MB", id="size"),
    ],
)
def test_file_that_is_no_document_is_refused(monkeypatch: pytest.MonkeyPatch, data: bytes, sentence: str) -> None:
    for bound, most in (("MOST_VALUES", 5000), ("MOST_MEMBERS", 100), ("MOST_MEMBER_VALUES", 500)):
        monkeypatch.setattr(document_parts, bound, most)
    with pytest.raises(DocumentRefused, match=sentence):
        document_reading.read(data)


@pytest.mark.parametrize("seed", first(1, range(20)))
def test_spoilt_book_is_refused_or_imported_whole_without_fault(some_book: bytes, seed: int) -> None:
    """Never half an import: what `planned` lets through is written whole."""
    chance = Random(seed)  # noqa: S311  no key
    for _attempt in range(25):
        found = json.loads(some_book)
        spoil(found, chance)
        try:
            came = imported(json.dumps(found).encode())
        except DocumentRefused:
            continue
        assert came.sessions == 3
        remove(came.circle)
    assert_verified()


def test_export_and_import_commands_move_a_circle_and_know_it_again(tmp_path: Path, some_book: bytes) -> None:
    circle = imported(some_book).circle
    file = tmp_path / "book.json"
    file.write_text(said_by("export_circle", circle.pk))
    remove(circle)
    said = said_by("import_circle", file)
    assert "3 sessions and" in said
    assert "/join/" in said
    assert said_by("import_circle", file).startswith("0 sessions and 0 payments are new in circle")
    assert written(Circle.objects.get()) == file.read_bytes()
    assert_verified()


def test_export_and_import_commands_refuse_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "book.json").write_text("{}")
    for command, message in (
        (("export_circle", 10**6), "There is no circle"),
        (("import_circle", tmp_path / "none.json"), "No such file"),
        (("import_circle", tmp_path / "book.json"), "this is no book of Strigula"),
        (("import_circle", tmp_path / "book.json", "--owner", "nobody"), "There is no user 'nobody'"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command(*command)
