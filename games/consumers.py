"""The live table's door: frames in, services called, each viewer's own update out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final
from urllib.parse import parse_qs

from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import connection
from django.db.utils import InterfaceError, OperationalError
from django.utils.translation import override

from engine.actions import from_json
from engine.errors import EngineError
from games import clock, events, protocol, scenes, selectors, services, store, writer
from games.errors import GameError, shown
from games.limits import BadFrames, TokenBucket
from games.models.match import ID_LENGTH
from games.picture import Scene
from games.protocol import BadFrame, Message
from games.trips import Trips
from players import languages, sessions

logger = logging.getLogger(__name__)

CLOSE_TRY_LATER: Final = 1013
CLOSE_BAD_FRAMES: Final = 4400
CLOSE_SIGNED_OUT: Final = 4401
CLOSE_NOT_FOUND: Final = 4404
CLOSE_TOO_FAST: Final = 4429
CLOSE_BROKEN: Final = 4500
# Clients ping every ten seconds, give or take.
SEEN_EVERY: Final = 8.0
LOOK_EVERY: Final = 2.0
# For how long spectators are sent one text: a clock in it is as old as that.
TOLD_FOR: Final = 0.25
# How long to wait before each new try when the database does not answer, in seconds.
TRY_AGAIN: Final = (0.1, 0.4, 1.0)
_MATCH_ID: Final = re.compile(rf"[0-9A-Za-z]{{{ID_LENGTH}}}")

Refused = (GameError, EngineError)
NoAnswer = (OperationalError, InterfaceError)


class LeanConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Without the stock consumer's channel of the layer, and hop into the database thread at every
    event.

    Pokes come through the process's hub. The stock consumer closes old connections before it
    dispatches; here all database work goes through `in_database`, which does so around each call.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.scope, self.base_send = scope, send
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            self.gone()

    def gone(self) -> None:
        """The socket is closed, or was broken off."""

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        raise StopConsumer

    async def dispatch(self, message: dict[str, Any]) -> None:
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            logger.warning("socket: no handler for %r", message.get("type"))
            return
        await handler(message)

    async def give_up(self, close_code: int, reason: str) -> None:
        """Say why, and close."""
        await self.send(protocol.dump({"t": "closed", "code": reason}))
        await self.close(code=close_code)


class NoSuchSocket(LeanConsumer):
    """Any path that leads nowhere."""

    async def connect(self) -> None:
        await self.accept()
        await self.give_up(CLOSE_NOT_FOUND, "not_found")


class TableConsumer(LeanConsumer):
    """One viewer of one table: a player of it, or anybody else."""

    match_id: str
    # Whether this is one of the people who watch the table: neither of its players nor its host.
    counts = False
    sent_seq: int | None = None
    _joined = False
    _closing = False
    # What pokes have told of since the last look: the log's number, and whether to read anew.
    _poked = 0
    _stale = False
    _busy = False
    _looking: asyncio.Task[None] | None = None
    _last_look = 0.0
    _last_seen = 0.0

    async def connect(self) -> None:
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        self.bucket, self.bad_frames = TokenBucket(), BadFrames()
        self.showing = asyncio.Lock()
        self.trips = Trips()
        user = self.scope.get("user")
        self.viewer = user if user is not None and user.is_authenticated else None
        self.language = _language_of(self.scope)
        # A close before the handshake reaches the browser as a bare failure, without its code.
        await self.accept()
        known = bool(_MATCH_ID.fullmatch(self.match_id))
        if not known or await in_database(selectors.seq_of)(self.match_id) is None:
            await self._end(CLOSE_NOT_FOUND, "not_found")

    def gone(self) -> None:
        self._closing = True
        if self._joined:
            events.hub().leave(self.match_id, self)
        if self._looking is not None:
            self._looking.cancel()

    async def _end(self, close_code: int, reason: str) -> None:
        self._closing = True
        logger.info("socket of table %s closed: %s", self.match_id[:ID_LENGTH], reason)
        await self.give_up(close_code, reason)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        received = clock.now()
        if self._closing:
            return
        if not self.bucket.take():
            await self._end(CLOSE_TOO_FAST, "too_fast")
            return
        try:
            if text_data is None:
                raise BadFrame("frames are text")
            message = protocol.parse(text_data)
        except BadFrame as error:
            await self._bad_frame(error)
            return
        # An answer comes before the state that shows it.
        self._busy = True
        try:
            await self._trying(lambda: self._do(message, received))
        finally:
            self._busy = False
        await self._trying(self._look)

    async def _trying(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do `work`, again if the database does not answer; every part of it may come twice.

        When it stays away the socket is closed, so that the client comes again with what it sent.
        """
        for wait in (*TRY_AGAIN, None):
            try:
                await work()
                return
            except NoAnswer as error:
                logger.warning("table %s: the database does not answer: %s", self.match_id, error)
                if wait is None:
                    await self._end(CLOSE_TRY_LATER, "try_later")
                else:
                    await asyncio.sleep(wait)
            except GameError:
                await self._end(CLOSE_NOT_FOUND, "not_found")
                return
            except (store.LogBroken, store.DealBroken) as error:
                logger.error("table %s is broken: %s", self.match_id, error)
                await self._end(CLOSE_BROKEN, "broken")
                return

    async def _bad_frame(self, error: BadFrame) -> None:
        await self._say({"t": "error", "code": "bad_frame", "detail": str(error)})
        if self.bad_frames.too_many():
            await self._end(CLOSE_BAD_FRAMES, "bad_frames")

    async def _do(self, message: Message, received: datetime) -> None:
        match message:
            case protocol.Hello(seq):
                await self._hello(seq)
            case protocol.Ping(sent):
                await self._ping(sent)
            case protocol.Echo(now):
                self.trips.answered(now, received)
            case protocol.Nudge():
                await self._nudge()
            case protocol.Act():
                await self._act(message, received)
            case protocol.Resign(client_id):
                await self._command(client_id, services.resign, client_id=client_id)
            case protocol.Rematch(client_id):
                await self._command(client_id, services.rematch)
            case protocol.Ready():
                await self._write(None, lambda viewer: writer.Ready(self.match_id, viewer))
            case protocol.Back():
                await self._command(None, services.back)
            case protocol.Say(client_id, word, text):
                given = {"word": word, "text": text, "client_id": client_id}
                await self._command(client_id, services.say, **given)
            case protocol.Bots(level):
                await self._command(None, _fill, level=level)

    # Commands

    async def _act(self, message: protocol.Act, received: datetime) -> None:
        def command(viewer: Any) -> writer.Command:
            action = from_json(message.action)
            return writer.Act(self.match_id, viewer, message.seq, action, message.id, received)

        await self._write(message.id, command)

    async def _write(self, command: str | None, make: Callable[[Any], writer.Command]) -> None:
        """What comes often goes to the writer, which commits it together with others that wait."""
        try:
            if self.viewer is None:
                raise GameError("not_seated")
            done = await asyncio.wrap_future(writer.submit(make(self.viewer)))
        except Refused as error:
            await self._refuse(command, error)
            return
        await self._acknowledge(command, done)

    async def _command(
        self, command: str | None, service: Callable[..., Any], **given: Any
    ) -> None:
        """Call a service for this viewer; acknowledge it by the command's id, or refuse it."""
        try:
            if self.viewer is None:
                raise GameError("not_seated")
            done = await in_database(service)(match_id=self.match_id, player=self.viewer, **given)
        except Refused as error:
            await self._refuse(command, error)
            return
        await self._acknowledge(command, done)

    async def _acknowledge(self, command: str | None, done: Any) -> None:
        """Every change has been committed; what follows from it need not wait for its poke."""
        if isinstance(done, services.Ack):
            if command is not None:
                await self._say({"t": "ack", "id": command, "seq": done.seq})
            await self._catch_up_to(done.seq)
            return
        if command is not None:
            await self._say({"t": "ack", "id": command, "seq": self.sent_seq or 0})
        await self._catch_up_if_behind()

    async def _refuse(self, command: str | None, error: GameError | EngineError) -> None:
        with override(self.language):
            detail = shown(error)
        await self._say(
            {
                "t": "refused",
                "id": command,
                "code": error.code,
                "detail": detail,
                "seq": self.sent_seq or 0,
            }
        )
        if error.code in ("stale_seq", "too_late"):
            await self._catch_up()

    # Looking

    async def _hello(self, seq: int | None) -> None:
        """Listen first and read then, so that nothing falls between the two."""
        self._joined = True
        await self._listen()
        scene = await in_database(_arrive)(self.match_id, self.viewer)
        self.counts = scene.seat_of(self.viewer) is None and not scene.is_host(self.viewer)
        await self._show(scene, anew=True, since=lambda: seq)

    async def _listen(self) -> None:
        self._last_seen = time.monotonic()
        await events.hub().join(self.match_id, self)

    async def _ping(self, sent: int) -> None:
        """A heartbeat: be seen, and catch up with whatever pokes were lost."""
        now = time.monotonic()
        if self._joined and now - self._last_seen >= SEEN_EVERY:
            if not await in_database(sessions.is_alive)(self.scope.get("session"), self.viewer):
                await self._end(CLOSE_SIGNED_OUT, "signed_out")
                return
            await self._listen()
            if self.viewer is not None:
                seen = {"player": self.viewer, "trip_ms": self.trips.longest_ms}
                await in_database(services.seen)(match_id=self.match_id, **seen)
        if self._joined and now - self._last_look >= LOOK_EVERY:
            self._last_look = now
            await self._nudge()
        moment = clock.now()
        self.trips.sent(moment)
        await self._say(
            {
                "t": "pong",
                "sent": sent,
                "now": clock.ms(moment),
                "seq": self.sent_seq or 0,
                "watching": events.hub().watching(self.match_id),
            }
        )

    async def _nudge(self) -> None:
        """See that nothing is overdue: the same check as the sweep's, in case there is none."""
        if await in_database(selectors.overdue)(self.match_id):
            await self._wake()
        await self._catch_up_if_behind()

    async def _wake(self) -> None:
        await in_database(services.wake)(match_id=self.match_id)

    async def _catch_up(self) -> None:
        """Show the table as it is now."""
        if self._joined:
            await self._show(await in_database(scenes.read)(self.match_id), anew=True)

    async def _catch_up_to(self, seq: int) -> None:
        """Show the table at `seq` or later, unless the viewer has seen it."""
        if self.sent_seq is None or seq <= self.sent_seq:
            return
        scene = scenes.known(self.match_id, seq) or await _reading(self.match_id, seq)
        await self._show(scene)

    async def _catch_up_if_behind(self) -> None:
        latest = await in_database(selectors.seq_of)(self.match_id)
        await self._catch_up_to(latest or 0)

    def look(self, seq: int | None) -> None:
        """A poke: something happened; what, is read. Of pokes that come together one is enough."""
        if seq is None:
            self._stale = True
        elif seq <= (self.sent_seq or 0):
            return
        else:
            self._poked = max(self._poked, seq)
        if not self._busy and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look_by_itself())

    async def _look_by_itself(self) -> None:
        with contextlib.suppress(OSError):  # The socket went away.
            await self._trying(self._look)

    async def _look(self) -> None:
        while not self._closing and not self._busy and (self._stale or self._poked):
            stale, poked = self._stale, self._poked
            self._stale, self._poked = False, 0
            try:
                await (self._catch_up() if stale else self._catch_up_to(poked))
            except BaseException:
                self._stale, self._poked = self._stale or stale, max(self._poked, poked)
                raise

    async def _show(
        self, scene: Scene, *, anew: bool = False, since: Callable[[], int | None] | None = None
    ) -> None:
        """Send an update since what was sent last, or since what the client says that it has.

        Never one that is older than what the viewer has; one that is as old only to a viewer who
        is to see the table `anew`.
        """
        if scene.card.spectator_delay:
            scene = await in_database(scenes.seen_by)(scene, self.viewer)
        async with self.showing:
            seq, sent = scene.card.seq, self.sent_seq
            if self._closing or (sent is not None and (seq < sent or (seq == sent and not anew))):
                return
            text = await self._state(scene, sent if since is None else since())
            self.sent_seq = seq
            await self.send(text)

    async def _state(self, scene: Scene, since: int | None) -> str:
        """The state message for this viewer; the same text for all spectators of a moment who read
        one language, and have muted nobody who spoke.
        """
        own = scene.seat_of(self.viewer) is not None or scene.is_host(self.viewer)
        watches = not own and not scene.has_muted(self.viewer)
        made, text = scene.told.get((self.language, since), (0.0, ""))
        if watches and text and time.monotonic() - made < TOLD_FOR:
            return text
        # A look that a poke has begun runs in the poke's own context, which has no language.
        with override(self.language):
            if since is None or selectors.reaches_back(scene, since):
                text = selectors.update_text(scene, self.viewer, since)
            else:
                text = await in_database(selectors.update_text)(scene, self.viewer, since)
        if watches:
            scene.told[self.language, since] = (time.monotonic(), text)
        return text

    async def _say(self, message: dict[str, Any]) -> None:
        if not self._closing:
            await self.send(protocol.dump(message))


