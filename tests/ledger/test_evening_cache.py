"""The evening cache agrees with the database, for every viewer and after every concurrent write."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.models import F
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, HandMark, Role, User
from sessions_app.readers import evening_cache, next_deal
from sessions_app.readers.evening_edit import latest_change, shape_of
from sessions_app.writers import evening_edit, evenings, ledger, reactions
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.views.page import Page, hand_form

pytestmark = pytest.mark.django_db(transaction=True)
PATHS = ("", "?before=2", "hands/new/", "settle/", "table/", "live/?v=0", "live/?v=0&from=1")
KIND = HandMark.Kind


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    evening_cache._cache.clear()
    yield
    evening_cache._cache.clear()


@pytest.fixture
def phones(evening: Evening, owner: User, client_of: Callable[[User | None], Client]) -> list[Client]:
    viewer = MemberFactory(circle=evening.circle, user=UserFactory(), role=Role.VIEWER).user
    return [client_of(owner), client_of(viewer)]


def seen(phones: list[Client], evening: Evening) -> list[tuple[int, str]]:
    """The pages of each phone, without the random values of each form."""
    answers = [phone.get(f"/sessions/{evening.pk}/{path}") for path in PATHS for phone in phones]
    chance = re.compile(r'name="(?:csrfmiddlewaretoken|token)"\s+value="[^"]*"')
    return [(answer.status_code, chance.sub("", answer.text)) for answer in answers]


def at(evening: Evening, version: int) -> tuple[object, ...]:
    """The key of the evening at another version."""
    return (evening.token, version, evening.last_number, evening.ended_at)


def announced(phones: list[Client], evening: Evening) -> None:
    form = hand_form(Page.of(phones[0].get(f"/sessions/{evening.pk}/hands/new/")))
    said = form | {"declarer": "0", "contract": "2", "trump": "hearts"}
    assert phones[0].post(f"/sessions/{evening.pk}/announce/", said).status_code == 302


def edited(evening: Evening, by: User, **changed: object) -> None:
    now = Evening.objects.get(pk=evening.pk)
    wanted = replace(shape_of(now), **changed)  # type: ignore[arg-type]
    evening_edit.edit(evening.pk, wanted, seen=latest_change(now), by=by)


def test_after_every_kind_of_write_all_phones_see_what_stands_in_the_database(
    phones: list[Client], evening: Evening, owner: User
) -> None:
    pk, names, facts = evening.pk, shape_of(evening).names, Facts(0, 1, "1H 8 K")
    writes: list[Callable[[], object]] = [
        lambda: edited(evening, owner, first_dealer=1),
        lambda: edited(evening, owner, names=("Annamária", *names[1:])),
        lambda: edited(evening, owner, stake=Decimal(20)),
        *[lambda: record(evening, owner)] * 3,
        lambda: ledger.amend(pk, 2, facts=facts, by=owner),
        lambda: ledger.void(pk, 3, by=owner),
        lambda: ledger.restore(pk, 3, by=owner),
        lambda: reactions.mark(pk, 1, KIND.OK, by=owner),
        lambda: reactions.mark(pk, 2, KIND.HM, by=owner),
        lambda: reactions.settle(pk, 2),
        lambda: announced(phones, evening),
        lambda: evenings.end(pk),
        lambda: evenings.reopen(pk),
    ]
    before = seen(phones, evening)  # everything cached of this version is there
    for write in writes:
        write()
        kept = seen(phones, evening)
        evening_cache._cache.clear()
        assert seen(phones, evening) == kept
        assert kept != before
        before = kept


def test_nobody_sees_a_part_that_is_not_his(phones: list[Client], evening: Evening, owner: User) -> None:
    record(evening, owner)
    seen(phones, evening)  # all of them follow
    other = evening_of(UserFactory(), names=("Xénia", "Yvett", "Zita"))
    evening_cache._cache.clear()
    alone = []
    for phone in phones:
        evening_cache._cache.clear()
        alone.append(seen([phone], evening))
    evening_cache._cache.clear()
    together = seen(phones, evening)
    for number, mine in enumerate(alone):
        assert together[number :: len(phones)] == mine
    assert {status for status, _html in seen(phones, other)} == {404}
    assert "Xénia" not in str(together)


def test_what_was_never_written_for_good_is_kept_nowhere(evening: Evening) -> None:
    with transaction.atomic():
        Evening.objects.filter(pk=evening.pk).update(version=F("version") + 1, first_dealer=2)
        mine = evening_cache.evening_at(evening.pk, at(evening, evening.version + 1))
        assert evening_cache.turn(mine).dealer == 2
        transaction.set_rollback(True)
    Evening.objects.filter(pk=evening.pk).update(version=F("version") + 1)
    found = evening_cache.evening_at(evening.pk, at(evening, evening.version + 1))
    assert evening_cache.turn(found).dealer == 0


def test_what_is_written_while_it_is_read_is_not_kept_under_the_version_before(
    evening: Evening, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = next_deal.turn

    def interrupted(of: Evening) -> next_deal.Turn:
        monkeypatch.setattr(next_deal, "turn", read)
        record(evening, owner)
        return read(of)

    monkeypatch.setattr(next_deal, "turn", interrupted)
    old = Evening.objects.get(pk=evening.pk)
    assert evening_cache.turn(old).dealer == 1
    assert len(evening_cache._cache) == 0


def test_an_evening_that_gets_the_number_of_another_is_another(owner: User, evening: Evening) -> None:
    assert evening_cache.evening_at(evening.pk, at(evening, 1)).first_dealer == 0
    Evening.objects.filter(pk=evening.pk).update(token=uuid4(), first_dealer=2)
    now = Evening.objects.get(pk=evening.pk)
    assert evening_cache.evening_at(evening.pk, at(now, 1)).first_dealer == 2


def test_an_evening_that_moves_on_between_two_questions_is_read_as_it_is(owner: User, evening: Evening) -> None:
    record(evening, owner)
    found = evening_cache.evening_at(evening.pk, at(evening, 1))
    assert (found.version, found.last_number) == (2, 1)
    assert len(evening_cache._cache) == 0
