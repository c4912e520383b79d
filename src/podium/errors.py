"""Every error that podium raises at users.

A message says what came, what is allowed, and what to do. Nothing else is
raised on purpose; anything else that escapes is a fault of podium's own.
"""

from collections.abc import Sequence


class PodiumError(Exception):
    """Base of all errors that a user's data or request can cause."""


class DataError(PodiumError, ValueError):
    """The data, or an option of a method, cannot be used.

    Args:
        message: What came, what is allowed, what to do.
        components: Groups of agents that cannot be compared with one another,
            where that is the reason.
        field: The part of a request that is wrong, where it has parts.
    """

    def __init__(
        self, message: str, *, components: Sequence[Sequence[str]] = (), field: str = ""
    ) -> None:
        super().__init__(message)
        self.components = tuple(tuple(group) for group in components)
        self.field = field


class NotConverged(PodiumError, RuntimeError):  # noqa: N818, reads as what happened
    """An iteration stopped before it met its criterion."""


class StudyError(PodiumError, RuntimeError):
    """A study was asked or told something out of turn."""


class UnknownStudy(StudyError):  # noqa: N818, reads as what happened
    """A store holds no study of that name."""


class UnknownQuery(StudyError):  # noqa: N818, reads as what happened
    """A study never asked what was answered."""


class Conflict(StudyError):  # noqa: N818, reads as what happened
    """A request contradicts one that was accepted before: an answer, a name that is taken."""


class StoreError(PodiumError, RuntimeError):
    """A store cannot be opened, read or written."""


class MissingExtra(PodiumError, ImportError):  # noqa: N818, reads as what happened
    """A part of podium needs a package that is not installed."""
