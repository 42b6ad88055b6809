"""Settings to look at the components: `./run manage runserver --settings tests.design.settings`, then /design/."""

from scorekeeper.settings import *  # noqa: F403
from scorekeeper.settings import STORAGES

DEBUG = True
ROOT_URLCONF = "tests.design.urls"
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
