"""manage.py verify: recount every hand from its facts and list the differences."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from sessions_app.management import many
from sessions_app.management.data_version import refuse_other_time_zone, refuse_other_version
from sessions_app.readers import verify


class Command(BaseCommand):
    help = "Recount every hand and list every entry, total, standing and version that is wrong. Changes nothing."

    def handle(self, **options: Any) -> None:
        refuse_other_version()
        refuse_other_time_zone()
        found = verify.verify(lambda fault: self.stdout.write(str(fault)))
        looked_at = f"{many(found.evenings, 'session')}, {many(found.hands, 'hand')}"
        if found.faults:
            raise CommandError(f"{looked_at}: {many(found.faults, 'fault')}. Nothing was changed.")
        self.stdout.write(f"{looked_at}: no faults.")
