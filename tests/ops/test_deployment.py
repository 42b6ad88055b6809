"""Settings of a server behind a proxy: what each brings about, and what the start warns of."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.test.utils import override_settings

from scorekeeper.ops import deployment


@pytest.fixture
def configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that reads the program's own settings with these variables."""

    def read(**environ: str) -> dict[str, Any]:
        for name, value in {"DATA": str(tmp_path), **environ}.items():
            monkeypatch.setenv(f"SCOREKEEPER_{name}", value)
        found = runpy.run_path(str(Path(settings.BASE_DIR) / "scorekeeper/settings.py"))
        return {name: value for name, value in found.items() if name.startswith(("HTTPS", "HSTS", "PROXY", "SECURE_"))}

    return read


def warned(found: dict[str, Any]) -> list[str]:
    with override_settings(**found):
        return [warning.partition(":")[0] for warning in deployment.warnings()]


@pytest.mark.parametrize(
    ("value", "subdomains", "preload"), [(None, False, False), ("subdomains", True, False), ("preload", True, True)]
)
def test_hsts_is_for_this_host_unless_a_setting_says_more_and_that_is_warned_of(
    configure: Any, value: str | None, subdomains: bool, preload: bool
) -> None:
    found = configure(HTTPS="true", PROXY="true", **({"HSTS": value} if value else {}))
    assert (found["SECURE_HSTS_INCLUDE_SUBDOMAINS"], found["SECURE_HSTS_PRELOAD"]) == (subdomains, preload)
    assert warned(found) == ([f"SCOREKEEPER_HSTS={value}"] if value else [])
    assert not configure(HTTPS="false")["SECURE_HSTS_INCLUDE_SUBDOMAINS"]


def test_unknown_hsts_is_refused(configure: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match="choose host, subdomains or preload, not 'all'"):
        configure(HSTS="all")


def test_a_path_below_another_site_is_refused_in_a_sentence(configure: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"SCOREKEEPER_PATH: .* a host name of its own"):
        configure(PATH="/cards")
    configure(PATH="/")
