"""Add the table of the sums of years. `manage migrate` fills it in; on the way back nothing but these sums is lost."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0023_rollup_of_evening_by_index")]

    operations = [
        migrations.CreateModel(
            name="YearSums",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game_key", models.CharField(max_length=20)),
                ("year", models.PositiveSmallIntegerField()),
                ("edition", models.PositiveSmallIntegerField()),
                ("rollups", models.PositiveIntegerField()),
                ("keys", models.PositiveBigIntegerField()),
                ("sums", models.TextField()),
                ("results", models.TextField()),
                ("best", models.TextField()),
                (
                    "circle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="sessions_app.circle"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("circle"), models.F("game_key"), models.F("year"), name="sums_once_a_year"
                    )
                ],
            },
        ),
    ]
