"""No POST of any content to any URL answers 500, and no tap that the hand form allows is refused."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions_app.faces import face_of
from sessions_app.models import Evening, Hand, User
from sessions_app.readers.evening import recount
from tests.factories import begun, record
from tests.selection import first_rows
from tests.tapping import Tapped
from tests.views.page import HTMX_COUNT, HTMX_HAND_FORM, HTMX_SESSION_FORM, Node, Page
from tests.views.test_access import TABLE, patterns

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
    cookies = client.cookies.copy()
    with transaction.atomic():
        response = ask()
        transaction.set_rollback(True)
    client.cookies = cookies
    return response


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
