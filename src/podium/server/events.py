"""What happens to studies, told to whoever listens, as server-sent events."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Sequence

import msgspec

from podium.errors import PodiumError
from podium.server.entries import entry_of
from podium.store import Entry, Store

LOGGER = logging.getLogger(__name__)

EVERY = 0.4
"""Seconds after which the store is asked whether another process wrote something."""

HEARTBEAT = 15.0
"""Seconds after which a listener is told that nothing has happened."""

RECENT = 5_000
"""Entries that are kept for listeners that are a little behind."""

AT_ONCE = 1_000
"""Entries that a listener who is far behind is given at a time."""


class Feed:
    """The newest entries of one study, read once for all who listen."""

    def __init__(self, name: str, last: int) -> None:
        self.name = name
        self.last = last
        self.listeners = 0
        self.over = False
        self.recent: deque[Entry] = deque(maxlen=RECENT)
        self.more = asyncio.Event()
        self.look = asyncio.Event()

    def since(self, after: int) -> list[Entry] | None:
        """Give the entries behind a place; None if they are not kept here."""
        if after >= self.last:
            return []
        first = self.last - len(self.recent)
        return None if after < first else [e for e in self.recent if e.seq > after]

    def take(self, entries: Sequence[Entry]) -> None:
        """Take in new entries, and wake all who listen."""
        if entries:
            self.recent.extend(entries)
            self.last = entries[-1].seq
            self.more.set()
            self.more = asyncio.Event()


class Events:
    """The feeds of all studies that somebody listens to.

    Args:
        store: Where the studies are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._feeds: dict[str, Feed] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def heard(self, name: str) -> None:
        """Have a study looked at now; may be called from any thread."""
        feed = self._feeds.get(name)
        if feed is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(feed.look.set)

    async def follow(self, name: str, after: int, last: int) -> AsyncIterator[bytes]:
        """Give the entries of a study as they come, until the client, the study or the server goes.

        Args:
            name: Name of the study.
            after: Place behind which entries are wanted.
            last: Place of the last entry that is there.
        """
        feed = self._joined(name, last)
        try:
            yield b"retry: 1000\n\n"
            while not (self._closed or feed.over):
                more = feed.more
                entries: Sequence[Entry] | None = feed.since(after)
                if entries is None:
                    entries = await asyncio.to_thread(self._read, name, after, AT_ONCE)
                for entry in entries:
                    after = entry.seq
                    yield b"id: %d\ndata: %s\n\n" % (after, msgspec.json.encode(entry_of(entry)))
                if not entries and not await _within(more, HEARTBEAT):
                    yield b": nothing new\n\n"
        finally:
            feed.listeners -= 1

    def close(self) -> None:
        """Let all who listen go."""
        self._closed = True
        for feed in self._feeds.values():
            feed.more.set()
            feed.look.set()

    def _joined(self, name: str, last: int) -> Feed:
        """Find the feed of a study, or begin one."""
        self._loop = asyncio.get_running_loop()
        feed = self._feeds.get(name)
        if feed is None:
            feed = self._feeds[name] = Feed(name, last)
            task = asyncio.create_task(self._watch(feed))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        feed.listeners += 1
        return feed

    async def _watch(self, feed: Feed) -> None:
        """Read what is new, as long as somebody listens."""
        try:
            while feed.listeners and not self._closed:
                feed.look.clear()
                entries = await asyncio.to_thread(self._read, feed.name, feed.last, AT_ONCE)
                feed.take(entries)
                if len(entries) < AT_ONCE:
                    await _within(feed.look, EVERY)
        except PodiumError as error:  # such as a study that was deleted
            LOGGER.info("events of %r end: %s", feed.name, error)
        finally:
            feed.over = True
            del self._feeds[feed.name]
            feed.more.set()

    def _read(self, name: str, after: int, limit: int) -> Sequence[Entry]:
        return self._store.read(name, after, limit)


async def _within(event: asyncio.Event, seconds: float) -> bool:
    """Wait for something, for so many seconds at most."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True
