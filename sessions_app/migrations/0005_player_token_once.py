"""Let each player have a token, once in a circle."""

from uuid import uuid4

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0004_player_token")]

    operations = [
        migrations.AlterField(model_name="player", name="token", field=models.UUIDField(default=uuid4, editable=False)),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint("circle", "token", name="player_token_once"),
        ),
    ]
