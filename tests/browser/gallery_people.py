"""The screens of members and their phones: invited, joined, claimed, keys, links, merges, ways out; and an import."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import BytesIO
from secrets import token_bytes
from typing import Any
from uuid import uuid4

from django.utils import timezone
from playwright.sync_api import Page

from sessions_app.models import (
    Circle,
    Evening,
    HandMark,
    Import,
    Member,
    OwnershipClaim,
    Passkey,
    Phone,
    PhoneLink,
    Role,
    User,
    UserHandle,
)
from sessions_app.readers.book import document
from sessions_app.readers.people import phones as links
from sessions_app.readers.people.members import MEMBERS_PER_PAGE, ROLES, token_of
from sessions_app.writers import circles, evenings, import_rows, members, phones, users
from sessions_app.writers.import_kinds import KINDS
from tests.browser.gallery import LONG, Screen, played, submitted, unfold
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.http.test_user_agent import IPHONE

OTHERS = ("Dóra", "Edit", "Feri")


def screens() -> Iterator[Screen]:
    yield from _invitations()
    yield from _members()
    yield from _claims()
    yield from _keys()
    yield from _links()
    yield from _ways_out()
    yield from _imports()


def _invitations() -> Iterator[Screen]:
    owner = UserFactory()
    evening, names, closed = evening_of(owner), evening_of(owner, LONG), evening_of(UserFactory())
    MemberFactory(circle=evening.circle, player=evening.seats.all()[1].player)
    revoked = _join(closed, Role.KEEPER)
    members.close_links(closed.circle_id, Role.KEEPER)
    gone = MemberFactory(circle=closed.circle)
    members.remove(closed.circle_id, gone.pk)
    _join(evening, Role.VIEWER)
    invite = f"/sessions/{evening.pk}/invite/"
    yield Screen("invite", owner, invite)
    yield Screen("join, to write", None, _join(evening, Role.KEEPER))
    yield Screen("join, to watch, long names", None, _join(names, Role.VIEWER))
    yield Screen("join, a member already", owner, _join(evening, Role.KEEPER))
    yield Screen("join, forgotten for too long", UserFactory(), _join(evening, Role.VIEWER), _tap_without_cookie)
    yield Screen("join, camera on", None, "/join/", _camera_on)
    yield Screen("join, made up", None, "/join/1-x/", status=404)
    yield Screen("join, taken off", gone.user, revoked, status=410)
    yield Screen("join, revoked", None, revoked, status=410)
    yield Screen("invite, link to write", owner, f"{invite}keeper/", unfold)
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
        _join(evening, role)
    path = f"/sessions/{evening.pk}/members/"
    yield Screen("members, owner", owner, path)
    crowd, users = evening_of(owner), [UserFactory() for _one in range(2 * MEMBERS_PER_PAGE)]
    Member.objects.bulk_create(Member(circle=crowd.circle, user=user, role=Role.VIEWER) for user in users)
    yield Screen("members, a page of many", owner, f"/sessions/{crowd.pk}/members/?page=2")
    yield Screen("members, keeper", keeper, path, unfold)
    yield Screen("members, viewer", viewer, path, unfold)


def _claims() -> Iterator[Screen]:
    """Claims to run a circle, and to be the player of a lost phone."""
    owner = UserFactory()
    evening = evening_of(owner, LONG)
    keeper = MemberFactory(circle=evening.circle, player=evening.seats.all()[0].player)
    viewer = MemberFactory(circle=evening.circle, role=Role.VIEWER)
    members.claim(keeper)
    of_evening, its_members = f"/sessions/{evening.pk}/", f"/sessions/{evening.pk}/members/"
    yield Screen("claim, owner", owner, its_members)
    yield Screen("claim, claimer", keeper.user, its_members)
    yield Screen("claim, viewer", viewer.user, its_members)
    record(evening, owner, "hC 6-5-0 M A*M")
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.HM, by=viewer.user)
    yield Screen("session, news, doubt and claim", keeper.user, of_evening)
    yield Screen("session, the same unfolded", keeper.user, of_evening, unfold)
    yield Screen("session, viewer", viewer.user, of_evening)
    table = evening_of(UserFactory(), LONG)
    of_seat = {"circle": table.circle, "player": table.seats.all()[0].player}
    lost, newcomer = MemberFactory(**of_seat, device="Safari|iPhone"), MemberFactory(**of_seat, role=Role.VIEWER)
    members.claim(newcomer, lost.pk)
    yield Screen("circle, claim of a lost phone", newcomer.user, f"/circles/{table.circle_id}/")
    OwnershipClaim.objects.filter(member=newcomer).update(made_at=timezone.now() - timedelta(days=2))
    yield Screen("claim of a lost phone, on it", lost.user, f"/sessions/{table.pk}/members/")
    yield Screen("claim of a lost phone, due", newcomer.user, f"/sessions/{table.pk}/members/")


def _keys() -> Iterator[Screen]:
    guest, kept, one = UserFactory(), UserFactory(), UserFactory()
    evenings.end(played(guest, 2).pk)
    phones.make_spare_key(kept.pk)
    for authenticator, domain in (("Google Password Manager", "localhost"), ("", "cards.example.org")):
        _passkey(kept, authenticator, domain)
    last = _passkey(one, "", "localhost")
    yield Screen("home, offers to keep the book", guest, "/")
    yield Screen("own page of a guest", guest, "/me/")
    yield Screen("own page, kept", kept, "/me/")
    yield Screen("last passkey", one, "/me/", _submit(f"form[action='/me/passkeys/{last.pk}/remove/'] button"))
    yield Screen("spare key, made", guest, "/me/", _submit(".spare-key .button"))
    yield Screen("passkey, ways back", None, "/passkey/")
    yield Screen("spare key, wrong", None, "/spare-key/", _type("abandon ability able"))
    guest_of_both = _guest_with_circle(evening_of(kept, OTHERS).circle)
    yield Screen("spare key, two books", guest_of_both, "/spare-key/", _leave_for(kept))
    both, stuck = _merged(), _merged(ended_at=timezone.now())
    yield Screen("own page, circles taken along", both, "/me/")
    yield Screen("take apart again, refused", stuck, "/me/merge/undo/", _submit(".own button"))
    yield Screen("take apart again", both, "/me/merge/undo/")


def _links() -> Iterator[Screen]:
    """Links to another phone of one's own."""
    waits, asked, agreed, used = (_link() for _one in range(4))
    for link in (asked, agreed, used):
        phones.ask_link(link, "secret", IPHONE)
    for link in (agreed, used):
        phones.agree_link(link.user, link.pk)
    phones.use_link(used, "secret")
    # A walk through all screens takes longer than a link lasts.
    PhoneLink.objects.update(made_at=timezone.now() + timedelta(hours=1))
    yield Screen("link, made", waits.user, "/me/link/")
    yield Screen("link, a phone asks", asked.user, "/me/link/")
    yield Screen("link, agreed", agreed.user, "/me/link/")
    yield Screen("link, opened", None, f"/link/{links.token_of(waits)}/")
    yield Screen("link, opened, and asks", None, f"/link/{links.token_of(_link())}/", _submit("main form button"))
    yield Screen("link, used", None, f"/link/{links.token_of(used)}/", status=410)


