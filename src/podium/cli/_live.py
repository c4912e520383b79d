"""How a run goes, while it goes: spend, coverage, certainty, and whether to stop now."""

import sys
import threading
import time
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from podium.cli._screen import names, safe_text
from podium.data.ratings import Ranking
from podium.errors import PodiumError
from podium.safe import visible
from podium.study.run import Progress
from podium.words import report

if TYPE_CHECKING:
    from rich.console import RenderableType

ENOUGH = 0.95
"""Certainty at which one may stop, where the study does not say."""

FIRST, EACH = 1.0, 30.0
"""Seconds between two looks at the study: at least, and for plain lines."""

SHARE = 0.1
"""Share of the time that looks may take."""


class Showing(StrEnum):
    """How progress is shown."""

    auto = "auto"
    live = "live"
    plain = "plain"
    none = "none"


def showing(wanted: Showing) -> Showing:
    """Choose what suits the screen: nothing is shown where nobody looks."""
    if wanted is not Showing.auto:
        return wanted
    return Showing.live if sys.stderr.isatty() else Showing.none


class Display:
    """Shows on standard error how a run goes.

    Args:
        study: The study that is run.
        how: What to show.
    """

    def __init__(self, study: Any, how: Showing) -> None:
        self.how = showing(how)
        self.progress = Progress(0, 0, 0, "")
        self.why = ""
        self._study = study
        self._begun = time.monotonic()
        self._seen: tuple[Mapping[str, Any], Ranking] | None = None
        self._over = threading.Event()
        self._live: Any = None

    def __enter__(self) -> Self:
        if self.how is Showing.live:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True, markup=False, highlight=False, emoji=False),
                get_renderable=self.picture,
                refresh_per_second=4,
                transient=True,
            )
            self._live.start()
        if self.how is not Showing.none:
            threading.Thread(target=self._look, name="podium display", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._live is not None:
            self._live.stop()

    def note(self, progress: Progress) -> None:
        """Take note of how far the run is."""
        self.progress = progress
        self.why = progress.why or self.why

    def _look(self) -> None:
        """Look at the study now and then; a study that does not answer is no news."""
        pause = FIRST if self.how is Showing.live else EACH
        while not self._over.wait(pause):
            before = time.monotonic()
            try:
                self._seen = (self._study.status(), self._study.ranking())
            except (PodiumError, OSError):
                continue
            spent = time.monotonic() - before
            pause = max(FIRST if self.how is Showing.live else EACH, spent / SHARE)
            if self.how is Showing.plain and not self._over.is_set():
                sys.stderr.write("; ".join(map(visible, self.lines())) + "\n")

    def lines(self) -> list[str]:
        """Say how the run goes, in a few lines."""
        done, failed, running, _ = self.progress
        minutes = max(time.monotonic() - self._begun, 1e-3) / 60.0
        now = [f"{done:,} told", f"{done / minutes:.3g} a minute", f"{running:,} running"]
        said = [", ".join([*now, f"{failed:,} failed"] if failed else now)]
        if self._seen is not None:
            status, ranking = self._seen
            budget = status.get("budget")
            bound = "" if budget is None else f" of {budget:g}"
            leaders = names([agent for tier in ranking.tiers[:1] for agent in tier], 3)
            said.append(f"spent {status['spent']:g}{bound}, coverage {status['coverage']:.0%}")
            said.append(f"leader {leaders}")
            said.append(f"stop now? {stop_now(status)}")
        if self.why:
            said.append(f"last failure: {self.why.splitlines()[0][:200]}")
        return said

    def picture(self) -> "RenderableType":
        """Draw the bar of the budget with the lines below it."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar

        lines = [safe_text(text) for text in self.lines()]
        status = self._seen[0] if self._seen else {}
        budget = status.get("budget")
        if budget is None:
            return Group(*lines)
        return Group(ProgressBar(total=budget, completed=status["spent"], width=60), *lines)


def stop_now(status: Mapping[str, Any]) -> str:
    """Say whether a study knows enough.

    >>> stop_now({"certainty": 0.5, "top": 3, "confidence": None})
    'not yet: the first 3 are right with probability 0.50'
    >>> stop_now({"certainty": 0.97, "top": None, "confidence": 0.95})
    'yes: the ranking is right with probability 0.97'
    """
    enough = status["certainty"] >= (status.get("confidence") or ENOUGH)
    verdict = "yes" if enough else "not yet"
    return (
        f"{verdict}: {report(status.get('top'))} right with probability {status['certainty']:.2f}"
    )
