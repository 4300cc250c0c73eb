"""Pokes to open pages: "fetch again", and nothing that is not public.

Whatever is sent here goes out after the commit, or not at all; a broken channel layer never fails
what was committed.
"""

import logging
from collections.abc import Iterable

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.utils.crypto import salted_hmac

logger = logging.getLogger(__name__)


def table_group(public_id: str) -> str:
    """Of the pages that show a table."""
    return f"table.{public_id}"


def person_group(user_id: int) -> str:
    """Of all the pages that a person has open."""
    return f"person.{user_id}"


def session_group(session: str) -> str:
    """Of the pages of one browser. Nobody learns the key of a session from it."""
    return f"session.{salted_hmac('games.notify.in_page', session, algorithm='sha256').hexdigest()}"


def talk_group(public_id: str, room: str) -> str:
    """Of those who may read one room of a table's talk: no other learns when somebody speaks."""
    return f"talk.{public_id}.{room}"


LOBBY = "lobby"
"""The group of the pages that list the public tables."""


def poke(
    *,
    tables: Iterable[tuple[str, int]] = (),
    people: Iterable[int] = (),
    talks: Iterable[tuple[str, str]] = (),
    lobby: bool = False,
) -> None:
    """Tell the pages of these tables (public id, version), of these people, of those who read
    these talks (public id, room), and the `lobby` to fetch again."""
    messages: list[tuple[str, dict[str, object]]] = [
        (table_group(public_id), {"type": "table.moved", "table": public_id, "version": version})
        for public_id, version in tables
    ] + [(person_group(user_id), {"type": "person.asked"}) for user_id in sorted(people)]
    messages += [
        (talk_group(table, room), {"type": "talk.said", "table": table, "room": str(room)})
        for table, room in talks
    ]
    if lobby:
        messages.append((LOBBY, {"type": "lobby.changed"}))
    _tell(messages)


def sign_out(user_id: int) -> None:
    """Close the sockets of this person's pages that are open in sessions which have ended."""
    _tell([(person_group(user_id), {"type": "person.gone"})])


def end_session(session: str, *, renewed: bool) -> None:
    """Close the sockets of the pages opened in this session; where the browser has another one
    instead, they come back by themselves."""
    _tell([(session_group(session), {"type": "session.gone", "renewed": renewed})])


def _tell(messages: list[tuple[str, dict[str, object]]]) -> None:
    transaction.on_commit(lambda: _hand_over(messages))


def _hand_over(messages: list[tuple[str, dict[str, object]]]) -> None:
    try:
        async_to_sync(_send)(messages)
    except Exception:
        # Whatever a layer raises: the move stands, and the pages poll.
        logger.exception("The channel layer did not take a poke.")


async def _send(messages: list[tuple[str, dict[str, object]]]) -> None:
    layer = get_channel_layer()
    if layer is not None:
        for group, message in messages:
            await layer.group_send(group, message)
