"""The metrics page: whom it answers, what is counted, and that no name is in it or in the log."""

import io
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock, Semaphore
from typing import Any
from unittest.mock import Mock
from urllib.parse import quote

import pytest
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import override_settings
from prometheus_client import values
from prometheus_client.parser import text_string_to_metric_families

from scorekeeper.db import cache
from scorekeeper.games import GAMES
from scorekeeper.ops import metrics
from scorekeeper.ops.metrics import count_requests
from sessions_app import rate_limits
from sessions_app.models import Evening, Player, User
from sessions_app.rate_limits import short_wait
from sessions_app.transactions import outside_snapshot
from sessions_app.writers import demo
from tests.factories import hand_fields
from tests.ops.test_logging_setup import handler as handler
from tests.ops.test_logging_setup import log as log
from tests.views.page import Page, filled

pytestmark = pytest.mark.django_db

TOKEN = "f3a1c5d7e9b2f4a6c8d0"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """This process counts, as a worker does, in a folder of its own."""
    with override_settings(METRICS_TOKEN=TOKEN):
        monkeypatch.setenv(metrics.FOLDER, "")  # and so reset
        monkeypatch.setattr(metrics, "_metrics", None)
        metrics.prepare(tmp_path / "metrics")
        monkeypatch.setattr(values, "ValueClass", values.MultiProcessValue())
        metrics.start()
        yield tmp_path / "metrics"
    values.close_all_multiprocess_files()


def scraped() -> dict[tuple[str, ...], float]:
    """The numbers by the name without its prefix, and the values of its labels in alphabetical order."""
    families = text_string_to_metric_families((metrics.page() or b"").decode())
    return {
        (
            sample.name.removeprefix("strigula_"),
            *(value for _label, value in sorted(sample.labels.items())),
        ): sample.value
        for family in families
        for sample in family.samples
    }


