"""No POST of any content to any URL answers 500, no tap that the hand form allows is refused, no file is half taken."""

import csv
from collections.abc import Callable
from functools import partial
from io import StringIO
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions_app.faces import face_of
from sessions_app.models import Circle, Evening, Hand, Import, Repayment, User
from sessions_app.readers.book import document, document_reading
from sessions_app.readers.evening import recount
from tests.factories import begun, record
from tests.ledger.books import assert_verified
from tests.selection import first_rows
from tests.tapping import Tapped
from tests.views.every_url import TABLE, patterns
from tests.views.page import HTMX_COUNT, HTMX_HAND_FORM, HTMX_SESSION_FORM, Node, Page
from tests.views.scene import taken_back

FORM = "application/x-www-form-urlencoded"
KINDS = (
    *(FORM, f"{FORM}; charset=utf-16", f"{FORM}; charset=nonsense", "application/json", "text/plain", ""),
    *("multipart/form-data; boundary=x", "multipart/form-data"),
)
NAMES = [
    *("token", "number", "revision", "redeal", "dealer", "declarer", "contract", "trump", "game_kontra"),
    *("arrivazs", "arrivazs_kontra", "tricks", "opponent_tricks", "note_split", "count", "sheet"),
    *("player_1", "player_2", "player_3", "player_4", "first_dealer", "stake", "currency", "game"),
    *("rules", "profile", "shown_profile", "shown_rules", "target", "keep_as", "after", "name"),
    *("arrange", "key", "language", "next", "csrfmiddlewaretoken"),
]
#: All that can be posted to, but for the demo, whose every answer is eighty hands.
PATHS = [
    "/" + path.replace("<int:evening_id>", "{id}").replace("<int:number>", number)
    for path, pattern in patterns()
    if "POST" in TABLE.get(pattern.name, ()) and pattern.name != "demo"
    for number in (["1", "{junk}"] if "number" in path else [""])
] + ["/sessions/{junk}/hands/new/"]
GOOD = {
    **{"token": "6f2b3ad2-9f0d-4d8e-8f6e-0f6b1a3c9e11", "number": "2", "dealer": "0", "declarer": "1"},
    **{"contract": "2", "trump": "hearts", "game_kontra": "0", "arrivazs": "none", "tricks": "7"},
    **{"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1"},
    **{"stake": "10", "currency": "HUF"},
}

texts = st.one_of(
    st.sampled_from(["", "0", "-1", "1", "6", "11", "12", "none", "won", "idegen", "hand", "up:2", "pick:x", "stays"]),
    st.sampled_from(["\x00", "NaN", "1e400", "-inf", "9" * 400, "1" * 5000, "٣", "²", "½", "\u202e", "%", "é" * 3000]),
    st.integers(-(10**25), 10**25).map(str),
    st.decimals().map(str),
    st.text(max_size=60),
)
#: A value as the bytes of a body: text, or bytes that are no UTF-8.
values = st.one_of(texts.map(lambda text: quote(text, errors="ignore")), st.binary(max_size=20).map(quote))
fields = st.one_of(st.sampled_from(NAMES), st.text(max_size=10).map(lambda text: quote(text, errors="ignore")))
mostly_good = st.dictionaries(st.sampled_from(NAMES), values, max_size=4).map(
    lambda wrong: list(({name: quote(value) for name, value in GOOD.items()} | wrong).items())
)
bodies = st.one_of(st.lists(st.tuples(fields, values), max_size=30), mostly_good).map(
    lambda pairs: "&".join(f"{name}={value}" for name, value in pairs).encode()
)
junk_ids = st.one_of(st.integers(0, 10**25), st.sampled_from([0, 1, 2**31, 2**63 - 1, 2**63, 2**64]))
headers = st.sampled_from([{}, HTMX_HAND_FORM, HTMX_COUNT, HTMX_SESSION_FORM, {"HX-Request": "true"}])

quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def answer(client: Client, ask: Callable[[], Any], owner: User, evening: Evening) -> Any:
    """Send the request, and roll back its writes, so that each example meets the same evening of one hand."""
    if not evening.hands.exists():
        record(evening, owner, "2H 7")
    client.raise_request_exception = True
    with taken_back(client):
        return ask()


