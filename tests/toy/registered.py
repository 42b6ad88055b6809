"""The toy among the games, while a test runs: a line in each of the two registries, its templates and its tags."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.test import override_settings

from scorekeeper import games
from scorekeeper.http import bundles  # noqa: F401  it asks once which games bring styles, and this one brings none
from sessions_app import faces
from tests.toy.face import FACE
from tests.toy.game import GAME

TEMPLATES = Path(__file__).parent / "templates"


@contextmanager
def registered() -> Iterator[None]:
    templates: list[dict[str, Any]] = deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"].append(TEMPLATES)
    templates[0]["OPTIONS"]["libraries"][GAME.key] = "tests.toy.tags"
    with (
        patch.dict(games._GAMES, {GAME.key: GAME}),
        patch.dict(faces._FACES, {FACE.key: FACE}),
        override_settings(TEMPLATES=templates),
    ):
        yield
