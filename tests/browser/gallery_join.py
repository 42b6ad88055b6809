"""The screens of joining: inviting, coming in by a link, the members, and claims to run the circle."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page

from sessions_app.models import Evening, HandMark, Member, OwnershipClaim, Role
from sessions_app.readers.people.members import MEMBERS_PER_PAGE, ROLES, token_of
from sessions_app.writers import evenings, members
from tests.browser.gallery import LONG, Screen, submitted
from tests.factories import MemberFactory, UserFactory, evening_of, record


def screens() -> Iterator[Screen]:
    yield from _links()
    yield from _members()
    yield from _claims()


def _links() -> Iterator[Screen]:
    owner = UserFactory()
    evening, names = evening_of(owner), evening_of(owner, LONG)
    MemberFactory(circle=evening.circle, player=evening.seats.all()[1].player)
    closed = evening_of(UserFactory())
    revoked = _address(closed, Role.KEEPER)
    members.close_links(closed.circle_id, Role.KEEPER)
    gone = MemberFactory(circle=closed.circle)
    members.remove(closed.circle_id, gone.pk)
    _address(evening, Role.VIEWER)
    invite = f"/sessions/{evening.pk}/invite/"
    yield Screen("invite", owner, invite)
    yield Screen("join, to write", None, _address(evening, Role.KEEPER))
    yield Screen("join, to watch, long names", None, _address(names, Role.VIEWER))
    yield Screen("join, a member already", owner, _address(evening, Role.KEEPER))
    yield Screen("join, forgotten for too long", UserFactory(), _address(evening, Role.VIEWER), _tap_without_cookie)
    yield Screen("join, pasted link", None, "/join/")
    yield Screen("join, camera on", None, "/join/", _camera_on)
    yield Screen("join, made up", None, "/join/1-x/", status=404)
    yield Screen("join, revoked", None, revoked, status=410)
    yield Screen("join, taken off", gone.user, revoked, status=410)
    yield Screen("invite, link to write", owner, f"{invite}keeper/", _open_all)
    yield Screen("invite, link to watch", owner, f"{invite}viewer/")


def _members() -> Iterator[Screen]:
    owner = UserFactory()
    evening = evening_of(owner, LONG)
    long, _other, third = (seat.player for seat in evening.seats.all())
    since = timezone.now() - timedelta(minutes=59)
    keeper = MemberFactory(circle=evening.circle, player=long, last_seen_at=since).user
    viewer = MemberFactory(circle=evening.circle, player=third, role=Role.VIEWER).user
    MemberFactory(circle=evening.circle, role=Role.VIEWER, last_seen_at=since - timedelta(days=3))
    for role in ROLES:
        _address(evening, role)
    path = f"/sessions/{evening.pk}/members/"
    yield Screen("members, owner", owner, path)
    yield Screen("members, owner, all open", owner, path, _open_all)
    crowd, users = evening_of(owner), [UserFactory() for _one in range(2 * MEMBERS_PER_PAGE)]
    Member.objects.bulk_create(Member(circle=crowd.circle, user=user, role=Role.VIEWER) for user in users)
    yield Screen("members, a page of many", owner, f"/sessions/{crowd.pk}/members/?page=2")
    yield Screen("members, keeper", keeper, path, _open_all)
    yield Screen("members, viewer", viewer, path, _open_all)


def _claims() -> Iterator[Screen]:
    owner = UserFactory()
    evening = evening_of(owner, LONG)
    keeper = MemberFactory(circle=evening.circle, player=evening.seats.all()[0].player)
    viewer = MemberFactory(circle=evening.circle, role=Role.VIEWER)
    members.claim(keeper)
    due = evening_of(UserFactory())
    claimer = MemberFactory(circle=due.circle)
    members.claim(claimer)
    OwnershipClaim.objects.filter(member=claimer).update(made_at=timezone.now() - timedelta(days=2))
    yield Screen("claim, owner", owner, f"/sessions/{evening.pk}/members/")
    yield Screen("claim, claimer", keeper.user, f"/sessions/{evening.pk}/members/")
    yield Screen("claim, viewer", viewer.user, f"/sessions/{evening.pk}/members/")
    record(evening, owner, "hC 6-5-0 M A*M")
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.HM, by=viewer.user)
    yield Screen("session, news, doubt and claim", keeper.user, f"/sessions/{evening.pk}/")
    yield Screen("session, the same unfolded", keeper.user, f"/sessions/{evening.pk}/", _open_all)
    yield Screen("session, viewer", viewer.user, f"/sessions/{evening.pk}/")
    yield Screen("claim, due", claimer.user, f"/sessions/{due.pk}/members/")
    yield from _lost_phones()


def _lost_phones() -> Iterator[Screen]:
    owner = UserFactory()
    evening = evening_of(owner, LONG)
    of_seat = {"circle": evening.circle, "player": evening.seats.all()[0].player}
    lost, newcomer = MemberFactory(**of_seat, device="Safari|iPhone"), MemberFactory(**of_seat, role=Role.VIEWER)
    members.claim(newcomer, lost.pk)
    yield Screen("session, claim of a lost phone", owner, f"/sessions/{evening.pk}/")
    yield Screen("circle, claim of a lost phone", newcomer.user, f"/circles/{evening.circle_id}/")
    OwnershipClaim.objects.filter(member=newcomer).update(made_at=timezone.now() - timedelta(days=2))
    yield Screen("claim of a lost phone, due", newcomer.user, f"/sessions/{evening.pk}/members/")
    yield Screen("claim of a lost phone, on it", lost.user, f"/sessions/{evening.pk}/members/")


def _address(evening: Evening, role: Role) -> str:
    maker = Member.objects.filter(circle=evening.circle, role=Role.OWNER).get().user
    return f"/join/{token_of(members.make_link(evening.circle_id, role, by=maker))}/"


def _open_all(page: Page) -> None:
    for details in page.locator("main details").all():
        details.evaluate("(it) => { it.open = true }")


def _camera_on(page: Page) -> None:
    for part in page.locator("[data-scan], [data-scan] [data-while]").all():
        part.evaluate("(it) => { it.hidden = it.dataset.while === 'off' }")


def _tap_without_cookie(page: Page) -> None:
    page.context.clear_cookies(name="csrftoken")
    submitted(page)
    page.locator("main .notice[role=alert]").wait_for()
