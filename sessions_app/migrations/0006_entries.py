"""Room for what any game writes: entries, house rules, who sat, what a later hand must know."""

import django.db.models.deletion
import django.db.models.functions.comparison
from django.db import migrations, models

import sessions_app.models.evenings


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0005_what_was_replaced")]

    operations = [
        migrations.CreateModel(
            name="HandEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "hand",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="sessions_app.hand",
                    ),
                ),
                ("account", models.CharField(max_length=12)),
                ("seat", models.PositiveSmallIntegerField()),
                ("against", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("amount", models.IntegerField()),
                ("reason", models.CharField(blank=True, max_length=20)),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="eveningchange",
            name="change_of_a_player_or_an_evening",
        ),
        migrations.RemoveConstraint(
            model_name="hand",
            name="hand_played_or_thrown_in",
        ),
        migrations.RemoveConstraint(
            model_name="revision",
            name="revision_action_known",
        ),
        migrations.AddField(
            model_name="gamesession",
            name="lineup",
            field=models.CharField(default="0-1-2", max_length=20),
        ),
        migrations.AddField(
            model_name="gamesession",
            name="rules",
            field=models.CharField(blank=True, max_length=400),
        ),
        migrations.AddField(
            model_name="gamesession",
            name="sheet",
            field=sessions_app.models.evenings.SheetField(default=dict),
        ),
        migrations.AddField(
            model_name="gamesession",
            name="standing",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="hand",
            name="lineup",
            field=models.CharField(default="0-1-2", max_length=20),
        ),
        migrations.AddField(
            model_name="hand",
            name="standing",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="openhand",
            name="state",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="revision",
            name="cause",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="effects",
                to="sessions_app.revision",
            ),
        ),
        migrations.AddField(
            model_name="revision",
            name="version",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="eveningchange",
            name="kind",
            field=models.CharField(
                choices=[("name", "Name"), ("stake", "Stake"), ("seats", "Seats"), ("lineup", "Lineup")], max_length=8
            ),
        ),
        migrations.AlterField(
            model_name="hand",
            name="deal",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AlterField(
            model_name="revision",
            name="action",
            field=models.CharField(
                choices=[
                    ("record", "Record"),
                    ("amend", "Amend"),
                    ("void", "Void"),
                    ("restore", "Restore"),
                    ("recount", "Recount"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="eveningchange",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("game_session__isnull", True), ("kind", "name"), ("player__isnull", False)),
                    models.Q(
                        ("game_session__isnull", False),
                        ("kind__in", ["stake", "seats", "lineup"]),
                        ("player__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="change_of_a_player_or_an_evening",
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(("declarer__isnull", True), models.Q(("deal", ""), _negated=True), _connector="OR"),
                name="nobody_declares_what_is_thrown_in",
            ),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.CheckConstraint(
                condition=models.Q(("action__in", ["record", "amend", "void", "restore", "recount"])),
                name="revision_action_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("action", "recount"), ("cause__isnull", False)),
                    models.Q(models.Q(("action", "recount"), _negated=True), ("cause__isnull", True)),
                    _connector="OR",
                ),
                name="only_a_recount_has_a_cause",
            ),
        ),
        migrations.AddConstraint(
            model_name="handentry",
            constraint=models.UniqueConstraint(
                models.F("hand"),
                models.F("account"),
                models.F("seat"),
                django.db.models.functions.comparison.Coalesce("against", -1),
                models.F("reason"),
                name="entry_once_for_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="handentry",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount", 0), _negated=True), name="entry_of_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="handentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("against__isnull", True), models.Q(("against", models.F("seat")), _negated=True), _connector="OR"
                ),
                name="entry_of_two",
            ),
        ),
        migrations.AddConstraint(
            model_name="handentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("account", "paid"), _negated=True),
                    models.Q(("against__isnull", False), ("amount__gte", 1)),
                    _connector="OR",
                ),
                name="paid_to_somebody",
            ),
        ),
    ]
