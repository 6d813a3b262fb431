"""The audit log is only ever added to, and the database sees to it.

SQLite refuses changes only: it empties tables by the same statement that takes single rows out,
which tests do between them. A table that a later migration remakes there needs its trigger again.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations

SQLITE = """
CREATE TRIGGER tournaments_audit_is_kept BEFORE UPDATE ON tournaments_auditline
BEGIN SELECT RAISE(ABORT, 'The audit log is only added to.'); END
"""
POSTGRESQL = """
CREATE FUNCTION tournaments_audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'The audit log is only added to.' USING ERRCODE = 'check_violation'; END
$$;
CREATE TRIGGER tournaments_audit_is_kept BEFORE UPDATE OR DELETE ON tournaments_auditline
FOR EACH ROW EXECUTE FUNCTION tournaments_audit_is_kept()
"""


def keep(apps: Any, schema_editor: Any) -> None:
    statements = {"sqlite": SQLITE, "postgresql": POSTGRESQL}
    vendor = schema_editor.connection.vendor
    if vendor in statements:
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(statements[vendor])


def let_go(apps: Any, schema_editor: Any) -> None:
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER tournaments_audit_is_kept")
        else:
            cursor.execute("DROP TRIGGER tournaments_audit_is_kept ON tournaments_auditline")
            cursor.execute("DROP FUNCTION tournaments_audit_is_kept()")


class Migration(migrations.Migration):
    dependencies = [('tournaments', '0006_result_keeps')]
    operations = [migrations.RunPython(keep, let_go)]
