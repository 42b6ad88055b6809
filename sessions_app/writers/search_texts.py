"""The writer of the evenings' search texts.

A search text is made of rows of the circle (its name, its players' names) and of the evening (seats, title, note). So
its writers hold the circle: otherwise two at once would each overwrite the other's change with the old text.
"""

from django.db.models import QuerySet

from scorekeeper.db.compiled_queries import update_each
from sessions_app.models import Evening
from sessions_app.readers.search_texts import recounted


def renew(evenings: QuerySet[Evening]) -> None:
    """Write the search texts of these evenings that are no longer right: three statements.

    The caller holds the circle.
    """
    texts = recounted(evenings)
    update_each(Evening, "search_text", {pk: text for pk, (stored, text) in texts.items() if text != stored})
