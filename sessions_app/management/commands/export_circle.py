"""manage.py export_circle CIRCLE: write all that a circle's book holds, as JSON, for `import_circle`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.management.commands.circles import missing
from sessions_app.management.data_version import refuse_other_version
from sessions_app.models import Circle
from sessions_app.readers.book import document
from sessions_app.transactions import snapshot


class Command(BaseCommand):
    help = "Write a circle's book as JSON to standard output. The server can keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("circle", type=int, help="number of the circle, as in its address")

    def handle(self, *, circle: int, **options: Any) -> None:
        refuse_other_version()
        with snapshot():
            found = Circle.objects.filter(pk=circle).first()
            if found is None:
                raise CommandError(missing(circle))
            for part in document.of_circle(found):
                self.stdout.write(part.decode(), ending="")
