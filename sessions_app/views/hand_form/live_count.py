"""The live count of a hand form: what the hand that is tapped counts for, or what is missing or wrong."""

from typing import Any

from scorekeeper.games.errors import InvalidDeal
from sessions_app.faces.hand_form import HandForm
from sessions_app.models import Evening, Hand
from sessions_app.readers.evening import hand_counts
from sessions_app.words.wording import listed


def count(evening: Evening, form: HandForm, editing: Hand | None = None) -> dict[str, Any]:
    """Return the live count: the hand counted, or else the missing and the wrong fields."""
    leader = None if form.leader is None or form.always_leads else form.names[form.leader]
    tapped = form if form.is_bound else form.again(form.initial)
    if tapped.is_thrown_in:
        return {}
    if tapped.deal:
        try:
            counted = hand_counts.count(evening, tapped.deal, tapped.place, len(form.names), editing)
        except InvalidDeal as invalid:
            tapped.refuse(invalid)
        else:
            place = tapped.place
            playing = tapped.players_of(tapped.deal, place.seats, place.dealer, place.declarer)
            players = tuple(form.names[seat] for seat in playing)
            return {"counted": counted, "deal": tapped.deal, "rules": form.rules, "leader": leader, "players": players}
    errors = tapped.errors.as_data()
    # A hidden field has no name: the form says itself that it is out of date.
    named = (name for name in errors if name in tapped.fields and not tapped.fields[name].widget.is_hidden)
    missing = [tapped.called(name) for name in named if any(error.code == "required" for error in errors[name])]
    wrong = [error for field in errors.values() for error in field if error.code != "required"]
    problems = [message for error in wrong for message in error.messages]
    return {"problems": problems, "missing": listed(missing), "leader": leader}
