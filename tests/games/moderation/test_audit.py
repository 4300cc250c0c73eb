"""The audit log: it only grows, and whoever tampers with it is found out."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from threading import Barrier

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from games.models import Act, AuditEntry, audit_guard
from games.moderation import audit
from tests.games.cast import NOON, person, running_game

pytestmark = [pytest.mark.django_db, pytest.mark.services]

TABLE = audit_guard.TABLE


@pytest.fixture
def guarded(db: None) -> None:
    """The triggers are up, as in production; see conftest. This test's transaction ends that."""
    audit_guard.put_up(connection)


def write(count: int = 3) -> list[AuditEntry]:
    game = running_game(2)
    with transaction.atomic():
        return [
            audit.append(
                actor=person("Mod"),
                act=Act.FREEZE,
                reason=f"reason {n} – ιδού",
                now=NOON,
                game=game,
                details={"b": n, "a": None},
            )
            for n in range(count)
        ]


def run(sql: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def faults(kept_hash: str = "") -> list[str]:
    """Without the word on the triggers, which are down in most tests."""
    found = audit.faults(kept_hash=kept_hash)
    return [fault for fault in found if "trigger" not in fault]


def test_a_chain_is_whole() -> None:
    first, second, third = write()
    assert [e.number for e in (first, second, third)] == [1, 2, 3]
    assert second.previous == first.hash
    assert faults() == []
    assert faults(first.hash) == []
    AuditEntry.objects.get(pk=3).refresh_from_db()
    assert audit.hash_of(AuditEntry.objects.get(pk=3)) == third.hash


@pytest.mark.parametrize(
    "sql",
    [
        f"UPDATE {TABLE} SET reason = 'nothing' WHERE number = 2",
        f"DELETE FROM {TABLE} WHERE number = 3",
        f"DELETE FROM {TABLE}",
    ],
)
def test_the_database_refuses_to_edit_and_to_delete(guarded: None, sql: str) -> None:
    write()
    with pytest.raises(DatabaseError, match=audit_guard.REFUSAL), transaction.atomic():
        run(sql)
    assert list(audit.faults()) == []


def test_it_refuses_what_goes_round_those_triggers(guarded: None) -> None:
    write()
    connection.check_constraints()  # PostgreSQL truncates nothing whose checks are outstanding
    around = {
        "postgresql": f"TRUNCATE {TABLE}",
        "sqlite": f"INSERT OR REPLACE INTO {TABLE} SELECT * FROM {TABLE} WHERE number = 2",
    }
    with pytest.raises(DatabaseError, match=audit_guard.REFUSAL), transaction.atomic():
        run(around[connection.vendor])


def test_the_code_refuses_to_edit_and_to_delete() -> None:
    entry, *_ = write()
    for act in (
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(reason=""),
    ):
        with pytest.raises(TypeError):
            act()
    assert AuditEntry.objects.count() == 3


@pytest.mark.parametrize(
    ("tampering", "found"),
    [
        ((f"UPDATE {TABLE} SET reason = 'nothing' WHERE number = 2",), "entry 2 was changed"),
        ((f"DELETE FROM {TABLE} WHERE number = 2",), "entries 2 to 2 are missing"),
        ((f"DELETE FROM {TABLE} WHERE number = 3",), "the log ends at entry 2"),
        (
            (
                f"UPDATE {TABLE} SET number = 9 WHERE number = 2",
                f"UPDATE {TABLE} SET number = 2 WHERE number = 3",
                f"UPDATE {TABLE} SET number = 3 WHERE number = 9",
            ),
            "entry 2 does not follow the one before",
        ),
        (
            (
                f"""INSERT INTO {TABLE}
                (number, at, actor_id, act, game_id, reason, form_token, details, previous, hash)
                SELECT 4, at, actor_id, act, game_id, 'put in', '', details, hash, 'forged'
                FROM {TABLE} WHERE number = 3""",
            ),
            "entry 4 was changed",
        ),
    ],
)
def test_tampering_is_found(tampering: tuple[str, ...], found: str) -> None:
    write()
    for sql in tampering:
        run(sql)
    assert any(fault.startswith(found) for fault in faults()), faults()


def test_an_end_cut_off_with_its_note_is_found_by_the_hash_that_was_kept() -> None:
    *_, second, third = write()
    run(f"DELETE FROM {TABLE} WHERE number = 3")
    run("UPDATE games_audithead SET number = 2, hash = %s", second.hash)
    assert faults() == []
    assert faults(third.hash) == ["no entry has the hash that was kept"]


def test_missing_triggers_are_a_fault() -> None:
    assert all("trigger" in fault for fault in audit.faults())
    assert len(list(audit.faults())) >= 2


def test_the_command(guarded: None) -> None:
    entries, out = write(), StringIO()
    call_command("verify_audit", stdout=out)
    assert out.getvalue() == f"3 entries, 0 faults. Last hash: {entries[-1].hash}\n"
    audit_guard.take_down(connection)
    run(f"UPDATE {TABLE} SET actor_id = %s WHERE number = 1", person("Ana").pk)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("verify_audit", "--kept", "nonsense", stdout=out)
    assert "entry 1 was changed\n" in out.getvalue()
    assert "no entry has the hash that was kept\n" in out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_eight_at_once_make_one_chain() -> None:
    mod, barrier = person("Mod"), Barrier(8)

    def write_one(number: int) -> Callable[[], None]:
        def run_it() -> None:
            barrier.wait()
            try:
                with transaction.atomic():
                    audit.append(actor=mod, act=Act.WARN, reason=f"{number}", now=NOON)
            finally:
                connection.close()

        return run_it

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda call: call(), [write_one(n) for n in range(8)]))
    assert faults() == []
    assert AuditEntry.objects.count() == 8
