"""Put an evening's end into the index of a circle's evenings, by which the ended ones are counted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0020_merged_players")]

    operations = [
        migrations.RemoveIndex("evening", "evenings_newest_first"),
        migrations.AddIndex(
            "evening",
            models.Index(fields=["circle", "-started_at", "-id", "ended_at"], name="evenings_newest_first"),
        ),
    ]