def _ways_out() -> Iterator[Screen]:
    """A circle that is left, archived or deleted, and what is left of it; deleting one's book."""
    owner, keeper, viewer = (UserFactory() for _user in range(3))
    running = evening_of(owner, LONG)
    record(running, owner)
    of_circle = {"circle": running.circle, "player": running.seats.get(position=0).player}
    MemberFactory(user=keeper, **of_circle)
    MemberFactory(user=viewer, role=Role.VIEWER, **of_circle)
    ended = evening_of(owner, ("Anna", "Béla", LONG[2]))
    record(ended, owner)
    MemberFactory(circle=ended.circle, role=Role.OWNER)
    MemberFactory(circle=ended.circle, user=keeper, player=ended.seats.get(position=1).player)
    archived, deleted = evening_of(keeper, OTHERS), evening_of(owner, ("Gabi", "Hugó", "Ida"))
    MemberFactory(circle=deleted.circle, user=keeper)
    for evening in (ended, archived, deleted):
        evenings.end(evening.pk)
    circles.archive(archived.circle_id)
    circles.delete(deleted.circle_id)
    of_running, of_ended = (f"/circles/{evening.circle_id}/" for evening in (running, ended))
    yield Screen("leave, viewer", viewer, f"{of_running}leave/")
    yield Screen("leave, the only owner", owner, f"{of_running}leave/")
    yield Screen("archive, while a session is running", owner, f"{of_running}archive/")
    yield Screen("archive", owner, f"{of_ended}archive/")
    yield Screen("delete", owner, f"{of_ended}delete/")
    yield Screen("delete, another name", owner, f"{of_running}delete/", _type_wrong_name)
    yield Screen("own book, to be handed over first", owner, "/me/delete/")
    yield Screen("own book, not sure", keeper, "/me/delete/", _submit("main form .button.danger"))
    yield Screen("circle, archived", keeper, f"/circles/{archived.circle_id}/")
    yield Screen("circle closed", keeper, f"/sessions/{archived.pk}/edit/", status=403)
    yield Screen("circle, deleted, keeper", keeper, f"/circles/{deleted.circle_id}/")
    yield Screen("home, circles archived and deleted", keeper, "/", unfold)


