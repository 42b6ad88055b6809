"""A newcomer whose lost phone was a keeper or a viewer asks for its place: as an owner is replaced, and by the same."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.errors import ClaimNotDue, ClaimOpen
from sessions_app.models import Evening, Member, OwnershipClaim, Role, User
from sessions_app.rate_limits import CLAIMS
from sessions_app.readers.people.members import open_claim
from sessions_app.writers import circles, evenings, members
from tests.factories import MemberFactory, record
from tests.ledger.books import assert_verified
from tests.views.members.membership import DAY, named, roles, rows, url, version
from tests.views.page import Page


@pytest.fixture
def newcomer(evening: Evening) -> Member:
    """A phone that came in by the watching link, of nobody."""
    return MemberFactory(circle=evening.circle, role=Role.VIEWER)


@pytest.fixture
def newcomers(client_of: Callable[..., Client], newcomer: Member) -> Client:
    return client_of(newcomer.user)


def let_a_day_pass() -> None:
    OwnershipClaim.objects.update(made_at=timezone.now() - DAY)


def asks_for(client: Client, evening: Evening, lost: Member) -> None:
    assert client.post(url(evening, "claim/"), {"member": lost.pk})["Location"] == url(evening)


def test_newcomer_asks_on_the_members_page_and_every_page_of_the_circle_says_so(
    newcomers: Client, owners: Client, cilis: Client, evening: Evening, bela: Member, cili: Member
):
    Member.objects.filter(pk=bela.pk).update(device="Safari|iPhone")
    form = Page.of(newcomers.get(url(evening))).form(url(evening, "claim/"))
    assert [button.text for button in form.all("button")] == [
        "Béla can score · Safari on iPhone · last seen: never",
        "Cili watches · last seen: never",
    ]
    before = version(evening)
    asks_for(newcomers, evening, bela)
    assert version(evening) == before + 1
    for address in (url(evening), f"/sessions/{evening.pk}/", f"/circles/{evening.circle_id}/"):
        for phone, words, buttons in (
            (newcomers, "You have asked to take a lost phone's place", ["Withdraw"]),
            (owners, "A phone asks to take a lost phone's place", ["Object"]),
            (cilis, "A phone asks to take a lost phone's place", []),
        ):
            (claim,) = Page.of(phone.get(address)).of_class("claim")
            assert words in claim.text
            assert "Béla (can score, Safari on iPhone). Unless somebody objects or that phone comes back" in claim.text
            assert [button.text for button in claim.all("button")] == buttons


@pytest.mark.parametrize(("passed", "status"), [(DAY - timedelta(seconds=5), 409), (DAY, 302)])
def test_after_a_day_the_newcomer_has_its_role_and_player_and_the_lost_phone_is_out(
    newcomers: Client, belas: Client, owner: User, evening: Evening, bela: Member, passed: timedelta, status: int
):
    record(evening, bela.user, "2H 7")
    asks_for(newcomers, evening, bela)
    OwnershipClaim.objects.update(made_at=timezone.now() - passed)
    assert ("Take over now" in Page.of(newcomers.get(url(evening))).buttons) == (status == 302)
    assert newcomers.post(url(evening, "claim/take/")).status_code == status
    if status == 409:
        assert roles(evening) == ["keeper", "owner", "viewer"]
        return
    taken = Member.objects.get(circle=evening.circle, player=bela.player_id)
    assert (taken.role, taken.user.is_guest, roles(evening)) == (Role.KEEPER, True, ["keeper", "owner"])
    assert belas.get(url(evening)).status_code == 404
    assert "Béla" in Page.of(newcomers.get(f"/sessions/{evening.pk}/hands/1/")).text, "who recorded it, is said still"
    assert_verified()


def test_keeper_who_takes_a_viewers_place_stays_a_keeper(evening: Evening, bela: Member, cili: Member):
    members.claim(bela, cili.pk)
    let_a_day_pass()
    members.take_over(bela)
    bela.refresh_from_db()
    assert (bela.role, bela.player_id) == (Role.KEEPER, cili.player_id)
    assert not Member.objects.filter(pk=cili.pk).exists()


@pytest.mark.parametrize("path", ["/", "/me/", "evening", "poll", "circle"])
def test_lost_phone_that_comes_back_within_the_day_closes_the_claim(
    newcomers: Client, belas: Client, evening: Evening, bela: Member, path: str
):
    asks_for(newcomers, evening, bela)
    of_evening = {"evening": "", "poll": f"live/?v={version(evening)}"}
    if path in of_evening:
        path = f"/sessions/{evening.pk}/{of_evening[path]}"
    elif path == "circle":
        path = f"/circles/{evening.circle_id}/"
    before = version(evening)
    answer = belas.get(path)
    assert answer.status_code in (200, 204)
    if "circle" in path:
        assert "It is this phone that is said to be lost." in Page.of(answer).text
    assert (open_claim(evening.circle_id), version(evening)) == (None, before + 1)
    let_a_day_pass()
    assert newcomers.post(url(evening, "claim/take/")).status_code == 403
    assert version(evening) == before + 1
    belas.get(path)
    assert version(evening) == before + 1, "nothing is left to be closed"


def test_phone_that_comes_back_closes_no_other_claim(
    client_of: Callable[..., Client], evening: Evening, bela: Member, newcomer: Member
):
    other = named(evening, "Cili", Role.KEEPER)
    members.claim(bela, other.pk)
    members.claim(bela, other.pk)
    client_of(newcomer.user).get("/")
    assert open_claim(evening.circle_id)
    client_of(other.user).get("/")
    assert not open_claim(evening.circle_id)


@pytest.mark.parametrize(
    ("who", "status"), [("owner", 302), ("keeper", 302), ("newcomer", 302), ("viewer", 403), ("stranger", 404)]
)
def test_members_who_score_may_object_and_the_newcomer_withdraw(
    cast: dict[str, Client], newcomers: Client, evening: Evening, bela: Member, who: str, status: int
):
    asks_for(newcomers, evening, bela)
    claim = OwnershipClaim.objects.get()
    phone = newcomers if who == "newcomer" else cast[who]
    answer = phone.post(url(evening, "claim/object/"), {"claim": claim.pk, "circle": "1"})
    assert answer.status_code == status
    assert (open_claim(evening.circle_id) is None) == (status == 302)
    if status == 302:
        assert answer["Location"] == f"/circles/{evening.circle_id}/"
        assert phone.post(url(evening, "claim/object/"), {"claim": claim.pk}).status_code == 302, "a second tap"


def test_there_is_one_claim_at_a_time_in_a_circle(evening: Evening, bela: Member, cili: Member, newcomer: Member):
    members.claim(newcomer, cili.pk)
    for again in (lambda: members.claim(bela), lambda: members.claim(newcomer, bela.pk)):
        with pytest.raises(ClaimOpen):
            again()
    assert OwnershipClaim.objects.get().lost == cili


def test_no_place_of_an_owner_of_a_stranger_or_of_ones_own_can_be_asked_for(
    newcomers: Client, owners: Client, evening: Evening, me: Member, bela: Member, newcomer: Member
):
    before = rows()
    for lost in (me.pk, newcomer.pk, MemberFactory().pk, 987_654):
        assert newcomers.post(url(evening, "claim/"), {"member": lost}).status_code == 404
    for odd in ("", "x", "9" * 40):
        assert newcomers.post(url(evening, "claim/"), {"member": odd}).status_code in (400, 403)
    owners.post(url(evening, "claim/"), {"member": bela.pk})
    assert [table[:3] for table in rows()] == [table[:3] for table in before]
    assert not OwnershipClaim.objects.exists()


@pytest.mark.parametrize("change", ["made owner", "removed", "archived"])
def test_claim_ends_with_the_place_that_it_is_for(newcomers: Client, evening: Evening, bela: Member, change: str):
    asks_for(newcomers, evening, bela)
    let_a_day_pass()
    if change == "made owner":
        members.change_role(evening.circle_id, bela.pk, Role.OWNER)
    elif change == "removed":
        members.remove(evening.circle_id, bela.pk)
    else:
        evening.circle.archived_at = timezone.now()
        evening.circle.save()
        assert "Take over now" not in Page.of(newcomers.get(url(evening))).buttons
    assert newcomers.post(url(evening, "claim/take/")).status_code == 403
    assert Member.objects.filter(circle=evening.circle, role=Role.VIEWER).exists()
    assert_verified()


@pytest.mark.parametrize(
    ("close", "reopen"), [(circles.archive, circles.open_again), (circles.delete, circles.undelete)]
)
def test_claim_of_a_circle_that_is_closed_for_a_while_is_not_granted(
    evening: Evening, bela: Member, newcomer: Member, close: Callable[[int], None], reopen: Callable[[int], None]
):
    """Nobody could object meanwhile."""
    members.claim(newcomer, bela.pk)
    evenings.end(evening.pk)
    close(evening.circle_id)
    let_a_day_pass()
    reopen(evening.circle_id)
    with pytest.raises(ClaimNotDue):
        members.take_over(newcomer)


def test_user_who_deletes_his_book_while_his_phone_is_said_to_be_lost_is_gone(
    belas: Client, bela: Member, newcomer: Member
):
    members.claim(newcomer, bela.pk)
    assert belas.post("/me/delete/", {"sure": "on"})["Location"] == "/"
    assert not OwnershipClaim.objects.exists()


def test_member_who_asks_again_and_again_is_told_to_wait(newcomers: Client, evening: Evening, bela: Member):
    for _one in range(CLAIMS.most):
        asks_for(newcomers, evening, bela)
        newcomers.post(url(evening, "claim/object/"), {"claim": OwnershipClaim.objects.latest("pk").pk})
    answer = newcomers.post(url(evening, "claim/"), {"member": bela.pk})
    assert (answer.status_code, open_claim(evening.circle_id)) == (429, None)
    assert "You have asked too often." in Page.of(answer).text
