"""manage.py sweep: delete circles that were deleted a day ago, and demos and guests unused for a month."""

from typing import Any

from django.core.management.base import BaseCommand

from sessions_app.management import many
from sessions_app.management.data_version import refuse_other_version
from sessions_app.writers import cleanup


class Command(BaseCommand):
    help = (
        "Delete circles whose deletion can no longer be taken back, and demos and guests who have nothing else after "
        f"{cleanup.UNUSED_FOR.days} days without use."
    )

    def handle(self, **options: Any) -> None:
        refuse_other_version()
        swept = cleanup.sweep()
        circles, guests = many(swept.circles, "circle"), many(swept.guests, "guest")
        self.stdout.write(f"Deleted {circles} and {guests}. No other session was touched.")
