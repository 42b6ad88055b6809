"""The tables of version 1.0. Those of a database that the thirty migrations before it made are the same."""

import uuid
from typing import Any

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import sessions_app.models.evenings
import sessions_app.models.people

#: The migrations that made a database before version 1.0.
BEFORE = (
    "0001_initial",
    "0002_every_phone",
    "0003_leaving_and_demo",
    "0004_mending",
    "0005_what_was_replaced",
    "0006_entries",
    "0007_carry_over",
    "0008_payments_go",
    "0009_agreed_entries",
    "0010_house_profiles",
    "0011_halve_what_the_side_lacks",
    "0012_spell_tarokk_by_its_profiles",
    "0013_rate_counts",
    "0014_rate_key",
    "0015_circles_and_evenings",
    "0016_hand_kind",
    "0017_probe_row",
    "0018_evening_rollup",
    "0019_found_evenings",
    "0020_merged_players",
    "0021_count_evenings_by_index",
    "0022_running_by_index",
    "0023_rollup_of_evening_by_index",
    "0024_year_sums",
    "0025_repayments",
    "0026_evening_in_chips",
    "0027_ended_version",
    "0028_time_zone_of_the_data",
    "0029_member_device",
    "0030_no_year_sums",
)


def unlogged(apps: Any, schema_editor: Any) -> None:
    """Spare the rate counts a sync: PostgreSQL empties them after a crash."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE sessions_app_ratecount SET UNLOGGED")


class Migration(migrations.Migration):
    replaces = [("sessions_app", name) for name in BEFORE]
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Circle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(blank=True, max_length=80)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("is_demo", models.BooleanField(default=False)),
                ("repayment_version", models.PositiveIntegerField(default=0)),
                ("ended_version", models.PositiveIntegerField(default=0)),
                ("cash_coins", models.JSONField(blank=True, default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="ProbeRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
        ),
        migrations.CreateModel(
            name="RateCount",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "what", "who", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("what", models.CharField(max_length=20)),
                ("who", models.BinaryField(max_length=16)),
                ("number", models.PositiveIntegerField()),
                ("ends_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                ("is_guest", models.BooleanField(default=False)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Evening",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("game_key", models.CharField(default="asszorti", max_length=20)),
                ("rules", models.CharField(blank=True, max_length=600)),
                ("stake", models.DecimalField(blank=True, decimal_places=3, max_digits=9, null=True)),
                ("currency", models.CharField(blank=True, max_length=3)),
                ("in_chips", models.BooleanField(default=False)),
                ("first_dealer", models.PositiveSmallIntegerField()),
                ("lineup", models.CharField(default="0-1-2", max_length=20)),
                ("seating", models.PositiveIntegerField(default=0)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("last_number", models.PositiveIntegerField(default=0)),
                ("hand_count", models.PositiveIntegerField(default=0)),
                ("sheet", sessions_app.models.evenings.SheetField(default=dict)),
                ("standing", models.TextField(blank=True)),
                ("title", models.CharField(blank=True, max_length=60)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("search_text", models.TextField(blank=True, editable=False)),
                (
                    "circle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="evenings", to="sessions_app.circle"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EveningRollup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("edition", models.PositiveSmallIntegerField()),
                ("figures", models.JSONField()),
                (
                    "evening",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rollup", to="sessions_app.evening"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Hand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("token", models.UUIDField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("played", "Played"), ("thrown_in", "Thrown In"), ("agreed", "Agreed")], max_length=9
                    ),
                ),
                ("lineup", models.CharField(default="0-1-2", max_length=20)),
                ("dealer", models.PositiveSmallIntegerField()),
                ("declarer", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("deal", models.CharField(blank=True, max_length=200)),
                ("deal_stays", models.BooleanField(default=False)),
                ("standing", models.TextField(blank=True)),
                ("is_void", models.BooleanField(default=False)),
                ("revision_count", models.PositiveIntegerField(default=1)),
                ("recorded_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="hands", to="sessions_app.evening"
                    ),
                ),
            ],
            options={
                "ordering": ["evening", "number"],
            },
        ),
        migrations.CreateModel(
            name="HandEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account", models.CharField(max_length=12)),
                ("seat", models.PositiveSmallIntegerField()),
                ("against", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("amount", models.IntegerField()),
                ("reason", models.CharField(blank=True, max_length=20)),
                (
                    "hand",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="sessions_app.hand",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="HandInPlay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.UUIDField(default=uuid.uuid4)),
                ("number", models.PositiveIntegerField()),
                ("dealer", models.PositiveSmallIntegerField()),
                ("state", models.JSONField(blank=True, default=dict)),
                ("replaced", models.JSONField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "changed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "evening",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hand_in_play",
                        to="sessions_app.evening",
                    ),
                ),
            ],
            options={
                "db_table": "sessions_app_openhand",
            },
        ),
        migrations.CreateModel(
            name="HandMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("ok", "Ok"), ("hm", "Hm")], max_length=2)),
                ("revision", models.PositiveIntegerField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="marks", to="sessions_app.hand"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="HouseProfile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game_key", models.CharField(max_length=20)),
                ("name", models.CharField(max_length=40)),
                ("rules", models.CharField(blank=True, max_length=600)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "circle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="house_profiles",
                        to="sessions_app.circle",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Installation",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ("time_zone", models.CharField(max_length=60)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="one_installation")],
            },
        ),
        migrations.CreateModel(
            name="Invite",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("role", models.CharField(choices=[("keeper", "Keeper"), ("viewer", "Viewer")], max_length=8)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "circle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invites", to="sessions_app.circle"
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("viewer", "Viewer"), ("keeper", "Keeper"), ("owner", "Owner")], max_length=8
                    ),
                ),
                ("to_be_asked", models.BooleanField(default=False)),
                ("last_seen_at", models.DateTimeField(blank=True, null=True)),
                ("since", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("device", models.CharField(blank=True, default="", max_length=40)),
                (
                    "circle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="sessions_app.circle"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="OwnershipClaim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "circle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ownership_claims",
                        to="sessions_app.circle",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ownership_claims",
                        to="sessions_app.member",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, validators=[django.core.validators.MinLengthValidator(1)])),
                ("sort_key", sessions_app.models.people.SortKeyField(editable=False)),
                (
                    "mark_shape",
                    models.CharField(
                        blank=True, choices=[("♥", "♥"), ("♦", "♦"), ("♣", "♣"), ("♠", "♠")], max_length=1
                    ),
                ),
                (
                    "mark_colour",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("red", "red"),
                            ("orange", "orange"),
                            ("green", "green"),
                            ("blue", "blue"),
                            ("ink", "ink"),
                        ],
                        max_length=6,
                    ),
                ),
                ("plays_no_more", models.BooleanField(default=False)),
                (
                    "circle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="players", to="sessions_app.circle"
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="merged",
                        to="sessions_app.player",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="member",
            name="held_as",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="sessions_app.player",
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="player",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="members",
                to="sessions_app.player",
            ),
        ),
        migrations.CreateModel(
            name="EveningChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("name", "Name"),
                            ("stake", "Stake"),
                            ("chips", "Chips"),
                            ("seats", "Seats"),
                            ("lineup", "Lineup"),
                            ("title", "Title"),
                            ("note", "Note"),
                            ("merge", "Merge"),
                            ("unmerge", "Unmerge"),
                        ],
                        max_length=8,
                    ),
                ),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("before", models.JSONField()),
                ("after", models.JSONField()),
                (
                    "evening",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="sessions_app.evening",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="sessions_app.player",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="RateKey",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ("key", models.BinaryField(max_length=32)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="one_rate_key")],
            },
        ),
        migrations.CreateModel(
            name="Removal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("by_choice", models.BooleanField(default=False)),
                (
                    "circle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="removals", to="sessions_app.circle"
                    ),
                ),
                (
                    "held_as",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="sessions_app.player",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="sessions_app.player",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Repayment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.UUIDField(default=uuid.uuid4, editable=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("payment", "Payment"), ("opening", "Opening")], default="payment", max_length=7
                    ),
                ),
                ("units", models.BigIntegerField()),
                ("currency", models.CharField(max_length=30)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "circle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="repayments", to="sessions_app.circle"
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "payee",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="received", to="sessions_app.player"
                    ),
                ),
                (
                    "payee_as",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="sessions_app.player",
                    ),
                ),
                (
                    "payer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="repaid", to="sessions_app.player"
                    ),
                ),
                (
                    "payer_as",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="sessions_app.player",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="RepaymentEvening",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.evening"
                    ),
                ),
                (
                    "repayment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="links", to="sessions_app.repayment"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="repayment",
            name="evenings",
            field=models.ManyToManyField(
                related_name="repayments", through="sessions_app.RepaymentEvening", to="sessions_app.evening"
            ),
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "action",
                    models.CharField(
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
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("before", models.JSONField(null=True)),
                ("after", models.JSONField()),
                ("version", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "cause",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="effects",
                        to="sessions_app.revision",
                    ),
                ),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="revisions", to="sessions_app.hand"
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["hand", "number"],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "evening",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="sessions_app.evening"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="sessions_app.player"
                    ),
                ),
                (
                    "sat_as",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="sessions_app.player",
                    ),
                ),
            ],
            options={
                "ordering": ["evening", "position"],
            },
        ),
        migrations.AddIndex(
            model_name="evening",
            index=models.Index(fields=["circle", "-started_at", "-id", "ended_at"], name="evenings_newest_first"),
        ),
        migrations.AddIndex(
            model_name="evening",
            index=models.Index(
                condition=models.Q(("ended_at", None)),
                fields=["circle", "ended_at", "-started_at", "-id"],
                name="running_newest_first",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("stake__isnull", True), ("stake__gt", 0), _connector="OR"), name="stake_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("stake__isnull", True), models.Q(("currency", ""), _negated=True), _connector="OR"),
                name="stake_has_a_currency",
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(("hand_count__lte", models.F("last_number"))), name="hands_counted_exist"
            ),
        ),
        migrations.AddIndex(
            model_name="eveningrollup",
            index=models.Index(fields=["evening", "edition", "id"], name="rollup_of_evening"),
        ),
        migrations.AddIndex(
            model_name="hand",
            index=models.Index(
                condition=models.Q(("is_void", False)), fields=["evening", "-number"], name="hands_that_stand"
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
            model_name="hand",
            constraint=models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="hands_from_one"),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(models.Q(("deal", ""), _negated=True), ("kind", "played")),
                    models.Q(("deal", ""), ("declarer__isnull", True), ("kind", "thrown_in")),
                    models.Q(models.Q(("deal", ""), _negated=True), ("declarer__isnull", True), ("kind", "agreed")),
                    _connector="OR",
                ),
                name="hand_kind_matches_deal",
            ),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=models.Q(("deal_stays", False), ("declarer__isnull", True), _connector="OR"),
                name="nobody_declares_where_the_deal_stays",
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
        migrations.AddIndex(
            model_name="handmark",
            index=models.Index(
                models.F("hand"), condition=models.Q(("kind", "hm"), ("settled_at", None)), name="doubts_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="handmark",
            constraint=models.UniqueConstraint(models.F("hand"), models.F("user"), name="one_mark_a_member"),
        ),
        migrations.AddConstraint(
            model_name="handmark",
            constraint=models.CheckConstraint(condition=models.Q(("kind__in", ["ok", "hm"])), name="mark_kind_known"),
        ),
        migrations.AddConstraint(
            model_name="houseprofile",
            constraint=models.UniqueConstraint(
                models.F("circle"), models.F("game_key"), models.F("name"), name="house_profile_once_by_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="houseprofile",
            constraint=models.CheckConstraint(
                condition=models.Q(("name", ""), _negated=True), name="house_profile_has_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="houseprofile",
            constraint=models.CheckConstraint(
                condition=models.Q(("game_key", ""), _negated=True), name="house_profile_of_a_game"
            ),
        ),
        migrations.AddConstraint(
            model_name="invite",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["keeper", "viewer"])), name="invite_to_write_or_watch"
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
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(("name", ""), _negated=True), name="player_has_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                models.F("circle"),
                models.F("mark_shape"),
                models.F("mark_colour"),
                condition=models.Q(("mark_shape", ""), _negated=True),
                name="mark_once_in_a_circle",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("mark_colour", ""), ("mark_shape", "")),
                    models.Q(models.Q(("mark_shape", ""), _negated=True), models.Q(("mark_colour", ""), _negated=True)),
                    _connector="OR",
                ),
                name="mark_has_a_shape_and_a_colour",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("merged_into", None), models.Q(("merged_into", models.F("pk")), _negated=True), _connector="OR"
                ),
                name="merged_into_somebody_else",
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(models.F("circle"), models.F("user"), name="member_once_of_a_circle"),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["viewer", "keeper", "owner"])), name="member_role_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="eveningchange",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("evening__isnull", True), ("kind__in", ["name", "merge", "unmerge"]), ("player__isnull", False)
                    ),
                    models.Q(
                        ("evening__isnull", False),
                        ("kind__in", ["stake", "chips", "seats", "lineup", "title", "note"]),
                        ("player__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="change_of_a_player_or_an_evening",
            ),
        ),
        migrations.AddConstraint(
            model_name="removal",
            constraint=models.UniqueConstraint(models.F("circle"), models.F("user"), name="removed_once_from_a_circle"),
        ),
        migrations.AddConstraint(
            model_name="repaymentevening",
            constraint=models.UniqueConstraint(
                models.F("repayment"), models.F("evening"), name="repayment_names_an_evening_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="repayment",
            constraint=models.UniqueConstraint(models.F("circle"), models.F("token"), name="repayment_token_once"),
        ),
        migrations.AddConstraint(
            model_name="repayment",
            constraint=models.CheckConstraint(
                condition=models.Q(("units__gte", 1), ("units__lte", 1000000000000)), name="repayment_of_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="repayment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("payer", models.F("payee")), _negated=True), ("undone_at__isnull", False), _connector="OR"
                ),
                name="repayment_of_two_people",
            ),
        ),
        migrations.AddConstraint(
            model_name="repayment",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["payment", "opening"])), name="repayment_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="repayment",
            constraint=models.CheckConstraint(
                condition=models.Q(("currency", ""), _negated=True), name="repayment_has_a_currency"
            ),
        ),
        migrations.AddConstraint(
            model_name="repayment",
            constraint=models.CheckConstraint(
                condition=models.Q(("undone_by__isnull", True), ("undone_at__isnull", False), _connector="OR"),
                name="repayment_undone_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="repayment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("payer_as", None), models.Q(("payer_as", models.F("payer")), _negated=True), _connector="OR"
                ),
                name="repayment_payer_as_another_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="repayment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("payee_as", None), models.Q(("payee_as", models.F("payee")), _negated=True), _connector="OR"
                ),
                name="repayment_payee_as_another_name",
            ),
        ),
        migrations.AddIndex(
            model_name="revision",
            index=models.Index(models.F("made_at"), name="revisions_by_time"),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(models.F("hand"), models.F("number"), name="revision_number_once"),
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
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("sat_as", None), models.Q(("sat_as", models.F("player")), _negated=True), _connector="OR"
                ),
                name="sat_as_another_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(models.F("evening"), models.F("position"), name="seat_taken_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(models.F("evening"), models.F("player"), name="player_sits_once"),
        ),
        migrations.RunPython(unlogged, migrations.RunPython.noop),
    ]
