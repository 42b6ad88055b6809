"""Claims for an owner's role or a lost phone's place: members may object, and after a day the claimant takes over."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.errors import ClaimNotDue, ClaimOpen, LastOwner, MembershipRefused
from sessions_app.models import Evening, Invite, Member, OwnershipClaim, Role, User
from sessions_app.rate_limits import CLAIMS
from sessions_app.readers.people.members import open_claim
from sessions_app.writers import circles, evenings, members
from tests.factories import MemberFactory, record
from tests.ledger.books import PHONES, assert_verified, at_once
from tests.views.members.membership import DAY, named, roles, rows, url, version
from tests.views.page import Page


def let_go_by(time: timedelta = DAY) -> None:
    """Let the claim have been made so long ago."""
    OwnershipClaim.objects.update(made_at=timezone.now() - time)


def test_a_keeper_asks_once_to_run_the_table_and_all_see_it(
    owners: Client, belas: Client, cilis: Client, evening: Evening, bela: Member
):
    before = version(evening)
    for _asking_twice_is_asking_once in range(2):
        assert belas.post(url(evening, "claim/"))["Location"] == url(evening)
        assert version(evening) == before + 1
    assert roles(evening) == ["keeper", "owner", "viewer"]
    for phone, words, buttons in (
        (owners, "Béla asks to become owner", ["Object"]),
        (belas, "You have asked to become owner", ["Withdraw"]),
        (cilis, "Béla asks to become owner", []),
    ):
        (claim,) = Page.of(phone.get(url(evening))).of_class("claim")
        assert words in claim.text
        assert [button.text for button in claim.all("button")] == buttons
    claim = open_claim(evening.circle_id)
    assert claim
    assert (claim.member_id, claim.name, claim.is_due) == (bela.pk, "Béla", False)
    assert claim.due_at == OwnershipClaim.objects.get().made_at + DAY


def test_while_one_asks_another_cannot(
    client_of: Callable[..., Client], belas: Client, evening: Evening, bela: Member, newcomer: Member
):
    belas.post(url(evening, "claim/"))
    other = client_of(named(evening, "Cili", Role.KEEPER).user)
    assert url(evening, "claim/") not in {form.attrs["action"] for form in Page.of(other.get(url(evening))).all("form")}
    assert "Somebody else has asked" in Page.of(other.post(url(evening, "claim/")), 409).one("p", role="alert").text
    with pytest.raises(ClaimOpen):
        members.claim(newcomer, bela.pk)
    assert OwnershipClaim.objects.get().member == bela


@pytest.mark.parametrize("who", ["owner", "keeper", "claimer"])
def test_the_owner_another_keeper_or_who_asked_closes_it(
    cast: dict[str, Client], belas: Client, evening: Evening, bela: Member, who: str
):
    belas.post(url(evening, "claim/"))
    let_go_by()
    claim = OwnershipClaim.objects.get()
    phone = belas if who == "claimer" else cast[who]
    form = Page.of(phone.get(url(evening))).form(url(evening, "claim/object/"))
    assert form.one("input", name="claim").attrs["value"] == str(claim.pk)
    for wrong in ({}, *({"claim": said} for said in ("", "x", "9" * 40))):
        assert phone.post(url(evening, "claim/object/"), wrong).status_code == 400
    before = version(evening)
    assert phone.post(url(evening, "claim/object/"), {"claim": claim.pk})["Location"] == url(evening)
    assert version(evening) == before + 1
    assert open_claim(evening.circle_id) is None
    assert belas.post(url(evening, "claim/take/")).status_code == 409
    bela.refresh_from_db()
    assert bela.role == Role.KEEPER
    belas.post(url(evening, "claim/"))
    phone.post(url(evening, "claim/object/"), {"claim": claim.pk})
    assert open_claim(evening.circle_id), "it closes its own claim only"


def test_after_a_day_without_objection_it_is_the_claimant_s_alone(
    cast: dict[str, Client], belas: Client, evening: Evening, bela: Member
):
    belas.post(url(evening, "claim/"))
    for passed in (timedelta(0), DAY - timedelta(seconds=5)):
        let_go_by(passed)
        assert "Take over now" not in Page.of(belas.get(url(evening))).buttons
        assert "Not yet" in Page.of(belas.post(url(evening, "claim/take/")), 409).one("p", role="alert").text
    let_go_by()
    before, other = version(evening), rows()
    for who, status in (("owner", 409), ("keeper", 409), ("viewer", 403)):
        assert cast[who].post(url(evening, "claim/take/")).status_code == status
        assert who == "viewer" or "Take over now" not in Page.of(cast[who].get(url(evening))).buttons
    assert rows() == other
    assert "Take over now" in Page.of(belas.get(url(evening))).buttons
    assert belas.post(url(evening, "claim/take/")).status_code == 302
    assert roles(evening) == ["keeper", "owner", "owner", "viewer"]
    assert version(evening) == before + 1
    assert open_claim(evening.circle_id) is None


def test_claim_ends_with_the_role_of_a_keeper(belas: Client, evening: Evening, bela: Member):
    for change in (
        lambda: members.change_role(evening.circle_id, bela.pk, Role.VIEWER),
        lambda: members.change_role(evening.circle_id, bela.pk, Role.OWNER),
        lambda: members.remove(evening.circle_id, bela.pk),
    ):
        members.change_role(evening.circle_id, bela.pk, Role.KEEPER)
        belas.post(url(evening, "claim/"))
        assert open_claim(evening.circle_id)
        change()
        assert open_claim(evening.circle_id) is None


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_throw_each_other_out_leave_one(evening: Evening, bela: Member, me: Member):
    members.change_role(evening.circle_id, bela.pk, Role.OWNER)
    out = partial(members.remove, evening.circle_id, me.pk)
    down = partial(members.change_role, evening.circle_id, bela.pk, Role.VIEWER)
    assert [type(each) for each in at_once([out, down], MembershipRefused)].count(LastOwner) == 1
    assert roles(evening).count("owner") == 1


@pytest.mark.django_db(transaction=True)
def test_eight_who_invite_at_once_show_one_link_and_eight_who_join_are_eight(evening: Evening, owner: User):
    made = at_once([partial(members.make_link, evening.circle_id, Role.KEEPER, by=owner)] * PHONES, MembershipRefused)
    assert made == [Invite.objects.get()] * PHONES
    before = version(evening)
    guests = [User.new_guest() for _one in range(PHONES)]
    at_once([partial(members.join, made[0], None, by=guest) for guest in guests], MembershipRefused)
    assert roles(evening) == ["keeper"] * PHONES + ["owner"]
    assert version(evening) == before + PHONES


@pytest.mark.django_db(transaction=True)
def test_two_claims_at_once_make_one(evening: Evening, bela: Member):
    other = named(evening, "Cili", Role.KEEPER)
    said = at_once([partial(members.claim, bela), partial(members.claim, other)], MembershipRefused)
    assert {type(each) for each in said} == {type(None), ClaimOpen}
    assert OwnershipClaim.objects.count() == 1


@pytest.fixture
def newcomer(evening: Evening) -> Member:
    """A phone that came in by the watching link, of nobody."""
    return MemberFactory(circle=evening.circle, role=Role.VIEWER)


@pytest.fixture
def newcomers(client_of: Callable[..., Client], newcomer: Member) -> Client:
    return client_of(newcomer.user)


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


def test_after_a_day_the_newcomer_has_its_role_and_player_and_the_lost_phone_is_out(
    newcomers: Client, belas: Client, evening: Evening, bela: Member
):
    record(evening, bela.user, "2H 7")
    asks_for(newcomers, evening, bela)
    for passed, status in ((DAY - timedelta(seconds=5), 409), (DAY, 302)):
        let_go_by(passed)
        assert ("Take over now" in Page.of(newcomers.get(url(evening))).buttons) == (status == 302)
        assert newcomers.post(url(evening, "claim/take/")).status_code == status
        assert roles(evening) == (["keeper", "owner", "viewer"] if status == 409 else ["keeper", "owner"])
    taken = Member.objects.get(circle=evening.circle, player=bela.player_id)
    assert (taken.role, taken.user.is_guest) == (Role.KEEPER, True)
    assert belas.get(url(evening)).status_code == 404
    assert "Béla" in Page.of(newcomers.get(f"/sessions/{evening.pk}/hands/1/")).text, "who recorded it, is said still"
    assert_verified()


def test_keeper_who_takes_a_viewers_place_stays_a_keeper(evening: Evening, bela: Member, cili: Member):
    members.claim(bela, cili.pk)
    let_go_by()
    members.take_over(bela)
    bela.refresh_from_db()
    assert (bela.role, bela.player_id) == (Role.KEEPER, cili.player_id)
    assert not Member.objects.filter(pk=cili.pk).exists()


@pytest.mark.parametrize(
    "path", ["/", "/me/", "/sessions/{evening}/", "/sessions/{evening}/live/?v=1", "/circles/{circle}/"]
)
def test_lost_phone_that_comes_back_within_the_day_closes_the_claim(
    newcomers: Client, belas: Client, evening: Evening, bela: Member, path: str
):
    asks_for(newcomers, evening, bela)
    address = path.format(evening=evening.pk, circle=evening.circle_id)
    before = version(evening)
    answer = belas.get(address)
    assert answer.status_code == 200
    if "circle" in path:
        assert "It is this phone that is said to be lost." in Page.of(answer).text
    assert (open_claim(evening.circle_id), version(evening)) == (None, before + 1)
    let_go_by()
    assert newcomers.post(url(evening, "claim/take/")).status_code == 403
    belas.get(address)
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


def test_members_who_score_may_object_and_the_newcomer_withdraw(
    cast: dict[str, Client], newcomers: Client, evening: Evening, bela: Member
):
    phones = cast | {"newcomer": newcomers}
    for who, status in (("stranger", 404), ("viewer", 403), ("owner", 302), ("keeper", 302), ("newcomer", 302)):
        if not open_claim(evening.circle_id):
            asks_for(newcomers, evening, bela)
        claim = {"claim": OwnershipClaim.objects.get(closed_at=None).pk}
        answer = phones[who].post(url(evening, "claim/object/"), claim | {"circle": "1"})
        assert answer.status_code == status, who
        assert (open_claim(evening.circle_id) is None) == (status == 302)
        if status == 302:
            assert answer["Location"] == f"/circles/{evening.circle_id}/"
            assert phones[who].post(url(evening, "claim/object/"), claim).status_code == 302, "a second tap"


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


@pytest.mark.parametrize("change", ["made owner", "removed", "archived", "book deleted"])
def test_claim_ends_with_the_place_that_it_is_for(
    newcomers: Client, belas: Client, evening: Evening, bela: Member, change: str
):
    asks_for(newcomers, evening, bela)
    let_go_by()
    if change == "made owner":
        members.change_role(evening.circle_id, bela.pk, Role.OWNER)
    elif change == "removed":
        members.remove(evening.circle_id, bela.pk)
    elif change == "archived":
        evening.circle.archived_at = timezone.now()
        evening.circle.save()
        assert "Take over now" not in Page.of(newcomers.get(url(evening))).buttons
    else:
        assert belas.post("/me/delete/", {"sure": "on"})["Location"] == "/"
        assert not OwnershipClaim.objects.exists()
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
    let_go_by()
    reopen(evening.circle_id)
    with pytest.raises(ClaimNotDue):
        members.take_over(newcomer)


def test_member_who_asks_again_and_again_is_told_to_wait(newcomers: Client, evening: Evening, bela: Member):
    for _one in range(CLAIMS.most):
        asks_for(newcomers, evening, bela)
        newcomers.post(url(evening, "claim/object/"), {"claim": OwnershipClaim.objects.latest("pk").pk})
    answer = newcomers.post(url(evening, "claim/"), {"member": bela.pk})
    assert (answer.status_code, open_claim(evening.circle_id)) == (429, None)
    assert "You have asked too often." in Page.of(answer).text
