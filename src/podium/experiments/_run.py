"""Run experiments and write what they found."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from podium.experiments._registry import Result, Setting, chosen
from podium.experiments._report import write_result
from podium.words import check_number


def run(
    names: Sequence[str] = (),
    *,
    output: Path | None = None,
    seeds: int | None = None,
    jobs: int = 1,
) -> list[Result]:
    """Run experiments by name or by group, one after another.

    Args:
        names: Names of experiments or of groups; none means all.
        output: Folder for a report, a CSV file and pictures an experiment, if wanted.
        seeds: Number of random repetitions, where an experiment has any.
        jobs: Number of processes, where an experiment uses several.
    """
    if seeds is not None:
        check_number("seeds", seeds, low=1)
    check_number("jobs", jobs, low=1)
    results = []
    for one in chosen(names):
        found = one.call(Setting(seeds=seeds, jobs=jobs))
        result = replace(found, name=one.name, title=one.title, remakes=one.remakes)
        results.append(result if output is None else write_result(result, output))
    return results
