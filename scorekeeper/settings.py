"""Settings: safe by default, set by environment variables, with clear errors. Importing them makes nothing.

| variable | meaning | default |
|---|---|---|
| SCOREKEEPER_DATA | folder of the database, the secret key and the static files | scorekeeper.ops.data_dir |
| DATABASE_URL | another database, e.g. postgres://user:password@host/name | SQLite in the data folder |
| SECRET_KEY | the signing key | made by scorekeeper.ops.data_dir, stored in the data folder |
| SCOREKEEPER_HOSTS | host names and addresses to answer to, separated by commas | this machine's own |
| SCOREKEEPER_HTTPS | true if all visitors use HTTPS: secure cookies, redirects, HSTS | false |
| SCOREKEEPER_HSTS | `host`, `subdomains` or `preload`: the names that browsers may reach by HTTPS only | host |
| SCOREKEEPER_PROXY | number of proxies that set X-Forwarded-Proto and add to X-Forwarded-For; true is one | 0 |
| SCOREKEEPER_PASSKEY_DOMAIN | the domain of passkeys, if it is not the host: one above it | the host |
| SCOREKEEPER_CIRCLES | `anybody`, `code`, `members` or `operator`: who may start a circle | anybody |
| SCOREKEEPER_CODE | the code that starting a circle needs, with `SCOREKEEPER_CIRCLES=code` | none |
| SCOREKEEPER_DEMO | true if visitors may open a demo | true if anybody may start a circle |
| SCOREKEEPER_NAME | the server's name, at the foot of its home page | none |
| SCOREKEEPER_IMPRINT | who runs it, there: words, a link, or words with a link after them | none |
| SCOREKEEPER_TIME_ZONE | the players' time zone | Europe/Budapest |
| SCOREKEEPER_LOG | `text`, or `json` for a line of JSON each | text |
| SCOREKEEPER_METRICS_TOKEN | the token with which Prometheus asks for `/metrics` | none: there is no such page |
| DEBUG | Django's debug pages | false |
"""

import re
from zoneinfo import available_timezones

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP
from environs import Env, EnvError

from scorekeeper.games import GAMES
from scorekeeper.http.asgi_bridge import MAX_BODY
from scorekeeper.http.passkey_domain import is_domain
from scorekeeper.languages import offered
from scorekeeper.ops import project
from scorekeeper.ops.data_dir import data_folder, stored_key
from scorekeeper.ops.network import OwnHosts
from scorekeeper.ops.project import imprint, one_line

BASE_DIR = project.BASE_DIR
VERSION = project.version()
env = Env()

DATA = data_folder()
DEBUG = env.bool("DEBUG", False)
SECRET_KEY = env.str("SECRET_KEY", "") or stored_key(DATA)
HTTPS = env.bool("SCOREKEEPER_HTTPS", False)
ALLOWED_HOSTS = env.list("SCOREKEEPER_HOSTS", None) or OwnHosts()
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured(
        "SCOREKEEPER_HOSTS: name the hosts. '*' is not allowed: any site could use this server's name."
    )
PASSKEY_DOMAIN = env.str("SCOREKEEPER_PASSKEY_DOMAIN", "")
if PASSKEY_DOMAIN and not is_domain(PASSKEY_DOMAIN):
    raise ImproperlyConfigured(
        f"SCOREKEEPER_PASSKEY_DOMAIN: give a domain such as example.org, in small letters, not {PASSKEY_DOMAIN!r}."
    )
if env.str("SCOREKEEPER_PATH", "").strip("/"):
    raise ImproperlyConfigured(
        "SCOREKEEPER_PATH: this program serves a host from its root. Give it a host name of its own, such as "
        "cards.example.org, instead of a path below another site: cookies and the offline pages are of the whole host."
    )

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.staticfiles",
    "django_htmx",
    "sessions_app",
]
# No AuthenticationMiddleware: nothing reads request.user, since sessions_app.access admits a member by one query.
MIDDLEWARE = [
    "scorekeeper.ops.metrics.count_requests",
    "scorekeeper.http.middleware.set_headers",
    "scorekeeper.http.middleware.log_mistakes_of_proxy",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",  # serves files compressed by collectstatic
    "scorekeeper.http.middleware.Compression",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "scorekeeper.http.middleware.RenewingSessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "scorekeeper.http.middleware.InputLengths",
    "scorekeeper.http.middleware.answer_monitors_at_any_host",
    "django.middleware.common.CommonMiddleware",
    "scorekeeper.http.middleware.accept_own_origins",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "sessions_app.views.errors.not_allowed",
    "sessions_app.views.errors.Unavailable",
]
ROOT_URLCONF = "sessions_app.urls"
WSGI_APPLICATION = "scorekeeper.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "sessions_app.templatetags.builtin",
            ],
            "loaders": [("django.template.loaders.cached.Loader", ["scorekeeper.http.strip_indent.Loader"])],
            "libraries": {key: f"sessions_app.faces.{key}.tags" for key in GAMES},
        },
    },
]

# Database. SQLite has one writer at a time: a transaction takes the write lock when it begins (IMMEDIATE) instead of
# failing at its first write. FULL, so that an acknowledged hand survives a power cut.
DATABASES = {"default": env.dj_db_url("DATABASE_URL", f"sqlite:///{DATA / 'scorekeeper.sqlite3'}", conn_max_age=600)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "scorekeeper.db.sqlite"
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": "PRAGMA synchronous=FULL",
    }
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # The same limit as SQLite's timeout: a client that stalls while it holds a row must not hold all threads with it.
    DATABASES["default"]["OPTIONS"] = {"options": "-c lock_timeout=5s"} | DATABASES["default"].get("OPTIONS", {})
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Guests stay signed in for a year after their last visit (scorekeeper/http/middleware.py). The cookie is signed
# and holds the user's id only, so a page costs no query and no write for it.
AUTH_USER_MODEL = "sessions_app.User"
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
# Browsers accept a cookie with this prefix from this host only and by HTTPS only: no subdomain can set it.
_this_host = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{_this_host}sessionid"
CSRF_COOKIE_NAME = f"{_this_host}csrftoken"
LANGUAGE_COOKIE_NAME = f"{_this_host}django_language"
SESSION_COOKIE_AGE = CSRF_COOKIE_AGE = LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "sessions_app.views.errors.csrf_failure"

