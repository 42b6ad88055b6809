"""Let a user choose a language with a longer code, such as zh-hans, and sort Cyrillic names by their alphabets."""

from typing import Any

from django.db import migrations, models

from scorekeeper.text.hungarian_order import sort_key


def sort_names_anew(apps: Any, schema_editor: Any) -> None:
    players = apps.get_model("sessions_app", "Player").objects.order_by("pk")
    for pk, name, key in players.values_list("pk", "name", "sort_key").iterator():
        if key != sort_key(name):
            players.filter(pk=pk).update(sort_key=sort_key(name))


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0014_claims_of_lost_phones")]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="language",
            field=models.CharField(blank=True, default="", max_length=12),
        ),
        # Last: PostgreSQL alters no table whose rows this transaction has written.
        migrations.RunPython(sort_names_anew, migrations.RunPython.noop),
    ]
