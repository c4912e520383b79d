"""What stores say when something is amiss."""

from collections.abc import Collection

from podium.errors import StudyError
from podium.words import unknown


def taken(study: str) -> StudyError:
    """Say that a study is there already."""
    return StudyError(f"there is a study named {study!r} already; open it, or choose another name")


def missing(study: str, known: Collection[str]) -> StudyError:
    """Say that a study is not there."""
    if not known:
        return StudyError(f"no study named {study!r}, as this store is empty; create one first")
    return StudyError(unknown("study", study, known))
