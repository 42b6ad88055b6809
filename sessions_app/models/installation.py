"""Tables of the installation itself: what all of its data were written with, and the health check's own table."""

from django.db import models


class Installation(models.Model):
    """The time zone by which the days and years of the stored sessions were counted: one row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    time_zone = models.CharField(max_length=60)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_installation")]

    def __str__(self) -> str:
        return self.time_zone


class ProbeRow(models.Model):
    """A row that is inserted and deleted in one transaction, to test whether the database can be written."""

    def __str__(self) -> str:
        return f"probe {self.pk}"
