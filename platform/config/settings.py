"""Django's settings, made from the environment (environment.py says what each variable means)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import environment
from config.languages import known
from config.secrets_on_disk import read_or_create
from config.subscriptions import SUBSCRIPTIONS

BASE_DIR = Path(__file__).resolve().parents[2]
ENV = environment.read(os.environ, BASE_DIR)
if PROBLEMS := environment.problems(ENV):
    raise ImproperlyConfigured(" ".join(PROBLEMS))

MUGGINS_MODE = ENV.mode
VAR_DIR = ENV.var_dir
SITE_URL = ENV.site_url
DEBUG = ENV.debug
EMBEDDED = ENV.mode == "embedded"

SECRET_KEY = ENV.secret_key or read_or_create(VAR_DIR / "secret.key", 48).hex()
MUGGINS_MASTER_KEY_ID = "k1"
MUGGINS_MASTER_KEYS = {
    MUGGINS_MASTER_KEY_ID: read_or_create(ENV.master_key_file or VAR_DIR / "master.key")
}
RATING_WIDTHS = {pool: float(width) for pool, width in ENV.rating_widths.items()}
MUGGINS_SEAT_RATING = "ratings.selectors.seat_rating"
MUGGINS_RATING_CHANGES = "ratings.selectors.seat_changes"
MUGGINS_TABLE_LINK = "tournaments.selectors.table_link"

ALLOWED_HOSTS = list(ENV.allowed_hosts) or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [SITE_URL] if SITE_URL else []

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "django_htmx",
    "csp",
    "config.apps.ConfigConfig",
    "outbox",
    "letters",
    "players",
    "games",
    "ratings",
    "quickplay",
    "tournaments",
    "notices",
    "fairplay",
    "pages",
    "api",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
]
AUTH_USER_MODEL = "players.Player"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.staticfiles.WholeFiles",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.languages.middleware.LanguageOfAddress",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "players.middleware.OwnClock",
    "players.middleware.GuestsAtTheDoor",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "pages.sent_once.SentOnce",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "pages.context.site",
            ]
        },
    }
]


def _database() -> dict[str, Any]:
    if environment.is_postgresql(ENV):
        database: dict[str, Any] = dict(environ.Env.db_url_config(ENV.database_url))
        database["CONN_MAX_AGE"] = 0
        database["CONN_HEALTH_CHECKS"] = True
        database["OPTIONS"] = {"pool": {"min_size": 1, "max_size": 10, "timeout": 10}}
        return database
    path = ENV.database_url.removeprefix("sqlite:///") or str(VAR_DIR / "muggins.sqlite3")
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            # Deferred transactions that read and then write fail at once when another writes.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
            ),
        },
        # A file, not memory: tests open a second connection as the servers do.
        "TEST": {"NAME": str(VAR_DIR / f"test-{os.getpid()}.sqlite3")},
    }


DATABASES = {"default": _database()}

if ENV.redis_url:
    CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            # redis-py's own defaults cut idle sockets after 5 s and cap a pool at 100 connections.
            "CONFIG": {
                "hosts": [
                    {"address": ENV.redis_url, "socket_timeout": 30, "max_connections": 20000}
                ]
            },
        }
    }
else:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels.layers.InMemoryChannelLayer",
            "CONFIG": {"capacity": 1000},
        }
    }

SWEEP_WINDOW_SECONDS = 0.9 if EMBEDDED else 0.25
SWEEP_TICK_SECONDS = 1.0 if EMBEDDED else 0.2
CELERY_BROKER_URL = ENV.broker_url
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"polling_interval": 0.05}
    if ENV.broker_url.startswith("memory")
    else {
        "visibility_timeout": 300,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
    }
    if ENV.broker_url.startswith("redis")
    else {}
)
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_WORKER_ENABLE_REMOTE_CONTROL = not EMBEDDED
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BEAT_MAX_LOOP_INTERVAL = 0.1 if not EMBEDDED else 0.5
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "games.sweep": {
        "task": "games.tasks.sweep",
        "schedule": SWEEP_TICK_SECONDS,
        "options": {"expires": 2 * SWEEP_TICK_SECONDS, "queue": "clock"},
    },
    "outbox.drain": {
        "task": "outbox.tasks.drain",
        "schedule": 3.0,
        "options": {"expires": 6},
    },
    "tournaments.tick": {
        "task": "tournaments.tasks.tick",
        "schedule": 5.0,
        "options": {"expires": 10},
    },
    "tournaments.sweep_ladders": {
        "task": "tournaments.tasks.sweep_ladders",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "tournaments.pair_arenas": {
        "task": "tournaments.tasks.pair_arenas",
        "schedule": 3.0,
        "options": {"expires": 3},
    },
    "quickplay.sweep": {
        "task": "quickplay.tasks.sweep",
        "schedule": 1.0,
        "options": {"expires": 2},
    },
    "quickplay.forget_old": {
        "task": "quickplay.tasks.forget_old",
        "schedule": 86400.0,
        "options": {"expires": 3600},
    },
    "players.forget_old_attempts": {
        "task": "players.tasks.forget_old_attempts",
        "schedule": 3600.0,
        "options": {"expires": 600},
    },
    "letters.send": {
        "task": "letters.tasks.send",
        "schedule": 10.0,
        "options": {"expires": 20},
    },
    "letters.forget_old": {
        "task": "letters.tasks.forget_old",
        "schedule": 86400.0,
        "options": {"expires": 3600},
    },
    "config.beat": {
        "task": "config.tasks.beat",
        "schedule": 10.0,
        "options": {"expires": 20},
    },
    "notices.write_mail": {
        "task": "notices.tasks.write_mail",
        "schedule": 20.0,
        "options": {"expires": 40},
    },
    "notices.forget_old": {
        "task": "notices.tasks.forget_old",
        "schedule": 86400.0,
        "options": {"expires": 3600},
    },
    "fairplay.look": {
        "task": "fairplay.tasks.look",
        "schedule": 86400.0,
        "options": {"expires": 3600},
    },
    "players.erase_due": {
        "task": "players.tasks.erase_due",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "players.lift_expired": {
        "task": "players.tasks.lift_expired",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "ratings.recompute": {
        "task": "ratings.tasks.recompute",
        "schedule": 2.0,
        "options": {"expires": 4},
    },
    "ratings.snapshot": {
        "task": "ratings.tasks.snapshot",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "ratings.season": {
        "task": "ratings.tasks.season",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "ratings.reconcile": {
        "task": "ratings.tasks.reconcile",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
}
CELERY_TASK_DEFAULT_QUEUE = "work"
CELERY_TASK_ROUTES = {"games.tasks.sweep": {"queue": "clock"}}

OUTBOX_SUBSCRIPTIONS = SUBSCRIPTIONS

LANGUAGE_CODE = "en"
LANGUAGES = known.languages(BASE_DIR / "locale")
LOCALE_PATHS = [BASE_DIR / "locale"]
PSEUDO = VAR_DIR / "pseudo" if ENV.pseudo else None
if PSEUDO:
    known.introduce_pseudo_languages()
    LANGUAGES += known.PSEUDO
    LOCALE_PATHS.append(PSEUDO)
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
USE_I18N = True
FORMAT_MODULE_PATH = ["config.languages.formats"]
USE_THOUSAND_SEPARATOR = False
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.staticfiles.HashedModules"
        if not DEBUG
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG

LOGIN_URL = "players:sign_in"
LOGIN_REDIRECT_URL = "pages:home"
LOGOUT_REDIRECT_URL = "pages:home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
ACCOUNT_ADAPTER = "players.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = "handle"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_LOGOUT_REDIRECT_URL = "pages:home"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SITE_URL.startswith("https://") else "http"
ACCOUNT_FORMS = {
    "add_email": "players.account_forms.AddEmail",
    "change_password": "players.account_forms.ChangePassword",
    "set_password": "players.account_forms.SetPassword",
    "reset_password": "players.account_forms.ResetPassword",
    "reset_password_from_key": "players.account_forms.ResetPasswordKey",
    "reauthenticate": "players.account_forms.Reauthenticate",
}
MFA_FORMS = {
    "authenticate": "players.account_forms.Code",
    "reauthenticate": "players.account_forms.CodeAgain",
    "activate_totp": "players.account_forms.ActivateTotp",
    "add_webauthn": "players.account_forms.AddPasskey",
    "edit_webauthn": "players.account_forms.EditPasskey",
}
MFA_ADAPTER = "players.adapter.MfaAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SITE_URL.startswith("https://")
# Rate limits of allauth and codes that were used: shared by the processes of a server.
CACHES = (
    {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    if EMBEDDED or not ENV.redis_url
    else {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": ENV.redis_url,
            "KEY_PREFIX": "muggins",
        }
    }
)

# Mail: to files in the data folder until EMAIL_URL names a server.
PUBLIC_URL = SITE_URL or "http://localhost:8000"
MAIL_IS_SET_UP = ENV.email_url != ""
vars().update(environ.Env.email_url_config(ENV.email_url or f"filemail:///{VAR_DIR / 'mail'}"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = ENV.mail_from
EMAIL_TIMEOUT = 20

SESSION_COOKIE_AGE = 180 * 24 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
HTTPS = SITE_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENV.trusted_proxies else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.TokenAuthentication",
        "api.authentication.SiteSession",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.errors.problem_details",
    "NUM_PROXIES": ENV.trusted_proxies,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Muggins API",
    "DESCRIPTION": "Tournaments, live tables, records and ratings of All Fives dominoes.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["api.schema.complete"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "games": {"level": "INFO"},
        "tournaments": {"level": "INFO"},
        "outbox": {"level": "INFO"},
        "quickplay": {"level": "INFO"},
    },
}
