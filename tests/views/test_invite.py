"""Invite another phone: the role, the link with its QR code, revoking it."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
import segno
from django.test import Client

from sessions_app.models import Evening, Invite
from sessions_app.readers.people.members import invite_of, token_of
from tests.views.page import Page

WRITERS = ("owner", "keeper")


def url(evening: Evening, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/invite/{rest}"


def link_on(page: Page) -> str:
    return page.one("input", id="link").attrs["value"]


@pytest.fixture
def link_page(owners: Client, evening: Evening) -> Page:
    return Page.of(owners.post(url(evening), {"role": "keeper"}, follow=True))


@pytest.mark.parametrize(("who", "role"), [("owner", "viewer"), ("keeper", "keeper")])
def test_invite_shows_the_qr_code_after_two_taps(cast: dict[str, Client], evening: Evening, who: str, role: str):
    phone = cast[who]
    first = Page.of(phone.get(f"/sessions/{evening.pk}/")).links["Invite"]
    page = Page.of(phone.get(first))
    words = {"keeper": "Let someone else score", "viewer": "Let someone watch"}[role]
    assert [button.text for button in page.all("button", value=role)] == [words]
    response = phone.post(page.form(first).attrs["action"], {"role": role})
    assert (response.status_code, response["Location"]) == (302, url(evening, f"{role}/"))
    page = Page.of(phone.get(response["Location"]))
    assert page.one("h1").text == words
    assert page.one("svg", role="img").attrs["aria-label"] == "The link as a QR code"
    invite = Invite.objects.get()
    assert (invite.circle, invite.role, invite.revoked_at) == (evening.circle, role, None)


def test_link_is_of_the_host_asked_with_a_token_of_128_bits_that_is_stored_nowhere(link_page: Page, settings: Any):
    found = re.fullmatch(r"http://testserver/join/(\d+-([A-Za-z0-9_-]+))/", link_on(link_page))
    assert found
    token, signature = found.groups()
    assert len(signature) * 6 >= 128
    assert signature not in str(list(Invite.objects.values()))
    assert "readonly" in link_page.one("input", id="link").attrs
    light, dark = link_page.one("svg", role="img").all("path")
    size = int(link_page.one("svg", role="img").attrs["viewbox"].split()[-1])
    assert (light.attrs["fill"], dark.attrs["fill"]) == ("#fff", "#000")
    assert light.attrs["d"] == f"M0 0h{size}v{size}H0z"
    drawn = [[0] * size for _row in range(size)]
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", dark.attrs["d"]):
        drawn[int(y)][int(x) : int(x) + int(length)] = [1] * int(length)
    expected = segno.make(link_on(link_page), micro=False)
    assert drawn == [list(row) for row in expected.matrix_iter(border=4)]
    assert invite_of(token) == Invite.objects.get()
    settings.SECRET_KEY = "another"
    assert invite_of(token) is None


def test_a_link_that_leads_to_this_machine_only_says_so(owners: Client, evening: Evening):
    owners.post(url(evening), {"role": "keeper"})
    for host in ("localhost:8000", "127.0.0.1:8000"):
        asked = Page.of(owners.get(url(evening, "keeper/"), headers={"host": host}))
        assert link_on(asked).startswith(f"http://{host}/join/")
        assert "this computer only" in asked.text
    assert "this computer only" not in Page.of(owners.get(url(evening, "keeper/"))).text


def test_the_open_link_is_shown_again_to_whoever_asks(cast: dict[str, Client], evening: Evening):
    shown = {
        link_on(Page.of(cast[who].post(url(evening), {"role": "keeper"}, follow=True))) for who in (*WRITERS, *WRITERS)
    }
    assert len(shown) == 1
    assert Invite.objects.count() == 1


def test_links_sent_before_an_upgrade_open_after_it(settings: Any) -> None:
    settings.SECRET_KEY = "the key of a server"
    sent = Invite(pk=7, role="keeper", made_at=datetime(2026, 11, 1, 20, 15, tzinfo=UTC))
    assert token_of(sent) == "7-zxtjLxtr8JG0S8bsOkGO8ihx"


def test_link_of_another_role_is_a_bad_request(owners: Client, evening: Evening):
    for said in ({"role": "owner"}, {"role": ""}, {"role": "admin"}, {}):
        assert owners.post(url(evening), said).status_code == 400
    assert not Invite.objects.exists()


def test_revoked_it_is_out_at_the_next_request_and_the_next_one_is_another(
    owners: Client, strangers: Client, evening: Evening, link_page: Page
):
    old = link_on(link_page)
    assert strangers.get(old).status_code == 200
    action = url(evening, "keeper/revoke/")
    assert link_page.form(action).text == "Revoke"
    response = owners.post(action)
    assert (response.status_code, response["Location"]) == (302, url(evening))
    assert strangers.get(old).status_code == 410
    assert strangers.post(old, {"player": ""}).status_code == 410
    new = link_on(Page.of(owners.post(url(evening), {"role": "keeper"}, follow=True)))
    assert new != old
    assert strangers.get(new).status_code == 200
    assert strangers.get(old).status_code == 410


def test_a_keeper_revokes_his_own_and_an_owner_everybodys(cast: dict[str, Client], evening: Evening):
    action = url(evening, "keeper/revoke/")
    cast["owner"].post(url(evening), {"role": "keeper"})
    assert not Page.of(cast["keeper"].get(url(evening, "keeper/"))).all("form", action=action)
    assert cast["keeper"].post(action).status_code == 403
    assert Invite.objects.get().revoked_at is None
    assert cast["owner"].post(action).status_code == 302
    cast["keeper"].post(url(evening), {"role": "keeper"})
    assert Page.of(cast["keeper"].get(url(evening, "keeper/"))).all("form", action=action)
    assert cast["keeper"].post(action).status_code == 302
    assert not Invite.objects.filter(revoked_at=None).exists()
