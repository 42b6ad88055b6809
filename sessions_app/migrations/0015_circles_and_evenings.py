"""Name circles and evenings as the code does: `Table` becomes `Circle`, `GameSession` becomes `Evening`.

Constraints on expressions and indexes do not follow a renamed field: they are dropped before and made again after.
"""

from django.db import migrations, models

OF_CIRCLE = ("player", "member", "removal", "invite", "ownershipclaim", "houseprofile", "evening")
OF_EVENING = ("seat", "eveningchange", "hand", "openhand")


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0014_rate_key")]

    operations = [
        migrations.RemoveConstraint(
            model_name="eveningchange",
            name="change_of_a_player_or_an_evening",
        ),
        migrations.RemoveConstraint(
            model_name="hand",
            name="hand_number_once",
        ),
        migrations.RemoveConstraint(
            model_name="hand",
            name="hand_token_once",
        ),
        migrations.RemoveConstraint(
            model_name="houseprofile",
            name="house_profile_once_by_a_name",
        ),
        migrations.RemoveConstraint(
            model_name="invite",
            name="one_open_invite_a_role",
        ),
        migrations.RemoveConstraint(
            model_name="member",
            name="member_once_of_a_table",
        ),
        migrations.RemoveConstraint(
            model_name="ownershipclaim",
            name="one_open_claim_a_table",
        ),
        migrations.RemoveConstraint(
            model_name="player",
            name="player_once_at_a_table",
        ),
        migrations.RemoveConstraint(
            model_name="removal",
            name="removed_once_from_a_table",
        ),
        migrations.RemoveConstraint(
            model_name="seat",
            name="seat_taken_once",
        ),
        migrations.RemoveConstraint(
            model_name="seat",
            name="player_sits_once",
        ),
        migrations.RemoveIndex(
            model_name="gamesession",
            name="evenings_newest_first",
        ),
        migrations.RemoveIndex(
            model_name="hand",
            name="hands_that_stand",
        ),
        migrations.RenameModel("GameSession", "Evening"),
        migrations.RenameModel("Table", "Circle"),
        *(migrations.RenameField(model, "table", "circle") for model in OF_CIRCLE),
        *(migrations.RenameField(model, "game_session", "evening") for model in OF_EVENING),
        migrations.AlterModelOptions(
            name="hand",
            options={"ordering": ["evening", "number"]},
        ),
        migrations.AlterModelOptions(
            name="seat",
            options={"ordering": ["evening", "position"]},
        ),
        migrations.AddIndex(
            model_name="evening",
            index=models.Index(fields=["circle", "-started_at", "-id"], name="evenings_newest_first"),
        ),
        migrations.AddIndex(
            model_name="hand",
            index=models.Index(
                condition=models.Q(("is_void", False)), fields=["evening", "-number"], name="hands_that_stand"
            ),
        ),
        migrations.AddConstraint(
            model_name="eveningchange",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("evening__isnull", True), ("kind", "name"), ("player__isnull", False)),
                    models.Q(
                        ("evening__isnull", False), ("kind__in", ["stake", "seats", "lineup"]), ("player__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="change_of_a_player_or_an_evening",
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.UniqueConstraint(models.F("evening"), models.F("number"), name="hand_number_once"),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.UniqueConstraint(models.F("evening"), models.F("token"), name="hand_token_once"),
        ),
        migrations.AddConstraint(
            model_name="houseprofile",
            constraint=models.UniqueConstraint(
                models.F("circle"), models.F("game_key"), models.F("name"), name="house_profile_once_by_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="invite",
            constraint=models.UniqueConstraint(
                models.F("circle"),
                models.F("role"),
                condition=models.Q(("revoked_at", None)),
                name="one_open_invite_a_role",
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(models.F("circle"), models.F("user"), name="member_once_of_a_circle"),
        ),
        migrations.AddConstraint(
            model_name="ownershipclaim",
            constraint=models.UniqueConstraint(
                models.F("circle"), condition=models.Q(("closed_at", None)), name="one_open_claim_a_circle"
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(models.F("circle"), models.F("name"), name="player_once_in_a_circle"),
        ),
        migrations.AddConstraint(
            model_name="removal",
            constraint=models.UniqueConstraint(models.F("circle"), models.F("user"), name="removed_once_from_a_circle"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(models.F("evening"), models.F("position"), name="seat_taken_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(models.F("evening"), models.F("player"), name="player_sits_once"),
        ),
    ]
