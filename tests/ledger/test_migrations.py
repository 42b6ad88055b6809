"""Data of the version before, migrated."""

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = [("sessions_app", "0003_leaving_and_demo")]
AFTER = [("sessions_app", "0004_mending")]


def migrated(to: list[tuple[str, str]]) -> Any:
    """The models as they are at that version, the database brought there."""
    executor = MigrationExecutor(connection)
    executor.migrate(to)
    return executor.loader.project_state(to).apps


@pytest.fixture
def before() -> Any:
    yield migrated(BEFORE)
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


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

    after = migrated(AFTER)
    asked = dict(after.get_model("sessions_app", "Member").objects.values_list("pk", "to_be_asked"))
    assert {name: asked.get(row.pk) for name, row in made.items()} == {
        "maker": True, "took over": False, "viewer": False, "has said": False, "nobody": None, "opened it": False,
    }  # fmt: skip
    assert after.get_model("sessions_app", "GameSession").objects.get(pk=kept.pk).seating == 0
