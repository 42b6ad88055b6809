"""The screens of a player's statement: long names and figures, thirds, pages, two currencies, and an empty one."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Player, Repayment, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.readers.money.statement import ROWS_PER_PAGE
from sessions_app.writers import evening_edit, evenings, ledger, players, repayments
from tests.browser.gallery import LONG, Screen
from tests.browser.gallery_repayments import MUCH
from tests.factories import UserFactory, evening_of, record, started


def screens() -> Iterator[Screen]:
    keeper, newcomer = UserFactory(), UserFactory()
    fresh = evening_of(newcomer, LONG)
    nobody = fresh.seats.get(position=0).player_id
    yield Screen("statement, empty", newcomer, f"/circles/{fresh.circle_id}/players/{nobody}/statement/")
    evening = evening_of(keeper, LONG, stake=MUCH, currency="HUF")
    circle = f"/circles/{evening.circle_id}/players"
    payee, payer, _third = evening.seats.values_list("player", flat=True)
    record(evening, keeper, "3S 9 K A*R", declarer=0)
    evenings.end(evening.pk)
    titled = replace(shape_of(Evening.objects.get(pk=evening.pk)), title="Szilveszter éjjelén, a nagyszobában")
    evening_edit.edit(evening.pk, titled, seen=0, by=keeper)
    _thirds(keeper)
    _merged(evening, keeper)
    points = evening_of(keeper, LONG, stake=None, currency="")
    record(points, keeper, "2H 5", declarer=0)
    evenings.end(points.pk)
    wanted = repayments.Wanted(payer, payee, 12_345_678, "HUF", note=LONG[0])
    repayments.book(evening.circle_id, wanted, token=uuid4(), by=keeper)
    wanted = repayments.Wanted(payer, payee, 10**9, "HUF", kind="opening", note="kék füzet, 2019")
    repayments.book(evening.circle_id, wanted, token=uuid4(), by=keeper)
    evenings.reopen(evening.pk)
    yield Screen("statement, all on one page", keeper, f"{circle}/{payee}/statement/")
    long_ago = timezone.now() - timedelta(days=400)
    Repayment.objects.bulk_create(
        Repayment(
            circle=evening.circle,
            payer_id=payer,
            payee_id=payee,
            units=500 + day,
            currency="HUF",
            made_at=long_ago + timedelta(days=day),
        )
        for day in range(ROWS_PER_PAGE)
    )
    yield Screen("statement, first page", keeper, f"{circle}/{payee}/statement/?currency=HUF")


def _thirds(keeper: User) -> None:
    """Let something be agreed on in Preference that comes to thirds of forints."""
    opening = evenings.Opening(LONG, 0, MUCH, "HUF", "preference")
    evening = started(opening, by=keeper)
    facts = Facts(0, None, "= D2+2", deal_stays=True)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=facts, by=keeper)
    evenings.end(evening.pk)


def _merged(evening: Evening, keeper: User) -> None:
    """Let the first player have sat under another name."""
    other = evening_of(keeper, ("Erzsi", *LONG[1:]))
    record(other, keeper, "2H 7", declarer=0)
    evenings.end(other.pk)
    name = Player.objects.get(circle=evening.circle, name="Erzsi")
    players.merge(evening.circle_id, evening.seats.get(position=0).player_id, name.pk, by=keeper)