@quick
@given(path=st.sampled_from(PATHS), body=bodies, junk=junk_ids, sent=headers)
def test_no_form_of_nonsense_breaks_anything(
    owners: Client, owner: User, evening: Evening, path: str, body: bytes, junk: int, sent: dict[str, str]
):
    address = path.format(id=evening.pk, junk=junk)
    for strict in (False, True):
        owners.handler.enforce_csrf_checks = strict
        post = partial(owners.post, address, body, content_type=FORM, headers=sent)
        response = answer(owners, post, owner, evening)
        assert response.status_code in (400, 403, 404) if strict else response.status_code < 500
    owners.handler.enforce_csrf_checks = False


@quick
@given(path=st.sampled_from(PATHS), body=st.binary(max_size=300), kind=st.sampled_from(KINDS))
def test_no_body_that_is_no_form_breaks_anything(
    owners: Client, owner: User, evening: Evening, path: str, body: bytes, kind: str
):
    address = path.format(id=evening.pk, junk=1)
    post = partial(owners.generic, "POST", address, body, content_type=kind)
    assert answer(owners, post, owner, evening).status_code < 500


@quick
@given(
    path=st.sampled_from(
        ["/", "/sessions/", "/demo/", "/sessions/{id}/", "/sessions/{id}/live/", "/sessions/{id}/hands/{junk}/"]
    ),
    names=st.lists(st.sampled_from(["page", "before", "saved", "v", "key", "x"]), max_size=3),
    value=values,
    junk=junk_ids,
)
def test_no_address_of_nonsense_breaks_anything(
    owners: Client, owner: User, evening: Evening, path: str, names: list[str], value: str, junk: int
):
    query = "&".join(f"{name}={value}" for name in names)
    address = path.format(id=evening.pk, junk=junk)
    assert answer(owners, partial(owners.get, f"{address}?{query}"), owner, evening).status_code < 500


PLAYERS = ("Anna", "Béla", "Cili", "Dani", "Edit")
HOUSES = [
    ("asszorti", 3, ""),
    ("asszorti", 4, "no_trump_arrivazs=no"),
    ("tarokk", 4, ""),
    ("tarokk", 5, "lone_discards=all tie_47=kontra_needs_48 after_throw_in=double"),
    ("tarokk", 4, "tie_47=last_kontra_loses ladder=3"),
    ("preference", 3, ""),
    ("preference", 4, "stalingrad=yes"),
]
FILLINGS, TAPS = 20, 14
#: Not a key of the deal: a tap there chooses none, or types it.
ASIDE = ("redeal", "another", "announced")


def fill(page: Node, chance: Random) -> Tapped:
    """A form in which anything that can be was tapped, the way a hand is told or anyhow."""
    tapped = Tapped(page)
    for _ in range(chance.randint(0, TAPS)):
        key = chance.choice([key for key in tapped.enabled if key.name not in ASIDE])
        tapped.tap(key)
        if "points" in tapped.named and not tapped.named["points"][0].is_disabled and chance.randrange(12) == 0:
            tapped.type("points", str(chance.randint(10, 84)))
    tapped.finish(chance)
    return tapped


@pytest.mark.parametrize(("game", "players", "rules"), first_rows(3, HOUSES))
def test_no_filling_of_enabled_keys_is_refused(
    owners: Client, owner: User, game: str, players: int, rules: str
) -> None:
    evening = begun(owner, game, rules, PLAYERS[:players])
    address, form = f"/sessions/{evening.pk}/hands/new/", face_of(evening).form
    chance = Random(18)  # noqa: S311  cards, not keys
    page = Page.of(owners.get(address)).one("form", id="hand-form")
    for _ in range(FILLINGS):
        posted = fill(page, chance).posted
        filled = form.at(evening, list(PLAYERS[:players]), posted)
        assert filled.is_valid(), (posted, filled.errors)
        recount.count(evening, filled.deal, filled.place, players)
    assert owners.post(address, posted).status_code == 302
    assert Hand.objects.get().deal


