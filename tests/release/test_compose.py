"""The compose files are valid, and ask for nothing but the host's name. No engine is here that could start them."""

import re
from pathlib import Path

import pytest

from tests.serving import PROJECT, run

READ = "import compose_spec, sys; print(*compose_spec.PyCompose.from_yaml(open(sys.argv[1]).read()).service_names())"


@pytest.mark.parametrize(
    ("name", "services"),
    [("compose.yaml", {"strigula", "caddy"}), ("compose.postgresql.yaml", {"strigula", "caddy", "postgresql"})],
)
def test_compose_file_is_valid_and_asks_for_the_host_alone(release: Path, name: str, services: set[str]) -> None:
    path = PROJECT / "deploy" / name
    assert set(run(PROJECT / ".venv/release/bin/python", "-c", READ, path).split()) == services
    assert set(re.findall(r"\$\{(\w+)", path.read_text(encoding="utf-8"))) <= {"STRIGULA_HOST"}
