"""Roll-ups: the figures of an ended evening for the statistics, stored so that no page has to read its hands."""

from django.db import models

from sessions_app.models.evenings import Evening
from sessions_app.models.people import Circle


class EveningRollup(models.Model):
    """The figures of an ended evening, by seat; `readers.evening_figures` counts, writes and reads `figures`.

    Written in the transaction that ends the evening, and deleted in the one that reopens it: an ended evening takes no
    hand and no correction. It holds seats and no players, so renaming and merging players do not touch it; nor money,
    as the stake of an ended evening may be edited. `edition` is that of the definitions it was counted by. Rows are
    only added and deleted, never updated, so the highest key and the number of rows tell whether any changed.
    """

    evening = models.OneToOneField(Evening, models.CASCADE, related_name="rollup")
    edition = models.PositiveSmallIntegerField()
    figures = models.JSONField()

    class Meta:
        # The figures are long: whether an evening has a roll-up, and of which edition, is seen without its row.
        indexes = [models.Index(fields=["evening", "edition", "id"], name="rollup_of_evening")]

    def __str__(self) -> str:
        return f"figures of evening {self.evening_id}"


class YearSums(models.Model):
    """The sums of the roll-ups of a circle's evenings of one game that began in one year of the tables' time zone.

    `readers.year_sums` packs and reads the texts. An evening is added in the transaction that writes its roll-up, and
    taken away in the one that deletes it. Players are held by the names that sat down (`Seat.sat_as`, else
    `Seat.player`), so renaming and merging them do not touch it; nor do stakes. `rollups` and `keys` are the number of
    the roll-ups and the sum of their primary keys: a reader takes the sums only if these are still those there are.
    """

    circle = models.ForeignKey(Circle, models.CASCADE, related_name="+")
    game_key = models.CharField(max_length=20)
    year = models.PositiveSmallIntegerField()
    edition = models.PositiveSmallIntegerField()
    rollups = models.PositiveIntegerField()
    keys = models.PositiveBigIntegerField()
    sums = models.TextField()
    results = models.TextField()
    best = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint("circle", "game_key", "year", name="sums_once_a_year")]

    def __str__(self) -> str:
        return f"sums of {self.game_key} in {self.year}"
