"""manage.py import_circle FILE: read a book that `export_circle` has written, or that was downloaded from a page."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import translation

from sessions_app.errors import DocumentRefused
from sessions_app.management import many
from sessions_app.management.data_version import refuse_other_version
from sessions_app.models import Circle, Role, User
from sessions_app.readers.book import document_parts, document_reading, import_plan
from sessions_app.readers.people.members import token_of
from sessions_app.writers import imports, members


class Command(BaseCommand):
    help = (
        "Read a circle's book from a file. A circle that has players of it already takes what it does not have; "
        "else there is a new one. An import that was interrupted goes on when it is started again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="file to read")
        parser.add_argument("--owner", help="name of the user who will run a new circle; without it a link is printed")

    def handle(self, *, file: Path, owner: str | None, **options: Any) -> None:
        refuse_other_version()
        by = User.objects.filter(username=owner).first() if owner else None
        if owner and by is None:
            raise CommandError(f"There is no user {owner!r}.")
        try:
            with translation.override("en"):
                imported = self._imported(file, by)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}.") from error
        except DocumentRefused as refused:
            raise CommandError(f"{file}: {refused}.") from refused
        new = f"{many(imported.sessions, 'session')} and {many(imported.payments, 'payment')} are new in circle"
        self.stdout.write(f"{new} {imported.circle.pk}; {imported.known} of the file were here already.")

    def _imported(self, file: Path, by: User | None) -> imports.Imported:
        with file.open("rb") as opened:
            document = document_reading.read(opened.read(document_parts.MOST_BYTES + 1))
        plan = import_plan.planned(document, import_plan.circle_of(document))
        owner = by or (User.new_guest() if plan.circle is None else None)
        imported = imports.write(document, plan, by=owner)
        if owner and not by:
            self._print_link(imported.circle, owner)
        return imported

    def _print_link(self, circle: Circle, owner: User) -> None:
        """Print the address by which a phone becomes a keeper; it may then claim to run the circle."""
        link = reverse("join", args=[token_of(members.make_link(circle.pk, Role.KEEPER, by=owner))])
        self.stdout.write(f"Open {link} on a phone to enter the circle. Nobody runs it until a member claims to.")
