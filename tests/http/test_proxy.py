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
        client = Client(headers=headers)
        assert [client.get("/offline/").status_code for _time in range(3)] == [301] * 3
    logged = [record.getMessage() for record in caplog.records if record.name == "scorekeeper.http.proxy"]
    assert len(logged) == bool(said)
    assert all(said in line for line in logged)