def _imports() -> Iterator[Screen]:
    owner, other, newcomer = UserFactory(), UserFactory(), UserFactory()
    evening, mine = evening_of(owner, LONG), evening_of(other, LONG)
    record(evening, owner, "2H 7")
    value = json.loads(b"".join(document.of_circle(evening.circle)))
    yield Screen("import, into a circle", other, f"/import/?circle={mine.circle_id}")
    yield Screen("import, here already", owner, _import(_brought(owner, value)))
    for part in (*value["players"], *value["sessions"]):
        old, part["id"] = part["id"], str(uuid4())
        for seat in (seat for session in value["sessions"] for seat in session["seats"]):
            seat["player"] = part["id"] if seat["player"] == old else seat["player"]
    yield Screen("import, players matched", other, _import(_brought(other, value, mine.circle)))
    value["sessions"][0]["hands"][0]["number"] = 9
    yield Screen("import, faults", newcomer, _import(_brought(newcomer, value)))
    taken = _brought(UserFactory(), value | {"sessions": []})
    import_rows.begin_to_take(taken)
    KINDS[taken.kind].take(taken, lambda: True)
    import_rows.end_taking(taken)
    keeper = UserFactory()
    yield Screen("import, a table", keeper, _import(_tabled(keeper, evening_of(keeper, LONG).circle)))
    yield Screen("import, taken in", taken.user, _import(taken))


def _join(evening: Evening, role: Role) -> str:
    maker = Member.objects.filter(circle=evening.circle, role=Role.OWNER).get().user
    return f"/join/{token_of(members.make_link(evening.circle_id, role, by=maker))}/"


def _link() -> PhoneLink:
    """Return the link of a user in two circles."""
    user: User = UserFactory()
    evening_of(user, LONG)
    evening_of(user, OTHERS)
    link: PhoneLink = phones.make_link(user)
    return link


def _passkey(user: User, authenticator: str, domain: str) -> Passkey:
    handle = UserHandle.objects.create(user=user, handle=token_bytes(32))
    made = {"credential_id": token_bytes(16), "public_key": b"", "device": "Chrome|Android"}
    passkey: Passkey = handle.passkeys.create(rp_id=domain, authenticator=authenticator, **made)
    Passkey.objects.filter(pk=passkey.pk).update(made_at=passkey.made_at - timedelta(days=90))
    return passkey


def _guest_with_circle(also: Circle) -> User:
    """Return a guest with a circle of its own, and with this one."""
    guest: User = UserFactory()
    evening_of(guest)
    MemberFactory(circle=also, user=guest)
    return guest


def _merged(**phone: Any) -> User:
    """Return a user into whom a guest was merged; `phone` says more of the guest's phone."""
    user: User = UserFactory()
    guest = _guest_with_circle(evening_of(user).circle)
    Phone.objects.create(user=guest, device="Safari|iPhone", **phone)
    users.merge(guest.pk, user.pk)
    return user


def _tabled(user: User, circle: Circle) -> Import:
    """A table with all that is asked: the game, the order of days, a likeness, a sum not zero, and odd lines."""
    lines = [("date", "game", *LONG, LONG[0].upper()), ("01/02/2024", "", "5", "-5", "1"), ("02/02/2024", "", *"500")]
    lines += [
        ("03/02/2024", "", "8", "-5", "-3"),
        ("x", "", "1", "-1", "0"),
        ("", "x"),
        ("Total", "", "13", "-10", "-2"),
    ]
    text = "\n".join("\t".join(line) for line in lines)
    stored = KINDS["table"].stored(BytesIO(text.encode()), lambda: True)
    return import_rows.open_import(user, stored, file_name="", circle=circle)


def _brought(user: User, value: dict[str, Any], circle: Circle | None = None) -> Import:
    stored = KINDS["book"].stored(BytesIO(document.packed(value)), lambda: True)
    row = import_rows.open_import(user, stored, file_name=f"{' '.join(LONG)}.json", circle=circle)
    KINDS["book"].read(row, lambda: True)
    return row


def _import(row: Import) -> str:
    return f"/import/{row.token}/"


def _camera_on(page: Page) -> None:
    for part in page.locator("[data-scan], [data-scan] [data-while]").all():
        part.evaluate("(it) => { it.hidden = it.dataset.while === 'off' }")


def _tap_without_cookie(page: Page) -> None:
    page.context.clear_cookies(name="csrftoken")
    submitted(page)
    page.locator("main .notice[role=alert]").wait_for()


def _submit(button: str) -> Callable[[Page], None]:
    return lambda page: submitted(page, button)


def _type(words: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.locator("textarea").fill(words)
        submitted(page, "main form .primary")

    return act


def _leave_for(kept: User) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        _type(phones.make_spare_key(kept.pk))(page)
        page.locator("main .keep a.button").tap()
        page.locator("button[name=leave]").wait_for()

    return act


def _type_wrong_name(page: Page) -> None:
    page.locator("#name").fill("Somebody else's")
    submitted(page, "main form .button.danger")