# Transport and content
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# For this host only: its neighbours under the same domain may have plain HTTP, and browsers remember for a year.
HSTS = env.str("SCOREKEEPER_HSTS", "host")
if HSTS not in ("host", "subdomains", "preload"):
    raise ImproperlyConfigured(f"SCOREKEEPER_HSTS: choose host, subdomains or preload, not {HSTS!r}.")
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and HSTS != "host"
SECURE_HSTS_PRELOAD = HTTPS and HSTS == "preload"
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # they ask for subdomains and preload
#: Paths that monitors ask for, at any host and without HTTPS.
MONITORS = ("/healthz", "/healthz/ready", "/metrics")
SECURE_REDIRECT_EXEMPT = [rf"^{path.removeprefix('/')}$" for path in MONITORS]
SECURE_REFERRER_POLICY = "same-origin"
# Over plain HTTP a browser ignores this header and warns about it on every page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
# The number of proxies whose X-Forwarded headers are trusted, and nobody else's.
_proxies = env.str("SCOREKEEPER_PROXY", "0")
try:
    PROXY = int(_proxies) if _proxies.isdecimal() else int(env.bool("SCOREKEEPER_PROXY"))
except EnvError as error:
    raise ImproperlyConfigured(
        f"SCOREKEEPER_PROXY: give the number of proxies, true or false, not {_proxies!r}."
    ) from error
if PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY
FILE_UPLOAD_HANDLERS: list[str] = []  # no view takes files: an upload is dropped
# The app sends no mail; Django's deployment check wants a backend.
MAILERS = {"default": {"BACKEND": "django.core.mail.backends.smtp.EmailBackend"}}

# Languages
LANGUAGE_CODE = "hu"
LANGUAGES = offered(project.PACKAGE.parent / "sessions_app" / "locale")
FORMAT_MODULE_PATH = "scorekeeper.formats"
USE_TZ = True
TIME_ZONE = env.str("SCOREKEEPER_TIME_ZONE", "Europe/Budapest")
if TIME_ZONE not in available_timezones():
    raise ImproperlyConfigured(f"SCOREKEEPER_TIME_ZONE: there is no time zone {TIME_ZONE!r}.")

# A closed server, and its name. sessions_app.readers.people.new_circles decides by these.
CIRCLES = env.str("SCOREKEEPER_CIRCLES", "anybody")
if CIRCLES not in ("anybody", "code", "members", "operator"):
    raise ImproperlyConfigured(f"SCOREKEEPER_CIRCLES: choose anybody, code, members or operator, not {CIRCLES!r}.")
CIRCLE_CODE = " ".join(env.str("SCOREKEEPER_CODE", "").split())
if bool(CIRCLE_CODE) != (CIRCLES == "code"):
    raise ImproperlyConfigured("SCOREKEEPER_CODE: set it together with SCOREKEEPER_CIRCLES=code, or neither.")
if CIRCLE_CODE and not 8 <= len(CIRCLE_CODE) <= 100:
    raise ImproperlyConfigured("SCOREKEEPER_CODE: choose 8 to 100 characters: a shorter one can be guessed.")
try:
    DEMO = env.bool("SCOREKEEPER_DEMO", CIRCLES == "anybody")
except EnvError as error:
    raise ImproperlyConfigured("SCOREKEEPER_DEMO: choose true or false.") from error
SERVER_NAME = one_line("SCOREKEEPER_NAME", env.str("SCOREKEEPER_NAME", ""))
IMPRINT = imprint("SCOREKEEPER_IMPRINT", env.str("SCOREKEEPER_IMPRINT", ""))

STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
FILE_UPLOAD_PERMISSIONS = 0o600  # for collected static files, in a private folder
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site's pages use them
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "scorekeeper.http.bundles.Storage"},
}

LOG = env.str("SCOREKEEPER_LOG", "text")
if LOG not in ("text", "json"):
    raise ImproperlyConfigured(f"SCOREKEEPER_LOG: choose text or json, not {LOG!r}.")
METRICS_TOKEN = env.str("SCOREKEEPER_METRICS_TOKEN", "")
if METRICS_TOKEN and not re.fullmatch(r"[\w.~+/-]{16,}=*", METRICS_TOKEN, re.ASCII):
    raise ImproperlyConfigured(
        "SCOREKEEPER_METRICS_TOKEN: choose 16 or more letters and digits without accents (`openssl rand -hex 20`)."
    )
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "secrets": {"()": "scorekeeper.ops.logging_setup.WithoutSecrets"},
        "wrong hosts": {"()": "scorekeeper.ops.logging_setup.WrongHosts"},
    },
    "formatters": {
        "text": {
            "()": "scorekeeper.ops.logging_setup.OneLineFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "scorekeeper.ops.logging_setup.JsonFormatter"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG, "filters": ["wrong hosts", "secrets"]},
    },
    "loggers": {
        # One handler for all lines, with the filter on it: Django's own handlers would bypass it.
        "django": {"handlers": [], "level": "INFO"},
        "django.server": {"handlers": [], "propagate": True},
        # sessions_app.views.errors logs a failed CSRF check instead, with this server's origin beside the form's.
        "django.security.csrf": {"level": "ERROR"},
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
}
