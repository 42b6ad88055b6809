"""manage.py verify: recount every hand from its facts and list what is wrong."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from sessions_app.writers import verifying


class Command(BaseCommand):
    help = "Recount every hand and name every entry, total, standing or version that is wrong. Changes nothing."

    def handle(self, **options: Any) -> None:
        found = verifying.verify(lambda fault: self.stdout.write(str(fault)))
        looked_at = f"{found.evenings} sessions, {found.hands} hands"
        if found.faults:
            raise CommandError(f"{looked_at}: {found.faults} faults. Nothing was changed.")
        self.stdout.write(f"{looked_at}: no faults.")
