"""Keep the results of sessions that a correction replaced."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0002_results"),
    ]

    operations = [
        migrations.CreateModel(
            name="FormerResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("result", models.BigIntegerField()),
                ("result_parts", models.PositiveSmallIntegerField()),
                ("currency", models.CharField(max_length=30)),
                ("replaced_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_results",
                        to="sessions_app.seat",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("result__gte", -1000000000000000000), ("result__lte", 1000000000000000000)),
                        name="former_result_in_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("result_parts__gte", 1)), name="former_result_of_whole_parts"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("currency", ""), _negated=True), name="former_result_has_a_currency"
                    ),
                ],
            },
        ),
    ]
