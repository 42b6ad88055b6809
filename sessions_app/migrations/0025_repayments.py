"""Payments that were made, opening balances, and the coins that a circle pays in. On the way back they go."""

import uuid
from typing import Any

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q


def key(to: str, on_delete: Any, related_name: str, **optional: bool) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(to, on_delete=on_delete, related_name=related_name, **optional)


def player_key(related_name: str, **optional: bool) -> models.ForeignKey[Any, Any]:
    return key("sessions_app.player", models.PROTECT, related_name, **optional)


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0024_year_sums")]

    operations = [
        migrations.AddField("circle", "repayment_version", models.PositiveIntegerField(default=0)),
        migrations.AddField("circle", "cash_coins", models.JSONField(blank=True, default=dict)),
        migrations.CreateModel(
            "Repayment",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.UUIDField(default=uuid.uuid4, editable=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("payment", "Payment"), ("opening", "Opening")], default="payment", max_length=7
                    ),
                ),
                ("circle", key("sessions_app.circle", models.CASCADE, "repayments")),
                ("payer", player_key("repaid")),
                ("payee", player_key("received")),
                ("payer_as", player_key("+", null=True, blank=True)),
                ("payee_as", player_key("+", null=True, blank=True)),
                ("units", models.BigIntegerField()),
                ("currency", models.CharField(max_length=30)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("made_by", key(settings.AUTH_USER_MODEL, models.SET_NULL, "+", null=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("undone_by", key(settings.AUTH_USER_MODEL, models.SET_NULL, "+", null=True, blank=True)),
            ],
            {
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint("circle", "token", name="repayment_token_once"),
                    models.CheckConstraint(
                        condition=Q(units__gte=1, units__lte=1_000_000_000_000), name="repayment_of_something"
                    ),
                    models.CheckConstraint(
                        condition=~Q(payer=F("payee")) | Q(undone_at__isnull=False), name="repayment_of_two_people"
                    ),
                    models.CheckConstraint(condition=Q(kind__in=["payment", "opening"]), name="repayment_kind_known"),
                    models.CheckConstraint(condition=~Q(currency=""), name="repayment_has_a_currency"),
                    models.CheckConstraint(
                        condition=Q(undone_by__isnull=True) | Q(undone_at__isnull=False),
                        name="repayment_undone_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=Q(payer_as=None) | ~Q(payer_as=F("payer")), name="repayment_payer_as_another_name"
                    ),
                    models.CheckConstraint(
                        condition=Q(payee_as=None) | ~Q(payee_as=F("payee")), name="repayment_payee_as_another_name"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "RepaymentEvening",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("repayment", key("sessions_app.repayment", models.CASCADE, "links")),
                ("evening", key("sessions_app.evening", models.PROTECT, "+")),
            ],
            {
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint("repayment", "evening", name="repayment_names_an_evening_once")
                ],
            },
        ),
        migrations.AddField(
            "repayment",
            "evenings",
            models.ManyToManyField(
                to="sessions_app.evening", through="sessions_app.RepaymentEvening", related_name="repayments"
            ),
        ),
    ]
