"""The writer of a circle's name, of the coins in which it pays, and of its evenings' search texts.

A search text is made of rows of the circle (its name, its players' names) and of the evening (seats, title, note). So
its writers hold the circle: otherwise two at once would each overwrite the other's change with the old text.
"""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import QuerySet

from sessions_app.models import Evening, Seat, search_text
from sessions_app.writers.transactions import hold_circle, writing


@writing
def rename(circle_id: int, name: str) -> None:
    """Set the circle's name, '' for none, and renew its evenings' search texts. Raise Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    if circle.name == name:
        return
    circle.name = name
    circle.save(update_fields=["name"])
    renew_search_texts(circle.evenings.all())


@writing
def set_cash_coins(circle_id: int, coins: Mapping[str, int]) -> None:
    """Set the smallest coin in which the circle pays, by currency, in its smallest unit. Raise Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    circle.cash_coins = dict(coins)
    circle.save(update_fields=["cash_coins"])


# --- Search texts of evenings ---


def renew_search_texts(evenings: QuerySet[Evening]) -> None:
    """Write the search texts of these evenings that are no longer right: three statements.

    The caller holds the circle.
    """
    texts = recounted(evenings)
    changed = [Evening(pk=pk, search_text=text) for pk, (stored, text) in texts.items() if text != stored]
    Evening.objects.bulk_update(changed, ["search_text"])


def recounted(evenings: QuerySet[Evening]) -> dict[int, tuple[str, str]]:
    """Return each evening's search text as it is stored and as it should be, by key: two queries."""
    names = defaultdict(list)
    for evening, name in Seat.objects.filter(evening__in=evenings.values("pk")).values_list(
        "evening_id", "player__name"
    ):
        names[evening].append(name)
    rows = evenings.order_by("pk").values_list("pk", "search_text", "circle__name", "title", "note")
    return {pk: (stored, search_text(circle, title, note, names[pk])) for pk, stored, circle, title, note in rows}
