"""manage.py sweep: clear away the demos, and the guests without a table, that nobody has used for a month."""

from typing import Any

from django.core.management.base import BaseCommand

from sessions_app.writers import sweeping


class Command(BaseCommand):
    help = f"Clear away demo tables, and guests who never wrote more, unused for {sweeping.UNUSED_FOR.days} days."

    def handle(self, **options: Any) -> None:
        swept = sweeping.sweep()
        self.stdout.write(
            f"Gone: {swept.tables} demo tables and {swept.guests} guests. No evening of anybody's was touched."
        )
