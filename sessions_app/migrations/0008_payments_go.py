"""Payments, their totals and the columns of one game's open hand have gone to their new places."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0007_carry_over")]

    operations = [
        migrations.RemoveConstraint(
            model_name="handpayment",
            name="payment_once",
        ),
        migrations.RemoveConstraint(
            model_name="handpayment",
            name="nobody_pays_himself",
        ),
        migrations.RemoveConstraint(
            model_name="handpayment",
            name="payment_positive",
        ),
        migrations.RemoveConstraint(
            model_name="pairtotal",
            name="pair_once",
        ),
        migrations.RemoveConstraint(
            model_name="pairtotal",
            name="pair_of_two",
        ),
        migrations.RemoveConstraint(
            model_name="pairtotal",
            name="pair_points_for_hands",
        ),
        migrations.RemoveField(
            model_name="openhand",
            name="announcement",
        ),
        migrations.RemoveField(
            model_name="openhand",
            name="auction",
        ),
        migrations.RemoveField(
            model_name="openhand",
            name="declarer",
        ),
        migrations.RemoveField(
            model_name="openhand",
            name="doubling",
        ),
        migrations.RemoveField(
            model_name="openhand",
            name="play",
        ),
        migrations.RemoveField(
            model_name="handpayment",
            name="hand",
        ),
        migrations.RemoveField(
            model_name="pairtotal",
            name="game_session",
        ),
        migrations.DeleteModel(
            name="HandPayment",
        ),
        migrations.DeleteModel(
            name="PairTotal",
        ),
    ]
