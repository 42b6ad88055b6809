"""Tables of the installation itself: its time zone, the health check's table, and counts for rate limits."""

from django.db import models

from sessions_app.models.people import Row


class Installation(Row):
    """The time zone by which the days and years of the stored sessions were counted: one row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    time_zone = models.CharField(max_length=60)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_installation")]


class ProbeRow(Row):
    """A row that is inserted and deleted in one transaction, to test whether the database can be written."""


class RateCount(Row):
    """The number of requests `what` from one household (`who`: a keyed hash of its address) until `ends_at`.

    Used on PostgreSQL only: beside SQLite, whose writers queue, requests are counted in a file of their own
    (scorekeeper.http.rate_counter).
    """

    pk = models.CompositePrimaryKey("what", "who")
    what = models.CharField(max_length=20)
    who = models.BinaryField(max_length=16)
    number = models.PositiveIntegerField()
    ends_at = models.DateTimeField(db_index=True)


class RateKey(Row):
    """The key of the hashed addresses in `RateCount`: one row, the same for all servers of the database."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    key = models.BinaryField(max_length=32)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_rate_key")]
