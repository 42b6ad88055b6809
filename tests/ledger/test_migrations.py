"""Migration of data of the version before."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils import timezone

from scorekeeper.games.asszorti.hand_in_play import HandState
from scorekeeper.games.preference import sheet_to_text
from sessions_app.hand_facts import Facts
from sessions_app.models import (
    Evening,
    Hand,
    HandEntry,
    HouseProfile,
    Member,
    OpenHand,
    Player,
    Revision,
    User,
)
from sessions_app.readers.evening.edit import shape_of
from sessions_app.readers.evening.hand_counts import sheet_of
from sessions_app.writers import circles, evening_edit, evenings, ledger, players, repayments
from tests.ledger.books import assert_books_balance, assert_verified, everything
from tests.ledger.version_before import EVENINGS, lay
from tests.ledger.version_before import Evening as EveningBefore

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE_ENTRIES = [("sessions_app", "0005_what_was_replaced")]


def migrated(to: list[tuple[str, str]]) -> Any:
    """The models as they are at that version, the database brought there."""
    executor = MigrationExecutor(connection)
    executor.migrate(to)
    return executor.loader.project_state(to).apps


def leaf() -> list[tuple[str, str]]:
    return MigrationExecutor(connection).loader.graph.leaf_nodes()


@pytest.fixture
def back_at_the_end() -> Iterator[None]:
    yield
    migrated(leaf())


@pytest.fixture
def before(back_at_the_end: None) -> Any:
    return migrated([("sessions_app", "0003_leaving_and_demo")])


@pytest.fixture
def models(back_at_the_end: None) -> Callable[[str], Any]:
    """The models of the version before entries, by name."""
    return partial(migrated(BEFORE_ENTRIES).get_model, "sessions_app")


@pytest.mark.thorough
def test_who_made_a_table_and_never_said_who_he_is_is_asked_and_a_loaded_demo_is_nobody_s(before: Any) -> None:
    user, table, member, player, evening = (
        before.get_model("sessions_app", name) for name in ("User", "Table", "Member", "Player", "GameSession")
    )

    def guest(name: str, **facts: Any) -> Any:
        return user.objects.create(username=name, is_guest=True, **facts)

    mine, named, shown = table.objects.create(), table.objects.create(), table.objects.create(is_demo=True)
    anna = player.objects.create(table=named, name="Anna")
    seen = guest("seen", last_login=timezone.now())
    made = {
        "maker": member.objects.create(table=mine, user=seen, role="owner"),
        "took over": member.objects.create(table=mine, user=guest("b"), role="owner"),
        "viewer": member.objects.create(table=mine, user=guest("c"), role="viewer"),
        "has said": member.objects.create(table=named, user=guest("d"), role="owner", player=anna),
        "nobody": member.objects.create(table=shown, user=guest("e"), role="owner"),
        "opened it": member.objects.create(table=shown, user=seen, role="owner"),
    }
    kept = evening.objects.create(table=mine, first_dealer=0, stake=10, currency="HUF", last_number=3)

    after = migrated([("sessions_app", "0004_mending")])
    asked = dict(after.get_model("sessions_app", "Member").objects.values_list("pk", "to_be_asked"))
    assert {name: asked.get(row.pk) for name, row in made.items()} == {
        "maker": True, "took over": False, "viewer": False, "has said": False, "nobody": None, "opened it": False,
    }  # fmt: skip
    assert after.get_model("sessions_app", "GameSession").objects.get(pk=kept.pk).seating == 0


def rows_of(models: Callable[[str], Any]) -> dict[str, list[dict[str, Any]]]:
    """Every row that the version before knows, in an order that no key tells: some keys are given anew."""
    named = {
        "GameSession": [], "Hand": [], "Revision": [], "Seat": [], "OpenHand": [],
        "HandPayment": ["id"], "PairTotal": ["id"],
    }  # fmt: skip
    found = {}
    for name, without in named.items():
        columns = [field.attname for field in models(name)._meta.concrete_fields if field.attname not in without]
        found[name] = sorted(models(name).objects.values(*columns), key=str)
    return found


@pytest.mark.thorough
def test_evenings_of_the_version_before_are_carried_over_exactly_and_back(models: Callable[[str], Any]) -> None:
    owner = models("User").objects.create(username="owner", is_guest=True)
    laid = [(lay(models, evening, owner).pk, evening) for evening in EVENINGS]
    was = rows_of(models)

    migrated(leaf())
    for pk, evening in laid:
        assert_carried_over(Evening.objects.get(pk=pk), evening)
    carried = everything()

    again = partial(migrated(BEFORE_ENTRIES).get_model, "sessions_app")
    assert rows_of(again) == was

    migrated(leaf())
    assert without_keys(everything()) == without_keys(carried)


def without_keys(rows: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Entries are written anew on the way there; all else is as it was."""
    entries = [{name: value for name, value in row.items() if name != "id"} for row in rows["HandEntry"]]
    return rows | {"HandEntry": sorted(entries, key=str)}


