"""Store the results of the sessions that have ended."""

import logging
from fractions import Fraction
from typing import Any

from django.db import migrations, models

from scorekeeper.games import GAMES
from scorekeeper.games.errors import GameError
from scorekeeper.money.settlement import Stake

LARGEST_RESULT = 10**18
#: The currencies of version 1.0 without a smaller unit; the others have cents.
WHOLE = ("HUF", "RSD")
log = logging.getLogger(__name__)


def store_results(apps: Any, schema_editor: Any) -> None:
    """Count each ended session that is played for real and not in chips; `manage verify` names those left out."""
    Evening = apps.get_model("sessions_app", "Evening")
    ended = Evening.objects.filter(ended_at__isnull=False, in_chips=False, circle__is_demo=False)
    for pk in list(ended.order_by("pk").values_list("pk", flat=True)):
        try:
            evening = Evening.objects.get(pk=pk)
            amounts = _amounts(evening)
        except (GameError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            log.warning("Could not count the result of session %s: %r", pk, error)
            continue
        if not amounts or any(abs(amount.numerator) > LARGEST_RESULT for amount in amounts.values()):
            continue
        for seat in evening.seats.all():
            seat.result, seat.result_parts = amounts[seat.position].as_integer_ratio()
            seat.save(update_fields=["result", "result_parts"])
        evening.result_currency = f"points:{evening.game_key}" if evening.stake is None else evening.currency
        evening.save(update_fields=["result_currency"])


def _amounts(evening: Any) -> dict[int, Fraction]:
    """Return what each seat won, in the smallest unit of the currency; {} if no hand counts."""
    if not (evening.hand_count or any(total.entries for total in evening.sheet.values())):
        return {}
    game = GAMES[evening.game_key]
    seats = tuple(evening.seats.order_by("position").values_list("position", flat=True))
    sums = {account: total.amount for account, total in evening.sheet.items()}
    balances = game.balances(sums, seats, game.rules_from_text(evening.rules))
    decimals = 0 if evening.currency in WHOLE else 2
    worth = 1 if evening.stake is None else Stake(evening.stake, evening.currency, decimals).coins(1)
    return {seat: Fraction(points * worth) for seat, points in balances.items()}


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0001_version_1_0")]

    operations = [
        migrations.AddField(
            model_name="evening",
            name="result_currency",
            field=models.CharField(blank=True, default="", editable=False, max_length=30),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="seat",
            name="result",
            field=models.BigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="result_parts",
            field=models.PositiveSmallIntegerField(default=1, editable=False),
        ),
        migrations.AddIndex(
            model_name="evening",
            index=models.Index(fields=["circle", "result_currency", "ended_at"], name="results_of_circle"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("result", None),
                    models.Q(("result__gte", -LARGEST_RESULT), ("result__lte", LARGEST_RESULT)),
                    _connector="OR",
                ),
                name="result_in_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("result_parts__gte", 1)),
                name="result_of_whole_parts",
            ),
        ),
        # Last: PostgreSQL alters no table whose rows this transaction has written.
        migrations.RunPython(store_results, migrations.RunPython.noop),
    ]
