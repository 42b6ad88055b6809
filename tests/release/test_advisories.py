from typing import Any

from tests.release.advisories import verdict

SAFE: dict[str, Any] = {"name": "babel", "version": "2.18.0", "vulns": []}
FOUND: dict[str, Any] = {"id": "PYSEC-2026-1", "fix_versions": ["6.1.4"]}
VULNERABLE: dict[str, Any] = {"name": "django", "version": "6.1.3", "vulns": [FOUND]}
UNANSWERED: dict[str, Any] = {"name": "segno", "skip_reason": "not found"}


def test_known_vulnerability_fails_and_is_named() -> None:
    status, lines = verdict([SAFE, VULNERABLE])
    assert (status, lines[-1]) == (1, "2 packages asked for, 1 advisories.")
    assert lines[0] == "VULNERABLE: django 6.1.3: PYSEC-2026-1, mended in ['6.1.4']"


def test_package_that_the_service_does_not_know_is_named_and_fails_nothing() -> None:
    status, lines = verdict([SAFE, UNANSWERED])
    assert (status, lines[0]) == (0, "1 packages asked for, 0 advisories.")
    assert lines[1].startswith("!!! NOT AUDITED: segno. The advisory service said: not found")
