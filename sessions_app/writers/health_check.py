"""The write by which the health check tests the database."""

from django.db import transaction

from sessions_app.models import ProbeRow


def write_and_delete() -> None:
    """Insert a row, delete it, and commit both: a rollback would not have to reach the disk."""
    with transaction.atomic():
        ProbeRow.objects.create().delete()
