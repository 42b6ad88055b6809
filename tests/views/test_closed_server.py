"""A closed server: every way to a new circle in each mode, and what is said and offered instead."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.utils import override_settings

from scorekeeper.ops.project import Imprint
from sessions_app import rate_limits
from sessions_app.errors import NewCircleRefused
from sessions_app.models import Circle, Evening, Import, Phone, Role, User, UserMerge
from sessions_app.readers.people import new_circles
from sessions_app.readers.people.members import token_of
from sessions_app.readers.people.new_circles import DEMO_SALT
from sessions_app.writers import demo, evenings, members, users
from sessions_app.writers.import_kinds import KINDS
from tests.factories import MemberFactory, UserFactory
from tests.ledger.books import everything, nothing_written
from tests.views.every_url import REFUSED, patterns, row_of
from tests.views.page import HTMX_BODY, HUNGARIAN, Page, filled
from tests.views.scene import Scene, taken_back

pytestmark = pytest.mark.django_db

CODE = "Piros hetes 32"
MODES = {
    "code": {"CIRCLES": "code", "CIRCLE_CODE": CODE, "DEMO": False},
    "members": {"CIRCLES": "members", "DEMO": False},
    "operator": {"CIRCLES": "operator", "DEMO": False},
}
FORM = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1", "game": "asszorti"}


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    with override_settings(**MODES[request.param]):
        yield request.param


def form(**fields: Any) -> dict[str, Any]:
    return FORM | {"token": str(uuid4())} | fields


def bring(client: Client, data: bytes, **fields: Any) -> Any:
    return client.post("/import/", {"file": SimpleUploadedFile("book.json", data), **fields})


@pytest.fixture
def demo_guests(client_of: Callable[..., Client], db: None) -> Client:
    """A guest who has opened a demo, and has nothing else."""
    return client_of(MemberFactory(circle=Circle.objects.create(is_demo=True), role=Role.OWNER).user)


@pytest.mark.parametrize("who", ["strangers", "demo_guests"])
def test_no_form_of_any_address_makes_a_circle(
    request: pytest.FixtureRequest, who: str, keepers: Client, viewers: Client, owner: User, evening: Evening
) -> None:
    """All that answer a stranger or an outsider, where the fewest are refused."""
    client: Client = request.getfixturevalue(who)
    scene, circles, tried = Scene("sessions/", evening, owner), Circle.objects.count(), set()
    for scene.path, _pattern in patterns():
        row = row_of(scene.path).get("POST", REFUSED)
        if {row.outsider, row.stranger} - {404, 405}:
            with taken_back(client), override_settings(**MODES["members"]):
                client.post(scene.address, scene.body())
                assert Circle.objects.count() <= circles, scene.path
            tried.add(scene.name)
    assert {"evening-new", "import", "demo", "join", "link-paste", "spare-key", "passkey", "me-merge"} <= tried


@pytest.mark.parametrize("who", ["strangers", "demo_guests"])
def test_ways_to_a_new_circle_are_refused(request: pytest.FixtureRequest, who: str, book: bytes, mode: str) -> None:
    client: Client = request.getfixturevalue(who)
    opened_before = signing.dumps(Circle.objects.create(is_demo=True).pk, salt=DEMO_SALT)
    new: dict[str, str] = {"circle": "new"}
    with nothing_written():
        for said in ({}, new, new | {"into": "new", "proposed": "unseen"}, {"code": "wrong one"}):
            for headers in ({}, HTMX_BODY):
                assert client.post("/sessions/new/", form(**said), headers=headers).status_code in (403, 422)
        for key in ("", opened_before):
            assert client.post("/demo/", {"key": key}).status_code == 403
    for brought in (book, b"date,A,B,C\n2024-03-01,5,-5,0\n"):
        if who == "demo_guests" and mode == "code":
            address = bring(client, brought)["Location"]
            assert client.post(address, {"circle": "", "of_circle": "", "take": "yes"}).status_code == 422
            continue
        with nothing_written():
            assert bring(client, brought).status_code in (403, 422)
            assert client.post("/import/", {"begin": "yes"}).status_code in (403, 422)
    assert who == "demo_guests" or "sessionid" not in client.cookies


def test_guest_whose_merge_into_a_member_was_undone_is_refused_a_circle_by_every_writer(
    owner: User, evening: Evening, mode: str
) -> None:
    guest = UserFactory()
    for user in (guest, owner):
        Phone.objects.create(user=user)
    users.merge(guest.pk, owner.pk)
    users.undo_merge(owner.pk, UserMerge.objects.get().pk)
    guest.refresh_from_db()
    assert new_circles.refusal(guest) == mode
    for is_demo in (False, True):
        with nothing_written(), pytest.raises(NewCircleRefused) as refused:
            evenings.new_circle(guest, is_demo)
        assert refused.value.code == ("demo" if is_demo else mode)


def test_demo_is_there_if_a_setting_says_so_and_its_form_leads_to_no_circle_of_new_people(
    strangers: Client, client_of: Callable[..., Client], mode: str
) -> None:
    for answered in (strangers.get("/demo/"), strangers.post("/demo/")):
        assert "There is no demo on this server." in Page.of(answered, 403).text
    with override_settings(DEMO=True):
        assert "See it at work" in Page.of(strangers.get("/")).buttons
        user = UserFactory()
        client, circle = client_of(user), demo.lay(user)
    assert ("New people" in Page.of(client.get(f"/sessions/new/?circle={circle.pk}")).text) == (mode == "code")
    with nothing_written():
        assert client.post("/sessions/new/", form(circle=circle.pk, into="new")).status_code == 422
    assert client.post("/sessions/new/", form(circle=circle.pk, into=circle.pk)).status_code == 302
    assert Circle.objects.count() == 1


def test_home_offers_nothing_that_is_refused_and_says_why(strangers: Client, mode: str) -> None:
    for headers, words in (({}, "On this server"), (HUNGARIAN, "Ezen a szerveren")):
        page = Page.of(strangers.get("/", headers=headers))
        assert "/demo/" not in page.html
        assert ("/sessions/new/" in page.html) == ("/import/" in page.html) == (mode == "code")
        assert words in page.text, "a code is asked for by the form, and announced here"
        for path in ("/sessions/new/", "/import/"):
            answered = Page.of(strangers.get(path, headers=headers), 200 if mode == "code" else 403)
            assert (words in answered.text) == (mode != "code")
    assert ("/sessions/new/" in Page.of(strangers.get("/sessions/")).html) == (mode == "code")


def test_import_that_was_admitted_before_the_server_closed_is_refused_by_its_writer(
    owners: Client, owner: User, book: bytes, mode: str
) -> None:
    with override_settings(CIRCLES="anybody"):
        bring(owners, book)
    row = Import.objects.get()
    with pytest.raises(NewCircleRefused):
        KINDS["book"].take(row, lambda: True)
    assert not Circle.objects.exists()


@pytest.mark.parametrize("role", [Role.KEEPER, Role.VIEWER])
def test_invite_of_a_member_is_a_way_to_a_circle_of_ones_own_where_members_may(
    strangers: Client, owner: User, evening: Evening, mode: str, role: Role
) -> None:
    link = f"/join/{token_of(members.make_link(evening.circle_id, role, by=owner))}/"
    assert strangers.post(link, {"player": ""}).status_code == 302
    page, before = Page.of(strangers.get("/")), Circle.objects.count()
    assert ("New session" in page.links) == (mode != "operator" or role == Role.KEEPER)
    answered = strangers.post("/sessions/new/", form(circle="new"))
    assert Circle.objects.count() - before == (mode == "members")
    assert answered.status_code == (
        302 if mode == "members" else 403 if role == "viewer" and mode == "operator" else 422
    )


def test_member_goes_on_in_his_circle_and_starts_another_only_where_members_may(
    owners: Client, evening: Evening, mode: str, book: bytes
) -> None:
    again = filled(Page.of(owners.get("/")).form("/sessions/new/"))
    assert owners.post("/sessions/new/", again).status_code == 302
    following = Page.of(owners.get(f"/sessions/{evening.pk}/next/"))
    assert ("New people" in following.text) == (mode != "operator")
    assert owners.post("/sessions/new/", filled(following.form("/sessions/new/"))).status_code == 302
    assert Circle.objects.count() == 1
    if mode == "operator":
        refused = Page.of(owners.post("/sessions/new/", form(circle="new")), 422)
        assert "only its operator makes circles" in refused.text
    address = bring(owners, book)["Location"]
    page = owners.get(address)
    assert ('<option value="">' in page.text) == ('name="take"' in page.text) == (mode != "operator")
    assert owners.post(address, {"circle": "", "take": "yes"}).status_code == (302 if mode == "members" else 422)
    if mode != "members":
        into = {"circle": evening.circle_id, "of_circle": evening.circle_id, "take": "yes"}
        owners.post(address, into | {"of_circle": ""})
        assert owners.post(address, into).status_code == 302
        assert evening.circle.evenings.count() == 6
    assert Circle.objects.count() == (2 if mode == "members" else 1)


by_code = override_settings(**MODES["code"])


@by_code
def test_code_lets_a_stranger_bring_a_book(strangers: Client, book: bytes) -> None:
    assert Page.of(strangers.get("/import/")).one("input", name="code")
    assert strangers.post("/import/", {"begin": "yes", "code": CODE})["Location"] == "/import/"
    address = bring(strangers, book)["Location"]
    assert strangers.post(address, {"circle": "", "take": "yes"}).status_code == 302
    assert Circle.objects.get().evenings.count() == 3


@by_code
def test_code_is_asked_for_once_beside_the_form_and_the_phone_remembered(strangers: Client) -> None:
    assert Page.of(strangers.get("/sessions/new/")).one("input", name="code")
    missing = Page.of(strangers.post("/sessions/new/", form()), 422)
    assert "a new circle needs a code" in missing.text
    assert filled(missing.form("/sessions/new/"))["player_1"] == "Anna"
    assert strangers.post("/sessions/new/", form(code=f"  {CODE.upper()} ")).status_code == 302
    assert 'name="code"' not in strangers.get("/sessions/new/").text
    assert strangers.post("/sessions/new/", form(circle="new")).status_code == 302
    assert Circle.objects.count() == 2
    with override_settings(CIRCLE_CODE="Another code"):
        assert strangers.post("/sessions/new/", form(circle="new")).status_code == 422, "a new code is asked for again"


@by_code
def test_wrong_codes_are_limited_and_the_right_one_then_waits_too(
    strangers: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "CIRCLE_CODES", replace(rate_limits.CIRCLE_CODES, most=2))
    before = everything()
    ways = [("/sessions/new/", form()), ("/import/", {"begin": "yes"})]
    for number, (address, fields) in enumerate(ways):
        elsewhere = {"x-forwarded-for": f"192.0.2.{number}"}
        wrong = Page.of(strangers.post(address, fields | {"code": "Piros hetes 33"}, headers=elsewhere), 422)
        assert "This is not the code of this server." in wrong.text
    assert strangers.post("/import/", {"begin": "yes", "code": CODE}).status_code == 429
    over = strangers.post("/sessions/new/", form(code=CODE))
    assert int(over["Retry-After"]) > 0
    assert filled(Page.of(over, 429).form("/sessions/new/"))["player_1"] == "Anna"
    assert everything() == before


def test_name_and_imprint_stand_at_the_foot_of_home(strangers: Client) -> None:
    for imprint, shown, link in (
        (Imprint(), "Kártyaklub Strigula", None),
        (Imprint("Kiss Anna, anna@example.org"), "Kártyaklub Kiss Anna, anna@example.org Strigula", None),
        (Imprint("Kiss Anna", "https://example.org/"), "Kártyaklub Kiss Anna Strigula", "Kiss Anna"),
        (Imprint("", "https://example.org/"), "Kártyaklub Imprint Strigula", "Imprint"),
    ):
        with override_settings(SERVER_NAME="Kártyaklub", IMPRINT=imprint):
            page = Page.of(strangers.get("/"))
            assert shown in page.text
            assert link is None or page.links[link] == "https://example.org/"
    assert "operator" not in strangers.get("/").text
