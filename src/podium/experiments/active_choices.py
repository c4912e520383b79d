"""What Lanctot et al. (2026) leave open, tried: which choice gives all printed numbers at once."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from podium.experiments._active import Cell, agrees, cells, simulated
from podium.experiments._active_variants import Ties, Unseen, ballots, chosen_only, shared
from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.learners import _rules as rule
from podium.learners._learner import Learner
from podium.learners.growing import growing
from podium.learners.growing_nash import growing_nash
from podium.learners.online_elo import online_elo
from podium.learners.online_lottery import online_lottery
from podium.learners.online_nash import online_nash
from podium.simulation.result import Simulation
from podium.strategies._strategy import Strategy
from podium.strategies._wrap import burn_in
from podium.strategies.policy import policy
from podium.strategies.representation import representation
from podium.study.presets import PRESETS, Preset

SEEDS = 40
"""Fewer than the tables have: what is looked for are differences of a half and more."""

WHERE: Mapping[str, str] = {"3": "Atari", "5": "clones"}
"""World of each table; Table 2 has one for each phi."""

UNSEEN: tuple[Unseen, ...] = ("abstain", "zero")
TIES: tuple[Ties, ...] = ("half", "code")

RULES = {
    "mean-model-copeland": rule.copeland,
    "mean-model-ranked-pairs": rule.ranked_pairs,
    "mean-model-maximal-lotteries": rule.lotteries,
}

NOTES = (
    (
        "Numbers that do not agree with the printed ones stand in brackets. Agreement is that of "
        "the tables: within chance of both means, or a quarter of the printed number."
    ),
)


class Choice(NamedTuple):
    """One reading of what is open in an algorithm; without a strategy, that of its preset."""

    preset: str
    text: str
    learner: Learner
    strategy: Strategy | None = None

    @property
    def made(self) -> Preset:
        """The choice as a preset."""
        strategy = self.strategy or PRESETS[self.preset].strategy
        return Preset(f"{self.preset}, {self.text}", self.learner, strategy)


def choices() -> Iterator[Choice]:
    """List what is tried; what the presets do is among it."""
    for k in (0.5, 1.0, 2.0, 4.0, 16.0, 32.0):
        yield Choice("online-elo", f"K = {k:g}", online_elo(k=k))
    for batch, step in ((8, 0.03), (32, 0.1), (32, 0.01), (32, 0.001), (128, 0.003), (128, 0.001)):
        learner = growing(rule.sco(batch=batch, step=step))
        yield Choice("batch-sco", f"batch {batch}, step {step:g}", learner)
    yield from _nash()
    yield from _ballots()


def _nash() -> Iterator[Choice]:
    for epsilon in (0.1, 0.5, 0.8):
        asked, rated = f"uniform share {epsilon:g}", "of the ratings, too"
        batch, online = burn_in(policy(epsilon=epsilon)), policy(epsilon=epsilon)
        yield Choice("batch-nash-averaging", asked, growing_nash(), batch)
        mixed = shared(growing_nash(), epsilon)
        yield Choice("batch-nash-averaging", f"{asked}, {rated}", mixed, batch)
        for unseen in (0.0, 50.0):
            learner = online_nash(unseen=unseen)
            text = f"{asked}, unseen {unseen:g}"
            yield Choice("online-nash-averaging", text, learner, online)
            mixed = shared(learner, epsilon)
            yield Choice("online-nash-averaging", f"{text}, {rated}", mixed, online)
        yield Choice("online-maximal-lotteries", asked, online_lottery(), online)


def _ballots() -> Iterator[Choice]:
    for name, order in RULES.items():
        for unseen in UNSEEN:
            for ties in TIES:
                text = f"unseen {unseen}, ties by {ties}"
                yield Choice(name, text, ballots(order(), unseen, ties))
    for unseen in UNSEEN:
        for ties in TIES:
            learner = ballots(rule.ranked_pairs(), unseen, ties)
            text = f"unseen {unseen}, ties by {ties}"
            yield Choice("proportional-representation", f"{text}, all ballots", learner)
        for group in (3, 5, 8):
            learner = chosen_only(ballots(rule.ranked_pairs(), unseen, "code"), group)
            text = f"unseen {unseen}, ties by code, ballots of the set, group {group}"
            strategy = burn_in(representation(group=group))
            yield Choice("proportional-representation", text, learner, strategy)


@experiment("active-choices", group="active", remakes="Tables 2, 3 and 5, other readings")
def active_choices(setting: Setting) -> Result:
    """Whether other readings of what the paper leaves open give its numbers in all tables."""
    fewer = replace(setting, seeds=setting.seeds or SEEDS)
    rows: dict[str, list[dict[str, Any]]] = {}
    best: dict[str, tuple[int, str]] = {}
    for choice in choices():
        printed = columns(choice.preset)
        found = {where: _simulated(choice, where, fewer) for where in {w for w, _ in printed}}
        met = [agrees(cell, found[where]) for where, cell in printed]
        row = {"reading": choice.text, "agree": f"{sum(met)} of {len(met)}"}
        for (where, cell), near in zip(printed, met, strict=True):
            mean = f"{found[where].agre(cell.k).mean:.4f}"
            row[f"{where}, k = {cell.k}: {cell.text}"] = mean if near else f"({mean})"
        rows.setdefault(choice.preset, []).append(row)
        best[choice.preset] = max(best.get(choice.preset, (-1, "")), (sum(met), choice.text))
    findings = [_finding(preset, *most) for preset, most in best.items()]
    return Result(findings=tuple(findings), tables=rows, notes=NOTES)


def columns(preset: str) -> list[tuple[str, Cell]]:
    """List the worlds and the cells that are printed of a preset."""
    return [
        (WHERE.get(table, f"phi = {cell.phi}"), cell)
        for table in ("2", "3", "5")
        for cell in cells(table)
        if cell.preset == preset
    ]


def _simulated(choice: Choice, where: str, setting: Setting) -> Simulation:
    return next(iter(simulated([choice.made], where, setting).values()))


def _finding(preset: str, met: int, text: str) -> Finding:
    number = len(columns(preset))
    whole = met == number
    return Finding(
        "Tables 2, 3 and 5", f"{preset}: readings that agree in all columns", f"{number} columns",
        f"{met}: {text}", "consistent" if whole else "differs",
        "a reading of what is open agrees everywhere" if whole else "no reading that was tried",
    )  # fmt: skip
