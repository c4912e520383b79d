# ruff: noqa: INP001, T201, a script that prints
"""Run a study with workers of Ray; README.md says how.

Each worker opens the study, asks, evaluates and tells by itself, on whichever
machine Ray has put it; they meet in the store alone.
"""

import argparse
import os
import random
import time
from collections.abc import Mapping, Sequence
from typing import Any

import ray

import podium

AGENTS = [f"agent-{number}" for number in range(8)]
TASKS = [f"task-{number}" for number in range(20)]


def evaluate(task: str, agents: Sequence[str]) -> Mapping[str, float]:
    """Put your own evaluation here; this one waits a moment and makes scores up."""
    time.sleep(0.05)
    ease = TASKS.index(task) / len(TASKS)
    return {agent: AGENTS.index(agent) + ease + random.gauss() for agent in agents}


def opened(store: str, name: str) -> Any:
    """Open a study in a store, or behind a server."""
    if store.startswith("http"):
        return podium.connect(store, study=name, token=os.environ.get("PODIUM_TOKEN"))
    return podium.Study.open(name, store)


def created(store: str, name: str, budget: float) -> Any:
    """Begin a study, or open it if it is there, so that the same command goes on."""
    parts = {"agents": AGENTS, "tasks": TASKS, "budget": budget, "lease": 60.0}
    try:
        if store.startswith("http"):
            service = podium.connect(store, token=os.environ.get("PODIUM_TOKEN"))
            return service.create(name, **parts)
        return podium.Study.create(name, store=store, **parts)
    except podium.StudyError:
        return opened(store, name)


@ray.remote(max_retries=-1)  # a machine that is lost takes no work with it: leases end
def work(store: str, name: str) -> int:
    """Evaluate until the study stops; gives how many answers this worker told."""
    seen: list[Any] = []
    opened(store, name).run(evaluate, progress=seen.append)
    return seen[-1].told if seen else 0


def main() -> None:
    """Start workers, wait for them, and print the ranking."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", default=f"sqlite:///{os.path.abspath('cluster.db')}")  # noqa: PTH100
    parser.add_argument("--study", default="cluster")
    parser.add_argument("--budget", type=float, default=200.0)
    parser.add_argument("--workers", type=int, help="by default as many as there are processors")
    parser.add_argument("--address", help="of a Ray cluster, such as auto; by default this machine")
    told = parser.parse_args()
    ray.init(address=told.address or "local", log_to_driver=False)
    study = created(told.store, told.study, told.budget)
    workers = told.workers or int(ray.cluster_resources()["CPU"])
    counts = ray.get([work.remote(told.store, told.study) for _ in range(workers)])
    print(f"{sum(counts)} answers by {workers} workers: {', '.join(map(str, counts))}")
    print(study.ranking())
    print(f"It stopped: {study.stopped}.")


if __name__ == "__main__":
    main()
