"""A link that is pasted into the app leads to its join page, on this server only."""

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Evening, Invite
from tests.views.join_links import Link
from tests.views.page import Page, filled

BEFORE = ("", "/join/", "http://testserver/join/", "https://elsewhere.example/join/", "Come: https://a.hu/join/")


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("after", ["", "/", "/?x=1", " bye"])
def test_pasted_link_leads_to_this_server_s_join_page(strangers: Client, link: Link, before: str, after: str):
    address = link()
    token = address.removeprefix("/join/").removesuffix("/")
    form = Page.of(strangers.get("/join/")).form("/join/")
    response = strangers.post("/join/", filled(form) | {"link": f" {before}{token}{after}"})
    assert (response.status_code, response["Location"]) == (302, address)


@pytest.mark.parametrize(
    "junk",
    ["", "hello", "https://elsewhere.example/", "//elsewhere.example/join/", "/join/1-x/", "/join/٣-" + "x" * 24],
)
def test_pasted_text_without_a_link_is_kept_beside_a_sentence(strangers: Client, junk: str):
    response = strangers.post("/join/", {"link": junk})
    page = Page.of(response)
    assert (response.status_code, len(page.errors)) == (422, 1)
    assert filled(page.form("/join/"))["link"] == junk


def test_pasted_revoked_link_gets_the_join_page_s_own_answer(strangers: Client, link: Link):
    address = link()
    Invite.objects.update(revoked_at=timezone.now())
    response = strangers.post("/join/", {"link": f"https://elsewhere.example{address}"}, follow=True)
    assert (response.status_code, response.redirect_chain) == (410, [(address, 302)])


def test_home_offers_to_paste_a_link_only_without_a_circle(strangers: Client, owners: Client, evening: Evening):
    assert "/join/" in Page.of(strangers.get("/")).html
    assert "/join/" not in Page.of(owners.get("/")).html
    strangers.post("/demo/")
    assert "/join/" in Page.of(strangers.get("/")).html
