"""Rate limits for anonymous visitors, counted by PostgreSQL for all the servers that share it."""

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test import Client

from sessions_app import rate_limits
from sessions_app.models import RateCount, RateKey
from sessions_app.writers import rate_counts
from tests.serving import PROJECT, environment

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("postgresql")]  # beside SQLite a file counts


def often(times: int, who: bytes = b"me", most: int = 3) -> list[int]:
    return [rate_counts.count("circle", who, most=most, within=3600) for _time in range(times)]


def let_go_by(**time: int) -> None:
    RateCount.objects.update(ends_at=F("ends_at") - timedelta(**time))


def test_limit_counts_so_many_requests_and_no_more() -> None:
    assert rate_counts.seconds_to_wait("circle", b"me", most=3, within=3600) == 0
    assert often(5) == [0, 0, 0, 3600, 3600]
    assert rate_counts.seconds_to_wait("circle", b"me", most=3, within=3600) == 3600
    assert RateCount.objects.get().number == 3, "nothing is written for who is refused"
    assert often(1, who=b"another") == [0]
    assert rate_counts.count("demo", b"me", most=3, within=3600) == 0


@pytest.mark.django_db(transaction=True)
def test_request_is_counted_by_one_statement_and_refused_by_two(django_assert_num_queries: Any) -> None:
    for statements, most in ((1, 2), (1, 2), (2, 2)):
        with django_assert_num_queries(statements):
            often(1, most=most)


def test_count_ends_with_its_period_and_is_deleted() -> None:
    often(4)
    let_go_by(seconds=3599)
    assert often(1) == [1]
    let_go_by(seconds=2)
    assert often(4) == [0, 0, 0, 3600]
    let_go_by(hours=2)
    assert often(1, who=b"another") == [0]
    assert [bytes(row.who) for row in RateCount.objects.all()] == [b"another"]
    often(4)
    let_go_by(hours=-3)
    assert often(1) == [0], "a clock set back shuts nobody out for longer"


def test_failing_count_refuses_nobody_and_lets_the_request_go_on(caplog: pytest.LogCaptureFixture) -> None:
    assert rate_counts.count("x" * 21, b"me", most=0, within=3600) == 0
    assert "Could not count" in caplog.text
    assert not RateCount.objects.exists()


def test_no_file_is_made_and_a_link_that_is_none_is_counted_in_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "WRONG_LINKS", rate_limits.Limit("link", 2))
    rate_limits.forget()
    assert [Client().get(f"/join/{number}-nonsense/").status_code for number in range(4)] == [404, 404, 429, 429]
    assert RateCount.objects.get().number == 2
    assert not (settings.DATA / "limits.sqlite3").exists()


PROGRAM = """
import django, json, sys
from scorekeeper.ops.data_dir import prepare
prepare()
django.setup()
from django.db import connections
from django.test import RequestFactory
connections.databases["default"]["NAME"] = sys.argv[1]
from sessions_app import rate_limits

def is_let_in():
    try:
        rate_limits.count(rate_limits.WRONG_LINKS, RequestFactory().get("/"))
    except rate_limits.TooMany:
        return False
    return True

print(json.dumps([is_let_in() for _ in range(40)].count(True)))
"""


@pytest.mark.django_db(transaction=True)
def test_servers_with_data_folders_and_secret_keys_of_their_own_count_together(tmp_path: Path) -> None:
    name, url = connection.settings_dict["NAME"], os.environ["DATABASE_URL"]
    servers = [
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", PROGRAM, name],
            cwd=PROJECT,
            env=environment(tmp_path / str(number), DATABASE_URL=url),
            stdout=subprocess.PIPE,
        )
        for number in range(2)
    ]
    assert sum(json.loads(server.communicate()[0]) for server in servers) == rate_limits.WRONG_LINKS.most == 60
    assert RateCount.objects.get().number == 60
    assert RateKey.objects.count() == 1
