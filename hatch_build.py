"""Add to the wheel the files that are not in its packages. Hatchling finds this module by its name."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: Files beside the packages, which lie in scorekeeper/bundled when installed (scorekeeper/ops/project.py).
BUNDLED = ("templates", "static", "docs/book.schema.json")


class Requirements(MetadataHookInterface):
    """The ranges of requirements/base.in, from which the locked versions are made as well."""

    def update(self, metadata: dict[str, Any]) -> None:
        lines = (Path(self.root) / "requirements/base.in").read_text(encoding="utf-8").splitlines()
        metadata["dependencies"] = [range_ for line in lines if (range_ := line.partition("#")[0].strip())]


class Files(BuildHookInterface[Any]):
    """Compiled catalogues, without which a language is missing and nothing says so, and the files beside the packages.

    An editable install has neither: it runs in its checkout.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from sessions_app.management import translations

        translations.compile_catalogue(Path(self.root))
        build_data["force_include"] |= {str(Path(self.root) / path): f"scorekeeper/bundled/{path}" for path in BUNDLED}
