"""The documents of a circle and of a session, by their published schema."""

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from jsonschema import Draft202012Validator

from scorekeeper.games import GAMES
from sessions_app.errors import DocumentRefused
from sessions_app.models import Circle, Evening, User
from sessions_app.readers.book import document, document_reading
from tests.games.registered import AnyGame, every_game
from tests.ledger.books import assert_verified
from tests.ledger.whole_books import spoil, whole_book

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]

SCHEMA = json.loads(document.SCHEMA.read_text())


def exported(book: Circle | Evening) -> Any:
    parts = document.of_circle(book) if isinstance(book, Circle) else document.of_evening(book)
    found = json.loads(b"".join(parts))
    Draft202012Validator(SCHEMA).validate(found)
    return found


def test_published_schema_is_valid_by_draft_2020_12() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@every_game
def test_documents_of_a_book_and_of_each_session_are_valid_and_name_the_players_needed_and_no_phone(
    game: AnyGame,
) -> None:
    circle = whole_book(game, 1)
    assert_verified()
    evening = circle.evenings.exclude(result_currency="").order_by("pk")[0]
    documents = [exported(book) for book in (circle, *circle.evenings.all(), evening)]
    for found in documents:
        text = json.dumps(found)
        assert not any(name in text for name in User.objects.values_list("username", flat=True))
    kinds = {change["kind"] for session in documents[0]["sessions"] for change in session["changes"]}
    assert kinds >= {"title", "note", "stake", "seats"}
    [session] = documents[-1]["sessions"]
    assert session["id"] == str(evening.token)
    known = {player["id"] for player in documents[-1]["players"]}
    assert known >= {token for seat in session["seats"] for token in seat.values() if token}
    assert {token for row in documents[-1]["payments"] for token in row["sessions"]} == {session["id"]}
    assert len(known) < circle.players.count()


def test_document_of_a_circle_takes_six_queries_for_each_session() -> None:
    circle = whole_book(GAMES["asszorti"], 2)
    with CaptureQueriesContext(connection) as asked:
        b"".join(document.of_circle(circle))
    assert len(asked) <= 9 + 6 * circle.evenings.count()


def test_validation_and_jsonschema_judge_spoilt_documents_alike() -> None:
    whole, chance = exported(whole_book(GAMES["preference"], 3)), Random(1)  # noqa: S311  no key
    judges, verdicts = Draft202012Validator(SCHEMA), set()
    for _attempt in range(30):
        found = deepcopy(whole)
        spoil(found, chance)
        try:
            document_reading.compiled(SCHEMA)(found)
            is_valid = True
        except DocumentRefused:
            is_valid = False
        assert is_valid is judges.is_valid(found)
        verdicts.add(is_valid)
    assert verdicts == {True, False}
