from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0013_rate_counts")]

    operations = [
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
    ]
