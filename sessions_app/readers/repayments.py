"""The payments of a circle, and the currencies that it may pay in."""

from sessions_app.models import POINTS, Circle, Evening, Repayment


def currencies_played_for(circle: Circle) -> tuple[str, ...]:
    """Return the currencies of the circle's evenings and earlier payments, those of points last: two queries.

    Money is that of evenings with a stake, `points:` with a game's key that of evenings without one. A currency in
    which something was paid stays, as the stake of an evening may be changed afterwards.
    """
    found = set(Repayment.objects.filter(circle=circle.pk).order_by().values_list("currency", flat=True).distinct())
    kinds = Evening.objects.filter(circle=circle.pk).order_by().values_list("game_key", "currency").distinct()
    found |= {currency or f"{POINTS}{game_key}" for game_key, currency in kinds}
    return tuple(sorted(found, key=lambda currency: (currency.startswith(POINTS), currency)))
