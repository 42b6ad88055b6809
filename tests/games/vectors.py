"""The plain-text vectors of the games: each file names its content and its source."""

from collections.abc import Iterator
from pathlib import Path


def lines(*paths: Path) -> Iterator[tuple[str, str]]:
    """The lines that are vectors, each with its file and number."""
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line and not line.startswith("#"):
                yield f"{path.stem}:{number} {line}", line


def referee_vectors(game: str, name: str) -> list[list[str]]:
    """The parts of each line `given | expected` of a referee's vectors."""
    path = Path(__file__).parent / game / "vectors" / "referee" / name
    return [[part.strip() for part in line.split("|")] for _at, line in lines(path)]
