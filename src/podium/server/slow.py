"""A few threads for what may take long, so that it never keeps workers waiting."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

THREADS = 4


class Slow:
    """Threads of their own for rankings and the like."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="podium slow")
        self._going: dict[str, asyncio.Future[Any]] = {}

    async def run(self, work: Callable[[], T]) -> T:
        """Do something in one of the threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def within(self, seconds: float, jobs: Mapping[str, Callable[[], T]]) -> dict[str, T]:
        """Do several things, and give what is done in time; the rest goes on for whoever asks next.

        Args:
            seconds: How long to wait.
            jobs: What to do, by names; what is being done under a name is not begun again.
        """
        for name, work in jobs.items():
            if name not in self._going:
                job = self._going[name] = asyncio.ensure_future(self.run(work))
                job.add_done_callback(partial(self._over, name))
        going = {name: self._going[name] for name in jobs}
        if going:
            await asyncio.wait(going.values(), timeout=seconds)
        done = {name: job for name, job in going.items() if job.done() and not job.cancelled()}
        return {name: job.result() for name, job in done.items() if not job.exception()}

    def _over(self, name: str, job: asyncio.Future[Any]) -> None:
        del self._going[name]
        if not job.cancelled():
            job.exception()  # looked at, as whoever asked may have gone

    def close(self) -> None:
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
