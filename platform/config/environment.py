"""What the surroundings say: every variable Muggins reads, typed, and checked before it starts.

Pure apart from `read`, so that each refusal can be tested. Two modes:

* ``embedded`` (the default): one process, SQLite, in-process channel layer and Celery.
* ``server``: PostgreSQL, Redis and a Celery broker, any number of processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import environ

from ratings.fitting import LEAST, MOST
from ratings.pools import POOLS

MODES = ("embedded", "server")
MIN_SECRET_LENGTH = 50
MAIL_FROM = "Muggins <muggins@localhost>"


@dataclass(frozen=True, slots=True)
class Environment:
    """The variables as typed values; `problems` says what is missing or senseless."""

    mode: str = "embedded"
    debug: bool = False
    var_dir: Path = Path("var")
    secret_key: str = field(default="", repr=False)
    master_key_file: Path | None = None
    database_url: str = ""
    redis_url: str = ""
    broker_url: str = ""
    conn_max_age: int = 0
    site_url: str = ""
    allowed_hosts: tuple[str, ...] = ()
    trusted_proxies: int = 0
    web_processes: int = 1
    pseudo: bool = False
    email_url: str = field(default="", repr=False)
    mail_from: str = MAIL_FROM
    rating_widths: Mapping[str, str] = field(default_factory=dict)


def read(values: Mapping[str, str], root: Path) -> Environment:
    """The environment in `values` (as of ``os.environ``); relative paths start at `root`."""
    env = environ.Env()
    env.ENVIRON = dict(values)
    master = env.str("MUGGINS_MASTER_KEY_FILE", default="")
    database_url = env.str("DATABASE_URL", default="")
    redis_url = env.str("REDIS_URL", default="")
    mode = env.str("MUGGINS_MODE", default="embedded")
    return Environment(
        mode=mode,
        debug=env.bool("DEBUG", default=False),
        var_dir=root / env.str("VAR_DIR", default="var"),
        secret_key=env.str("SECRET_KEY", default=""),
        master_key_file=Path(master) if master else None,
        database_url=database_url,
        redis_url=redis_url,
        broker_url=env.str("CELERY_BROKER_URL", default="") or redis_url or "memory://localhost",
        conn_max_age=env.int("CONN_MAX_AGE", default=0),
        site_url=env.str("SITE_URL", default="").rstrip("/"),
        allowed_hosts=tuple(env.list("ALLOWED_HOSTS", default=[])),
        trusted_proxies=env.int("TRUSTED_PROXIES", default=0),
        web_processes=env.int("WEB_CONCURRENCY", default=1),
        pseudo=env.bool("MUGGINS_PSEUDO", default=False),
        email_url=env.str("EMAIL_URL", default=""),
        mail_from=env.str("MAIL_FROM", default="") or MAIL_FROM,
        rating_widths=_pairs(env.list("RATING_WIDTHS", default=[])),
    )


def _pairs(items: Iterable[str]) -> dict[str, str]:
    return {key.strip(): value.strip() for key, _equals, value in (i.partition("=") for i in items)}


def problems(env: Environment) -> list[str]:
    """One sentence for each fault, saying what to set; empty when Muggins may start."""
    if env.mode not in MODES:
        return [f"MUGGINS_MODE is {env.mode!r}: set it to embedded or server."]
    found = _database_problems(env) + _process_problems(env) + _mail_problems(env)
    found += _rating_problems(env)
    return found + (_server_problems(env) if env.mode == "server" else [])


def _database_problems(env: Environment) -> list[str]:
    found = []
    scheme = urlsplit(env.database_url).scheme
    if env.database_url and scheme not in ("postgresql", "postgres", "sqlite"):
        found.append(
            f"DATABASE_URL begins with {scheme!r}: use postgresql://user:password@host/name."
        )
    if env.conn_max_age:
        found.append(
            f"CONN_MAX_AGE is {env.conn_max_age}: under ASGI kept connections leak; "
            "leave it unset, the PostgreSQL pool reuses connections."
        )
    return found


def _mail_problems(env: Environment) -> list[str]:
    scheme = urlsplit(env.email_url).scheme
    if env.email_url and scheme not in environ.Env.EMAIL_SCHEMES:
        return [
            f"EMAIL_URL begins with {scheme!r}: use smtp+tls://user:password@host:587, or "
            "consolemail:// to print mail."
        ]
    return []


def _rating_problems(env: Environment) -> list[str]:
    return [
        f"RATING_WIDTHS has {pool}={width}: name a pool and {LEAST} to {MOST} points, such as "
        "draw-1v1=110."
        for pool, width in env.rating_widths.items()
        if pool not in POOLS or not width.isdecimal() or not LEAST <= int(width) <= MOST
    ]


def _process_problems(env: Environment) -> list[str]:
    if env.web_processes < 2:
        return []
    found = []
    if not env.redis_url:
        found.append(
            f"WEB_CONCURRENCY is {env.web_processes} with the in-process channel layer: processes "
            "would not hear one another; set REDIS_URL, or WEB_CONCURRENCY=1."
        )
    if not is_postgresql(env):
        found.append(
            f"WEB_CONCURRENCY is {env.web_processes} on SQLite: set DATABASE_URL to a PostgreSQL "
            "database, or WEB_CONCURRENCY=1."
        )
    return found


def _server_problems(env: Environment) -> list[str]:
    found = []
    if urlsplit(env.database_url).scheme in ("", "sqlite"):
        found.append(
            "MUGGINS_MODE=server needs PostgreSQL, since SQLite can't be shared by hosts: set "
            "DATABASE_URL=postgresql://user:password@host/name."
        )
    if not env.redis_url:
        found.append("MUGGINS_MODE=server needs Redis: set REDIS_URL=redis://host:6379/0.")
    if env.broker_url.startswith("memory"):
        found.append(
            "CELERY_BROKER_URL is in memory, which other processes can't reach: set it to Redis or "
            "RabbitMQ (it defaults to REDIS_URL)."
        )
    if env.pseudo:
        found.append("MUGGINS_PSEUDO is for looking at a site in development: unset it.")
    if env.debug:
        found.append("DEBUG is on with MUGGINS_MODE=server: unset DEBUG.")
    if len(env.secret_key) < MIN_SECRET_LENGTH:
        found.append(
            f"SECRET_KEY has {len(env.secret_key)} characters: set it to at least "
            f"{MIN_SECRET_LENGTH} random ones."
        )
    if env.master_key_file is None:
        found.append(
            "MUGGINS_MASTER_KEY_FILE is not set: name the file with the 32-byte key that every "
            "deal is derived from (make it with `head -c32 /dev/urandom`)."
        )
    elif not env.master_key_file.is_file():
        found.append(
            f"MUGGINS_MASTER_KEY_FILE names {env.master_key_file}, which is not there: make it "
            "with `head -c32 /dev/urandom`."
        )
    elif env.master_key_file.stat().st_size != 32:
        found.append(f"{env.master_key_file} must hold exactly 32 bytes.")
    if "*" in env.allowed_hosts:
        found.append("ALLOWED_HOSTS is *: name the hosts that serve the site.")
    if not env.allowed_hosts:
        found.append("ALLOWED_HOSTS is empty: name the hosts that serve the site.")
    if urlsplit(env.site_url).scheme not in ("http", "https"):
        found.append("SITE_URL is not set: give the site's own address, https://fives.example.org.")
    return found


def is_postgresql(env: Environment) -> bool:
    """Whether the database is PostgreSQL (else SQLite)."""
    return urlsplit(env.database_url).scheme in ("postgresql", "postgres")
