"""Spell Tarokk's house rules by the profile that they are nearest to, now that there is one besides the book's.

The rules stay what they are: only their one spelling has changed (`pvsz` for four switches).
"""

from django.db import migrations

from scorekeeper.games import tarokk
from scorekeeper.games.errors import GameError


def spell_by_profile(apps, schema_editor):
    _respell(apps, tarokk.rules_to_text)


def spell_by_switches(apps, schema_editor):
    _respell(apps, _by_switches)


def _by_switches(rules):
    return " ".join(f"{each.switch}={each.value}" for each in tarokk.differences(rules))


def _respell(apps, write):
    for name in ("GameSession", "HouseProfile"):
        rows = apps.get_model("sessions_app", name).objects.filter(game_key="tarokk").exclude(rules="")
        for row in rows.order_by("pk"):
            try:
                text = write(tarokk.rules_from_text(row.rules))
            except GameError:
                continue  # it is damaged: `manage verify` says how
            if text != row.rules:
                row.rules = text
                row.save(update_fields=["rules"])


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0011_halve_what_the_side_lacks"),
    ]

    operations = [
        migrations.RunPython(spell_by_profile, spell_by_switches),
    ]
