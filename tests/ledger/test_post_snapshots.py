"""A page that answers a POST reads one snapshot, wherever another phone ends an evening or reopens it meanwhile."""

import re
from collections.abc import Callable, Iterator
from itertools import count, product
from typing import Any, NamedTuple

import pytest
from django.db import connection
from django.test import Client

from sessions_app.models import Evening, Role, User
from sessions_app.writers import evenings
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.test_page_caches import caches
from tests.ledger.test_snapshot import elsewhere
from tests.selection import THOROUGH, first_rows
from tests.views.every_url import name_of, patterns, row_of
from tests.views.scene import Scene

pytestmark = pytest.mark.django_db(transaction=True)
#: Text that differs between two equal answers: random tokens, times of day, versions of the page.
CHANGING = re.compile(
    r'name="(?:csrfmiddlewaretoken|token|seen|replace|told)"\s+value="[^"]*"|<time.*?</time>|"token": "[^"]*"|\bv=\d+|'
    r'data-version="[\d-]+"',
    re.DOTALL,
)


class Post(NamedTuple):
    """The fields and headers of a POST."""

    body: dict[str, str]
    headers: dict[str, str]


class Toggle:
    """An execute wrapper: before each query from number `start` on, another phone ends an evening, or reopens it."""

    def __init__(self, evening: Evening, start: int, step: int) -> None:
        self.evening, self.start, self.step = evening, start, step
        self.queries = self.toggles = 0

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        if not connection.in_atomic_block:  # a writer's transaction holds up all others
            if self.queries - self.start in (0, self.step):
                self.toggles += 1
                elsewhere(lambda: toggle(self.evening.pk))
            self.queries += 1
        return execute(*args)


def toggle(evening_id: int) -> None:
    ended = Evening.objects.get(pk=evening_id).has_ended
    (evenings.reopen if ended else evenings.end)(evening_id)


def refused_posts(scene: Scene) -> Iterator[Post]:
    """Yield an empty POST, and one that a writer refuses, each as a page and as the outbox ask for it."""
    body, players = scene.body(), dict(scene.evening.seats.values_list("position", "player"))
    refused: dict[str, dict[str, str]] = {
        "player-rename": {"name": "Béla"},
        "player-merge": {"other": str(players[1])},
        "repayments": {"for": "0"},
        "hand-edit": {"revision": "7"},
        "lineup": {"seen": "7"},
        "lineup-home": {"seen": "7"},
        "evening-edit": {"player_1": "anna."},
        "house-profile-save": {"name": "Friday"},
    }
    for fields in ({}, body | refused.get(scene.name, {"number": "1"})):
        for headers in ({}, {"Accept": "application/json"}):
            yield Post(fields, headers)


def answer(phone: Client, scene: Scene, post: Post) -> tuple[int, str]:
    response = phone.post(scene.address, post.body, headers=post.headers)
    return response.status_code, CHANGING.sub("", response.text)


def states(phone: Client, scene: Scene, post: Post, other: Evening) -> list[tuple[int, str]]:
    """Return the answers while the other evening runs and after it has ended, each without a cache."""
    found = []
    for _state in range(2):
        for cache in caches():
            cache.clear()
        found.append(answer(phone, scene, post))
        toggle(other.pk)
    return found


#: Their answers have a new key or challenge each time, and show no evening.
NEW_EACH_TIME = re.compile(r"passkeys?/options/$|spare-key/$")
PATHS = [path for path, _pattern in patterns() if "POST" in row_of(path) and not NEW_EACH_TIME.search(path)]
#: Those whose answers show what another evening of the circle comes to.
SHOWING = ("player-merge", "circle-rename", "player-rename", "player-unmerge", "circle-leave", "circle-archive")


def beside_another(path: str, owner: User, evening: Evening) -> tuple[Scene, Evening]:
    """Return the scene of a path, and another evening of its circle that has ended."""
    for role in (Role.KEEPER, Role.VIEWER):
        MemberFactory(circle=evening.circle, role=role)
    scene, other = Scene(path, evening, owner), evening_of(owner)
    record(other, owner, "3N 9", declarer=0)
    # A session that was reopened keeps the result of its end: without these there would be a third state.
    toggle(other.pk)
    toggle(other.pk)
    return scene, other


def answered_in_two_states(owners: Client, scene: Scene, other: Evening) -> Iterator[tuple[Post, list[Any]]]:
    """Yield each refused POST that is answered with a page, and the answers while the other evening runs and after."""
    tried = []
    for post in refused_posts(scene):
        if answer(owners, scene, post)[0] in (204, 302, 404, 405):
            continue
        wanted = states(owners, scene, post, other)
        if set(wanted) not in tried:  # it may run or have ended now
            tried.append(set(wanted))
            yield post, wanted


@pytest.mark.parametrize(("name", "step"), first_rows(1, product(SHOWING, (1, 2))))
def test_answer_to_a_post_shows_one_state_while_an_evening_ends_and_reopens(
    owners: Client, owner: User, evening: Evening, name: str, step: int
) -> None:
    scene, other = beside_another(next(path for path in PATHS if name_of(path) == name), owner, evening)
    for post, wanted in answered_in_two_states(owners, scene, other):
        for start in count():
            between = Toggle(other, start, step)
            with connection.execute_wrapper(between):
                assert answer(owners, scene, post) in wanted, (post, start)
            if not between.toggles:
                break


@THOROUGH
def test_only_the_known_answers_to_posts_show_another_evening(client_of: Callable[..., Client]) -> None:
    showing = set()
    for path in PATHS:
        owner = UserFactory()
        scene, other = beside_another(path, owner, evening_of(owner))
        if any(runs != ended for _post, (runs, ended) in answered_in_two_states(client_of(owner), scene, other)):
            showing.add(name_of(path))
    assert showing == set(SHOWING)
