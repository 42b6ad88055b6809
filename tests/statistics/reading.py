"""The facts of evenings as plain dictionaries, read from the database for `recount.py`."""

from collections import defaultdict
from typing import Any

from django.db.models import F

from sessions_app.models import Evening, Hand, HandEntry, Seat


def facts(**where: Any) -> list[dict[str, Any]]:
    """Return the facts of all evenings, or of those chosen as by `filter`; four queries."""
    evenings = Evening.objects.filter(**where)
    seats, hands, entries = defaultdict(dict), defaultdict(list), defaultdict(list)
    for evening, position, player in Seat.objects.filter(evening__in=evenings).values_list(
        "evening", "position", "player"
    ):
        seats[evening][position] = player
    rows = HandEntry.objects.filter(hand__evening__in=evenings)
    for hand, *entry in rows.values_list("hand", "account", "seat", "against", "amount", "reason"):
        entries[hand].append(tuple(entry))
    columns = ("pk", "evening", "kind", "is_void", "dealer", "declarer", "deal", "lineup")
    for hand in Hand.objects.filter(evening__in=evenings).order_by("evening", "number").values(*columns):
        sitting = tuple(map(int, hand.pop("lineup").split("-")))
        hands[hand["evening"]].append(hand | {"seats": sitting, "entries": entries[hand["pk"]]})
    columns = ("id", "rules", "stake", "currency", "started_at")
    found = evenings.order_by("pk").values(*columns, game=F("game_key"))
    return [row | {"seats": seats[row["id"]], "hands": hands[row["id"]]} for row in found]
