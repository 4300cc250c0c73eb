"""The triggers that keep the audit log append-only, whoever is at the database.

A migration that rebuilds the table on SQLite loses them: it must put them up again.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE = "games_auditentry"
REFUSAL = "The audit log is append-only."

# INSERT OR REPLACE deletes without asking the trigger for DELETE, hence the third.
_KNOWN = f"EXISTS (SELECT 1 FROM {TABLE} WHERE number = NEW.number OR hash = NEW.hash)"  # noqa: S608
_REFUSE = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
_SQLITE = {
    f"{TABLE}_no_update": f"BEFORE UPDATE ON {TABLE} {_REFUSE}",
    f"{TABLE}_no_delete": f"BEFORE DELETE ON {TABLE} {_REFUSE}",
    f"{TABLE}_no_replace": f"BEFORE INSERT ON {TABLE} WHEN {_KNOWN} {_REFUSE}",
}

_POSTGRESQL = {
    f"{TABLE}_no_edit": f"BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW"
    f" EXECUTE FUNCTION {TABLE}_refuse()",
    f"{TABLE}_no_truncate": f"BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT"
    f" EXECUTE FUNCTION {TABLE}_refuse()",
}
_FUNCTION = (
    f"CREATE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS"
    f" $$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$"
)


def put_up(connection: BaseDatabaseWrapper) -> None:
    """Refuse every edit and deletion from here on."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_FUNCTION)
        for name, body in _triggers(connection).items():
            cursor.execute(f"CREATE TRIGGER {name} {body}")


def take_down(connection: BaseDatabaseWrapper) -> None:
    """Undo `put_up`; an error if one of the triggers is missing."""
    on_table = f" ON {TABLE}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for name in _triggers(connection):
            cursor.execute(f"DROP TRIGGER {name}{on_table}")
        if on_table:
            cursor.execute(f"DROP FUNCTION {TABLE}_refuse()")


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The triggers that ought to be there and are not."""
    query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    if connection.vendor == "postgresql":
        query = "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'"
    with connection.cursor() as cursor:
        cursor.execute(query)
        there = {name for (name,) in cursor.fetchall()}
    return sorted(_triggers(connection).keys() - there)


def _triggers(connection: BaseDatabaseWrapper) -> dict[str, str]:
    return _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE
