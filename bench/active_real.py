"""Presets on tables of scores that were looked at by nobody who designed `podium`.

PODIUM_SHARED=../shared python bench/active_real.py                   all presets, 100 seeds
PODIUM_SHARED=../shared python bench/active_real.py podium soft-vote --seeds 0 20

Three worlds, each the same for every seed but for the scores that are drawn; the truth is
the Kemeny order of the means:

muesli   "Muesli", Table 11: 4 agents on 57 Atari games, normal scores with the published
         standard deviation. Human and random have none; their scores have no noise, as in
         the world `agent57`.
sets     AlpacaEval 2.0: 10 models on its 5 sets of prompts. A score is that of one prompt of
         the set, drawn with replacement from 80 to 252: nearly all are near 0 or 1.
prompts  The same models on every eighth prompt, 101 tasks; its one score comes each time.

The models are those at 10 even steps down the list by mean score, without the baseline,
whose scores are all 0.5, and two that play tricks on the judge.
"""

import argparse
import os
import sys
from pathlib import Path

import numpy as np

import podium
from podium import simulate, worlds
from podium.data.convert import convert
from podium.data.scores import Scores
from podium.worlds import World

USUAL = (
    "podium",
    "soft-vote",
    "uniform-averaging",
    "basic-ucb",
    "batch-elo",
    "mean-model-copeland",
)

ROUNDS = (100, 300, 1_000, 10_000)

LEFT_OUT = ("gpt4_1106_preview", "gpt4_gamed", "NullModel")
MODELS, EVERY = 10, 8


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("preset", nargs="*", help="presets")
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 100), metavar=("FIRST", "COUNT"))
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def read(path: Path, task: str = "task") -> Scores:
    """Read scores, the tasks from a column of some name."""
    scores: Scores = convert(podium.read(path, columns={"task": task}), Scores)
    return scores


def muesli(shared: Path) -> World:
    """Make a world of means and standard deviations."""
    scores = read(shared / "data/atari/muesli_table11.csv")
    stds = np.zeros(scores.means.shape) if scores.stds is None else np.nan_to_num(scores.stds)
    return worlds.table(scores.means, stds, scale=True)


def alpaca(shared: Path, *, prompts: bool) -> World:
    """Make a world of recorded scores, a task being a set of prompts or a prompt."""
    file = shared / "data/llm/alpaca_eval2_instances.csv.gz"
    scores = read(file, "instance" if prompts else "task")
    honest = [agent for agent in scores.agents if agent not in LEFT_OUT]
    average = np.nanmean(scores.means, axis=0)
    honest.sort(key=lambda agent: -average[scores.agents.index(agent)])
    steps = np.linspace(0, len(honest) - 1, MODELS).round().astype(int)
    chosen = scores.only(agents=[honest[step] for step in steps])
    return worlds.replay(chosen.only(tasks=chosen.tasks[::EVERY]) if prompts else chosen)


def tables(shared: Path) -> dict[str, tuple[World, tuple[int, ...]]]:
    """Give the worlds, and how many agents matter."""
    return {
        "muesli": (muesli(shared), (1, 4)),
        "sets": (alpaca(shared, prompts=False), (3, 10)),
        "prompts": (alpaca(shared, prompts=True), (3, 10)),
    }


def main() -> None:
    """Print a table for each world."""
    asked = arguments()
    shared = Path(os.environ.get("PODIUM_SHARED", "../shared"))
    if not (shared / "data").exists():
        sys.exit(f"no data in {shared}: set PODIUM_SHARED to the folder that holds them")
    first, count = asked.seeds
    for name, (world, wanted) in tables(shared).items():
        agents, tasks = world.sizes
        print(
            f"\n{name}: {agents} agents, {tasks} tasks; AGRE, seeds {first} to {first + count - 1}"
        )
        heads = [f"k={k} t={at:,}" for k in wanted for at in ROUNDS]
        print(f"{'':<20} " + " ".join(f"{head:>15}" for head in heads))
        for preset in asked.preset or USUAL:
            seeds = range(first, first + count)
            found = simulate(preset, world, rounds=max(ROUNDS), seeds=seeds, jobs=asked.jobs)
            cells = (found.agre(k, at) for k in wanted for at in ROUNDS)
            row = " ".join(f"{f'{mean:.4f}+-{half:.4f}':>15}" for mean, half in cells)
            print(f"{preset:<20} {row}", flush=True)


if __name__ == "__main__":
    main()
