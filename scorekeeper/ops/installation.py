"""Prepare an installation before Django's settings are loaded, which themselves make and change nothing."""

import os

from scorekeeper.ops import data_dir
from scorekeeper.ops.secret_key import secret_key


def prepare() -> None:
    """Make the data folder private, and its secret key unless SECRET_KEY gives one. Raise ImproperlyConfigured."""
    folder = data_dir.data_folder()
    data_dir.make(folder)
    if not os.environ.get("SECRET_KEY"):
        secret_key(folder)