few = settings(quick, deadline=None, max_examples=12)
#: Bytes that JSON, UTF-8, the page or the database might stumble over.
SHARDS = (
    *(b"\x00", b"\xff", b"\xed\xa0\x80", b'"\\ud800"', b"\\", b'"', b"{", b"}", b"[", b"]", b",", b":", b"null"),
    *(b"1.5", b"-1", b"1e400", b"9" * 5_000, b"[" * 5_000, b'"' + b"x" * 300_000 + b'"', b"\xe2\x80\xae"),
    *(b"\xef\xbb\xbf", b'"id"', b'"sessions":[]', b"true", b" " * 50_000, b"\n", b'"\\u0000"'),
)
cuts = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 40), st.one_of(st.sampled_from(SHARDS), st.binary(max_size=8))),
    min_size=1,
    max_size=4,
)
FIELDS = (
    *("circle", "of_circle", "player-1", "player-2", "player-3", "player-x", "look", "page"),
    *("listed", "out-1", "out-2", "out-3", "leave"),
)
ANSWERS = st.dictionaries(
    st.sampled_from(FIELDS),
    st.sampled_from(["", "0", "1", "-1", "9" * 30, "x", "²", "\x00", "\ud800", "1 2 3", "unreadable"]).map(
        lambda text: text.encode("utf-8", "replace")
    ),
    max_size=8,
)


def broken(data: bytes, cuts: list[tuple[float, int, bytes]]) -> bytes:
    for place, length, shard in cuts:
        at = int(place * len(data))
        data = data[:at] + shard + data[at + length :]
    return data


def assert_whole_or_nothing(client: Client, data: bytes, answers: dict[str, Any]) -> None:
    """Bring the file and take it in; then all of it is in the book and right, or none."""
    brought = client.post("/import/", {"file": SimpleUploadedFile("book.json", data)})
    assert brought.status_code in (302, 422), brought.status_code
    if brought.status_code == 302:
        address = brought["Location"]
        assert client.get(address).status_code == 200
        assert client.post(address, answers).status_code in (302, 404, 409)
        assert client.post(address, {"take": "yes"}).status_code in (302, 409)
        assert client.get(address).status_code == 200
    row = Import.objects.last()
    if row is None or row.state != Import.State.TAKEN:
        assert (Evening.objects.count(), Repayment.objects.count()) == (0, 0)
        return
    out = len(row.answers.get("out", ()))
    assert Evening.objects.count() == row.found["sessions"] - out
    assert Repayment.objects.count() == row.found["payments"] or out
    assert_verified()


@pytest.mark.usefixtures("toy", "uncounted")
@settings(few, max_examples=16)
@given(cuts | st.binary(max_size=200) | st.sampled_from(SHARDS), ANSWERS)
def test_broken_file_or_any_bytes_are_refused_in_a_sentence_or_taken_in_whole(
    owners: Client, owner: User, book: bytes, cuts: Any, answers: Any
) -> None:
    with taken_back(owners):
        assert_whole_or_nothing(owners, cuts if isinstance(cuts, bytes) else broken(book, cuts), answers)


#: Cells of a table, of which some make a session and most do not.
VALUES = (
    *("2024-03-01", "01/03/2024", "March 1 2024", "2030-01-01", "5", "-5", "0", "2,5", "(5)", "5 Ft", "", "-", '"'),
    *("asszorti", "tarokk", "Összesen", "Anna", "anna", "=1+1", "NaN", "1e400", "9" * 80, "\u202ex", "\x07"),
)
CELLS = st.sampled_from(VALUES) | st.text(max_size=6)
LINES = st.lists(
    st.tuples(st.sampled_from(["2024-03-01", "01/02/2024", "x", ""]), CELLS, *[st.sampled_from(["5", "-5", "0"])] * 3)
    | st.lists(CELLS, min_size=3, max_size=7),
    min_size=1,
    max_size=8,
)


@pytest.mark.usefixtures("toy", "uncounted")
@few
@given(LINES, ANSWERS)
def test_table_of_any_cells_is_refused_in_a_sentence_or_taken_in_whole_as_a_book_that_can_be_read(
    owners: Client, owner: User, lines: Any, answers: Any
) -> None:
    file = StringIO(newline="")
    csv.writer(file).writerows([("date", "note", "Anna", "Béla", "Cili"), *lines])
    with taken_back(owners):
        assert_whole_or_nothing(owners, file.getvalue().encode("utf-8", "replace"), answers)
        for circle in Circle.objects.all():
            document_reading.read(b"".join(document.of_circle(circle)))
