"""The screens of an evening that is paid in chips: begun, after a hand, undone, corrected, settled."""

from collections.abc import Iterator

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening
from sessions_app.writers import ledger
from tests.browser.gallery import LONG, Screen, played
from tests.browser.phones import url
from tests.factories import UserFactory, evening_of


def screens() -> Iterator[Screen]:
    keeper = UserFactory()
    new, long = evening_of(keeper), played(keeper, 4, names=(*LONG, "Dóra"))
    undone, corrected = played(keeper, 3), played(keeper, 3, names=LONG)
    Evening.objects.filter(circle__members__user=keeper).update(in_chips=True)
    ledger.void(undone.pk, 3, by=keeper)
    ledger.amend(corrected.pk, 1, facts=Facts(0, 1, "2H 5"), by=keeper)
    yield Screen("session in chips, begun", keeper, url(new))
    yield Screen("session in chips, a hand saved", keeper, url(long, "?saved=4"))
    yield Screen("session in chips, a hand undone", keeper, url(undone, "?saved=3"))
    yield Screen("hand in chips", keeper, url(long, "hands/1/"))
    yield Screen("hand in chips, corrected", keeper, url(corrected, "hands/1/"))
    yield Screen("settle, paid in chips", keeper, url(long, "settle/"))
    yield Screen("session in chips, long names, undone", keeper, url(corrected, "?saved=1"))
