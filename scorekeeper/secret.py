"""The secret key of an installation: made once, kept in its data folder."""

import os
import secrets
from pathlib import Path


def secret_key(folder: Path) -> str:
    """Return the key kept in the file secret_key of `folder`, making it when it is missing.

    The file is readable by its owner only. It appears under its name complete (hard link of a finished file),
    so two processes starting at once agree on one key and neither reads half of it.
    """
    kept = folder / "secret_key"
    if not kept.exists():
        draft = folder / f"secret_key.{os.getpid()}"
        draft.touch(mode=0o600, exist_ok=False)
        draft.write_text(secrets.token_urlsafe(64), encoding="ascii")
        try:
            os.link(draft, kept)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return kept.read_text(encoding="ascii")
