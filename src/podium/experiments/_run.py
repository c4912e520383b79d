"""Run experiments and write what they found."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from podium.experiments._kept import Kept, Progress
from podium.experiments._registry import Result, Setting, chosen
from podium.experiments._report import write_result
from podium.simulation._engines import engine_of
from podium.words import check_number

SIMULATIONS = "simulations"
"""Folder, within that of the reports, where simulations are kept."""


def run(
    names: Sequence[str] = (),
    *,
    output: Path | None = None,
    seeds: int | None = None,
    jobs: int = 1,
    engine: str = "local",
    progress: Progress | None = None,
) -> list[Result]:
    """Run experiments by name or by group, one after another.

    Simulations are made once for all experiments. With a folder they are kept
    there, and a run that was stopped goes on where it was.

    Args:
        names: Names of experiments or of groups; none means all.
        output: Folder for a report, a CSV file and pictures an experiment, if wanted.
        seeds: Number of random repetitions, where an experiment has any.
        jobs: Number of processes, where an experiment uses several.
        engine: Where simulations run: local, ray, or ray:address=HOST:PORT.
        progress: Told what is under way, and how much of it is done.
    """
    engine_of(engine)
    if seeds is not None:
        check_number("seeds", seeds, low=1)
    check_number("jobs", jobs, low=1)
    kept = Kept(None if output is None else output / SIMULATIONS, progress)
    setting = Setting(seeds=seeds, jobs=jobs, engine=engine, kept=kept)
    every, results = chosen(names), []
    for number, one in enumerate(every, start=1):
        if progress is not None:
            progress(one.name, number, len(every))
        found = one.call(setting)
        result = replace(found, name=one.name, title=one.title, remakes=one.remakes)
        results.append(result if output is None else write_result(result, output))
    return results
