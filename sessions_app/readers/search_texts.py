"""The search texts of evenings as they should be, from the rows that they are made of."""

from collections import defaultdict

from django.db.models import QuerySet

from sessions_app.models import Evening, Seat, search_text


def recounted(evenings: QuerySet[Evening]) -> dict[int, tuple[str, str]]:
    """Return each evening's search text as it is stored and as it should be, by key: two queries."""
    names = defaultdict(list)
    for evening, name in Seat.objects.filter(evening__in=evenings.values("pk")).values_list(
        "evening_id", "player__name"
    ):
        names[evening].append(name)
    rows = evenings.order_by("pk").values_list("pk", "search_text", "circle__name", "title", "note")
    return {pk: (stored, search_text(circle, title, note, names[pk])) for pk, stored, circle, title, note in rows}
