"""Count hands of two whisters who share (`pair_shares`) again: they halve what their side lacks, and no more.

What each lacked by `short_share` or `short_one` was added up before, which in some houses is more than the side lacks.
Every page explains a hand by the rules as they are, and `manage verify` counts by them, so evenings that have ended are
counted again too. The way back leaves `short_one=second_strict` as it is: the code before does not know that value,
and cannot open an evening that was stamped with it. What a hand comes to is asked of the game itself, since a hand may depend on those before it. Each
hand that comes to something else has that in its history: an amendment by nobody, of the same facts.
"""

from dataclasses import replace

from django.db import migrations

from scorekeeper.games import preference
from scorekeeper.games.base import Entry, Place
from scorekeeper.games.errors import GameError
from scorekeeper.games.preference.deal import ALL_TRICKS, quota, value

FROM_ONE_TRICK = 8


def count_again(apps, schema_editor):
    _count_all(apps, preference.count)


def count_as_before(apps, schema_editor):
    _count_all(apps, _count_before)


def _count_all(apps, count):
    evenings = apps.get_model("sessions_app", "GameSession").objects
    for evening in evenings.filter(game_key="preference", rules__contains="pair_shares=yes").order_by("pk"):
        try:
            rules = preference.rules_from_text(evening.rules)
            _renew(apps, evening, *_counted(evening, rules, count))
        except (GameError, ValueError):
            continue  # it is damaged: `manage verify` says how


def _counted(evening, rules, count):
    """Each hand with its entries as they come out, the standing after it and whether it counts; nothing is written."""
    standing, found = preference.start(rules), []
    for hand in evening.hands.order_by("number").prefetch_related("entries"):
        rows = _kept(hand)
        if not hand.is_void:
            deal = preference.deal_from_text(hand.deal, rules) if hand.deal else None
            place = Place(tuple(map(int, hand.lineup.split("-"))), hand.dealer, hand.declarer)
            counted = count(deal, place, standing, rules)
            standing = counted.standing
            rows = _sorted(
                [each.account, each.seat, each.against, each.amount, each.reason] for each in counted.entries
            )
        found.append((hand, rows, preference.standing_to_text(standing)))
    return found, preference.standing_to_text(standing)


def _renew(apps, evening, counted, standing):
    """Write what comes out otherwise than it is kept; an evening of which nothing does is left alone."""
    changed = [(hand, rows, after) for hand, rows, after in counted if (rows, after) != (_kept(hand), hand.standing)]
    if not changed:
        return
    for hand, rows, after in changed:
        if rows != _kept(hand):
            evening.version += 1
            _rewrite(apps, hand, rows, evening.version)
        hand.standing = after
        hand.save(update_fields=["standing", "revision_count"])
    evening.sheet = {}
    for hand, rows, _after in counted:
        for account, seat, against, amount, _reason in () if hand.is_void else rows:
            total, entries = evening.sheet.get((account, seat, against), (0, 0))
            evening.sheet[account, seat, against] = total + amount, entries + 1
    evening.standing = standing
    evening.save(update_fields=["version", "sheet", "standing"])


def _rewrite(apps, hand, rows, version):
    HandEntry, Revision = apps.get_model("sessions_app", "HandEntry"), apps.get_model("sessions_app", "Revision")
    hand.revision_count += 1
    Revision.objects.create(
        hand=hand,
        number=hand.revision_count,
        action="amend",
        before=_state(hand, _kept(hand)),
        after=_state(hand, rows),
        version=version,
    )
    HandEntry.objects.filter(hand=hand).delete()
    HandEntry.objects.bulk_create(
        HandEntry(hand=hand, account=account, seat=seat, against=against, amount=amount, reason=reason)
        for account, seat, against, amount, reason in rows
    )


def _kept(hand):
    return _sorted([each.account, each.seat, each.against, each.amount, each.reason] for each in hand.entries.all())


def _sorted(rows):
    """In the order in which a history keeps them."""
    return sorted(rows, key=lambda row: [-1 if each is None else each for each in row])


def _state(hand, rows):
    facts = {name: getattr(hand, name) for name in ("dealer", "declarer", "deal", "deal_stays")}
    return {"facts": facts, "is_void": hand.is_void, "entries": rows}


# --- As it was counted before ---


def _count_before(deal, place, standing, rules):
    counted = preference.count(deal, place, standing, rules)
    is_of_a_pair = isinstance(deal, preference.Contract) and deal.answers is preference.Answers.BOTH
    if not is_of_a_pair or preference.is_finished(standing, rules):
        return counted
    left = tuple(entry for entry in counted.entries if entry.reason not in ("short", "shared"))
    added_up, side = _lacks(deal, rules)
    written = tuple(_written_before(deal, place, rules, added_up))
    more = value(deal.level) * (added_up - side) // 2 if rules.short_to == "dump" else 0
    return replace(counted, entries=left + written, standing=_with_dumps(counted.standing, deal, place, rules, more))


def _lacks(deal, rules):
    """What the two answered for together, and what their side lacks."""
    half = max(quota(deal.level) // 2, 1)
    own = sum(max(half - tricks, 0) for tricks in deal.tricks[1:])
    side = max(quota(deal.level) - sum(deal.tricks[1:]), 0)
    if deal.level >= FROM_ONE_TRICK:
        return {"both": 2 * side, "strict": own}.get(rules.short_one, side), side
    return {"own": own if side else 0, "strict": own}.get(rules.short_share, side), side


def _written_before(deal, place, rules, lack):
    worth, defence = value(deal.level), ALL_TRICKS - deal.tricks[0]
    declarer, *pair = preference.places(place.seats, place.dealer, place.declarer)
    for whister in pair:
        if defence and (rules.short_keeps or not lack):
            yield Entry("bank", whister, declarer, worth * rules.bank_factor * defence // 2, "shared")
        if lack and rules.short_to == "dump":
            yield Entry("dump", whister, None, worth * lack // 2, "short")
        elif lack:
            yield Entry("bank", declarer, whister, worth * lack // 2, "short")


def _with_dumps(standing, deal, place, rules, more):
    """The standing, of which the dumps are only a part where points that were won clear them first."""
    if rules.made_to != "dump_first" or not more:
        return standing
    _declarer, *pair = preference.places(place.seats, place.dealer, place.declarer)
    dumps = standing.dumps or (0,) * len(place.seats)
    return replace(standing, dumps=tuple(dump + more * (seat in pair) for seat, dump in enumerate(dumps)))


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0010_house_profiles")]

    operations = [migrations.RunPython(count_again, count_as_before)]
