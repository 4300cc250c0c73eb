"""Several posts at once, on the real database: each is said once, and numbered once."""

import pytest

from games import notes, reports, talk
from games.models import Mute, Note, Report, ReportKind, TableMessage, TalkRead, TalkRoom
from games.refusal import Reason

from .at_once import at_once
from .cast import NAMES, NOON, person, running_game
from .talk_cast import tell

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_eight_times_the_same_form_is_one_message() -> None:
    game, ana = running_game(3), person("Ana")

    def say() -> None:
        talk.say(
            public_id=game.public_id,
            user=ana,
            room=TalkRoom.TABLE,
            text="Once.",
            form_token="same",
            now=NOON,
        )

    assert at_once(*[say] * 8) == [None] * 8
    assert TableMessage.objects.count() == 1


def test_people_who_speak_at_once_are_numbered_one_after_the_other() -> None:
    game = running_game(3)
    people = [person(name) for name in NAMES[:3]] * 2
    assert at_once(*[lambda who=who: _tell(game, who) for who in people]) == [None] * 6
    numbers = TableMessage.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == [1, 2, 3, 4, 5, 6]


def test_no_limit_is_outrun() -> None:
    game, ana = running_game(3), person("Ana")
    for _ in range(talk.MOST_AT_A_TABLE - 1):
        tell(game, ana)
    results = at_once(*[lambda: _tell(game, ana)] * 4)
    assert sorted(map(str, results)) == ["None", *[str(Reason.TOO_FAST)] * 3]


def test_muting_reading_noting_and_reporting_twice_at_once_is_once() -> None:
    game, ana = running_game(3), person("Ana")
    message = tell(game, person("Ben"))

    def read() -> None:
        talk.read(public_id=game.public_id, user=ana, table=1, spectators=0)

    def note() -> None:
        notes.write(game=game, user=ana, seat=1, role=None, text="Hm")

    def report() -> None:
        reports.report(reporter=ana, subject=message, kind=ReportKind.ABUSE, words="", now=NOON)

    def mute() -> None:
        talk.mute(user=ana, whom_id=message.user_id)

    for act, model in ((read, TalkRead), (note, Note), (report, Report), (mute, Mute)):
        assert at_once(*[act] * 6) == [None] * 6
        assert model.objects.count() == 1


def _tell(game: object, who: object) -> None:
    tell(game, who)  # type: ignore[arg-type]
