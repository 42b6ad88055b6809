"""Give players a mark, 'plays no more' and other names that are the same person."""

from typing import Any

from django.db import migrations, models
from django.db.models import F, Q

from sessions_app.models import search_text

#: The kinds of changes that belong to a player, and to an evening.
OF_PLAYER = ["name", "merge", "unmerge"]
OF_EVENING = ["stake", "seats", "lineup", "title", "note"]


def take_apart(apps: Any, schema_editor: Any) -> None:
    """Give every merged name its seats and phones again, as the version before knows no merged players."""
    evenings = apps.get_model("sessions_app", "Evening").objects
    seats = apps.get_model("sessions_app", "Seat").objects
    mixed = list(seats.filter(sat_as__isnull=False).values_list("evening", flat=True).distinct())
    for name, chosen in (("Seat", "sat_as"), ("Member", "held_as"), ("Removal", "held_as")):
        rows = apps.get_model("sessions_app", name).objects.filter(**{f"{chosen}__isnull": False})
        rows.update(**{"player": F(chosen), chosen: None})
    apps.get_model("sessions_app", "Player").objects.update(merged_into=None)
    for evening in evenings.filter(pk__in=mixed).select_related("circle"):
        names = seats.filter(evening=evening.pk).values_list("player__name", flat=True)
        evening.search_text = search_text(evening.circle.name, evening.title, evening.note, names)
        evening.save(update_fields=["search_text"])
    apps.get_model("sessions_app", "EveningChange").objects.filter(kind__in=["merge", "unmerge"]).delete()
    if schema_editor.connection.vendor == "postgresql":
        # A table whose foreign keys are still to be checked cannot be altered.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def player_key(on_delete: Any, related_name: str = "+") -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        "sessions_app.player", on_delete=on_delete, null=True, blank=True, related_name=related_name
    )


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0019_found_evenings")]

    operations = [
        migrations.AddField("member", "held_as", player_key(models.SET_NULL)),
        migrations.AddField("removal", "held_as", player_key(models.SET_NULL)),
        migrations.AddField("seat", "sat_as", player_key(models.PROTECT)),
        migrations.AddField("player", "merged_into", player_key(models.RESTRICT, "merged")),
        migrations.AddField("player", "plays_no_more", models.BooleanField(default=False)),
        migrations.AddField(
            "player",
            "mark_shape",
            models.CharField(blank=True, choices=[(shape, shape) for shape in "♥♦♣♠"], max_length=1),
        ),
        migrations.AddField(
            "player",
            "mark_colour",
            models.CharField(
                blank=True,
                choices=[(colour, colour) for colour in ("red", "orange", "green", "blue", "ink")],
                max_length=6,
            ),
        ),
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
        migrations.AddConstraint(
            "player",
            models.UniqueConstraint(
                "circle", "mark_shape", "mark_colour", condition=~Q(mark_shape=""), name="mark_once_in_a_circle"
            ),
        ),
        migrations.AddConstraint(
            "player",
            models.CheckConstraint(
                condition=Q(mark_shape="", mark_colour="") | ~Q(mark_shape="") & ~Q(mark_colour=""),
                name="mark_has_a_shape_and_a_colour",
            ),
        ),
        migrations.AddConstraint(
            "player",
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=F("pk")), name="merged_into_somebody_else"
            ),
        ),
        migrations.AddConstraint(
            "seat",
            models.CheckConstraint(condition=Q(sat_as=None) | ~Q(sat_as=F("player")), name="sat_as_another_name"),
        ),
        # On the way back this comes first.
        migrations.RunPython(migrations.RunPython.noop, take_apart),
    ]
