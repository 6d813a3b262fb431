"""How a test that commits leaves the database empty: by deleting the few rows there are.

Django's own way truncates each of some eighty tables, for which PostgreSQL waits for the disk as
often, and then makes all content types and permissions anew.
"""

from __future__ import annotations

from django.db import connection, transaction

KEPT = {"django_migrations", "django_content_type", "auth_permission"}
"""What belongs to the schema."""


def empty() -> None:
    """Leaves no row behind. On PostgreSQL only a superuser can, past triggers and references."""
    tables = set(connection.introspection.django_table_names(only_existing=True)) - KEPT
    with (
        connection.constraint_checks_disabled(),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
        for table in sorted(tables):
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


def can_empty() -> bool:
    """Whether the role of this run may do that."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        return bool(cursor.fetchone()[0])
