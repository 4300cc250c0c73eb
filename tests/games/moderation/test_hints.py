"""Hints: who shares a device or network, and who never doubts whom; and what is kept for them."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import guests, traces
from accounts.models import Trace, TraceKind
from games import play as play_
from games.engine.commands import TIMEOUT
from games.engine.state import Respond, Reveal
from games.models import Game, Source
from games.moderation import hints
from tests.accounts.staff import staff_client
from tests.games.cast import NOON, person, prompt_of, running_game, say, state_of

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


def play(game: Game, doubts: set[tuple[str, str]]) -> None:
    """Turn after turn somebody claims the Duke, and the others allow, until one challenges whom
    they doubt: `doubts` are of whoever does, and whom."""
    names = [t.user.name for t in game.tenures.order_by("seat__index") if t.user]
    for _turn in range(9):
        state = state_of(game)
        if state.coins[state.turn] >= 10:
            return
        claimant = state.turn
        say(game, claimant, "tax")
        for seat in range(len(names)):
            phase = state_of(game).phase
            if not isinstance(phase, Respond) or seat not in phase.waiting:
                continue
            challenge = (names[seat], names[claimant]) in doubts
            say(game, seat, "challenge" if challenge else "allow")
        phase = state_of(game).phase
        if isinstance(phase, Reveal):
            return


def test_who_never_doubts_whom_beside_how_often_they_doubt_others() -> None:
    """Ana doubts Cyd whenever she can, and never Ben. Cyd doubts nobody: that is no hint."""
    for number in range(18):
        play(running_game(3, seed=bytes([number]) * 32), {("Ana", "Cyd")})
    found = hints.doubts(mod(), NOON)
    assert (found.games, found.challenges) == (18, 18)
    (pair,) = found.pairs
    (ana, her_rate), (ben, his_rate) = pair.people
    assert {ana.name, ben.name} == {"Ana", "Ben"}
    assert found.looked_at > 1
    # Ana had the chance to doubt Cyd 18 times and took it; Ben had none but with her.
    by_name = {ana.name: her_rate, ben.name: his_rate}
    assert by_name["Ana"] == pytest.approx((18 + 5 * found.rate) / (18 + 5))
    assert by_name["Ben"] == pytest.approx(found.rate)
    assert hints.FEWEST_CHANCES <= pair.chances <= found.chances
    at_least, at_most = sorted(by_name.values())
    assert at_least * pair.chances < pair.expected < at_most * pair.chances
    assert (1 - at_most) ** pair.chances < pair.chance < (1 - at_least) ** pair.chances
    assert hints.doubts(worker("Ana", "moderator"), NOON).pairs == ()
    shown = staff_client(mod()).get("/admin/games/game/hints/").content.decode()
    assert f"challenges {by_name['Ana']:.2f} of others" in shown


def test_what_the_clock_says_tells_nothing_of_anybody() -> None:
    game = running_game(2)
    turn = state_of(game).turn
    say(game, turn, "tax")
    play_.answer_for(
        public_id=game.public_id,
        prompt_id=prompt_of(game, 1 - turn).pk,
        command=TIMEOUT,
        source=Source.CLOCK,
        now=NOON,
    )
    assert hints.doubts(mod(), NOON).chances == 0
    say(game, 1 - turn, "tax")
    say(game, turn, "allow")
    assert hints.doubts(mod(), NOON).chances == 1


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
