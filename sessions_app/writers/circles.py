"""The writer of a circle's name."""

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
