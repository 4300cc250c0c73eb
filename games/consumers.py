"""Sockets. They change nothing and say nothing but "fetch again"."""

import asyncio
from collections import Counter
from typing import Any, cast
from urllib.parse import urlencode

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import User
from games import hearing, selectors
from games.notify.in_page import LOBBY, person_group, session_group, table_group, talk_group

NOT_FOR_YOU = 4403
COME_BACK = 1012
"""Upon which, of these, a page opens its socket again."""
TOO_MUCH = 1008

OF_ONE_PERSON, OF_ONE_ADDRESS = 50, 200
"""Sockets that may be open at once in one process: of a person, and of strangers at an address,
where many may share one. A page without a socket asks now and then instead."""

LOBBY_RESTS = 3.0
"""Seconds between two frames about the lobby: however much happens there, a page fetches no more
often."""

FRAMES = 20
"""What a browser may send over a socket, to which our pages send nothing, before it is closed."""

_open: Counter[str] = Counter()


class PageConsumer(AsyncWebsocketConsumer):
    """An open page: pokes about the person and, on a table's page, about the table and its talk;
    on the page of the talk, about that alone; on the lobby's, about the public tables.

    The groups are joined before the first poke, so that nothing falls between a page's own
    picture and the pokes; a reconnected page fetches what it missed.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket from its start to its end, if there is room for one more of theirs."""
        whose, at_most = _whose(scope)
        if _open[whose] >= at_most:
            await receive()
            await send({"type": "websocket.close", "code": TOO_MUCH})
            return
        _open[whose] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            _open[whose] -= 1
            if not _open[whose]:
                del _open[whose]

    async def connect(self) -> None:
        self.groups_joined: list[str] = []
        self.frames = 0
        self.lobby_told: asyncio.Task[None] | None = None
        user, lobby = self._user(), self._is_lobby()
        public_id, talk_alone = self._public_id(), self._talk_alone()
        if public_id and not await _may_see(public_id, user.pk, self._link_token()):
            await self.close(NOT_FOR_YOU)
            return
        if not public_id and not lobby and not user.is_authenticated:
            await self.close(NOT_FOR_YOU)
            return
        if not await self._join_own(user):
            await self._leave(NOT_FOR_YOU)
            return
        rooms: tuple[str, ...] = ()
        if lobby:
            await self._join(LOBBY)
        if public_id:
            if not talk_alone:
                await self._join(table_group(public_id))
            rooms = await _rooms(public_id, user, self._link_token())
            for room in rooms:
                await self._join(talk_group(public_id, room))
        await self.accept()
        await self._greet(user, rooms)

    async def _greet(self, user: User | AnonymousUser, rooms: tuple[str, ...]) -> None:
        """Whatever the page shows may have changed before its socket was open."""
        public_id = self._public_id()
        if public_id and self._talk_alone():
            for room in rooms[:1]:
                await self.talk_said({"table": public_id, "room": room})
        elif public_id:
            await self.table_moved({"table": public_id})
        elif self._is_lobby():
            await self.lobby_changed({})
        if user.is_authenticated:
            await self.person_asked({})

    async def _join_own(self, user: User | AnonymousUser) -> bool:
        """Listen to what concerns this browser and person; False if they were signed out on the
        way here."""
        if session := getattr(self.scope.get("session"), "session_key", None):
            await self._join(session_group(session))
        if user.is_authenticated:
            await self._join(person_group(user.pk))
        return await _is_still(user)

    async def disconnect(self, code: int) -> None:
        if told := getattr(self, "lobby_told", None):
            told.cancel()
        while self.groups_joined:
            await self.channel_layer.group_discard(self.groups_joined.pop(), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is said over a socket; whoever goes on all the same is cut off."""
        self.frames += 1
        if self.frames == FRAMES:
            await self._leave(TOO_MUCH)

    async def table_moved(self, event: dict[str, Any]) -> None:
        await self._poke("poke-table", self._url("games:fragment", event), "#table", "outerMorph")
        if self.groups_joined and not await _may_see(
            event["table"], self._user().pk, self._link_token()
        ):
            # Whoever saw the waiting room, say. When things happen at a table is its own, too.
            await self._leave(NOT_FOR_YOU)

    async def lobby_changed(self, _event: dict[str, Any]) -> None:
        """Say so, and then no more for a while: what changes meanwhile is said at its end."""
        self.lobby_stale = True
        if self.lobby_told is None or self.lobby_told.done():
            self.lobby_told = asyncio.create_task(self._tell_lobby())

    async def _tell_lobby(self) -> None:
        query = self.scope.get("query_string", b"").decode("ascii", "ignore")
        url = f"{reverse('games:lobby')}?{query}" if query else reverse("games:lobby")
        while self.lobby_stale:
            self.lobby_stale = False
            await self._poke("poke-table", url, "#lists", "outerMorph")
            await asyncio.sleep(LOBBY_RESTS)

    async def talk_said(self, event: dict[str, Any]) -> None:
        # Asked again each time: a spectator may have taken a seat since.
        if event["room"] in await _rooms(event["table"], self._user(), self._link_token()):
            url = self._url("games:talk", event)
            await self._poke("poke-talk", url, "#talk-body", "outerMorph", tag="#talk-tag")

    async def person_asked(self, event: dict[str, Any]) -> None:
        await self._poke("poke-person", reverse("games:waiting"), "#waiting", "outerMorph")
        public_id = self._public_id()
        if public_id and event and not self._talk_alone():
            # What is only this person's own (a sealed answer in another tab) is on the table too.
            await self.table_moved({"table": public_id})

    async def person_gone(self, _event: dict[str, Any]) -> None:
        """This person has signed out everywhere, has another password, or may not come in any
        more: a page from before is nobody's."""
        if not await _is_still(self._user()):
            await self._leave(NOT_FOR_YOU)

    async def session_gone(self, event: dict[str, Any]) -> None:
        """Somebody has signed out in this browser, or in: then this page's socket comes back."""
        await self._leave(COME_BACK if event["renewed"] else NOT_FOR_YOU)

    async def _leave(self, code: int) -> None:
        await self.disconnect(code)
        await self.close(code)

    async def _join(self, group: str) -> None:
        await self.channel_layer.group_add(group, self.channel_name)
        self.groups_joined.append(group)

    def _url(self, name: str, event: dict[str, Any]) -> str:
        url = reverse(name, args=[event["table"]])
        link_token = self._link_token()
        return f"{url}?{urlencode({'k': link_token})}" if link_token else url

    async def _poke(self, name: str, url: str, target: str, swap: str, tag: str = "#tag") -> None:
        if not self.groups_joined:  # it has gone; this was on its way
            return
        context = {"name": name, "url": url, "target": target, "swap": swap, "tag": tag}
        await self.send(text_data=render_to_string("games/poke.html", context))

    def _public_id(self) -> str:
        """The table of this page, if it is one's; from its address."""
        return str(self.scope["url_route"]["kwargs"].get("public_id", ""))

    def _is_lobby(self) -> bool:
        return bool(self.scope["url_route"]["kwargs"].get("lobby"))

    def _talk_alone(self) -> bool:
        return bool(self.scope["url_route"]["kwargs"].get("talk_alone"))

    def _user(self) -> User | AnonymousUser:
        user: Any = self.scope["user"]  # lazy: the session's, whatever its declared type
        return cast(User | AnonymousUser, user)

    def _link_token(self) -> str:
        query = self.scope.get("query_string", b"").decode("ascii", "ignore")
        return query.removeprefix("k=") if query.startswith("k=") else ""


def _whose(scope: Any) -> tuple[str, int]:
    """Whom a socket counts for, and how many of theirs may be open."""
    user: User | AnonymousUser = scope["user"]
    if user.is_authenticated:
        return f"person {user.pk}", OF_ONE_PERSON
    return f"address {_address(scope)}", OF_ONE_ADDRESS


def _address(scope: Any) -> str:
    """Where a socket comes from; behind proxies of ours, what the first of them says."""
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    named = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    addresses = b",".join(named).decode("latin-1").split(",")
    if named and 0 < proxies <= len(addresses):
        return addresses[-proxies].strip()
    return str((scope.get("client") or [""])[0])


@database_sync_to_async
def _is_still(user: User | AnonymousUser) -> bool:
    """Whether a session that was this person's when it was read may be so now."""
    if not isinstance(user, User):
        return True
    found = User.objects.filter(pk=user.pk, is_active=True).first()
    return found is not None and found.get_session_auth_hash() == user.get_session_auth_hash()


@database_sync_to_async
def _may_see(public_id: str, user_id: int | None, link_token: str) -> bool:
    try:
        return selectors.may_see(selectors.find(public_id), user_id, link_token)
    except selectors.Hidden:
        return False


@database_sync_to_async
def _rooms(public_id: str, user: User | AnonymousUser, link_token: str) -> tuple[str, ...]:
    """Of the table's talk, what this person may read."""
    person = user if isinstance(user, User) else None
    try:
        return hearing.listener(selectors.find(public_id), person, link_token).rooms
    except selectors.Hidden:
        return ()
