"""Index the roll-ups' editions, so that one is found to be there without its row, which has four thousand letters."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0022_running_by_index")]

    operations = [
        migrations.AddIndex(
            "eveningrollup", models.Index(fields=["evening", "edition", "id"], name="rollup_of_evening")
        ),
    ]
