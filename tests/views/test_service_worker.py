"""The resources of the installed app: a token, the service worker, the manifest, the offline page, the messages."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import translation

from sessions_app.faces.asszorti.hand_form import HandForm
from sessions_app.models import Evening, User
from sessions_app.words.script_messages import MESSAGES
from sessions_app.words.script_messages import version as messages_version
from tests.views.page import HUNGARIAN, Page, hand_form

pytestmark = pytest.mark.django_db


def version(client: Client, **headers: str) -> str:
    [found] = re.findall(r'const VERSION = "([0-9a-f]{12})";', client.get("/sw.js", headers=headers).text)
    return found


def test_a_token_is_good_for_a_post(owner: User, evening: Evening):
    phone = Client(enforce_csrf_checks=True)
    phone.force_login(owner)
    answer = phone.get("/token/").json()
    assert answer["signed_in"] is True
    end = f"/sessions/{evening.pk}/end/"
    assert phone.post(end, headers={"X-CSRFToken": "x" * 64}).status_code == 403
    assert phone.post(end, headers={"X-CSRFToken": answer["token"]}).status_code == 302


def test_worker_lists_every_static_file_of_a_page_and_the_messages_of_both_languages(owners: Client, evening: Evening):
    shell = owners.get("/sw.js").text
    [listed] = re.findall(r"const SHELL = \[(.*?)\];", shell, re.DOTALL)
    assert all(finders.find(path) for path in re.findall(r'"/static/([^"]+)"', listed))
    messages = [f"/messages/{code}-{messages_version(code)}.js" for code in ("hu", "en")]
    assert [listed for listed in ("/static/icons/icon.svg", *messages) if f'"{listed}"' not in shell] == []
    for path in (f"/sessions/{evening.pk}/", f"/sessions/{evening.pk}/hands/new/", f"/sessions/{evening.pk}/table/"):
        page = Page.of(owners.get(path))
        asked = [script.attrs["src"] for script in page.all("script")]
        asked += [link.attrs["href"] for link in page.all("link", rel="stylesheet")]
        assert asked
        assert [one for one in asked if f'"{one}"' not in shell] == []


def test_worker_s_version_changes_with_its_files(strangers: Client, owners: Client, monkeypatch: pytest.MonkeyPatch):
    first = version(strangers)
    assert version(owners) == first, "whoever asks"
    assert version(strangers, **{"accept-language": "hu"}) != first, "its page for no network has another language"
    monkeypatch.setattr("sessions_app.views.service_worker.SHELL", (".css",))
    assert version(strangers) != first


def test_manifest_is_on_every_page_speaks_the_visitor_s_language_and_has_icons_of_their_sizes(strangers: Client):
    page = Page.of(strangers.get("/"))
    address = page.one("link", rel="manifest").attrs["href"]
    assert finders.find(page.one("link", rel="apple-touch-icon").attrs["href"].removeprefix("/static/"))
    response = strangers.get(address, headers=HUNGARIAN)
    manifest = response.json()
    assert (response["Content-Type"], manifest["lang"]) == ("application/manifest+json", "hu")
    assert manifest["short_name"] == manifest["name"] == "Strigula"
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    icons = manifest["icons"]
    assert [icon["sizes"] for icon in icons if icon.get("purpose") == "maskable"] == ["512x512"]
    for icon in icons:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert path
        if icon["type"] == "image/png":
            with open(path, "rb") as file:  # noqa: PTH123
                header = file.read(24)
            width, height = (int.from_bytes(header[at : at + 4]) for at in (16, 20))
            assert icon["sizes"] == f"{width}x{height}"


def test_the_page_for_no_network_is_the_same_for_everybody(owners: Client, strangers: Client, evening: Evening):
    page = owners.get("/offline/").content
    assert page == strangers.get("/offline/").content
    assert Page.of(strangers.get("/offline/")).all("form") == []
    assert b"csrf" not in page
    assert b"data-phone" not in page


def body(client: Client, path: str) -> dict[str, str]:
    return Page.of(client.get(path)).one("body").attrs


def test_a_page_says_whose_it_is_by_a_key_that_changes_with_the_user(
    owners: Client, keepers: Client, strangers: Client, evening: Evening
):
    keys = [body(client, "/")["data-phone"] for client in (owners, keepers, strangers)]
    assert keys[0] == body(owners, f"/sessions/{evening.pk}/")["data-phone"]
    assert keys[2] == ""
    assert len(set(keys)) == 3
    assert str(User.objects.first()) not in keys


def test_a_page_says_what_of_it_may_be_kept(cast: dict[str, Client], owner: User, evening: Evening):
    sheet, form = f"/sessions/{evening.pk}/", f"/sessions/{evening.pk}/hands/new/"
    assert body(cast["keeper"], sheet)["data-keep"] == f"{sheet} {form}"
    assert body(cast["keeper"], form)["data-keep"] == form
    assert body(cast["viewer"], sheet)["data-keep"] == sheet
    assert "data-keep" not in body(cast["owner"], f"{sheet}?before=1")
    assert "data-keep" not in body(cast["owner"], f"{sheet}settle/")
    cast["owner"].post(f"{sheet}end/")
    for path in (sheet, form):
        assert "data-keep" not in body(cast["owner"], path)
        assert body(cast["owner"], path)["data-session"] == str(evening.pk)


def test_the_form_says_how_it_goes_on_without_the_server(owners: Client, evening_of_four: Evening):
    page = Page.of(owners.get(f"/sessions/{evening_of_four.pk}/hands/new/"))
    dealers = page.all("input", name="dealer")
    assert [dealer.attrs["data-next"] for dealer in dealers] == ["1", "2", "3", "0"]
    summaries = [re.sub("[\u2068\u2069]", "", dealer.attrs["data-summary"]) for dealer in dealers]
    assert summaries[3] == "Dóra deals · Anna speaks first"
    required = {radio.attrs["name"] for radio in page.all("input", type="radio") if "required" in radio.attrs}
    assert required == {"dealer", "declarer", "contract", "trump", "tricks"}
    presets = dict(pair.split("=") for pair in page.one("form", id="hand-form").attrs["data-presets"].split())
    assert presets.items() <= hand_form(page).items()


def test_a_choice_is_said_as_the_line_of_a_hand_says_it():
    line = {"contract": "hand", "trump": "clubs", "game_kontra": "2", "arrivazs": "won", "arrivazs_kontra": "1"}
    line |= {"tricks": "1", "opponent_tricks": "5"}
    spoken = ["from hand", "♣︎", "rekontra ×4", "arrivázs won", "kontra ×2", "1 trick", "5 : 0"]
    silent = {"game_kontra": "0", "arrivazs": "none", "opponent_tricks": "6"}
    fields = HandForm(names=["Anna", "Béla", "Cili"]).fields
    with translation.override("en"):
        choices = [dict(fields[name].choices)[value] for name, value in (*line.items(), *silent.items())]
        assert [str(choice.line_words) for choice in choices] == [*spoken, "", "", ""]


# --- The messages of the scripts: a script for each language, which a phone keeps as long as it is the current one ---
def test_page_asks_for_the_messages_of_its_language_and_a_phone_keeps_them(client: Client) -> None:
    for language, said in (("en", "Hand # is saved."), ("hu", "#. leosztás elmentve.")):
        page = Page.of(client.get("/", headers={"Accept-Language": language}))
        [address] = [node.attrs["src"] for node in page.all("script") if "/messages/" in node.attrs["src"]]
        response = client.get(address)
        assert response["Content-Type"] == "text/javascript; charset=utf-8"
        messages = json.loads(response.text.removeprefix("globalThis.MESSAGES=").removesuffix(";\n"))
        assert messages["sent"] == said
        assert messages.keys() == MESSAGES.keys()
        assert client.get(address, headers={"Accept-Language": "de"}).text == response.text, "those of the address"
        assert response["Cache-Control"] == "private, max-age=31536000, immutable"
        assert "Cookie" not in response["Vary"]
        assert "Content-Security-Policy" not in response
    former = client.get("/messages/hu-00000000.js")
    assert (former["Cache-Control"], former.text) == ("private, no-store", response.text)
    for path in ("/messages/de-0.js", "/messages/-0.js", "/messages/hu.js"):
        assert client.get(path).status_code == 404
    texts = "".join(path.read_text() for path in (Path(settings.BASE_DIR) / "static/js").glob("*.js"))
    named = set(re.findall(r"\bwords\(\"([\w-]+)\"", texts))
    assert len(named) > 15
    assert named <= messages.keys(), "every message that a script names is there"