def test_page_answers_the_token_alone_at_any_host_and_is_not_redirected_to_https(
    strangers: Client, counting: Path
) -> None:
    with override_settings(SECURE_SSL_REDIRECT=True):
        response = strangers.get("/metrics", headers={"host": "192.0.2.1:8000", **BEARER})
    assert (response.status_code, response["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert response["Cache-Control"] == "private, no-store"
    for token in ("", TOKEN):
        with override_settings(METRICS_TOKEN=token):
            assert strangers.get("/metrics").status_code == 404
            for given in ("", "Bearer ", f"Bearer {TOKEN}x", TOKEN, f"Basic {TOKEN}", "Bearer é"):
                assert strangers.get("/metrics", headers={"authorization": given}).status_code == 404, given


def test_without_a_token_nothing_is_counted_and_old_numbers_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(metrics.FOLDER, raising=False)
    (folder := tmp_path / "metrics").mkdir()
    metrics.prepare(folder)
    metrics.start()
    assert (metrics._metrics, metrics.page(), folder.exists()) == (None, None, False)
    with pytest.raises(MiddlewareNotUsed):
        count_requests(lambda _request: HttpResponse())


def test_requests_are_counted_by_the_name_of_their_address_and_all_others_as_one(
    strangers: Client, owners: Client, evening: Evening, counting: Path
) -> None:
    owners.get(f"/sessions/{evening.pk}/")
    for known, status in ((evening.version, 204), (0, 200)):
        answered = owners.get(f"/sessions/{evening.pk}/live/", {"v": known}, headers={"hx-request": "true"})
        assert answered.status_code == status
    for path in ("/xenia/", "/ypszilon.php", "/static/xenia.js"):
        assert strangers.get(path).status_code == 404
    strangers.generic("XENIA", "/")
    strangers.get(f"/sessions/{evening.pk}/")
    requests = {key[1:]: number for key, number in scraped().items() if key[0] == "requests_total"}
    assert requests == {
        ("GET", "evening", "200"): 1,
        ("GET", "evening", "404"): 1,
        ("GET", "evening-live", "200"): 1,
        ("GET", "evening-live", "204"): 1,
        ("GET", "unknown", "404"): 3,
        ("other", "home", "405"): 1,
    }
    assert scraped()["request_seconds_count", "unknown"] == 3


def test_first_error_and_first_hand_are_a_rise_from_zero(counting: Path) -> None:
    before = scraped()
    metrics.add_request("home", "GET", 500, 0.1)
    for numbers, errors in ((before, 0), (scraped(), 1)):
        assert (numbers["errors_total", "500"], numbers["errors_total", "503"]) == (errors, 0)
    assert [before["hands_total", game] for game in GAMES] == [0] * len(GAMES)


def test_hand_that_a_player_records_is_counted_once_and_none_of_a_demo(
    owners: Client,
    owner: User,
    evening: Evening,
    counting: Path,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    fields = hand_fields(evening)
    with django_capture_on_commit_callbacks(execute=True):
        demo.lay(owner)
        for _tap in range(2):
            assert owners.post(f"/sessions/{evening.pk}/hands/new/", fields).status_code == 302
    hands = {key[1]: number for key, number in scraped().items() if key[0] == "hands_total"}
    assert hands == dict.fromkeys(GAMES, 0) | {"asszorti": 1}


@pytest.mark.django_db(transaction=True)
def test_waits_refusals_and_caches_are_counted(
    strangers: Client, owner: User, counting: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "DEMOS", rate_limits.Limit("demo", 1))
    monkeypatch.setattr(demo, "DAYS_AGO", ())
    assert [strangers.post("/demo/").status_code for _try in range(2)] == [302, 429]
    with short_wait("pictures", Semaphore(1), Lock(), 1):
        pass
    cache.LRUCache[str]().put("key", "value")
    strangers.get("/offline/")
    found = scraped()
    assert found["refusals_total", "demo"] == 1
    assert found["turn_seconds_count", "pictures"] == 1
    assert found["cache_bytes",] == cache.STORE.weight
    assert found["turn_seconds_count", "demos"] == 1
    assert (("turn_seconds_count", "write") in found) == (connection.vendor == "sqlite")


def test_killed_worker_leaves_its_counts_and_not_its_caches(counting: Path) -> None:
    cache.LRUCache[str]().put("key", "value")
    metrics.add_request("home", "GET", 200, 0.1)
    before = scraped()
    dead = 2**22 + 1  # above any process id
    for file in list(counting.iterdir()):
        file.rename(file.with_name(f"{file.stem.rpartition('_')[0]}_{dead}.db"))
    assert scraped() == before
    metrics.start()
    after = scraped()
    assert after["requests_total", "GET", "home", "200"] == 1
    assert (("cache_bytes",) in before, ("cache_bytes",) in after) == (True, False)
    assert {int(file.stem.rpartition("_")[2]) for file in counting.glob("gauge_*")} == {os.getpid()}


def test_full_disk_at_the_start_of_a_worker_leaves_it_without_metrics_and_serving(
    strangers: Client, counting: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    metrics.count_turn("write", 0.1)
    for file in list(counting.iterdir()):
        file.rename(file.with_name(file.name.replace(str(os.getpid()), "1")))
    monkeypatch.setattr(metrics, "_metrics", None)
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(metrics, "bytes", Mock(side_effect=full), raising=False)
    metrics.start()
    assert "counts nothing for /metrics: [Errno 28] No space left" in caplog.text
    assert strangers.get("/metrics", headers=BEARER).status_code == 200
    assert scraped()["turn_seconds_count", "write"] == 1, "of another worker"


CIRCLE, PLAYERS, TITLE, NOTE, PROFILE = "Zsiványok", ("Xénia", "Ödönke", "Ypszilon"), "Névnapozás", "Bögre", "Furfang"
NAMES = (CIRCLE, *PLAYERS, TITLE, NOTE, PROFILE)


def test_no_name_of_a_circle_or_a_person_is_in_the_log_or_the_metrics(
    client_of: Callable[..., Client],
    owner: User,
    counting: Path,
    log: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    client = client_of(owner)
    client.raise_request_exception = False
    with django_capture_on_commit_callbacks(execute=True):
        evening = named_evening(client)
        statuses = refused(client, evening)
        monkeypatch.setattr("sessions_app.views.home.visitor", lambda _request: same_player_again(evening))
        statuses.append(client.get("/").status_code)
    assert set(statuses) == {403, 404, 405, 409, 422, 500}
    said, numbers = log.getvalue(), (metrics.page() or b"").decode()
    assert "IntegrityError" in said
    assert said.count("\n") > len(statuses)
    for name in NAMES:
        for form in (name, quote(name), ascii(name)[1:-1]):
            assert form.casefold() not in said.casefold()
            assert form.casefold() not in numbers.casefold()
    assert set(re.findall(r'(\w+)="', numbers)) <= {"route", "method", "status", "le", "game", "queue"}


def named_evening(client: Client) -> Evening:
    """Start an evening whose names, title and note tell, by forms, and record a hand of it."""
    people = {f"player_{number}": name for number, name in enumerate(PLAYERS, 1)}
    send(client, "/sessions/new/", "/sessions/new/", **people, first_dealer="1")
    evening = Evening.objects.get()
    page, circle = f"/sessions/{evening.pk}/", f"/circles/{evening.circle_id}/"
    assert client.post(f"{circle}rename/", {"name": CIRCLE}).status_code == 302
    send(client, f"{page}edit/", f"{page}edit/", title=TITLE, note=NOTE)
    assert client.post(f"{page}profiles/keep/", {"name": PROFILE}).status_code == 302
    assert client.post(f"{page}hands/new/", hand_fields(evening)).status_code == 302
    return Evening.objects.get()


def send(client: Client, at: str, action: str, **fields: str) -> None:
    """Send a page's form with these fields changed."""
    assert client.post(action, filled(Page.of(client.get(at)).form(action)) | fields).status_code == 302


def refused(client: Client, evening: Evening) -> list[int]:
    """Send what is refused, with names in the form and the query; return the statuses."""
    page, circle = f"/sessions/{evening.pk}/", f"/circles/{evening.circle_id}/"
    first, second, _third = Player.objects.order_by("pk")
    stranger, checked = Client(), Client(enforce_csrf_checks=True)
    answers = [
        client.post(f"{page}hands/new/", hand_fields(evening) | {"declarer": PLAYERS[0], "number": "2"}),
        client.post(f"{page}hands/new/", hand_fields(evening) | {"number": "1", "contract": "1"}),
        client.post(f"{circle}players/{first.pk}/rename/", {"name": second.name}),
        client.post(f"{circle}delete/", {"name": f"{CIRCLE}?"}),
        client.post("/", {"name": CIRCLE}),
        client.get(f"{page}hands/77/", {"q": PLAYERS[1]}),
        stranger.get(page, {"q": CIRCLE}, headers={"referer": f"http://testserver/?q={quote(PLAYERS[2])}"}),
        stranger.post(f"{circle}rename/", {"name": CIRCLE}),
        checked.post("/sessions/new/", {"player_1": PLAYERS[0]}),
    ]
    return [answer.status_code for answer in answers]


def same_player_again(evening: Evening) -> None:
    """Insert a row that there is. PostgreSQL's error has its values."""
    player = Player.objects.earliest("pk")
    with outside_snapshot(), transaction.atomic():
        Player.objects.bulk_create([Player(circle_id=evening.circle_id, name=player.name)])


def test_dashboard_names_only_metrics_and_labels_that_there_are(counting: Path) -> None:
    metrics.add_request("home", "GET", 200, 0.1)
    metrics.count_turn("write", 0.1)
    metrics.count_hand("toy")
    metrics.count_refusal("demo")
    labels: dict[str, set[str]] = {}
    for family in text_string_to_metric_families((metrics.page() or b"").decode()):
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    shown = set()
    panels = json.loads((Path(settings.BASE_DIR) / "deploy/grafana.json").read_text(encoding="utf-8"))["panels"]
    for query in [target["expr"] for panel in panels for target in panel["targets"]]:
        named = set(re.findall(r"strigula_\w+", query))
        assert named <= set(labels), query
        wanted = set(re.findall(r'(\w+)[!=]~?"', query))
        wanted |= {label.strip() for by in re.findall(r"by \(([^)]*)\)", query) for label in by.split(",")}
        assert all(wanted <= labels[name] for name in named), query
        shown |= {base_of(name) for name in named}
    assert shown == {base_of(name) for name in labels}, "each metric is on it"


def base_of(name: str) -> str:
    return re.sub("_(bucket|count|sum)$", "", name)
