"""Store titles, notes and names of circles, the text that a search looks in, and names in Hungarian order."""

from collections import defaultdict
from typing import Any

from django.db import migrations, models

import sessions_app.models.people
from scorekeeper.text.folding import fold
from scorekeeper.text.hungarian_order import sort_key

#: Rows that one statement writes.
BATCH = 1000


def fill_in(apps: Any, schema_editor: Any) -> None:
    """Set every evening's search text, which has no title, note or circle's name yet, and every player's key."""
    evening, player, seat = (apps.get_model("sessions_app", name) for name in ("Evening", "Player", "Seat"))
    players = list(player.objects.order_by("pk").values_list("pk", "name"))
    _write(schema_editor, player, "sort_key", [(sort_key(name), pk) for pk, name in players])
    folded = {pk: fold(name) for pk, name in players}
    names: dict[int, list[str]] = defaultdict(list)
    for pk, who in seat.objects.values_list("evening_id", "player_id").iterator(BATCH):
        names[pk].append(folded[who])
    _write(schema_editor, evening, "search_text", [(" ".join(sorted(sat)), pk) for pk, sat in sorted(names.items())])


def _write(schema_editor: Any, model: Any, column: str, rows: list[tuple[str, int]]) -> None:
    table = schema_editor.quote_name(model._meta.db_table)
    sql = f"UPDATE {table} SET {column} = %s WHERE id = %s"  # noqa: S608  names of the model
    with schema_editor.connection.cursor() as cursor:
        for at in range(0, len(rows), BATCH):
            cursor.executemany(sql, rows[at : at + BATCH])


def forget_titles(apps: Any, schema_editor: Any) -> None:
    """Delete the history of titles and notes, which the version before does not know."""
    apps.get_model("sessions_app", "EveningChange").objects.filter(kind__in=["title", "note"]).delete()


def change_of(kinds: list[str]) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=models.Q(kind="name", player__isnull=False, evening__isnull=True)
        | models.Q(kind__in=kinds, player__isnull=True, evening__isnull=False),
        name="change_of_a_player_or_an_evening",
    )


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0018_evening_rollup")]

    operations = [
        migrations.AddField("circle", "name", models.CharField(blank=True, max_length=80)),
        migrations.AddField("evening", "title", models.CharField(blank=True, max_length=60)),
        migrations.AddField("evening", "note", models.CharField(blank=True, max_length=500)),
        migrations.AddField("evening", "search_text", models.TextField(blank=True, editable=False)),
        migrations.AddField(
            "player",
            "sort_key",
            sessions_app.models.people.SortKeyField(default="", editable=False),
            preserve_default=False,
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
        migrations.RemoveConstraint("eveningchange", "change_of_a_player_or_an_evening"),
        migrations.AlterField(
            "eveningchange",
            "kind",
            models.CharField(
                choices=[(kind, kind.title()) for kind in ("name", "stake", "seats", "lineup", "title", "note")],
                max_length=8,
            ),
        ),
        migrations.AddConstraint("eveningchange", change_of(["stake", "seats", "lineup", "title", "note"])),
        # On the way back these rows go before the old constraint comes.
        migrations.RunPython(migrations.RunPython.noop, forget_titles),
        migrations.AddIndex(
            "evening",
            models.Index(
                condition=models.Q(("ended_at", None)),
                fields=["circle", "-started_at", "-id"],
                name="running_newest_first",
            ),
        ),
    ]
