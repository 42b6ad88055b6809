"""Is it alive, and does its database answer?"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client


@pytest.mark.parametrize("who", ["owner", "keeper", "viewer", "outsider", "stranger"])
def test_it_is_ok_for_everybody(cast: dict[str, Client], who: str):
    response = cast[who].get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "<html" not in response.content.decode()


def test_it_answers_htmx_and_head_alike(strangers: Client):
    assert strangers.get("/healthz", headers={"HX-Request": "true"}).content == b"ok\n"
    assert strangers.head("/healthz").status_code == 200


def test_it_asks_the_database_one_query(strangers: Client, django_assert_num_queries: Callable[..., object]):
    with django_assert_num_queries(1):
        strangers.get("/healthz")


@pytest.mark.django_db(transaction=True)
def test_it_says_so_when_the_database_is_down_and_recovers(monkeypatch: pytest.MonkeyPatch):
    def down(*_args: Any, **_kwargs: Any) -> None:
        raise OperationalError("the database is down")

    client = Client()
    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", down)
        response = client.get("/healthz")
        assert response.status_code == 503
        assert b"does not answer" in response.content
        assert b"the database is down" not in response.content, "no internals to whoever asks"
        assert response["Cache-Control"] == "private, no-store"
    assert client.get("/healthz").status_code == 200


def test_it_refuses_to_be_posted_to(strangers: Client):
    assert strangers.post("/healthz").status_code == 405
