"""Simulations by the workers of Ray: the same results, to the last bit, as in this process.

`make test-engines` installs Ray and runs this file; it needs no other machine.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from podium import DataError, PodiumError, simulate, worlds
from podium.learners import LEARNERS
from podium.simulation.result import Simulation
from podium.strategies import STRATEGIES
from podium.study.presets import Preset

pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("default"),  # what engines warn of is theirs
]

WORLD = worlds.mallows(agents=5, tasks=6, phi=0.5)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """Ray, which podium starts, and which is stopped in the end."""
    library: Any = pytest.importorskip("ray", reason="run `make test-engines`")
    yield library
    library.shutdown()


def same(one: Simulation, other: Simulation) -> bool:
    return one.seeds == other.seeds and all(
        a.since.tobytes() == b.since.tobytes()
        and a.places.tobytes() == b.places.tobytes()
        and a.tally.tobytes() == b.tally.tobytes()
        for a, b in zip(one.runs, other.runs, strict=True)
    )


@pytest.mark.parametrize("preset", ["podium", "batch-sco"])
def test_the_engine_changes_nothing(preset: str, ray: Any) -> None:
    local, remote = (
        simulate(preset, WORLD, rounds=400, seeds=range(7), jobs=2, engine=engine)
        for engine in ("local", "ray")
    )
    assert ray.is_initialized()
    assert same(local, remote)


def test_progress_is_told_seed_by_seed(ray: Any) -> None:
    told: list[tuple[int, int]] = []
    simulate(
        "online-elo", WORLD, rounds=300, seeds=range(3), engine="ray",
        progress=lambda *at: told.append(at),
    )  # fmt: skip
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_learners_and_worlds_of_ones_own_reach_the_workers(ray: Any) -> None:
    def evaluate(task: str, pair: tuple[str, ...]) -> dict[str, float]:
        return {agent: len(agent) + len(task) / 10 for agent in pair}

    own = Preset("own", LEARNERS["online-sco"].make(step=0.5), STRATEGIES["completion"].make())
    asked = worlds.callback(evaluate, ["a", "bb", "ccc"], ["s", "tt"], truth=["ccc", "bb", "a"])
    for world in (WORLD, asked):
        local, remote = (
            simulate(own, world, rounds=300, seeds=range(3), engine=engine)
            for engine in ("local", "ray")
        )
        assert same(local, remote)


def test_an_error_of_a_worker_is_raised_as_it_was_there(ray: Any) -> None:
    world = worlds.callback(lambda *_: {}, ["a", "b"], ["s"], truth=["a", "b"])
    with pytest.raises(DataError, match="give a finite number"):
        simulate("batch-elo", world, rounds=300, seeds=[0], engine="ray")


CLUSTER = """
import sys
import ray
from ray.cluster_utils import Cluster
from podium import simulate, worlds

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
world = worlds.mallows(agents=5, tasks=6, phi=0.5)
engine = f"ray:address={cluster.address}"
found = simulate("batch-elo", world, rounds=400, seeds=range(4), engine=engine)
assert ray.get_runtime_context().gcs_address == cluster.address
sys.stdout.write(repr([run.places.tolist() for run in found.runs]))
"""


def test_a_running_cluster_is_used(ray: Any, tmp_path: Path) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=300, check=False
    )
    local = simulate("batch-elo", WORLD, rounds=400, seeds=range(4))
    assert done.stdout == repr([run.places.tolist() for run in local.runs]), done.stderr[-2000:]


def test_a_cluster_that_is_not_there_is_an_error(ray: Any) -> None:
    ray.shutdown()
    with pytest.raises(PodiumError, match="no cluster of Ray at"):
        simulate("batch-elo", WORLD, rounds=300, seeds=[0], engine="ray:address=127.0.0.1:1")
