"""manage.py circles: list the circles of this server with their sizes and last use."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from scorekeeper.ops import project
from sessions_app.management import many
from sessions_app.management.data_version import refuse_other_version
from sessions_app.readers.people.circles import CircleSize, circle_sizes


class Command(BaseCommand):
    help = "List the circles of this server with their sizes and last use, the most recently used first."

    def handle(self, **options: Any) -> None:
        refuse_other_version()
        sizes = circle_sizes()
        for size in sizes:
            self.stdout.write(described(size))
        sessions, hands = sum(size.sessions for size in sizes), sum(size.hands for size in sizes)
        self.stdout.write(f"{many(len(sizes), 'circle')}, {many(sessions, 'session')}, {many(hands, 'hand')}.")


def missing(circle: int) -> str:
    """Return the error of a number that no circle has, with the command that lists the circles."""
    return f"There is no circle {circle}. Those that there are: {project.command('manage circles')}"


def described(size: CircleSize) -> str:
    """Return a circle in one line."""
    counts = (size.players, "player"), (size.sessions, "session"), (size.hands, "hand"), (size.phones, "phone")
    used = f"used {timezone.localtime(size.used_at):%Y-%m-%d}"
    held = ", ".join([*(many(number, noun) for number, noun in counts), used, *(["demo"] if size.is_demo else [])])
    return f"{size.id}: {size.name or '(no name)'} ({held})"
