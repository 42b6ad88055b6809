"""An older program refuses data that a newer one has written, in a sentence that says which version it needs."""

from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from sessions_app.management.commands.serve import bring_up_to_date

pytestmark = pytest.mark.django_db

COMMANDS = [
    pytest.param(bring_up_to_date, id="serve"),
    *(
        pytest.param(lambda name=name: call_command(name, verbosity=0), id=name)
        for name in ("migrate", "verify", "sweep")
    ),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_reads_or_writes_newer_data_names_the_migration_it_needs_and_stops(
    command: Callable[[], object],
) -> None:
    MigrationRecorder(connection).record_applied("sessions_app", "9999_later")
    with pytest.raises(CommandError) as refused:
        command()
    assert str(refused.value) == (
        "The database was written by a newer version of the program: this one does not know the migration "
        "sessions_app.9999_later. Update the program, or restore a backup that is as old as it."
    )
