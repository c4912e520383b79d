"""Specifications of studies: what is wrong is told, with the part that is."""

from typing import Any

import pytest

from podium.errors import DataError
from podium.study.spec import StudySpec

PARTS: dict[str, Any] = {"name": "s", "agents": ["a", "b", "c"], "tasks": ["t", "u"]}


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("agents", ["a"], "1 agent came; a study needs at least 2"),
        ("agents", "ab", "give a list of names"),
        ("agents", ["a", "a"], "named twice"),
        ("tasks", [], "0 tasks came; a study needs at least 1"),
        ("name", "", "empty"),
        ("name", 7, "give text"),
        ("seed", -1, "whole number from 0"),
        ("seed", 1.5, "whole number from 0"),
        ("seed", 1 << 63, "whole number from 0"),
        ("budget", 0, "number above 0"),
        ("budget", float("nan"), "finite number above 0"),
        ("budget", float("inf"), "finite number above 0"),
        ("budget", 10**400, "finite number above 0"),
        ("budget", True, "finite number above 0"),
        ("budget", "10", "finite number above 0"),
        ("costs", 3, "a number for each task"),
        ("costs", {"v": 1}, "no task named 'v'"),
        ("costs", {"t": 0}, "above 0"),
        ("costs", {"t": {"z": 1}}, "no agent named 'z'"),
        ("lease", 0, "above 0"),
        ("confidence", 1, "below 1"),
        ("top", 4, "from 1 to 3"),
        ("limit", 0, "at least 1"),
        ("limit", {"v": 3}, "no task named 'v'"),
        ("noise", -1, "at least 0"),
        ("forbidden", ["t"], "give .task, agent."),
        ("forbidden", [["t", "z"]], "no agent named 'z'"),
        ("retries", -1, "whole number from 0"),
        ("bugdet", 3, "did you mean 'budget'"),
    ],
)
def test_a_wrong_part_is_named(part: str, value: Any, message: str) -> None:
    with pytest.raises(DataError, match=message) as told:
        StudySpec.of(**{**PARTS, part: value})
    assert told.value.field == part


@pytest.mark.parametrize("part", ["name", "agents", "tasks"])
def test_a_missing_part_is_named(part: str) -> None:
    with pytest.raises(DataError, match=f"a study needs {part}") as told:
        StudySpec.of(**{name: value for name, value in PARTS.items() if name != part})
    assert told.value.field == part


def test_what_was_asked_for_comes_back() -> None:
    more = {"costs": {"t": 2.0, "u": {"a": 1.0}}, "top": 2, "forbidden": (("t", "c"),)}
    spec = StudySpec.of(**PARTS, **more)
    assert StudySpec.of(**spec.to_dict()) == spec


def test_a_study_grows() -> None:
    spec = StudySpec.of(**PARTS, budget=10, costs={"t": 2})
    grown = spec.extended({"agents": ["d"], "tasks": ["v"], "budget": 5, "costs": {"v": 3}})
    assert grown.agents == ("a", "b", "c", "d")
    assert grown.tasks == ("t", "u", "v")
    assert grown.budget == 15
    assert grown.costs == {"t": 2, "v": 3}
    with pytest.raises(DataError, match="no part that can be extended named 'seed'"):
        spec.extended({"seed": 3})
    with pytest.raises(DataError, match="named twice"):
        spec.extended({"agents": ["a"]})
