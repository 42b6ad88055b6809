"""manage.py messages update|compile|check: the Hungarian translations, without GNU gettext."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.management import translations


class Command(BaseCommand):
    help = "Update the Hungarian catalogue from the code, compile it, or check that it is complete."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["update", "compile", "check"])

    def handle(self, *, action: str, **options: Any) -> None:
        root = settings.BASE_DIR
        if action == "update":
            translations.update(root)
        elif action == "compile":
            translations.compile_catalogue(root)
        elif problems := translations.problems(root):
            raise CommandError("The Hungarian catalogue is not complete.\n" + "\n".join(problems))
