"""Roll-ups: the figures of an ended evening for the statistics, stored so that no page has to read its hands."""

from django.db import models

from sessions_app.models.evenings import Evening


class EveningRollup(models.Model):
    """The figures of an ended evening, by seat; `readers.evening_figures` counts, writes and reads `figures`.

    Written in the transaction that ends the evening, and deleted in the one that reopens it: an ended evening takes no
    hand and no correction. It holds seats and no players, so renaming and merging players do not touch it; nor money,
    as the stake of an ended evening may be edited. `edition` is that of the definitions it was counted by.
    """

    evening = models.OneToOneField(Evening, models.CASCADE, related_name="rollup")
    edition = models.PositiveSmallIntegerField()
    figures = models.JSONField()

    class Meta:
        # The figures are long: whether an evening has a roll-up, and of which edition, is seen without its row.
        indexes = [models.Index(fields=["evening", "edition", "id"], name="rollup_of_evening")]

    def __str__(self) -> str:
        return f"figures of evening {self.evening_id}"
