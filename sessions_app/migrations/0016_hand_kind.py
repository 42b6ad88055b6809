"""Store a hand's kind, which until now was read into its deal and `deal_stays`."""

from typing import Any

from django.db import migrations, models
from django.db.models import Case, Q, Value, When


def fill_in(apps: Any, schema_editor: Any) -> None:
    """Set the kind of every hand in one statement; `played` is the default that the column was added with."""
    agreed, thrown_in = When(deal_stays=True, then=Value("agreed")), When(deal="", then=Value("thrown_in"))
    hands = apps.get_model("sessions_app", "Hand").objects.filter(Q(deal="") | Q(deal_stays=True))
    hands.update(kind=Case(thrown_in, agreed))


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0015_circles_and_evenings")]

    operations = [
        migrations.RemoveConstraint(model_name="hand", name="nobody_declares_what_is_thrown_in"),
        migrations.AddField(
            model_name="hand",
            name="kind",
            field=models.CharField(
                choices=[("played", "Played"), ("thrown_in", "Thrown In"), ("agreed", "Agreed")],
                default="played",
                max_length=9,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
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
    ]
