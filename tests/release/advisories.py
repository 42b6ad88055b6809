"""Published advisories on the locked requirements: `./run audit`. Exit with 1 for a known vulnerability.

A package that the service did not answer for is named aloud, and fails nothing: a network is no fault of a change.
pip-audit passes such a package in silence.
"""

import json
import subprocess
import sys
from typing import Any, Final

AUDIT: Final = (".venv/release/bin/pip-audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
ASK: Final = (*AUDIT, "--timeout", "15", "--format", "json", "--requirement", "requirements/base.txt")


def main() -> int:
    asked = subprocess.run(ASK, capture_output=True, text=True, check=False)  # noqa: S603
    try:
        packages = json.loads(asked.stdout)["dependencies"]
    except ValueError:
        packages = [{"name": "every package", "skip_reason": (asked.stderr.splitlines() or ["no answer"])[-1]}]
    status, lines = verdict(packages)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return status


def verdict(packages: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """Return the exit status, and what to print, for pip-audit's list of packages."""
    known = [
        f"VULNERABLE: {package['name']} {package['version']}: {found['id']}, mended in {found['fix_versions']}"
        for package in packages
        for found in package.get("vulns", ())
    ]
    skipped = [package for package in packages if "skip_reason" in package]
    lines = [*known, f"{len(packages) - len(skipped)} packages asked for, {len(known)} advisories."]
    if skipped:
        names = ", ".join(package["name"] for package in skipped)
        lines.append(f"!!! NOT AUDITED: {names}. The advisory service said: {skipped[0]['skip_reason']}")
    return int(bool(known)), lines


if __name__ == "__main__":
    sys.exit(main())
