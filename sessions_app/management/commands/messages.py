"""manage.py messages new|update|check|compile|template: the translations, without GNU gettext."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.management import many, translations


class Command(BaseCommand):
    help = "Make, update, check or compile the catalogue of a language, or write the template of catalogues."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["new", "update", "check", "compile", "template"])
        parser.add_argument("--language", help="The code of the language, such as ru; Hungarian if it is left out.")

    def handle(self, *, action: str, language: str | None, **options: Any) -> None:
        root = settings.BASE_DIR
        if language is not None:
            try:
                translations.name_of(language)
            except translations.UnknownLanguageError as error:
                raise CommandError(str(error)) from error
            if action != "new" and not (root / translations.catalogue_of(language)).exists():
                raise CommandError(f"There is no catalogue yet: ./run manage messages new --language {language}")
        if action == "template":
            self.stdout.write(f"Written: {translations.write_template(root).relative_to(root)}")
        elif action == "new":
            self._new(language)
        elif action == "update":
            translations.update(root, language or translations.HOUSE)
        elif action == "check":
            self._check(language)
        elif language:
            translations.compile_one(root, language)
        else:
            translations.compile_catalogue(root)

    def _new(self, language: str | None) -> None:
        if language is None:
            raise CommandError("Of which language? For example: ./run manage messages new --language ru")
        path = translations.catalogue_of(language)
        if language == "en" or (settings.BASE_DIR / path).exists():
            raise CommandError(f"There is {translations.name_of(language)} already.")
        translations.update(settings.BASE_DIR, language)
        self.stdout.write(f"Written: {path}")

    def _check(self, language: str | None) -> None:
        """Refuse a catalogue that is not whole. Without a language it is the Hungarian; of the others it only tells."""
        root = settings.BASE_DIR
        checked = language or translations.HOUSE
        problems = translations.problems(root, checked)
        if problems:
            name = translations.name_of(checked)
            raise CommandError(f"The {name} catalogue is not complete.\n" + "\n".join(problems))
        for other in translations.languages_of(root)[1:] if language is None else ():
            if problems := translations.problems(root, other):
                name = translations.name_of(other)
                self.stdout.write(f"{name} is not offered: {many(len(problems), 'problem')} (--language {other}).")
