"""The only writer of the version of a circle's repayments, on which the caches of what is open depend.

Each write to them, or to whose they are, raises it in the same transaction.
"""

from sessions_app.models import Circle


def raise_repayment_version(circle: Circle) -> None:
    """Raise the version of a locked circle."""
    circle.repayment_version += 1
    circle.save(update_fields=["repayment_version"])
