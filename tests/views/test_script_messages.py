"""The messages of the scripts: a script for each language, which a phone keeps as long as it is the current one."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from sessions_app.words.script_messages import MESSAGES, version
from tests.views.page import Page

pytestmark = pytest.mark.django_db


def messages_of(client: Client, address: str) -> dict[str, str]:
    response = client.get(address)
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    found: dict[str, str] = json.loads(response.text.removeprefix("globalThis.MESSAGES=").removesuffix(";\n"))
    return found


def address_on(client: Client, language: str) -> str:
    page = Page.of(client.get("/", headers={"Accept-Language": language}))
    [address] = [node.attrs["src"] for node in page.all("script") if "/messages/" in node.attrs["src"]]
    return address


@pytest.mark.parametrize(("language", "saved"), [("en", "Hand # is saved."), ("hu", "#. leosztás elmentve.")])
def test_a_page_asks_for_the_messages_of_its_language(client: Client, language: str, saved: str) -> None:
    address = address_on(client, language)
    messages = messages_of(client, address)
    assert messages["sent"] == saved
    assert messages.keys() == MESSAGES.keys()
    # They are those of the address, whatever the phone's language is.
    assert client.get(address, headers={"Accept-Language": "de"}).text == client.get(address).text


def test_a_phone_keeps_them_under_the_address_of_their_version(client: Client) -> None:
    response = client.get(address_on(client, "hu"))
    assert response["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "Cookie" not in response["Vary"]
    assert "Content-Security-Policy" not in response


def test_a_former_version_gets_those_of_today_and_does_not_keep_them(client: Client) -> None:
    response = client.get("/messages/hu-00000000.js")
    assert response["Cache-Control"] == "private, no-store"
    assert response.text == client.get(address_on(client, "hu")).text
    assert version("hu") != version("en")


@pytest.mark.parametrize("path", ["/messages/de-0.js", "/messages/-0.js", "/messages/hu.js"])
def test_there_are_none_of_another_language(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_service_worker_keeps_those_of_both_languages(client: Client) -> None:
    worker = client.get("/sw.js").text
    assert f"/messages/hu-{version('hu')}.js" in worker
    assert f"/messages/en-{version('en')}.js" in worker


def test_each_message_that_a_script_names_is_there() -> None:
    texts = "".join(path.read_text() for path in (Path(settings.BASE_DIR) / "static/js").glob("*.js"))
    named = set(re.findall(r"\bwords\(\"([\w-]+)\"", texts))
    assert len(named) > 15
    assert named <= MESSAGES.keys()
