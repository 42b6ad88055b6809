"""Put the end into the index of running evenings, without which SQLite reads all evenings of a circle instead."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0021_count_evenings_by_index")]

    operations = [
        migrations.RemoveIndex("evening", "running_newest_first"),
        migrations.AddIndex(
            "evening",
            models.Index(
                condition=models.Q(("ended_at", None)),
                fields=["circle", "ended_at", "-started_at", "-id"],
                name="running_newest_first",
            ),
        ),
    ]
