"""The only writer of stored results: by the end of an evening, and by an edit of its stake or chips after that."""

from sessions_app.models import Evening, Seat
from sessions_app.readers.money.results import counted_result


def write(evening: Evening) -> None:
    """Store the seats' results of an evening that the caller has ended or edited, and holds locked with its circle.

    It sets the `result_currency`, which the caller saves.
    """
    seats = list(evening.seats.all())
    result = counted_result(evening, [seat.position for seat in seats])
    for seat in seats:
        amount = result.amounts.get(seat.position)
        seat.result, seat.result_parts = (None, 1) if amount is None else amount.as_integer_ratio()
    Seat.objects.bulk_update(seats, ["result", "result_parts"])
    evening.result_currency = result.currency
