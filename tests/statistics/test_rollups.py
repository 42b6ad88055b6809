"""The stored roll-ups of a generated archive agree with the recount of its facts."""

from collections import defaultdict

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from sessions_app.models import EveningRollup, User
from sessions_app.readers.evening.figures import unpacked
from tests.statistics.generate import generate
from tests.statistics.reading import facts
from tests.statistics.recount import ALL, Counted, Figure, recount

pytestmark = pytest.mark.django_db
#: Figures that the roll-ups do not hold: they come of several evenings, or of the stake.
NOT_OF_ONE = {"money", "best_evening", "worst_evening", "streak_won", "streak_lost"}


def test_the_roll_ups_sum_to_the_recount(owner: User) -> None:
    (circle,) = generate(owner, sessions=31, hands=20, players=12, seed=9)
    ended = facts(circle=circle, ended_at__isnull=False)
    assert len(ended) == 30
    players = {each["id"]: each["seats"] for each in ended}
    stored: dict[Figure, tuple[Amount, int]] = defaultdict(lambda: (0, 0))
    for rollup in EveningRollup.objects.select_related("evening"):
        sat = players[rollup.evening_id]
        for (seat, name, key), (amount, of) in unpacked(rollup.figures, rollup.evening.game).items():
            against = sat[int(key)] if name == "against" else None
            figure = Figure(rollup.evening.game_key, name, sat[seat], "" if against else key, against)
            stored[figure] = stored[figure][0] + amount, stored[figure][1] + of
    counted = {
        figure: figures
        for figure, figures in recount(ended).figures.items()
        if figures != Counted(0, 0) and figure.game != ALL and figure.measure not in NOT_OF_ONE
    }
    for figure in stored.keys() | counted.keys():
        of_keys = figure.key and figure.measure in GAMES[figure.game].counted_over
        if not figure.measure.startswith("merit_"):
            # A key of 0 has no row, so its `of` is that of the wider measure over all evenings.
            amount, of = counted.get(figure, (0, 0))
            assert stored[figure][0] == amount, figure
            assert of_keys or stored[figure][1] == of, figure
