"""The table that the health check writes to."""

from django.db import models


class ProbeRow(models.Model):
    """A row that is inserted and deleted in one transaction, to test whether the database can be written."""

    def __str__(self) -> str:
        return f"probe {self.pk}"
