from typing import Any

from django.db import migrations, models


def unlogged(apps: Any, schema_editor: Any) -> None:
    """Nothing in it is worth a sync: after a crash PostgreSQL empties it."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE sessions_app_ratecount SET UNLOGGED")


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0012_spell_tarokk_by_its_profiles")]

    operations = [
        migrations.CreateModel(
            name="RateCount",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "what", "who", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("what", models.CharField(max_length=20)),
                ("who", models.BinaryField(max_length=16)),
                ("number", models.PositiveIntegerField()),
                ("ends_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.RunPython(unlogged, migrations.RunPython.noop),
    ]
