"""manage.py stats: how much this server is used. The figures name no person and no circle."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from sessions_app.management import many
from sessions_app.management.data_version import refuse_other_version
from sessions_app.models import Circle, Evening, Hand, Member

DAYS = (1, 7, 30, 365)


class Command(BaseCommand):
    help = "Say how much this server is used: circles, sessions, hands and phones. Demos are counted apart."

    def handle(self, **options: Any) -> None:
        refuse_other_version()
        now = timezone.now()
        evenings = Evening.objects.filter(circle__is_demo=False)
        hands = Hand.objects.filter(evening__circle__is_demo=False)
        members = Member.objects.filter(circle__is_demo=False)
        circles, demos = (Circle.objects.filter(is_demo=is_demo).count() for is_demo in (False, True))
        self.stdout.write(
            f"{many(circles, 'circle')}, {many(evenings.count(), 'session')}, {many(hands.count(), 'hand')}, "
            f"{many(members.values('user').distinct().count(), 'phone')}; {many(demos, 'demo')}"
        )
        for days in DAYS:
            since = now - timedelta(days=days)
            sessions = evenings.filter(started_at__gte=since).count()
            recorded = hands.filter(recorded_at__gte=since).count()
            phones = members.filter(last_seen_at__gte=since).values("user").distinct().count()
            self.stdout.write(
                f"in {many(days, 'day')}: {many(sessions, 'session')} begun, {many(recorded, 'hand')} recorded, "
                f"{many(phones, 'phone')} seen"
            )
