"""The only writer of stored results: when an evening ends, and when its stake or chips are edited after that."""

from sessions_app.errors import StakeTooHigh
from sessions_app.models import Evening, FormerResult, Seat
from sessions_app.readers.money.balances import NO_RESULT, counted_result


def write(evening: Evening, *, must_fit: bool = False) -> None:
    """Store the seats' results of an evening that the caller has ended or edited, and holds locked with its circle.

    It sets the `result_currency`, which the caller saves. Results that were stored before and differ are kept as former
    ones. A result that cannot be stored is left out, for an evening must end; `verify` names it. One that `must_fit`
    raises StakeTooHigh instead.
    """
    seats = list(evening.seats.all())
    result = counted_result(evening, [seat.position for seat in seats])
    if not result.is_storable:
        if must_fit:
            raise StakeTooHigh
        result = NO_RESULT
    replaced = []
    for seat in seats:
        amount = result.amounts.get(seat.position)
        stored, parts = (None, 1) if amount is None else amount.as_integer_ratio()
        was, was_parts, was_in = seat.result, seat.result_parts, evening.result_currency
        if was is not None and (was, was_parts, was_in) != (stored, parts, result.currency):
            replaced.append(FormerResult(seat=seat, result=was, result_parts=was_parts, currency=was_in))
        seat.result, seat.result_parts = stored, parts
    FormerResult.objects.bulk_create(replaced)
    Seat.objects.bulk_update(seats, ["result", "result_parts"])
    evening.result_currency = result.currency


def check(evening: Evening) -> None:
    """Raise StakeTooHigh if the result of the evening, by its sheet of now, could not be stored."""
    if not counted_result(evening, evening.seats.values_list("position", flat=True)).is_storable:
        raise StakeTooHigh