def _language_of(scope: Any) -> str:
    """The language of the page that opened the socket: ``?lang=tr``."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [""])
    return languages.spoken(asked[0])


def _fill(*, match_id: str, player: Any, level: str) -> None:
    services.fill_with_bots(match_id=match_id, by=player, level=level)


def _arrive(match_id: str, viewer: Any) -> Scene:
    """Be seen, see that nothing is overdue, and read: for a socket that says hello."""
    if viewer is not None:
        services.arrive(match_id=match_id, player=viewer)
    scene = scenes.read(match_id)
    if scene.card.wake_at is None or scene.card.wake_at > clock.now():
        return scene
    services.wake(match_id=match_id)
    return scenes.read(match_id)


def in_database(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """The same function for the event loop, run in the thread that all sockets share.

    That thread keeps its connection, which takes longer to open than most questions to answer. One
    that has broken is found and replaced at the next call.
    """

    def call(*args: Any, **given: Any) -> Any:
        connection.ensure_connection()
        connection.close_at = None
        return function(*args, **given)

    called: Callable[..., Awaitable[Any]] = database_sync_to_async(call)
    return called


# One reading at a time for each match, whichever of its sockets asks first.
_readings: dict[str, tuple[int, asyncio.Task[Scene]]] = {}


async def _reading(match_id: str, seq: int) -> Scene:
    """A scene that holds the log up to `seq`, read once for all sockets that wait for it."""
    wanted, task = _readings.get(match_id, (-1, None))
    if task is None or task.done() or wanted < seq or task.get_loop().is_closed():
        task = asyncio.ensure_future(in_database(scenes.at_least)(match_id, seq))
        _readings[match_id] = (seq, task)
        task.add_done_callback(lambda done: _forget_reading(match_id, done))
    return await asyncio.shield(task)


def _forget_reading(match_id: str, done: asyncio.Task[Scene]) -> None:
    if _readings.get(match_id, (0, None))[1] is done:
        del _readings[match_id]
