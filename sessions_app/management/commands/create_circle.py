"""manage.py create_circle NAME: make a circle, and print the link by which its owner comes in."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from sessions_app.forms.fields import LineField
from sessions_app.management.commands.invite import address_of
from sessions_app.management.data_version import refuse_other_version
from sessions_app.models import CIRCLE_NAME_LENGTH, Role
from sessions_app.writers import circles, members


class Command(BaseCommand):
    help = "Make a circle, and print its invite link. Whoever opens it first runs the circle."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name of the circle; its members can change it")
        parser.add_argument("--port", type=int, default=8000, help="the server's port, unless a proxy has its own")

    def handle(self, *, name: str, port: int, **options: Any) -> None:
        refuse_other_version()
        with translation.override("en"):
            try:
                circle = circles.create_unowned(LineField(max_length=CIRCLE_NAME_LENGTH).clean(name))
            except ValidationError as refused:
                raise CommandError(" ".join(refused.messages)) from refused
        link = members.make_link(circle.pk, Role.KEEPER, by=None)
        self.stdout.write(f"Circle {circle.pk}. Whoever opens this first runs it:\n{address_of(link, port)}")
