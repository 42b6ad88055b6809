"""manage.py sweep: delete demos, and guests who have nothing else, after a month without use."""

from typing import Any

from django.core.management.base import BaseCommand

from sessions_app.management.data_version import refuse_other_version
from sessions_app.management.plurals import many
from sessions_app.writers import cleanup


class Command(BaseCommand):
    help = f"Delete demos, and guests who have nothing else, after {cleanup.UNUSED_FOR.days} days without use."

    def handle(self, **options: Any) -> None:
        refuse_other_version()
        swept = cleanup.sweep()
        demos, guests = many(swept.circles, "demo"), many(swept.guests, "guest")
        self.stdout.write(f"Deleted {demos} and {guests}. No other session was touched.")
