"""manage.py verify: count every hand again from its facts, and say what is not as it must be."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from sessions_app.writers import verifying


class Command(BaseCommand):
    help = "Count every hand again from its facts, and name every entry, total, standing or version that disagrees."

    def handle(self, **options: Any) -> None:
        found = verifying.verify(lambda fault: self.stdout.write(str(fault)))
        looked_at = f"{found.evenings} evenings, {found.hands} hands"
        if found.faults:
            raise CommandError(f"{looked_at}: {found.faults} faults. Nothing was changed.")
        self.stdout.write(f"{looked_at}: all is as it must be.")
