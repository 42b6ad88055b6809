"""manage.py delete_circle NUMBER: delete a circle with all its sessions, payments and members, for good."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.management.commands.circles import described, missing
from sessions_app.management.data_version import refuse_other_version
from sessions_app.readers.people.circles import circle_sizes
from sessions_app.writers import cleanup


class Command(BaseCommand):
    help = "Delete a circle with all its sessions, payments and members. Without --yes, say what would be deleted."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("circle", type=int, help="number of the circle, as 'circles' lists it")
        parser.add_argument("--yes", action="store_true", help="delete it; nothing but a backup brings it back")

    def handle(self, *, circle: int, yes: bool, **options: Any) -> None:
        refuse_other_version()
        sizes = circle_sizes(only=circle)
        if not sizes:
            raise CommandError(missing(circle))
        (size,) = sizes
        if not yes:
            raise CommandError(f"Nothing was deleted. To delete this for good, add --yes:\n  {described(size)}")
        cleanup.delete_circle(circle)
        self.stdout.write(f"Deleted {described(size)}")
