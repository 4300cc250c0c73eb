"""Hints: who shares a device or network, and who never doubts whom; and what is kept for them."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import guests, traces
from accounts.models import Trace, TraceKind, User
from games.engine.state import Respond, Reveal
from games.models import Game
from games.moderation import hints
from tests.accounts.staff import staff_client
from tests.games.cast import NOON, person, running_game, say, state_of

from .staff import mod, worker

pytestmark = pytest.mark.django_db

DEVICE, NETWORK = TraceKind


def browse(name: str, address: str, client: Client | None = None) -> Client:
    """Somebody sends something from this address."""
    client = client or Client()
    client.force_login(person(name))
    client.post("/play/nonsense/", REMOTE_ADDR=address)
    return client


def test_what_is_kept_is_scrambled() -> None:
    client = browse("Ana", "192.0.2.7")
    kept = list(Trace.objects.values_list("kind", "hash"))
    assert {kind for kind, _hash in kept} == {"device", "network"}
    assert all(len(hash_) == 64 for _kind, hash_ in kept)
    cookie = client.cookies["device"]
    assert cookie["httponly"]
    assert cookie.value not in str(kept)
    assert "192.0.2.7" not in str(kept) + str(dict(client.session))


def test_a_get_leaves_no_trace_and_a_stranger_none_either() -> None:
    client = Client()
    client.post("/play/nonsense/")
    client.force_login(person("Ana"))
    client.get("/")
    assert not Trace.objects.exists()
    assert "device" not in client.cookies


def test_it_is_written_once_a_day() -> None:
    client = browse("Ana", "192.0.2.7")
    with CaptureQueriesContext(connection) as asked:
        client.post("/play/nonsense/", REMOTE_ADDR="192.0.2.7")
    assert "trace" not in str(asked.captured_queries)
    client.post("/play/nonsense/", REMOTE_ADDR="192.0.2.8")
    assert Trace.objects.filter(kind=NETWORK).count() == 2
    assert Trace.objects.filter(kind=DEVICE).count() == 1


def test_a_made_up_cookie_is_not_taken() -> None:
    client = Client()
    client.cookies["device"] = "x" * 5000
    browse("Ana", "192.0.2.7", client)
    assert len(client.cookies["device"].value) == 22


def test_a_home_is_one_network_whatever_its_devices_call_themselves() -> None:
    one = traces.scrambled(NETWORK, "2001:db8::1")
    assert one == traces.scrambled(NETWORK, "2001:db8::ffff")
    assert one != traces.scrambled(NETWORK, "2001:db8:0:1::1")
    assert traces.scrambled(NETWORK, "192.0.2.7") != traces.scrambled(NETWORK, "192.0.2.8")


def test_it_goes_after_a_month() -> None:
    traces.leave(person("Ana"), {DEVICE: "a"}, NOON)
    traces.leave(person("Ben"), {DEVICE: "a"}, NOON + timedelta(days=2))
    assert traces.sweep(NOON + timedelta(days=31)) == 1
    assert Trace.objects.get().user == person("Ben")


def test_a_guest_who_signs_in_shares_nothing_with_themselves() -> None:
    guest = guests.create("Quiet Heron")
    traces.leave(guest, {DEVICE: "a"}, NOON)
    traces.leave(person("Ana"), {DEVICE: "a"}, NOON)
    guests.merge(guest, person("Ana"), now=NOON)
    assert list(Trace.objects.values_list("user__name", "hash")) == [("Ana", "a")]


def test_who_shares_what_at_one_table() -> None:
    game = running_game(3)
    running_game(2, seed=b"x" * 32)
    traces.leave(person("Ana"), {DEVICE: "a", NETWORK: "n"}, NOON)
    traces.leave(person("Cyd"), {DEVICE: "a", NETWORK: "m"}, NOON)
    traces.leave(person("Ben"), {NETWORK: "o"}, NOON)
    (found,) = hints.shared(mod(), NOON)
    assert found.game == game
    assert found.kind == "device"
    assert {user.name for user in found.people} == {"Ana", "Cyd"}
    assert hints.shared(worker("Ben", "moderator"), NOON) == []


def play(game: Game, doubter: str) -> None:
    """Turn after turn somebody claims the Duke, and the others allow; but for Dov, if there, whom
    `doubter` challenges."""
    for _turn in range(9):
        state = state_of(game)
        if state.coins[state.turn] >= 10:
            return
        say(game, state.turn, "tax")
        names = [t.user.name for t in game.tenures.order_by("seat__index") if t.user]
        for seat in range(len(names)):
            phase = state_of(game).phase
            if not isinstance(phase, Respond) or seat not in phase.waiting:
                continue
            challenge = names[seat] == doubter
            say(game, seat, "challenge" if challenge else "allow")
        phase = state_of(game).phase
        if isinstance(phase, Reveal):
            return


def test_who_never_doubts_whom_beside_how_often_others_do() -> None:
    for number in range(6):
        play(running_game(2, seed=bytes([number]) * 32), "")
    for number in range(12):
        game = running_game(4, seed=bytes([number, 1]) * 16)
        play(game, "Dov")
    found = hints.doubts(mod(), NOON)
    assert found.challenges == 12
    assert found.games == 18
    quiet = {frozenset(user.name for user in pair.people): pair for pair in found.pairs}
    pair = quiet[frozenset({"Ana", "Ben"})]
    assert pair.games >= 6
    assert pair.chances >= hints.FEWEST_CHANCES
    assert pair.expected == pytest.approx(pair.chances * found.rate)
    assert pair.chance == pytest.approx((1 - found.rate) ** pair.chances)
    assert not [names for names in quiet if "Dov" in names]
    assert not [
        pair
        for pair in hints.doubts(worker("Ana", "moderator"), NOON).pairs
        if User.objects.get(name="Ana") in pair.people
    ]


def test_the_page_is_for_moderators_and_asks_the_same_however_much_there_is() -> None:
    client, counts = staff_client(mod()), []
    for more in range(2):
        for number in range(1 + 3 * more):
            running_game(3, seed=bytes([more, number]) * 16)
        with CaptureQueriesContext(connection) as asked:
            page = client.get("/admin/games/game/hints/")
        counts.append(len(asked))
        assert "nothing follows from a hint by itself" in page.content.decode()
    assert counts[0] == counts[1]
    assert "Hints" in client.get("/admin/games/game/").content.decode()
    nobody = person("Zoe")
    nobody.is_staff = True
    nobody.save()
    assert staff_client(nobody).get("/admin/games/game/hints/").status_code == 403
