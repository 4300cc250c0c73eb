"""Sanctions: what each forbids, who may impose one on whom, and that each is told and logged."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from secrets import token_hex
from threading import Barrier

import pytest
from django.db import connection

from accounts import guests, sanctions
from accounts.models import Sanction, SanctionKind, User
from accounts.sanctions import What
from games import drive, halts, invitations, lobby
from games.models import Act, AuditEntry, Game, Halt, Kind, Outbox, Status
from games.moderation import people
from games.refusal import Reason, Refused
from games.timing import Pace
from tests.games.cast import NOON, person, running_game, say, state_of

from .staff import adm, decide, mod, worker

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)
WARNING, MUTE, SUSPENSION, BAN = SanctionKind


def impose(
    kind: SanctionKind, name: str = "Ana", *, by: User | None = None, token: str = ""
) -> None:
    people.impose(
        decide(by or mod(), "You insulted Ben.", token),
        user_id=person(name).pk,
        kind=kind,
        lasts=WEEK if kind in (MUTE, SUSPENSION) else None,
    )


def forbidden(name: str = "Ana", now: timedelta = timedelta()) -> set[str]:
    user = User.objects.get(name=name)
    return {what for what in What if sanctions.hindrance(user, what, NOON + now)}


def open_table(name: str, **options: object) -> Game:
    plan = lobby.Plan(size=2, pace=Pace.DAILY)
    return lobby.open_table(host=person(name), plan=plan, seed=bytes(32), now=NOON)


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        (WARNING, set()),
        (MUTE, {What.TALK}),
        (SUSPENSION, {What.TALK, What.SIT, What.ANSWER_BY_MAIL}),
        (BAN, {What.TALK, What.SIT, What.ANSWER_BY_MAIL}),
    ],
)
def test_what_each_forbids(kind: SanctionKind, what: set[What]) -> None:
    impose(kind)
    assert forbidden() == what
    ends = kind in (MUTE, SUSPENSION)
    assert forbidden(now=WEEK) == (set() if ends else what)
    assert User.objects.get(name="Ana").is_active == (kind != BAN)


def test_whoever_is_suspended_plays_on_and_sits_down_nowhere_else() -> None:
    game = running_game(2)
    turn = state_of(game).turn
    impose(SUSPENSION, ("Ana", "Ben")[turn])
    say(game, turn, "income")
    waiting = open_table("Cyd")
    for sit_down in (
        lambda: lobby.sit(public_id=waiting.public_id, user=person(("Ana", "Ben")[turn]), now=NOON),
        lambda: open_table(("Ana", "Ben")[turn]),
    ):
        with pytest.raises(Refused) as refused:
            sit_down()
        assert refused.value.reason is Reason.SUSPENDED


def test_whoever_is_suspended_invites_nobody() -> None:
    waiting = open_table("Ana")
    impose(SUSPENSION)
    for way, whom in (("invite", {"name": person("Ben").name}), ("invite_by_mail", {})):
        ask = getattr(invitations, way)
        with pytest.raises(Refused) as refused:
            ask(
                public_id=waiting.public_id,
                host=person("Ana"),
                now=NOON,
                **(whom or {"address": "zoe@example.org"}),
            )
        assert refused.value.reason is Reason.SUSPENDED
    assert not Outbox.objects.filter(kind=Kind.INVITED).exists()


def test_whoever_is_silenced_sits_down_as_before() -> None:
    impose(MUTE)
    assert open_table("Ana").status == Status.OPEN


def test_a_ban_gives_open_tables_up_and_leaves_the_running_ones_to_autopilot() -> None:
    running, waiting = running_game(2), open_table("Ana")
    if state_of(running).turn == 1:
        say(running, 1, "income")
    impose(BAN)
    waiting.refresh_from_db()
    running.refresh_from_db()
    assert waiting.status == Status.CANCELLED
    assert running.status == Status.RUNNING
    assert running.tenures.filter(user=person("Ana"), ended="").exists()
    assert drive.sweep(NOON) == 1
    assert state_of(running).turn == 1
    say(running, 1, "tax")
    drive.sweep(NOON)
    assert state_of(running).turn == 0
    drive.sweep(NOON)
    assert state_of(running).turn == 1
    assert state_of(running).exiled == ()


def test_nobody_bans_whom_they_play_against() -> None:
    """It would put autopilot on the seat of an opponent. Words do not touch the game."""
    game = running_game(3)
    chief = worker("Ben", "administrator")
    with pytest.raises(Refused) as refused:
        impose(BAN, by=chief)
    assert refused.value.reason is Reason.PLAYED_HERE
    assert User.objects.get(name="Ana").is_active
    assert not game.tenures.exclude(autopilot_since=None).exists()
    impose(WARNING, by=chief)
    halts.cancel(public_id=game.public_id, now=NOON, source=Halt.MODERATOR)
    impose(BAN, by=chief)
    assert not User.objects.get(name="Ana").is_active


def test_whoever_is_let_back_in_takes_over_from_autopilot() -> None:
    game = running_game(2)
    impose(BAN)
    ban = Sanction.objects.get()
    people.lift(decide(mod()), sanction_id=ban.pk)
    halts.come_back(public_id=game.public_id, user_id=person("Ana").pk, now=NOON)
    assert game.tenures.get(user=person("Ana")).autopilot_since is None


def test_each_is_logged_and_told_once() -> None:
    for kind, act in people.ACTS.items():
        token = token_hex(8)
        impose(kind, token=token)
        impose(kind, token=token)
        entry = AuditEntry.objects.get(act=act)
        assert (entry.actor, entry.person) == (person("Mod"), person("Ana"))
        assert entry.reason == "You insulted Ben."
        assert Sanction.objects.filter(kind=kind).count() == 1
        told = Outbox.objects.filter(key=f"audit.{entry.number}", kind=Kind.NOTICE)
        assert {row.user for row in told} == {person("Ana")}


def test_lifting_gives_back_what_no_other_sanction_forbids() -> None:
    impose(BAN)
    impose(MUTE)
    ban = Sanction.objects.get(kind=BAN)
    for _twice in range(2):
        people.lift(decide(mod()), sanction_id=ban.pk)
    ana = User.objects.get(name="Ana")
    assert ana.is_active
    assert forbidden() == {What.TALK}
    assert AuditEntry.objects.filter(act=Act.LIFT).count() == 1


def test_a_warning_ends_when_it_has_been_read() -> None:
    impose(WARNING)
    ana = User.objects.get(name="Ana")
    (warning,) = sanctions.of(ana, NOON)
    sanctions.read(user=person("Ben"), sanction_id=warning.pk, now=NOON)
    assert sanctions.of(ana, NOON).exists()
    sanctions.read(user=ana, sanction_id=warning.pk, now=NOON)
    assert not sanctions.of(ana, NOON).exists()


def test_nobody_sheds_a_sanction_by_signing_in() -> None:
    guest = guests.create("Quiet Heron")
    people.impose(decide(mod()), user_id=guest.pk, kind=MUTE, lasts=WEEK)
    guests.merge(User.objects.get(pk=guest.pk), person("Ana"), now=NOON)
    assert forbidden() == {What.TALK}


def refusal(actor: User, name: str) -> Reason | None:
    try:
        impose(MUTE, name, by=actor)
    except Refused as refused:
        return refused.reason
    return None


def test_who_judges_whom() -> None:
    moderator, administrator, chief = mod(), adm(), person("Chief")
    chief.is_staff = chief.is_superuser = True
    chief.save()
    worker("Moe", "moderator")
    no = Reason.NOT_MODERATOR
    assert refusal(person("Ben"), "Ana") is no
    assert refusal(moderator, "Ana") is None
    assert refusal(moderator, "Mod") is no
    assert refusal(moderator, "Moe") is no
    assert refusal(moderator, "Adm") is no
    assert refusal(administrator, "Moe") is None
    assert refusal(administrator, "Chief") is no
    assert refusal(chief, "Adm") is None
    User.objects.filter(pk=moderator.pk).update(is_staff=False)
    assert refusal(moderator, "Ben") is no


def test_roles_are_given_by_administrators_alone() -> None:
    def give(actor: User, name: str, role: str) -> None:
        people.give_role(decide(actor), user_id=person(name).pk, role=role)

    with pytest.raises(Refused):
        give(mod(), "Ana", "moderator")
    give(adm(), "Ana", "moderator")
    ana = User.objects.get(name="Ana")
    assert ana.is_staff
    assert ana.has_perm("games.moderate_game")
    with pytest.raises(Refused):
        give(adm(), "Adm", "")
    give(adm(), "Ana", "")
    ana = User.objects.get(name="Ana")
    assert not ana.is_staff
    assert ana.get_all_permissions() == set()
    assert AuditEntry.objects.filter(act=Act.GIVE_ROLE).count() == 2


def test_a_new_name_is_shown_at_the_tables_and_must_be_free() -> None:
    game = running_game(2)
    before = game.version

    def rename(name: str) -> None:
        people.rename(decide(mod()), user_id=person("Ana").pk, name=name)

    with pytest.raises(Refused) as refused:
        rename("Ben")
    assert refused.value.reason is Reason.NAME_TAKEN
    rename("Quiet Heron")
    game.refresh_from_db()
    assert game.version == before + 1
    assert AuditEntry.objects.get(act=Act.RENAME).details == {"old": "Ana", "new": "Quiet Heron"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_one_form_sent_eight_times_at_once_is_one_sanction() -> None:
    moderator, ana, barrier = mod(), person("Ana"), Barrier(8)

    def send(_n: int) -> None:
        barrier.wait()
        try:
            people.impose(decide(moderator, token="one"), user_id=ana.pk, kind=BAN, lasts=None)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, range(8)))
    assert Sanction.objects.count() == AuditEntry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_a_seat_and_a_ban_at_once_leave_no_banned_host() -> None:
    for round_ in range(4):
        name = f"Host {round_}"
        moderator, host, barrier = mod(), person(name.replace(" ", "")), Barrier(2)

        def ban(host: User = host, barrier: Barrier = barrier, by: User = moderator) -> None:
            barrier.wait()
            impose(BAN, host.name, by=by)

        def sit(host: User = host, barrier: Barrier = barrier) -> None:
            barrier.wait()
            try:
                open_table(host.name)
            except Refused:
                return

        def run(call: Callable[[], None]) -> None:
            try:
                call()
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(run, [ban, sit]))
        assert not Game.objects.filter(host=host, status=Status.OPEN).exists()
