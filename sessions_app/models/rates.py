"""How often something came from an address, where several servers share a PostgreSQL database."""

from django.db import models


class RateCount(models.Model):
    """So many `what` from one household (`who` is a keyed hash of its address) until `ends_at`, from the first on.

    Only PostgreSQL's has rows: beside SQLite, whose writers queue, they are counted in a file (scorekeeper.tally).
    """

    pk = models.CompositePrimaryKey("what", "who")
    what = models.CharField(max_length=20)
    who = models.BinaryField(max_length=16)
    number = models.PositiveIntegerField()
    ends_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.number} of {self.what}"
