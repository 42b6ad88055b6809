"""A server behind a proxy that tells it too little: what the log says about it."""

import pytest
from django.test import Client
from django.test.utils import override_settings


@pytest.mark.parametrize(
    ("proxies", "headers", "said"),
    [
        (0, {"X-Forwarded-Proto": "https"}, "set SCOREKEEPER_PROXY=true"),
        (0, {}, "set SCOREKEEPER_PROXY=true"),
        (1, {}, "the proxy must set X-Forwarded-Proto"),
        (1, {"X-Forwarded-Proto": "http"}, ""),
    ],
)
def test_redirect_to_https_that_never_ends_is_logged_once(
    caplog: pytest.LogCaptureFixture, proxies: int, headers: dict[str, str], said: str
) -> None:
    header = ("HTTP_X_FORWARDED_PROTO", "https") if proxies else None
    with override_settings(SECURE_SSL_REDIRECT=True, PROXY=proxies, SECURE_PROXY_SSL_HEADER=header):
        client = Client(headers={"X-Forwarded-For": "192.0.2.1", **headers})
        assert [client.get("/offline/").status_code for _time in range(3)] == [301] * 3
    logged = [record.getMessage() for record in caplog.records if record.name == "scorekeeper.http.middleware"]
    assert len(logged) == bool(said)
    assert all(said in line for line in logged)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "named"),
    [(0, None, None), (1, None, 0), (1, "192.0.2.1", None), (2, "192.0.2.1", 1), (2, "192.0.2.1, 192.0.2.2", None)],
)
def test_visitors_who_cannot_be_told_apart_are_logged_once(
    caplog: pytest.LogCaptureFixture, proxies: int, forwarded: str | None, named: int | None
) -> None:
    with override_settings(PROXY=proxies):
        client = Client(headers={"X-Forwarded-For": forwarded} if forwarded else {})
        for path in ("/healthz", "/offline/", "/offline/"):
            assert client.get(path).status_code == 200
    logged = [record.getMessage() for record in caplog.records if record.name == "scorekeeper.http.middleware"]
    assert [line.partition(":")[0] for line in logged] == (
        [] if named is None else [f"X-Forwarded-For names {named} addresses, but SCOREKEEPER_PROXY is {proxies}"]
    )


def post(origin: str) -> int:
    """The status of a form that was shown by this origin and has the token that it was given."""
    client = Client(enforce_csrf_checks=True, headers={"host": "localhost"})
    token = client.get("/token/").json()["token"]
    fields = {"csrfmiddlewaretoken": token, "language": "hu", "next": "/"}
    return client.post("/language/", fields, headers={"origin": origin}).status_code


@pytest.mark.parametrize(
    ("origin", "https", "accepted"),
    [
        ("https://localhost:8443", False, True),
        ("https://localhost:8443", True, True),
        ("http://localhost:8080", False, True),
        ("http://localhost:8080", True, False),
        ("https://LOCALHOST", False, True),
        ("http://127.0.0.1:8080", False, True),
        ("https://sub.localhost", False, False),
        ("https://elsewhere.example:8443", False, False),
        ("https://localhost@elsewhere.example", False, False),
        ("https://localhost:8443/elsewhere", False, False),
        ("ftp://localhost", False, False),
        ("null", False, False),
        ("https://", False, False),
    ],
)
def test_form_is_accepted_from_the_server_s_hosts_by_any_port(origin: str, https: bool, accepted: bool) -> None:
    with override_settings(HTTPS=https):
        assert post(origin) == (302 if accepted else 403)


def test_refused_form_is_logged_with_both_origins(caplog: pytest.LogCaptureFixture) -> None:
    assert post("https://cards.example:8443") == 403
    (line,) = (record.getMessage() for record in caplog.records if record.levelname == "WARNING")
    assert "the form is of https://cards.example:8443, this server is http://localhost)" in line
