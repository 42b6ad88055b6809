"""The writer of a circle's name, and of the coins in which it pays."""

from collections.abc import Mapping

from sessions_app.writers import search_texts
from sessions_app.writers.transactions import hold_circle, writing


@writing
def rename(circle_id: int, name: str) -> None:
    """Set the circle's name, '' for none, and renew its evenings' search texts. Raise Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    if circle.name == name:
        return
    circle.name = name
    circle.save(update_fields=["name"])
    search_texts.renew(circle.evenings.all())


@writing
def set_cash_coins(circle_id: int, coins: Mapping[str, int]) -> None:
    """Set the smallest coin in which the circle pays, by currency, in its smallest unit. Raise Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    circle.cash_coins = dict(coins)
    circle.save(update_fields=["cash_coins"])
