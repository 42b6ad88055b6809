"""The settings of the tests: the program's own, but for the needs of a test run."""

import atexit
import os
import shutil
import tempfile

# In memory where the system has a folder for that: thousands of tests wait for no disk.
_memory = "/dev/shm"  # noqa: S108
_data = tempfile.mkdtemp(prefix="scorekeeper-tests-", dir=_memory if os.access(_memory, os.W_OK) else None)
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["SCOREKEEPER_DATA"] = _data
os.environ.setdefault("SCOREKEEPER_TESTS_SHARED", _data)  # inherited by xdist's workers: see tests/serving.py
os.mkdir(f"{_data}/static")  # noqa: PTH102  WhiteNoise warns where there is none
os.environ.setdefault("SECRET_KEY", "the tests' own")

from scorekeeper.settings import *  # noqa: E402, F403
from scorekeeper.settings import DATABASES, STORAGES  # noqa: E402

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
# The test database is a file, as in life: several connections see it, and its locks are the real ones.
if DATABASES["default"]["ENGINE"] == "scorekeeper.db.sqlite":
    DATABASES["default"]["TEST"] = {"NAME": f"{_data}/test.sqlite3"}
    # Rows without an order come in the reverse one, so that neither a page nor a test depends on an order by chance:
    # PostgreSQL gives them in any.
    DATABASES["default"]["OPTIONS"]["init_command"] += "; PRAGMA reverse_unordered_selects=ON"
DATABASES["default"]["CONN_MAX_AGE"] = 0
