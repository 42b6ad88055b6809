"""manage.py invite NUMBER: print the circle's invite link, for players who have lost their phones."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from scorekeeper.ops import deployment, network
from sessions_app.management.commands.circles import missing
from sessions_app.management.data_version import refuse_other_version
from sessions_app.models import Circle, Invite, Role
from sessions_app.readers.people.members import ROLES, token_of
from sessions_app.writers import members


class Command(BaseCommand):
    help = "Print the circle's invite link; make it if there is none. Its members see it and can revoke it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("circle", type=int, help="number of the circle, as 'circles' lists it")
        parser.add_argument("--role", choices=[role.value for role in ROLES], default=Role.KEEPER.value)
        parser.add_argument("--port", type=int, default=8000, help="the server's port, unless a proxy has its own")

    def handle(self, *, circle: int, role: str, port: int, **options: Any) -> None:
        refuse_other_version()
        try:
            link = members.make_link(circle, Role(role), by=None)
        except Circle.DoesNotExist as error:
            raise CommandError(missing(circle)) from error
        self.stdout.write(address_of(link, port))


def address_of(link: Invite, port: int) -> str:
    """Return the address of an invite link on this server."""
    host = deployment.address(network.EVERYWHERE[0], port, list(settings.ALLOWED_HOSTS))
    return f"{host}{reverse('join', args=[token_of(link)])}"
