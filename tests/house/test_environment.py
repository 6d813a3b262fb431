"""A missing or senseless setting is refused before anything starts, with what to set."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.environment import Environment, problems, read

SERVER = {
    "MUGGINS_MODE": "server",
    "DATABASE_URL": "postgresql://muggins@db/muggins",
    "REDIS_URL": "redis://redis:6379/0",
    "SECRET_KEY": "s" * 50,
    "ALLOWED_HOSTS": "fives.example.org",
    "SITE_URL": "https://fives.example.org",
}


@pytest.fixture
def server(tmp_path: Path) -> dict[str, str]:
    key = tmp_path / "master.key"
    key.write_bytes(bytes(32))
    return SERVER | {"MUGGINS_MASTER_KEY_FILE": str(key)}


def found(values: dict[str, str]) -> list[str]:
    return problems(read(values, Path("/srv/muggins")))


def test_an_empty_environment_is_the_embedded_site() -> None:
    env = read({}, Path("/srv/muggins"))
    assert problems(env) == []
    assert (env.mode, env.broker_url, env.var_dir) == (
        "embedded",
        "memory://localhost",
        Path("/srv/muggins/var"),
    )


def test_a_complete_server_is_accepted(server: dict[str, str]) -> None:
    assert found(server) == []


def test_the_broker_defaults_to_redis(server: dict[str, str]) -> None:
    assert read(server, Path("/")).broker_url == server["REDIS_URL"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"MUGGINS_MODE": "cluster"}, "set it to embedded or server"),
        ({"DATABASE_URL": ""}, "MUGGINS_MODE=server needs PostgreSQL"),
        ({"DATABASE_URL": "sqlite:///x.db"}, "MUGGINS_MODE=server needs PostgreSQL"),
        ({"DATABASE_URL": "mysql://db/x"}, "DATABASE_URL begins with 'mysql'"),
        ({"REDIS_URL": "", "CELERY_BROKER_URL": "amqp://mq"}, "MUGGINS_MODE=server needs Redis"),
        ({"CELERY_BROKER_URL": "memory://"}, "CELERY_BROKER_URL is in memory"),
        ({"DEBUG": "1"}, "DEBUG is on"),
        ({"MUGGINS_PSEUDO": "1"}, "MUGGINS_PSEUDO is for looking at a site in development"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY has 5 characters"),
        ({"MUGGINS_MASTER_KEY_FILE": ""}, "MUGGINS_MASTER_KEY_FILE is not set"),
        ({"MUGGINS_MASTER_KEY_FILE": "/nowhere/key"}, "/nowhere/key, which is not there"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS is *"),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS is empty"),
        ({"SITE_URL": ""}, "SITE_URL is not set"),
        ({"CONN_MAX_AGE": "60"}, "CONN_MAX_AGE is 60"),
    ],
)
def test_one_fault_is_one_sentence(
    server: dict[str, str], change: dict[str, str], sentence: str
) -> None:
    [only] = found(server | change)
    assert sentence in only


def test_a_master_key_of_the_wrong_length_is_refused(server: dict[str, str]) -> None:
    Path(server["MUGGINS_MASTER_KEY_FILE"]).write_bytes(b"short")
    assert found(server) == [f"{server['MUGGINS_MASTER_KEY_FILE']} must hold exactly 32 bytes."]


def test_several_processes_need_redis_and_postgresql() -> None:
    sentences = found({"WEB_CONCURRENCY": "2"})
    assert [sentence.split(":")[-1].strip() for sentence in sentences] == [
        "processes would not hear one another; set REDIS_URL, or WEB_CONCURRENCY=1.",
        "set DATABASE_URL to a PostgreSQL database, or WEB_CONCURRENCY=1.",
    ]


def test_secrets_stay_out_of_the_repr() -> None:
    assert "hush" not in repr(Environment(secret_key="hush"))


@pytest.mark.parametrize("widths", ["chess-1v1=90", "draw-1v1", "draw-1v1=wide", "draw-1v1=5000"])
def test_a_senseless_width_of_a_rating_pool_is_refused(widths: str) -> None:
    [fault] = found({"RATING_WIDTHS": widths})
    assert fault.startswith("RATING_WIDTHS has ")


def test_the_widths_of_rating_pools() -> None:
    env = read({"RATING_WIDTHS": "allfives-1v1=70, draw-1v1=110"}, Path("/"))
    assert problems(env) == []
    assert env.rating_widths == {"allfives-1v1": "70", "draw-1v1": "110"}