def assert_carried_over(row: Evening, evening: EveningBefore) -> None:
    assert row.lineup == "-".join(map(str, range(evening.seats)))
    assert (row.rules, row.standing) == ("", "")
    totals = {("paid", *pair): total for pair, total in evening.totals().items() if any(total)}
    assert {account: tuple(total) for account, total in row.sheet.items()} == totals
    for hand, then in zip(row.hands.order_by("number"), evening.now(), strict=True):
        assert (hand.lineup, hand.standing) == (row.lineup, "")
        columns = ("account", "seat", "against", "amount", "reason")
        written = HandEntry.objects.filter(hand=hand).values_list(*columns)
        assert sorted(written) == [("paid", *paid, "points") for paid in then.payments(evening.seats)]
    for hand, times in zip(row.hands.order_by("number"), evening.hands, strict=True):
        assert [(each.action, each.after) for each in hand.revisions.order_by("number")] == [
            (action, entries_for_payments(then.state(evening.seats))) for action, then in times
        ]
        assert set(hand.revisions.values_list("version", "cause")) == {(None, None)}
    assert_books_balance(row)
    assert_open_hand_carried_over(row, evening)


def entries_for_payments(state: dict[str, Any]) -> dict[str, Any]:
    paid = state.pop("payments")
    return state | {"entries": [["paid", *payment, "points"] for payment in paid]}


def assert_open_hand_carried_over(row: Evening, evening: EveningBefore) -> None:
    open_hand = OpenHand.objects.filter(evening=row).first()
    assert bool(open_hand) == bool(evening.open_hand)
    if open_hand:
        was = dict(evening.open_hand)
        dealer, replaced = was.pop("dealer"), was.pop("replaced", None)
        assert (open_hand.dealer, open_hand.state) == (dealer, was)
        if replaced:
            kept = {name: value for name, value in replaced.items() if name != "dealer" and value != ""}
            assert open_hand.replaced == {"dealer": replaced["dealer"], "state": kept}
        assert HandState.from_state(dealer, open_hand.state).to_state() == was
        assert open_hand.has_begun == bool(was)


@pytest.mark.thorough
def test_an_evening_of_the_version_before_opens_with_the_same_figures(models: Callable[[str], Any]) -> None:
    owner = models("User").objects.create(username="owner", is_guest=True)
    laid = [(lay(models, evening, owner).pk, evening) for evening in EVENINGS]

    migrated(leaf())
    phone = Client(headers={"accept-language": "en"})
    phone.force_login(User.objects.get(pk=owner.pk))
    for pk, evening in laid:
        page = phone.get(f"/sessions/{pk}/").content.decode()
        assert [int(balance) for balance in re.findall(r'data-balance="([^"]*)"', page)] == evening.balances()
        lines = re.findall(r'<tr id="hand-(\d+)"\s+class="line( void| undone)?', page)
        assert [(int(number), bool(gone)) for number, gone in lines] == [
            (number, hand.is_void) for number, hand in reversed([*enumerate(evening.now(), start=1)])
        ]
        for number in range(1, len(evening.hands) + 1):
            assert phone.get(f"/sessions/{pk}/hands/{number}/").status_code == 200
    assert Hand.objects.count() == sum(len(evening.hands) for _pk, evening in laid)
    assert Revision.objects.count() == sum(len(times) for _pk, evening in laid for times in evening.hands)


#: A house, and hands of seat 0 that seat 2 dealt: the entries before pairs halved the tricks that their side lacks, and
#: since.
PAIRS = [
    (
        "sochi pair_shares=yes",
        ("6S ww 7-3-0", "P0+2 D1+2 D2+2 B1>0+3 B2>0+3", "P0+2 D1+1 D2+1 B1>0+3 B2>0+3"),
        ("6S ww 8-1-1", "P0+2 D1+2 D2+2 B1>0+2 B2>0+2", "P0+2 D1+2 D2+2 B1>0+2 B2>0+2"),
        ("6S wp 7", "P0+2 D1+2 B1>0+6", "P0+2 D1+2 B1>0+6"),
    ),
    (
        "pair_shares=yes short_one=strict",
        ("8S ww 7-3-0", "D0+6 B0>1+3 B0>2+3 B1>0+6 B2>0+6", "D0+6 B1>0+15 B2>0+15"),
        ("8S ww 10-0-0", "P0+6 B0>1+6 B0>2+6", "P0+6 B0>1+3 B0>2+3"),
    ),
    ("leningrad pair_shares=yes", ("9S ww 10-0-0", "P0+8 D1+8 D2+8", "P0+8 D1+4 D2+4")),
    # The points that one of the pair then clears off his dump, and the rest for his pool, follow from it.
    (
        "pair_shares=yes short_share=own short_to=dump made_to=dump_first",
        ("6S ww 7-3-0", "P0+2 D1+2 D2+2", "P0+2 D1+1 D2+1"),
        ("@1 6S pp", "D1-2", "P1+1 D1-1"),
        ("@1 6S pp", "P1+2", "P1+2"),
    ),
]


