"""The version of the stored data, told by the migrations that were applied to them, and their time zone."""

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from scorekeeper.ops.backups import NewerData, refuse_newer
from sessions_app.models import Installation


def applied(database: str = "default") -> set[str]:
    """Return the applied migrations, as 'app.name'."""
    return {f"{app}.{name}" for app, name in MigrationRecorder(connections[database]).applied_migrations()}


def known() -> set[str]:
    """Return the migrations of this program, as 'app.name'."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}


def refuse_newer_data(database: str = "default") -> None:
    """Raise CommandError if a newer version of the program has written the data: this one might damage them."""
    try:
        refuse_newer("The database", applied(database), known())
    except NewerData as error:
        raise CommandError(str(error)) from error
    except DatabaseError as error:
        raise CommandError(f"The database does not answer: {error}") from error


def refuse_other_time_zone() -> None:
    """Raise CommandError if the data were counted by another time zone than that of the settings."""
    zone = Installation.objects.values_list("time_zone", flat=True).first()
    if zone not in (None, settings.TIME_ZONE):
        raise CommandError(
            f"The sessions are counted by the time zone {zone}, but SCOREKEEPER_TIME_ZONE is {settings.TIME_ZONE}. "
            f"Set it to {zone}, as for the server. Nothing was checked."
        )
