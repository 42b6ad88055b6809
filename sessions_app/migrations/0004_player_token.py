"""Give each player a token, by which documents name him."""

from typing import Any
from uuid import uuid4

from django.db import migrations, models

#: Rows in memory at once.
BATCH = 500


def give_tokens(apps: Any, schema_editor: Any) -> None:
    Player = apps.get_model("sessions_app", "Player")
    keys = list(Player.objects.filter(token=None).order_by("pk").values_list("pk", flat=True))
    for first in range(0, len(keys), BATCH):
        players = [Player(pk=pk, token=uuid4()) for pk in keys[first : first + BATCH]]
        Player.objects.bulk_update(players, ["token"])


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0003_former_results")]

    operations = [
        migrations.AddField(model_name="player", name="token", field=models.UUIDField(editable=False, null=True)),
        # Last: PostgreSQL alters no table whose rows this transaction has written.
        migrations.RunPython(give_tokens, migrations.RunPython.noop),
    ]