@pytest.mark.thorough
def test_pairs_that_share_are_counted_again_and_as_before_on_the_way_back(back_at_the_end: None) -> None:
    owner = User.objects.create(username="owner", is_guest=True)
    laid = [(house, told, _evening_of_pairs(house, told, owner)) for house, *told in PAIRS]
    assert_verified()
    assert [_written(pk) for _house, _told, pk in laid] == [[now for *_said, now in told] for _house, told, _pk in laid]

    then = partial(migrated([("sessions_app", "0010_house_profiles")]).get_model, "sessions_app")
    assert [_written_then(then, pk) for _house, _told, pk in laid] == [
        [before for _deal, before, _now in told] for _house, told, _pk in laid
    ]
    before = {pk: then("GameSession").objects.get(pk=pk).version for _house, _told, pk in laid}

    migrated(leaf())
    assert_verified()
    for _house, told, pk in laid:
        evening = Evening.objects.get(pk=pk)
        assert _written(pk) == [now for *_said, now in told]
        assert_books_balance(evening)
        changed = [was != now for _deal, was, now in told]
        assert [hand.revision_count for hand in evening.hands.order_by("number")] == [1 + 2 * each for each in changed]
        assert evening.version == before[pk] + sum(changed)
    phone = Client(headers={"accept-language": "en"})
    phone.force_login(owner)
    page = phone.get(f"/sessions/{laid[0][2]}/hands/1/").content.decode()
    assert page.count("Counted again: a rule was applied wrongly before") == 2
    assert "another phone" not in page


@pytest.mark.thorough
def test_tarokk_s_house_rules_are_spelled_by_their_profile_and_by_switches_on_the_way_back(
    back_at_the_end: None,
) -> None:
    owner = User.objects.create(username="owner", is_guest=True)
    names, house = ("Anna", "Béla", "Cili", "Dani"), "pvsz kings=4"
    opening = evenings.Opening(names, 0, game_key="tarokk", rules=house, keep_as="Klub")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    plain = evenings.start(evenings.Opening(names, 0, game_key="tarokk", rules="kings=4"), token=uuid4(), by=owner)

    then = partial(migrated([("sessions_app", "0011_halve_what_the_side_lacks")]).get_model, "sessions_app")
    by_switches = "tarokks_paid_by=opponents ladder=4 kings=4 proba=3 lone_discards=all"
    assert then("GameSession").objects.get(pk=evening.pk).rules == by_switches
    assert then("HouseProfile").objects.get().rules == by_switches
    assert then("GameSession").objects.get(pk=plain.pk).rules == "kings=4"

    migrated(leaf())
    assert _rules_of(evening) == [house, house]
    assert_verified()


#: By game the hands that are laid: the declarer, the deal, whether the same dealer deals again, and the kind.
KINDS: dict[str, list[tuple[int | None, str, bool, str]]] = {
    "asszorti": [(1, "2H 7", False, "played"), (None, "", True, "thrown_in"), (None, "", False, "thrown_in")],
    "preference": [(None, "R 4-3-3", False, "played"), (1, "6S pp", False, "played"), (None, "= D1+5", True, "agreed")],
}


@pytest.mark.thorough
def test_the_kind_of_a_hand_is_filled_in_and_dropped_on_the_way_back(back_at_the_end: None) -> None:
    owner = User.objects.create(username="owner", is_guest=True)
    for game_key, told in KINDS.items():
        opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, game_key=game_key)
        evening = evenings.start(opening, token=uuid4(), by=owner)
        for number, (declarer, deal, stays, _kind) in enumerate(told, start=1):
            facts = Facts(0, declarer, deal, stays)
            ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    was, hands = everything(), list(Hand.objects.order_by("pk").values())
    assert [hand.pop("kind") for hand in hands] == [kind for told in KINDS.values() for *_facts, kind in told]

    then = migrated([("sessions_app", "0015_circles_and_evenings")]).get_model("sessions_app", "Hand")
    assert list(then.objects.order_by("pk").values()) == hands

    migrated(leaf())
    assert everything() == was
    assert_verified()


