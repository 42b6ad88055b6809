"""Keep whether an evening is paid in chips after each hand, and its changes."""

from typing import Any

from django.db import migrations, models
from django.db.models import Q

#: The kinds of changes that belong to a player, and to an evening.
OF_PLAYER = ["name", "merge", "unmerge"]
OF_EVENING = ["stake", "chips", "seats", "lineup", "title", "note"]


def forget_chips(apps: Any, schema_editor: Any) -> None:
    """Delete the history of chips, which the version before does not know."""
    apps.get_model("sessions_app", "EveningChange").objects.filter(kind="chips").delete()
    if schema_editor.connection.vendor == "postgresql":
        # A table whose foreign keys are still to be checked cannot be altered.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0025_repayments")]

    operations = [
        migrations.AddField("evening", "in_chips", models.BooleanField(default=False)),
        migrations.RemoveConstraint("eveningchange", "change_of_a_player_or_an_evening"),
        migrations.AlterField(
            "eveningchange",
            "kind",
            models.CharField(
                choices=[(kind, kind.title()) for kind in ("name", *OF_EVENING, "merge", "unmerge")], max_length=8
            ),
        ),
        migrations.AddConstraint(
            "eveningchange",
            models.CheckConstraint(
                condition=Q(kind__in=OF_PLAYER, player__isnull=False, evening__isnull=True)
                | Q(kind__in=OF_EVENING, player__isnull=True, evening__isnull=False),
                name="change_of_a_player_or_an_evening",
            ),
        ),
        # On the way back these rows go before the old constraint comes.
        migrations.RunPython(migrations.RunPython.noop, forget_chips),
    ]
