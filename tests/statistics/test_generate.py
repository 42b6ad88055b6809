"""A generated archive is sound, the same for the same seed, and holds all that an archive may hold."""

from collections import Counter

import pytest

from sessions_app.models import Evening, EveningRollup, Hand, Revision, User
from sessions_app.readers.verify import verify
from tests.statistics.generate import generate

pytestmark = pytest.mark.django_db


def test_generated_book_is_sound_and_has_every_kind_of_hand(owner: User) -> None:
    (circle,) = generate(owner, sessions=15, hands=24, players=12, seed=4)
    faults: list[str] = []
    checked = verify(lambda fault: faults.append(str(fault)))
    assert faults == []
    assert (checked.evenings, checked.hands) == (15, Hand.objects.count())
    assert checked.hands > 15 * 20
    assert set(Hand.objects.values_list("kind", flat=True)) == set(Hand.Kind)
    assert set(Revision.objects.values_list("action", flat=True)) == {"record", "amend", "void", "restore"}
    assert Hand.objects.filter(is_void=True).exists()
    assert Counter(Evening.objects.values_list("game_key", flat=True)) == {"asszorti": 5, "tarokk": 5, "preference": 5}
    assert Evening.objects.exclude(seating=0).exists(), "players came and went"
    assert list(Evening.objects.filter(ended_at=None)) == [circle.evenings.latest("started_at")]
    assert EveningRollup.objects.count() == 14