@pytest.mark.thorough
def test_search_texts_and_sort_keys_are_filled_in_and_titles_go_on_the_way_back(back_at_the_end: None) -> None:
    owner = User.objects.create(username="owner", is_guest=True)
    for names in (("Zsófi", "Béla", "Cili"), ("Zsófi", "Ödön", "Cili")):
        evenings.start(evenings.Opening(names, 0), token=uuid4(), by=owner)
    was = everything()
    evening = Evening.objects.latest("pk")
    evening_edit.edit(evening.pk, replace(shape_of(evening), title="Név", note="nap"), seen=0, by=owner)
    circles.rename(evening.circle_id, "Kör")

    then = migrated([("sessions_app", "0018_evening_rollup")])
    assert then.get_model("sessions_app", "EveningChange").objects.count() == 0

    migrated(leaf())
    raised = {row["id"]: row["version"] for row in everything()["Evening"]}
    assert raised.pop(evening.pk) == 3
    for row in was["Evening"]:
        row["version"] = raised.get(row["id"], 3)
    assert everything() == was
    assert_verified()


@pytest.mark.thorough
def test_merged_names_are_taken_apart_on_the_way_back(back_at_the_end: None) -> None:
    owner = User.objects.create(username="owner", is_guest=True)
    circle = evenings.start(evenings.Opening(("Zsófi", "Béla", "Cili"), 0), token=uuid4(), by=owner).circle
    evenings.start(evenings.Opening(("Zsófi", "Bözsi", "Cili"), 0), token=uuid4(), by=owner, circle=circle)
    bela, bozsi = (Player.objects.get(name=name) for name in ("Béla", "Bözsi"))
    Member.objects.update(player=bozsi)
    was = everything()
    players.merge(bela.circle_id, bela.pk, bozsi.pk, by=owner)

    then = migrated([("sessions_app", "0019_found_evenings")])
    assert then.get_model("sessions_app", "EveningChange").objects.count() == 0

    migrated(leaf())
    for row, now in zip(was["Evening"], everything()["Evening"], strict=True):
        row["version"] = now["version"]
    assert everything() == was
    assert_verified()


def test_payments_go_on_the_way_back_and_nothing_else(back_at_the_end: None) -> None:
    owner = User.objects.create(username="owner", is_guest=True)
    evening = evenings.start(evenings.Opening(("Zsófi", "Béla", "Cili"), 0), token=uuid4(), by=owner)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=Facts(0, 1, "2H 7"), by=owner)
    was = everything()
    zsofi, bela, _cili = evening.seats.values_list("player", flat=True)
    wanted = repayments.Wanted(zsofi, bela, 6, "points:asszorti", (evening.pk,), "at the door")
    repayments.book(evening.circle_id, wanted, token=uuid4(), by=owner)

    migrated([("sessions_app", "0024_year_sums")])

    migrated(leaf())
    assert everything() == was
    assert_verified()


@pytest.mark.thorough
def test_chips_go_with_their_history_on_the_way_back(back_at_the_end: None) -> None:
    owner = User.objects.create(username="owner", is_guest=True)
    evening = evenings.start(evenings.Opening(("Anna", "Béla", "Cili"), 0), token=uuid4(), by=owner)
    evening_edit.edit(evening.pk, replace(shape_of(evening), in_chips=True), seen=0, by=owner)
    evening.refresh_from_db()
    assert evening.in_chips

    then = migrated([("sessions_app", "0025_repayments")])
    assert then.get_model("sessions_app", "EveningChange").objects.count() == 0

    migrated(leaf())
    evening.refresh_from_db()
    assert not evening.in_chips
    assert_verified()


def _rules_of(evening: Evening) -> list[str]:
    """The rules stamped on the evening, and those that its circle has saved."""
    return [Evening.objects.get(pk=evening.pk).rules, HouseProfile.objects.get().rules]


def _evening_of_pairs(house: str, told: Any, owner: User) -> int:
    evening = evenings.start(
        evenings.Opening(("Anna", "Béla", "Cili"), 2, None, "", "preference", house), token=uuid4(), by=owner
    )
    for number, (deal, _before, _now) in enumerate(told, start=1):
        declarer = 1 if deal.startswith("@1 ") else 0
        facts = Facts(2, declarer, deal.removeprefix("@1 "))
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    return evening.pk


def _written(pk: int) -> list[str]:
    return _sheets(Hand.objects.filter(evening=pk))


def _written_then(models: Callable[[str], Any], pk: int) -> list[str]:
    return _sheets(models("Hand").objects.filter(game_session=pk))


def _sheets(hands: Any) -> list[str]:
    return [sheet_to_text(sheet_of(hand.entries.all())) for hand in hands.order_by("number")]
