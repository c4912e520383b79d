"""What stores say when something is amiss."""

from collections.abc import Collection

from podium.errors import Conflict, StudyError, UnknownStudy
from podium.words import unknown


def taken(study: str) -> Conflict:
    """Say that a study is there already."""
    return Conflict(f"there is a study named {study!r} already; open it, or choose another name")


def missing(study: str, known: Collection[str]) -> StudyError:
    """Say that a study is not there."""
    if not known:
        return UnknownStudy(f"no study named {study!r}, as this store is empty; create one first")
    return UnknownStudy(unknown("study", study, known))


def reused(key: str) -> Conflict:
    """Say that a name of a request was given to another request before."""
    return Conflict(
        f"the idempotency key {key!r} came with another request before; give each request a key "
        "of its own"
    )
