"""The version of the stored data, told by the migrations that were applied to them, and their time zone."""

from collections.abc import Iterable

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connections
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from scorekeeper.ops.backups import NewerData, refuse_newer
from sessions_app.models import Installation

#: The last commit whose program brings data from before version 1.0 to the state that this one goes on from.
LAST_BEFORE_1_0 = "4feb1d78"


def applied(database: str = "default") -> set[str]:
    """Return the applied migrations, as 'app.name'."""
    return {f"{app}.{name}" for app, name in MigrationRecorder(connections[database]).applied_migrations()}


def known() -> set[str]:
    """Return the migrations of this program and those that they replace, as 'app.name'."""
    return {f"{app}.{name}" for key, made in _on_disk().items() for app, name in (key, *made.replaces)}


def missing() -> set[str]:
    """Return the migrations of this program that were not applied, as 'app.name'."""
    return {f"{app}.{name}" for app, name in _on_disk()} - applied()


def refuse_older(what: str, applied: Iterable[str]) -> None:
    """Raise CommandError if only some of the replaced migrations were applied. `what` names the data."""
    for made in _on_disk().values():
        replaced = {f"{app}.{name}" for app, name in made.replaces}
        if 0 < len(replaced.intersection(applied)) < len(replaced):
            raise CommandError(
                f"{what} was written by a version before 1.0, and this program cannot bring it up to date by itself. "
                f"Start the commit {LAST_BEFORE_1_0} once (git checkout {LAST_BEFORE_1_0}, then ./run), and then this "
                "one again. Nothing was changed."
            )


def refuse_other_version(database: str = "default") -> None:
    """Raise CommandError if the data are of a version that this program may damage: a newer one, or one before 1.0."""
    try:
        there = applied(database)
        refuse_newer("The database", there, known())
        refuse_older("The database", there)
    except NewerData as error:
        raise CommandError(str(error)) from error
    except DatabaseError as error:
        raise CommandError(f"The database does not answer: {error}") from error


def _on_disk() -> dict[tuple[str, str], Migration]:
    return MigrationLoader(None).disk_migrations


def refuse_other_time_zone() -> None:
    """Raise CommandError if the data were counted by another time zone than that of the settings."""
    zone = Installation.objects.values_list("time_zone", flat=True).first()
    if zone not in (None, settings.TIME_ZONE):
        raise CommandError(
            f"The sessions are counted by the time zone {zone}, but SCOREKEEPER_TIME_ZONE is {settings.TIME_ZONE}. "
            f"Set it to {zone}, as for the server. Nothing was checked."
        )
