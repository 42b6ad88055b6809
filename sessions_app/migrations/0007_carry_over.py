"""What stood in payments, totals and columns goes where any game writes it, and back again."""

from itertools import permutations

from django.db import migrations, models

BATCH = 500
PARTS = ("auction", "announcement", "doubling", "play")


def carry_over(apps, schema_editor):
    """Write everything in its new place; the old one is taken away afterwards."""
    _seat_everybody(apps)
    _enter_payments(apps)
    _rewrite_histories(apps, "payments", "entries", lambda paid: ["paid", *paid, "points"])
    _keep_open_hands(apps)


def carry_back(apps, schema_editor):
    """The way back, for evenings of the one game that the version before knew."""
    _count_pairs(apps)
    _leave_payments(apps)
    _rewrite_histories(apps, "entries", "payments", lambda entry: entry[1:4])
    _spread_open_hands(apps)


def _seat_everybody(apps):
    """Who sat down stayed all evening: the lineup of every hand is the evening's seats."""
    Evening, Hand = apps.get_model("sessions_app", "GameSession"), apps.get_model("sessions_app", "Hand")
    totals = apps.get_model("sessions_app", "PairTotal").objects
    for evening in Evening.objects.annotate(sat=models.Count("seats")).only("pk").iterator(BATCH):
        pairs = totals.filter(game_session=evening.pk).order_by("payer", "payee")
        rows = pairs.values_list("payer", "payee", "points", "hands")
        evening.lineup = "-".join(map(str, range(evening.sat)))
        evening.sheet = {("paid", payer, payee): (points, hands) for payer, payee, points, hands in rows}
        evening.save(update_fields=["lineup", "sheet"])
        Hand.objects.filter(game_session=evening.pk).update(lineup=evening.lineup)


def _count_pairs(apps):
    Evening, PairTotal = apps.get_model("sessions_app", "GameSession"), apps.get_model("sessions_app", "PairTotal")
    for evening in Evening.objects.annotate(sat=models.Count("seats")).iterator(BATCH):
        found = dict.fromkeys(permutations(range(evening.sat), 2), (0, 0))
        found |= {(payer, payee): tuple(total) for (_account, payer, payee), total in evening.sheet.items()}
        PairTotal.objects.bulk_create(
            PairTotal(game_session_id=evening.pk, payer=payer, payee=payee, points=points, hands=hands)
            for (payer, payee), (points, hands) in found.items()
        )


def _enter_payments(apps):
    payments = apps.get_model("sessions_app", "HandPayment").objects.order_by("pk")
    HandEntry = apps.get_model("sessions_app", "HandEntry")
    for rows in _batches(payments.iterator(BATCH)):
        HandEntry.objects.bulk_create(
            HandEntry(
                hand_id=row.hand_id,
                account="paid",
                seat=row.payer,
                against=row.payee,
                amount=row.points,
                reason="points",
            )
            for row in rows
        )


def _leave_payments(apps):
    entries = apps.get_model("sessions_app", "HandEntry").objects.filter(account="paid").order_by("pk")
    HandPayment = apps.get_model("sessions_app", "HandPayment")
    for rows in _batches(entries.iterator(BATCH)):
        HandPayment.objects.bulk_create(
            HandPayment(hand_id=row.hand_id, payer=row.seat, payee=row.against, points=row.amount) for row in rows
        )


def _rewrite_histories(apps, old, new, rewritten):
    Revision = apps.get_model("sessions_app", "Revision")
    for rows in _batches(Revision.objects.order_by("pk").iterator(BATCH)):
        for row in rows:
            for state in filter(None, (row.before, row.after)):
                state[new] = [rewritten(each) for each in state.pop(old)]
        Revision.objects.bulk_update(rows, ["before", "after"])


def _keep_open_hands(apps):
    for row in apps.get_model("sessions_app", "OpenHand").objects.iterator(BATCH):
        row.state = _state({"declarer": row.declarer, **{part: getattr(row, part) for part in PARTS}})
        if row.replaced:
            row.replaced = {"dealer": row.replaced["dealer"], "state": _state(row.replaced)}
        row.save(update_fields=["state", "replaced"])


def _spread_open_hands(apps):
    for row in apps.get_model("sessions_app", "OpenHand").objects.iterator(BATCH):
        row.declarer = row.state.get("declarer")
        for part in PARTS:
            setattr(row, part, row.state.get(part, ""))
        if row.replaced:
            blank = {"declarer": None} | dict.fromkeys(PARTS, "")
            row.replaced = {"dealer": row.replaced["dealer"], **blank, **row.replaced["state"]}
        row.save(update_fields=["declarer", *PARTS, "replaced"])


def _state(columns):
    return {name: columns[name] for name in ("declarer", *PARTS) if columns[name] not in (None, "")}


def _batches(rows):
    batch = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0006_entries")]

    operations = [
        migrations.RunPython(carry_over, carry_back),
    ]
